import { DecoderCode } from '../decoder-code.ts';
import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import { beginsChunk } from './chunk-header.ts';
import { findChunks } from './find-chunks.ts';

const code = new DecoderCode(() => import('./decoder.ts'));

/** Recordings of JDK Flight Recorder, and of async-profiler in the same format (specs: JFR 2.x). */
export const JFR: ProfileFormat = {
  id: 'jfr',
  name: 'JFR recording',
  extensions: ['.jfr'],
  follows: false,
  cannotTell: [
    'the time that an execution sample stands for, unless its period is given',
    'frames below the stack depth of the recording',
    'threads while they are in neither Java nor native methods, in execution samples',
  ],
  recognise: (head) => {
    const begins = beginsChunk(head);
    if (begins === true) return is('it begins with FLR, as every chunk does');
    return begins === undefined
      ? isPossible(0.5, 'it ends within its first four bytes')
      : isNot(0, 'it does not begin with FLR');
  },
  code,
  createDecoder: (sink, chosen) => new code.module.JfrDecoder(sink, chosen),
  byteRanges: {
    pace: 1,
    findStarts: findChunks,
    createDecoder: (sink, chosen, start) => new code.module.JfrDecoder(sink, chosen, start),
  },
};
