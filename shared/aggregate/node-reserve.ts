import type { ProfileAggregator } from './profile-aggregator.ts';

/** The final number of nodes is first estimated after this many bytes, and again each time four times as many are read. */
const FIRST_ESTIMATE_BYTES = 4 << 20;
/** A little more than the estimate is reserved: pages that are never written use address space, but no memory. */
const ESTIMATE_MARGIN = 1.15;

/**
 * Reserves memory for the call nodes of an input while it is read, so that tables do not grow step by step. Estimates
 * are rare, because each may copy the tables.
 */
export class NodeReserve {
  readonly #aggregator: ProfileAggregator;
  readonly #most: number;
  #next = FIRST_ESTIMATE_BYTES;

  /** `most`: memory is reserved for at most this many nodes. */
  constructor(aggregator: ProfileAggregator, most = Infinity) {
    this.#aggregator = aggregator;
    this.#most = most;
  }

  /** Call it when the first `readBytes` of an input of `bytes` have been read. */
  note(readBytes: number, bytes: number): void {
    if (readBytes < this.#next) return;
    this.#next = readBytes * 4;
    const nodes = this.#aggregator.profile.nodes.length;
    const expected = Math.ceil(((nodes * bytes) / readBytes) * ESTIMATE_MARGIN);
    this.#aggregator.reserveNodes(Math.min(this.#most, expected));
  }
}
