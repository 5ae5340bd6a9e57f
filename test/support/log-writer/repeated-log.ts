/**
 * Makes a large log from a recorded one by repeating it with other ids and times. New method ids make new frames, and
 * new thread ids new roots, so every repetition adds as many call nodes as the first and costs as much as one long
 * recording would.
 */
const FRAME_BCI_ONLY = 2;
const FRAME_FULL = 21;
const TRACE_START_WITH_TIME = 11;
const THREAD_META = 4;
const METHOD_WITH_SIGNATURE = 31;

/** Passes `log` (record types 2, 4, 11, 21 and 31 only) to `sink` `times` times. `sink` must not keep the bytes. */
export function repeatLog(log: Uint8Array, times: number, sink: (bytes: Uint8Array) => void): void {
  const from = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const { ids, seconds } = fieldsOf(from);
  const span = from.getUint32(seconds[seconds.length - 1]) - from.getUint32(seconds[0]) + 1;
  const copy = Uint8Array.from(log);
  const to = new DataView(copy.buffer);
  for (let repetition = 0; repetition < times; repetition++) {
    if (repetition > 0) {
      // The upper half of a 64-bit id, so that no two repetitions can share one.
      for (const at of ids) to.setInt32(at, from.getInt32(at) + 0x10000 * repetition);
      for (const at of seconds) to.setUint32(at, from.getUint32(at) + span * repetition);
    }
    sink(copy);
  }
}

/** Offsets of all ids, and of the lower half of all seconds. */
function fieldsOf(log: DataView): {
  readonly ids: Int32Array;
  readonly seconds: Int32Array;
} {
  const ids: number[] = [];
  const seconds: number[] = [];
  let at = 0;
  while (at < log.byteLength) {
    switch (log.getUint8(at)) {
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
        throw new Error(`record type ${log.getUint8(at)} at byte ${at}`);
    }
  }
  return { ids: Int32Array.from(ids), seconds: Int32Array.from(seconds) };
}

function afterStrings(log: DataView, at: number, count: number): number {
  let next = at;
  for (let index = 0; index < count; index++) next += 4 + log.getInt32(next);
  return next;
}
