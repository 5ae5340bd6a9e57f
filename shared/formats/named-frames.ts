import type { SampleSink } from '../aggregate/sample-sink.ts';
import { type FrameText, frameFromText } from '../profile/frame-text.ts';

/** BCI of frames in formats that know none. */
export const NO_BCI = -1;

/** A frame as the sink takes it; the upper half of its method's id is 0. */
export interface NamedFrame {
  readonly method: number;
  readonly line: number;
}

/** Frames that a file gives as text: file, class and method -> numbers, each defined once. */
export class NamedFrames {
  readonly #sink: SampleSink;
  readonly #methods = new Map<string, number>();

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** A frame in the words of a tool of the JVM; see `frameFromText`. */
  ofText(text: string, file = '', line?: number): NamedFrame {
    const frame = frameFromText(text);
    return this.of({ ...frame, file, line: line ?? frame.line });
  }

  of({ file, className, methodName, line }: FrameText): NamedFrame {
    const key = `${file}\n${className}\n${methodName}`;
    let method = this.#methods.get(key);
    if (method === undefined) {
      method = this.#methods.size;
      this.#methods.set(key, method);
      this.#sink.defineMethod(this.#sink.method(0, method), { file, className, methodName });
    }
    return { method, line };
  }
}
