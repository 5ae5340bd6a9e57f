/** Names of frames that stand for frames a profiler left out. They have no class. */

/** Stands for the callers that a truncated stack lacks. */
export const TRUNCATED_NAME = '(truncated)';

const TRUNCATED = /^\(truncated at depth (\d+)\)$/;

/** Name of the frame that stands for the callers missing in a stack of the profiler's maximum depth. */
export function truncatedFrameName(depth: number): string {
  return `(truncated at depth ${depth})`;
}

/** The depth in the name of such a frame; undefined for any other name. */
export function truncatedAt(methodName: string): number | undefined {
  const digits = TRUNCATED.exec(methodName)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Stands for callees of a thread that were too narrow to be drawn in a flame graph page. */
export const NOT_DRAWN_NAME = '(not drawn)';

/** Name of the only frame of a sample whose stack was empty. */
export const EMPTY_STACK_NAME = '<empty>';
