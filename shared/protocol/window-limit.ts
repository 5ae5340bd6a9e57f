/**
 * Most call nodes that a window shows of a log. A window needs about 100 bytes per node, and a page has a few gigabytes
 * at most. The command line needs a tenth of that per node and has no limit.
 */
export const WINDOW_MAX_NODES = 24 << 20;

/**
 * Reading for a window stops at the end of the batch in which it reaches WINDOW_MAX_NODES. Within a batch, no more nodes
 * than this are created.
 */
export const WINDOW_NODE_CAPACITY = WINDOW_MAX_NODES + (1 << 20);
