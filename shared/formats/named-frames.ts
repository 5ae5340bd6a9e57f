import type { SampleSink } from '../aggregate/sample-sink.ts';
import { type FrameText, frameFromText } from '../profile/frame-text.ts';
import type { MethodNames } from '../profile/method-table.ts';

/** A frame for a SampleSink. */
export interface NamedFrame {
  /** Lower half of the method's id; the upper half is 0. */
  readonly method: number;
  readonly line: number;
}

/** Frames of formats that have text instead of ids. Each method (file, class and name) is defined once in the sink. */
export class NamedFrames {
  readonly #methods: NamedMethods;

  constructor(sink: SampleSink) {
    this.#methods = new NamedMethods(sink);
  }

  /** A frame from text as tools of the JVM write it; see `frameFromText`. */
  ofText(text: string, file = '', line?: number): NamedFrame {
    const frame = frameFromText(text);
    return this.of({ ...frame, file, line: line ?? frame.line });
  }

  of({ file, className, methodName, line }: FrameText): NamedFrame {
    const key = `${file}\n${className}\n${methodName}`;
    return { method: this.#methods.numberOf(key, { file, className, methodName }), line };
  }
}

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
