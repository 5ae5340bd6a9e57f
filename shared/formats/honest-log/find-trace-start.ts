import { NONE } from '../../profile/columns.ts';
import { stringsEnd } from './definitions.ts';
import {
  FRAME_BCI_ONLY_SIZE,
  FRAME_FULL_SIZE,
  isPlausibleDepth,
  isTraceStart,
  RecordType,
  STRINGS_OFFSET,
  stringsOf,
  TRACE_START_SIZE,
  TRACE_START_WITH_TIME_SIZE,
} from './records.ts';

/** Complete traces that must follow each other. Bytes within a record may look like one trace, but not like four. */
const TRACES = 4;

/**
 * Offset of the first bytes in `window`, a stretch from the middle of a log, that read as several traces one behind the
 * other, each with as many frames as it announces; undefined when there are none. A guess: the format has no sync
 * marks, and a log may hold other bytes within its names.
 */
export function findTraceStart(window: Uint8Array): number | undefined {
  const view = new DataView(window.buffer, window.byteOffset, window.byteLength);
  for (let at = 0; at < window.length; at++) {
    if (isTraceStart(window[at]) && beginsTraces(window, view, at)) return at;
  }
  return undefined;
}

function beginsTraces(window: Uint8Array, view: DataView, at: number): boolean {
  let next = at;
  for (let traces = 0; traces < TRACES; traces++) {
    next = traceEnd(window, view, next);
    if (next === NONE) return false;
  }
  return true;
}

/** Offset behind the trace at `at`, or NONE when there is no complete trace. */
function traceEnd(window: Uint8Array, view: DataView, at: number): number {
  const timed = window[at] === RecordType.traceStartWithTime;
  let next = at + (timed ? TRACE_START_WITH_TIME_SIZE : TRACE_START_SIZE);
  if (next > window.length) return NONE;
  const depth = view.getInt32(at + 1);
  if (!isPlausibleDepth(depth) || (timed && !isPlausibleTime(view, at))) return NONE;
  for (let frames = 0; next < window.length;) {
    const type = window[next];
    if (isTraceStart(type)) return frames === Math.max(0, depth) ? next : NONE;
    if (type === RecordType.frameFull || type === RecordType.frameBciOnly) {
      next += type === RecordType.frameFull ? FRAME_FULL_SIZE : FRAME_BCI_ONLY_SIZE;
      frames++;
    } else {
      const strings = stringsOf(type);
      const end = strings === 0 ? 'cut' : stringsEnd(view, next + STRINGS_OFFSET, strings);
      if (typeof end !== 'number') return NONE;
      next = end;
    }
  }
  return NONE;
}

/** Between 1970 and 2106, and less than a second of nanoseconds. */
function isPlausibleTime(view: DataView, at: number): boolean {
  return (
    view.getInt32(at + 13) === 0 &&
    view.getInt32(at + 17) !== 0 &&
    view.getInt32(at + 21) === 0 &&
    view.getUint32(at + 25) < 1e9
  );
}
