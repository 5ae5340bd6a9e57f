/** Counts bytes that a reader of an input keeps. False if the limit on memory does not allow so many more. */
export type KeepBytes = (bytes: number) => boolean;
