/**
 * Call nodes that a window takes: what it has and computes of them is some 100 bytes each, and a page gets no more than
 * a few gigabytes. The command line needs a tenth of that, and has no such limit.
 */
export const WINDOW_MAX_NODES = 24 << 20;
