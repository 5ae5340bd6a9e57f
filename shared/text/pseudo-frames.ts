/** Names of frames that represent what a profiler left out. They have no class. */

const TRUNCATED = /^\(truncated at depth (\d+)\)$/;

/** Stands for the callers that a stack lacks because it is as deep as the profiler's depth limit. */
export function truncatedFrameName(depth: number): string {
  return `(truncated at depth ${depth})`;
}

/** The depth that such a frame tells; undefined for every other name. */
export function truncatedAt(methodName: string): number | undefined {
  const digits = TRUNCATED.exec(methodName)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The only frame of a stack that had none when its sample was taken. */
export const EMPTY_STACK_NAME = '<empty>';
