import type { ProfileAggregator } from './profile-aggregator.ts';

/** The final number of rows is first estimated after this many bytes, and again each time four times as many are read. */
const FIRST_ESTIMATE_BYTES = 4 << 20;
/** A little more than the estimate is reserved: pages that are never written use address space, but no memory. */
const ESTIMATE_MARGIN = 1.15;

/**
 * Reserves memory for the call nodes and the samples of an input while it is read, so that tables do not grow step by
 * step. Estimates are rare, because each may copy the tables.
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

  /** Call it when the first `decodedBytes` of an input of `bytes` have been decoded. */
  note(decodedBytes: number, bytes: number): void {
    if (decodedBytes < this.#next) return;
    this.#next = decodedBytes * 4;
    const { nodes, samples } = this.#aggregator.profile;
    const expected = (rows: number): number => Math.ceil(((rows * bytes) / decodedBytes) * ESTIMATE_MARGIN);
    this.#aggregator.reserveNodes(Math.min(this.#most, expected(nodes.length)));
    this.#aggregator.reserveSamples(expected(samples?.length ?? 0));
  }
}

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
