import type { FrameColumns } from './frame-columns.ts';
import type { TraceTable } from './trace-table.ts';

/**
 * Guesses the depth limit of a file that does not record it, as text files never do. It is the depth of the deepest
 * stacks if they look truncated. Complete stacks share their outermost methods, such as `main` or `Thread.run`. If the
 * deepest stacks have different outermost methods, and one of these is not the outermost method of any other stack,
 * they were truncated. Undefined otherwise: the deepest stack of a profile without a limit is not truncated.
 */
export function guessedDepthLimit(traces: TraceTable, frames: FrameColumns): number | undefined {
  let deepest = 0;
  for (let row = 0; row < traces.length; row++) deepest = Math.max(deepest, traces.depth[row]);
  if (deepest === 0) return undefined;
  const tops = new Set<number>();
  const otherTops = new Set<number>();
  for (let row = 0; row < traces.length; row++) {
    if (traces.depth[row] === 0) continue;
    const method = frames.method[traces.top[row]];
    (traces.depth[row] === deepest ? tops : otherTops).add(method);
  }
  const areTruncated = tops.size > 1 && Array.from(tops).some((method) => !otherTops.has(method));
  return areTruncated ? deepest : undefined;
}
