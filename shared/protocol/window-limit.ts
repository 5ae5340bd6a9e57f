/**
 * Most call nodes that a window loads. A window needs about 100 bytes per node, and a page gets a few gigabytes at
 * most. The command line needs a tenth of that per node and has no such limit.
 */
export const WINDOW_MAX_NODES = 24 << 20;
