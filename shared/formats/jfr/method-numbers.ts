import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { MethodKey } from './recording-part.ts';

/**
 * Methods of all chunks, numbered by what they are called: keys are a chunk's own. Overloads are methods of their own,
 * so the descriptor is part of the name.
 */
export class MethodNumbers {
  readonly #sink: SampleSink;
  /** Class -> method -> descriptor -> number: texts that are the same string each time, so none is hashed anew. */
  readonly #known = new Map<string, Map<string, Map<string, number>>>();

  /** By number. */
  readonly keys: MethodKey[] = [];

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** The number of a method, which is defined when it was not met before. */
  of(className: string, methodName: string, descriptor: string): number {
    let ofClass = this.#known.get(className);
    if (ofClass === undefined) this.#known.set(className, (ofClass = new Map<string, Map<string, number>>()));
    let ofName = ofClass.get(methodName);
    if (ofName === undefined) ofClass.set(methodName, (ofName = new Map<string, number>()));
    let number = ofName.get(descriptor);
    if (number === undefined) {
      number = this.keys.length;
      ofName.set(descriptor, number);
      this.keys.push({ className, methodName, descriptor });
      this.#sink.defineMethod(this.#sink.method(0, number), { file: '', className, methodName });
    }
    return number;
  }

  /** Of what stands on a stack without being a method: '(truncated)'. */
  ofPseudo(name: string): number {
    return this.of('', name, '');
  }
}
