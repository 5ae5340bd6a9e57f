/**
 * How threads of logs that are merged are told apart. `groups`: each log is a thread group, and its name is in front of the
 * names of its threads: `node1.hpl: main`. `together`: threads of one name are one, whichever log they are in.
 */
export const MERGED_THREADS = ['groups', 'together'] as const;
export type MergedThreads = (typeof MERGED_THREADS)[number];

/** Id of this choice among those of a merged log. */
export const MERGED_THREADS_CHOICE = 'threads';
