import type { SampleSink } from '../aggregate/sample-sink.ts';
import type { MethodNames } from '../profile/method-table.ts';

/**
 * Methods of formats that have no ids for them, numbered in order of first appearance and each defined once. The upper
 * half of such a method's id is 0.
 */
export class NamedMethods {
  readonly #sink: SampleSink;
  readonly #numbers = new Map<string, number>();

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** The number of a method, 0 if the sink is full. `key` identifies a method in this format. */
  numberOf(key: string, names: MethodNames): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#sink.isFull) return 0;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.#sink.defineMethod(this.#sink.method(0, number), names);
    return number;
  }
}
