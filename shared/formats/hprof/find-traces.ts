import type { Peek } from '../byte-ranges.ts';
import { LONGEST_PREAMBLE, readBinaryHeader } from './binary-header.ts';
import { u4 } from './big-endian.ts';
import { isRead, isSized, RECORD_HEAD, TRACE } from './record-tags.ts';

/** What is looked at from a wanted offset on: several of the deepest stacks. */
const WINDOW = 1 << 17;
/** So many traces must follow each other, with other records in between. */
const TRACES = 4;
const LONGEST_HEAD = LONGEST_PREAMBLE + 1024;

/**
 * Offsets of traces near the wanted ones, for files with ids of 4 bytes: those of 8 are heap dumps (specs: hprof, section
 * 2). Guesses, because there are no sync marks: other bytes may look like traces.
 */
export function findTraces(peek: Peek, inputBytes: number, wanted: readonly number[]): readonly number[] {
  const header = readBinaryHeader(peek(0, Math.min(LONGEST_HEAD, inputBytes)));
  if (header === undefined || 'problem' in header || header.idSize !== 4) return [];
  return wanted.flatMap((offset) => {
    const found = findTrace(peek(offset, WINDOW));
    return found === undefined ? [] : [offset + found];
  });
}

/** Where several traces begin, one behind the other, each as long as its frames need. */
function findTrace(window: Uint8Array): number | undefined {
  for (let at = window.indexOf(TRACE); at >= 0; at = window.indexOf(TRACE, at + 1)) {
    if (beginsTraces(window, at)) return at;
  }
  return undefined;
}

function beginsTraces(window: Uint8Array, from: number): boolean {
  let at = from;
  for (let traces = 0; traces < TRACES;) {
    if (at + RECORD_HEAD + 12 > window.length || !isRead(window[at])) return false;
    const length = u4(window, at + 5);
    if (!isSized(window[at], length, 4)) return false;
    if (window[at] === TRACE) {
      if (length !== 12 + 4 * u4(window, at + RECORD_HEAD + 8)) return false;
      traces++;
    }
    at += RECORD_HEAD + length;
  }
  return at <= window.length;
}
