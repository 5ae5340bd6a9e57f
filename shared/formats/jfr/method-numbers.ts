import type { SampleSink } from '../../aggregate/sample-sink.ts';

const LIBRARY = /\.(?:so(?:[.\d]+)?|dylib|dll)$|^\[(?:vdso|kernel|heap|stack)\]$/;

/**
 * Numbers the methods of all chunks by their names, because keys of constants are valid in one chunk only. Overloads
 * are different methods, so the descriptor counts as part of the name.
 */
export class MethodNumbers {
  readonly #sink: SampleSink;
  /** Class -> method -> descriptor -> number. Equal texts are the same string object, whose hash is known. */
  readonly #known = new Map<string, Map<string, Map<string, number>>>();
  #count = 0;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** The number of a method. A new method is defined in the sink. */
  of(className: string, methodName: string, descriptor: string): number {
    let ofClass = this.#known.get(className);
    if (ofClass === undefined) this.#known.set(className, (ofClass = new Map<string, Map<string, number>>()));
    let ofName = ofClass.get(methodName);
    if (ofName === undefined) ofClass.set(methodName, (ofName = new Map<string, number>()));
    let number = ofName.get(descriptor);
    if (number === undefined) {
      number = this.#count++;
      ofName.set(descriptor, number);
      // async-profiler writes the library of a native function as its class; in its other formats it is left out.
      const names = LIBRARY.test(className) ? { file: className, className: '' } : { file: '', className };
      this.#sink.defineMethod(this.#sink.method(0, number), { ...names, methodName });
    }
    return number;
  }

  /** The number of a frame that is not a method, such as '(truncated)'. */
  ofPseudo(name: string): number {
    return this.of('', name, '');
  }
}
