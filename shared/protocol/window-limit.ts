/**
 * Most call nodes that a window shows of a log. A window needs about 100 bytes per node, and a page has a few gigabytes
 * at most. The command line needs a quarter of that per node, and reads up to four times as many: see `memoryAllowed`.
 */
export const WINDOW_MAX_NODES = 24 << 20;
