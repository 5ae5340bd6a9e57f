/**
 * A large log out of a recorded one: repeated, with ids and times moved a little further each time. New method ids
 * make new frames, and new thread ids new roots, so every repetition grows the profile by as many call nodes as the
 * first: nothing is cheaper than it would be in one long recording.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

const FRAME_BCI_ONLY = 2;
const FRAME_FULL = 21;
const TRACE_START_WITH_TIME = 11;
const THREAD_META = 4;
const METHOD_WITH_SIGNATURE = 31;

/** Writes `log` (a Buffer of types 2, 4, 11, 21, 31) `times` times to `path`; returns its size. */
export function writeRepeatedLog(log, times, path) {
  const { ids, seconds } = fieldsOf(log);
  const span = log.readUInt32BE(seconds.at(-1)) - log.readUInt32BE(seconds[0]) + 1;
  const copy = Buffer.from(log);
  const file = openSync(path, 'w');
  let size = 0;
  for (let repetition = 0; repetition < times; repetition++) {
    if (repetition > 0) {
      // The upper half of a 64-bit id, so that no two repetitions can share one.
      for (const at of ids) copy.writeInt32BE((log.readInt32BE(at) + 0x10000 * repetition) | 0, at);
      for (const at of seconds) copy.writeUInt32BE(log.readUInt32BE(at) + span * repetition, at);
    }
    for (let written = 0; written < copy.length;) written += writeSync(file, copy, written);
    size += copy.length;
  }
  closeSync(file);
  return size;
}

/** Offsets of all ids, and of the lower half of all seconds. */
function fieldsOf(log) {
  const ids = [];
  const seconds = [];
  let at = 0;
  while (at < log.length) {
    switch (log[at]) {
      case FRAME_FULL:
        ids.push(at + 9);
        at += 17;
        break;
      case FRAME_BCI_ONLY:
        ids.push(at + 5);
        at += 13;
        break;
      case TRACE_START_WITH_TIME:
        ids.push(at + 5);
        seconds.push(at + 17);
        at += 29;
        break;
      case THREAD_META:
        ids.push(at + 1);
        at = afterStrings(log, at + 9, 1);
        break;
      case METHOD_WITH_SIGNATURE:
        ids.push(at + 1);
        at = afterStrings(log, at + 9, 6);
        break;
      default:
        throw new Error(`record type ${log[at]} at byte ${at}`);
    }
  }
  return { ids, seconds };
}

function afterStrings(log, at, count) {
  let next = at;
  for (let index = 0; index < count; index++) next += 4 + log.readInt32BE(next);
  return next;
}
