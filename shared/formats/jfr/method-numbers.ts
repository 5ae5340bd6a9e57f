import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NamedMethods } from '../named-methods.ts';

/**
 * Methods of all chunks, numbered by what they are called: keys are a chunk's own. Overloads are methods of their own,
 * so the descriptor is part of the name.
 */
export class MethodNumbers {
  readonly #methods: NamedMethods;

  constructor(sink: SampleSink) {
    this.#methods = new NamedMethods(sink);
  }

  /** The number of a method, which is defined when it was not met before. */
  of(className: string, methodName: string, descriptor: string): number {
    const key = `${className}\n${methodName}\n${descriptor}`;
    return this.#methods.numberOf(key, { file: '', className, methodName });
  }

  /** Of what stands on a stack without being a method: '(truncated)'. */
  ofPseudo(name: string): number {
    return this.of('', name, '');
  }
}
