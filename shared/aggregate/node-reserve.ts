import type { ProfileAggregator } from './profile-aggregator.ts';

/** After this many bytes the final number of nodes is estimated from the nodes so far, then at each fourfold size. */
const FIRST_ESTIMATE_BYTES = 4 << 20;
/** Reserves a little more than expected: pages that are never written cost address space, but no memory. */
const ESTIMATE_MARGIN = 1.15;

/**
 * Reserves memory for the nodes of an input while it is read, so that tables do not grow step by step. Estimates are
 * rare, so that tables are not copied again each time a growing input is a little longer.
 */
export class NodeReserve {
  readonly #aggregator: ProfileAggregator;
  readonly #most: number;
  #next = FIRST_ESTIMATE_BYTES;

  /** `most`: reserves at most this many nodes, however many are expected. */
  constructor(aggregator: ProfileAggregator, most = Infinity) {
    this.#aggregator = aggregator;
    this.#most = most;
  }

  /** Call it when the aggregator has the nodes of the first `readBytes` of `bytes`. */
  note(readBytes: number, bytes: number): void {
    if (readBytes < this.#next) return;
    this.#next = readBytes * 4;
    const nodes = this.#aggregator.profile.nodes.length;
    const expected = Math.ceil(((nodes * bytes) / readBytes) * ESTIMATE_MARGIN);
    this.#aggregator.reserveNodes(Math.min(this.#most, expected));
  }
}
