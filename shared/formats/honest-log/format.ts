import { DecoderCode } from '../decoder-code.ts';
import { is, isNot, type ProfileFormat } from '../profile-format.ts';
import { findTraceStart } from './find-trace-start.ts';
import { looksLikeHonestLog } from './looks-like-honest-log.ts';

const code = new DecoderCode(() => import('./decoder.ts'));

/** Some ten of the deepest stacks that the agent writes. */
const SEARCHED_BYTES = 1 << 19;

/** Honest Profiler's log, every age since 2014 (specs: Honest Profiler LogParser). */
export const HONEST_LOG: ProfileFormat = {
  id: 'honest-log',
  name: 'Honest Profiler log',
  extensions: ['.hpl'],
  follows: true,
  cannotTell: [
    'wall-clock time of a sample',
    'methods of unloaded classes',
    'lines, in logs from before September 2015',
  ],
  recognise: (head) => {
    const evidence = looksLikeHonestLog(head);
    if (evidence !== undefined) return is(`it begins with ${evidence}`);
    if (head.length === 0) return isNot(0, 'it is empty');
    const first = `${head[0]} (0x${head[0].toString(16).padStart(2, '0')})`;
    return isNot(0, `its first byte, ${first}, is no record that a log begins with`);
  },
  code,
  createDecoder: (sink) => new code.module.HonestLogDecoder(sink),
  byteRanges: {
    pace: 2,
    findStarts: (peek, inputBytes, wanted) =>
      wanted.flatMap((offset) => {
        const found = findTraceStart(peek(offset, Math.min(SEARCHED_BYTES, inputBytes - offset)));
        return found === undefined ? [] : [offset + found];
      }),
    createDecoder: (sink, _, start) => new code.module.HonestLogDecoder(sink, start),
  },
};
