import { isEmptyOrComment, LineWeight } from './weight.ts';

const LF = 0x0a;
const CR = 0x0d;
/** So many bytes are looked at, if a stack ends in them. */
const EXAMINED_BYTES = 4096;
/** So many bytes are looked at in any case. */
export const MOST_EXAMINED_BYTES = 1 << 20;

/** How many counts a stack has: two in a file that compares two profiles, as `difffolded.pl` writes it. */
export type CountsOfStack = 1 | 2;

/**
 * Tells from the first lines whether each stack has two counts:
 *
 *   Shop.main;Shop.price 10 12
 *
 * A frame may end with a space and a number, too, so all of them must have two. Undefined if more bytes are needed.
 * `ended`: there are none.
 */
export function countsOfStacks(head: Uint8Array, ended: boolean): CountsOfStack | undefined {
  const weight = new LineWeight();
  const most = Math.min(head.length, MOST_EXAMINED_BYTES);
  let hasTwo = false;
  for (let from = 0; from < most;) {
    const lineBreak = head.indexOf(LF, from);
    const isComplete = lineBreak >= 0 && lineBreak < most;
    if (!isComplete && !ended) break;
    const end = isComplete ? lineBreak : most;
    const to = end > from && head[end - 1] === CR ? end - 1 : end;
    if (!isEmptyOrComment(head, from, to) && weight.read(head, from, to)) {
      if (!weight.read(head, from, weight.stackEnd)) return 1;
      hasTwo = true;
    }
    from = end + 1;
    if (hasTwo && from >= EXAMINED_BYTES) return 2;
  }
  if (!ended && head.length < MOST_EXAMINED_BYTES) return undefined;
  return hasTwo ? 2 : 1;
}
