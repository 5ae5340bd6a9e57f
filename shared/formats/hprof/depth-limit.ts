import type { FrameColumns } from './frame-columns.ts';
import type { TraceTable } from './trace-table.ts';

/**
 * The depth limit of a file that does not tell it, which text files never do: the length of its longest stacks, if they
 * look cut. A stack that is whole begins where others begin, in `main` or `Thread.run`; when the longest ones begin
 * with different methods, one of which begins no shorter stack, then something was cut off. Undefined otherwise: the
 * deepest stack of a profile without a limit must not be taken for a cut one.
 */
export function guessedDepthLimit(traces: TraceTable, frames: FrameColumns): number | undefined {
  let longest = 0;
  for (let row = 0; row < traces.length; row++) longest = Math.max(longest, traces.depth[row]);
  if (longest === 0) return undefined;
  const tops = new Set<number>();
  const shorterTops = new Set<number>();
  for (let row = 0; row < traces.length; row++) {
    if (traces.depth[row] === 0) continue;
    const method = frames.method[traces.top[row]];
    (traces.depth[row] === longest ? tops : shorterTops).add(method);
  }
  const isCut = tops.size > 1 && Array.from(tops).some((method) => !shorterTops.has(method));
  return isCut ? longest : undefined;
}
