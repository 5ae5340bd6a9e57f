import type { FrameColumns } from './frame-columns.ts';
import type { TraceTable } from './trace-table.ts';

/**
 * Estimates the depth limit of a file that does not record it; text files never do. It is the length of the longest
 * stacks if they look truncated. Complete stacks share their outermost methods, such as `main` or `Thread.run`. When
 * the longest stacks have different outermost methods, and at least one of these starts no shorter stack, they were
 * truncated. Undefined otherwise: the deepest stack of a profile without a limit is not truncated.
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
