import type { ProfileAggregator } from './profile-aggregator.ts';

/** From here on the tables' final size can be guessed from the nodes so far; again at four times as much. */
const FIRST_ESTIMATE_BYTES = 4 << 20;
/** A little more than a straight line says: what is reserved and never written costs address space, and no memory. */
const ESTIMATE_MARGIN = 1.15;

/**
 * Makes room for the nodes of an input while it is read, so that tables do not grow step by step. Of an input that
 * grows itself there is always a little more than there was: because estimates are rare, tables are not copied for it.
 */
export class NodeReserve {
  readonly #aggregator: ProfileAggregator;
  readonly #most: number;
  #next = FIRST_ESTIMATE_BYTES;

  /** `most`: nodes that room is made for, however many are expected. */
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
