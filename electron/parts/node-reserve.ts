import type { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';

/** From here on the tables' final size can be guessed from the nodes so far; again at four times as much. */
const FIRST_ESTIMATE_BYTES = 4 << 20;
/** A little more than a straight line says: what is reserved and never written costs no memory. */
const ESTIMATE_MARGIN = 1.15;

/** Makes room for the nodes of an input while it is read, so that tables do not grow step by step. */
export class NodeReserve {
  readonly #aggregator: ProfileAggregator;
  #next = FIRST_ESTIMATE_BYTES;

  constructor(aggregator: ProfileAggregator) {
    this.#aggregator = aggregator;
  }

  /** The nodes so far are those of the first `readBytes` of `bytes`. */
  note(readBytes: number, bytes: number): void {
    if (readBytes < this.#next) return;
    this.#next = readBytes * 4;
    const nodes = this.#aggregator.profile.nodes.length;
    this.#aggregator.reserveNodes(Math.ceil(((nodes * bytes) / readBytes) * ESTIMATE_MARGIN));
  }
}
