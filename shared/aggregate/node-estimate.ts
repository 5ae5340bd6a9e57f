/** With less there is no estimate: the first stacks are all new. */
const LEAST_BYTES = 4 << 20;

/** How many call nodes a log will have, by what the latter half of what was read has brought. */
export class NodeEstimate {
  /** Undefined until there is enough to tell by; settled anew whenever twice as much is read. */
  expected: number | undefined;
  #from = { bytes: 0, nodes: 0 };
  #latest = { bytes: 0, nodes: 0 };

  /** So much was read of so many bytes, and has so many nodes. */
  note(bytes: number, fileBytes: number, nodes: number): void {
    if (bytes < Math.max(LEAST_BYTES / 2, 2 * this.#latest.bytes)) return;
    this.#from = this.#latest;
    this.#latest = { bytes, nodes };
    if (bytes < LEAST_BYTES) return;
    const perByte = (nodes - this.#from.nodes) / (bytes - this.#from.bytes);
    this.expected = Math.round(nodes + perByte * Math.max(0, fileBytes - bytes));
  }
}
