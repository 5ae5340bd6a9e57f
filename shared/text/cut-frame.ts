const CUT = /^\(cut at depth (\d+)\)$/;

/** The frame that stands for the callers that a profiler's depth limit cut off; it has no class. */
export function cutFrameName(depth: number): string {
  return `(cut at depth ${depth})`;
}

/** The depth that such a frame tells; undefined for every other name. */
export function cutDepthOf(methodName: string): number | undefined {
  const digits = CUT.exec(methodName)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
