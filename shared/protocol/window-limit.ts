/**
 * Most call nodes that a window shows of a log. A window needs about 100 bytes per node, and a page has a few gigabytes
 * at most. The command line needs a quarter of that per node, and reads up to four times as many: see `memoryAllowed`.
 */
export const WINDOW_MAX_NODES = 24 << 20;

/**
 * Reading stops after the batch that reaches WINDOW_MAX_NODES; this is the hard limit within that batch.
 */
export const WINDOW_NODE_CAPACITY = WINDOW_MAX_NODES + (1 << 20);
