/** Bytes that are read before the first estimate. Before that nearly all stacks are new, so an estimate is too high. */
const LEAST_BYTES = 4 << 20;

/**
 * Estimates how many call nodes a log will have, from the nodes that the second half of the bytes read so far added.
 */
export class NodeEstimate {
  /** Undefined until LEAST_BYTES are read; estimated again whenever the number of bytes read has doubled. */
  expected: number | undefined;
  #from = { bytes: 0, nodes: 0 };
  #latest = { bytes: 0, nodes: 0 };

  /** Call it when `bytes` of `fileBytes` have been read and the profile has `nodes` call nodes. */
  note(bytes: number, fileBytes: number, nodes: number): void {
    if (bytes < Math.max(LEAST_BYTES / 2, 2 * this.#latest.bytes)) return;
    this.#from = this.#latest;
    this.#latest = { bytes, nodes };
    if (bytes < LEAST_BYTES) return;
    const perByte = (nodes - this.#from.nodes) / (bytes - this.#from.bytes);
    this.expected = Math.round(nodes + perByte * Math.max(0, fileBytes - bytes));
  }
}
