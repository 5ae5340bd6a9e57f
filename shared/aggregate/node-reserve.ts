import type { ProfileAggregator } from './profile-aggregator.ts';

/** After so many bytes the final number of nodes is estimated from the nodes so far; again at four times as many. */
const FIRST_ESTIMATE_BYTES = 4 << 20;
/** A little more than is expected: what is reserved and never written costs address space, and no memory. */
const ESTIMATE_MARGIN = 1.15;

/**
 * Reserves memory for the nodes of an input while it is read, so that tables do not grow step by step. Estimates are
 * rare, so that tables are not copied each time an input that grows itself is a little longer.
 */
export class NodeReserve {
  readonly #aggregator: ProfileAggregator;
  readonly #most: number;
  #next = FIRST_ESTIMATE_BYTES;

  /** At most so many nodes are reserved, however many are expected. */
  constructor(aggregator: ProfileAggregator, most = Infinity) {
    this.#aggregator = aggregator;
    this.#most = most;
  }

  /** The nodes so far are those of the first `readBytes` of `bytes`. */
  note(readBytes: number, bytes: number): void {
    if (readBytes < this.#next) return;
    this.#next = readBytes * 4;
    const nodes = this.#aggregator.profile.nodes.length;
    const expected = Math.ceil(((nodes * bytes) / readBytes) * ESTIMATE_MARGIN);
    this.#aggregator.reserveNodes(Math.min(this.#most, expected));
  }
}
