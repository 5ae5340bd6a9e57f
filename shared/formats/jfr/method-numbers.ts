import type { SampleSink } from '../../aggregate/sample-sink.ts';

/**
 * Methods of all chunks, numbered by what they are called: keys are a chunk's own. Overloads are methods of their own,
 * so the descriptor is part of the name.
 */
export class MethodNumbers {
  readonly #sink: SampleSink;
  readonly #numbers = new Map<string, number>();

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** The number of a method, which is defined when it was not met before. */
  of(className: string, methodName: string, descriptor: string): number {
    const key = `${className}\n${methodName}\n${descriptor}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.#sink.defineMethod(this.#sink.method(0, number), { file: '', className, methodName });
    return number;
  }

  /** Of what stands on a stack without being a method: '(truncated)'. */
  ofPseudo(name: string): number {
    return this.of('', name, '');
  }
}
