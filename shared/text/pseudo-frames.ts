/** Names of frames that no program has: they stand for what a profiler left out. They have no class. */

const CUT = /^\(cut at depth (\d+)\)$/;

/** Stands for the callers that a profiler's depth limit cut off. */
export function cutFrameName(depth: number): string {
  return `(cut at depth ${depth})`;
}

/** The depth that such a frame tells; undefined for every other name. */
export function cutDepthOf(methodName: string): number | undefined {
  const digits = CUT.exec(methodName)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The only frame of a stack that had none when its sample was taken. */
export const EMPTY_STACK_NAME = '<empty>';
