import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import { beginsChunk } from './chunk-header.ts';
import { JfrDecoder } from './decoder.ts';

/** Recordings of JDK Flight Recorder, and of async-profiler in the same format (specs: JFR 2.x). */
export const JFR: ProfileFormat = {
  id: 'jfr',
  name: 'JFR recording',
  listed: { group: 'JVM profilers', entry: 'JFR' },
  extensions: ['.jfr'],
  // A file is read once. A recording that a JVM is writing comes flush by flush: see `JfrDecoder`.
  follows: false,
  joinsEntries: 'bytes',
  notRecorded: [
    'the time that an execution sample stands for, unless its period is recorded or given',
    'frames deeper than the stack depth of the recording',
    'execution samples of threads that are in neither Java nor native methods',
  ],
  recognise: (head) => {
    const begins = beginsChunk(head);
    if (begins === true) return is('it begins with FLR');
    return begins === undefined
      ? isPossible(0.5, 'it ends within its first four bytes')
      : isNot(0, 'it does not begin with FLR');
  },
  createDecoder: (sink, chosen) => new JfrDecoder(sink, chosen),
};
