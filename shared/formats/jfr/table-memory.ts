import type { SampleSink } from '../../aggregate/sample-sink.ts';

/** Bytes counted for a row of a table, with its entry in an index and the copy that is made while the table grows. */
export const RowBytes = {
  constant: 48,
  /** A key that samples refer to, and what is made of it: the number of its stack, or its thread. */
  key: 100,
  /** A group of samples, without its keys. */
  group: 100,
  /** When a sample was taken, with its value and the number of samples that it stands for. */
  time: 24,
  /** A setting of the recording, or a measured value. */
  value: 64,
} as const;

/** What the memory budget counts for tables of a chunk, or for those that all chunks use. */
export class TableMemory {
  /** The budget has not allowed something: the sink is full, and nothing more is to be read. */
  isRefused = false;
  readonly #sink: Pick<SampleSink, 'holds' | 'releases'>;
  #bytes = 0;

  constructor(sink: Pick<SampleSink, 'holds' | 'releases'>) {
    this.#sink = sink;
  }

  /** False if the budget does not allow so many bytes more. */
  take(bytes: number): boolean {
    if (this.isRefused || !this.#sink.holds(bytes)) this.isRefused = true;
    else this.#bytes += bytes;
    return !this.isRefused;
  }

  /** The tables are needed no more. */
  release(): void {
    this.#sink.releases(this.#bytes);
    this.#bytes = 0;
  }
}
