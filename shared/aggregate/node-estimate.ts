/**
 * Call nodes that a window takes: what it has and computes of them is some 100 bytes each, and a page gets no more than a
 * few gigabytes. The command line needs a tenth of that, and has no such bound.
 */
export const MOST_NODES = 24 << 20;

/** Before so much is read nothing is said: the first stacks are all new. */
const TELLING_BYTES = 4 << 20;

/** How many call nodes a log will have, by what the latter half of what was read has brought. */
export class NodeEstimate {
  /** Undefined until there is enough to tell by; settled anew whenever twice as much is read. */
  expected: number | undefined;
  #from = { bytes: 0, nodes: 0 };
  #latest = { bytes: 0, nodes: 0 };

  /** So much was read of so many bytes, and has so many nodes. */
  note(bytes: number, fileBytes: number, nodes: number): void {
    if (bytes < Math.max(TELLING_BYTES / 2, 2 * this.#latest.bytes)) return;
    this.#from = this.#latest;
    this.#latest = { bytes, nodes };
    if (bytes < TELLING_BYTES) return;
    const perByte = (nodes - this.#from.nodes) / (bytes - this.#from.bytes);
    this.expected = Math.round(nodes + perByte * Math.max(0, fileBytes - bytes));
  }
}
