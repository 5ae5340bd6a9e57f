import { DecoderCode } from '../decoder-code.ts';
import { is, isNot, type ProfileFormat } from '../profile-format.ts';
import { looksLikeHonestLog } from './looks-like-honest-log.ts';

const code = new DecoderCode(() => import('./decoder.ts'));

/** Logs of all Honest Profiler versions since 2014 (specs: Honest Profiler LogParser). */
export const HONEST_LOG: ProfileFormat = {
  id: 'honest-log',
  name: 'Honest Profiler log',
  listed: { group: 'JVM profilers', entry: 'Honest Profiler' },
  extensions: ['.hpl'],
  follows: true,
  notRecorded: [
    'wall-clock time of a sample',
    'methods of unloaded classes',
    'frames next to the root, in stacks deeper than the limit of the agent (maxFrames, 128 by default)',
    'lines, in logs from before September 2015',
  ],
  recognise: (head) => {
    const evidence = looksLikeHonestLog(head);
    if (evidence !== undefined) return is(`it begins with ${evidence}`);
    if (head.length === 0) return isNot(0, 'it is empty');
    const first = `${head[0]} (0x${head[0].toString(16).padStart(2, '0')})`;
    return isNot(0, `its first byte, ${first}, does not begin a log record`);
  },
  code,
  createDecoder: (sink, chosen) => new code.module.HonestLogDecoder(sink, chosen),
};
