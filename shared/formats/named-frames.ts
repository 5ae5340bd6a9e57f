import type { SampleSink } from '../aggregate/sample-sink.ts';
import { type FrameText, frameFromText } from '../profile/frame-text.ts';
import { NamedMethods } from './named-methods.ts';

/** A frame as the sink takes it; the upper half of its method's id is 0. */
export interface NamedFrame {
  readonly method: number;
  readonly line: number;
}

/** Frames that a file gives as text: file, class and method -> numbers, each defined once. */
export class NamedFrames {
  readonly #methods: NamedMethods;

  constructor(sink: SampleSink) {
    this.#methods = new NamedMethods(sink);
  }

  /** A frame in the words of a tool of the JVM; see `frameFromText`. */
  ofText(text: string, file = '', line?: number): NamedFrame {
    const frame = frameFromText(text);
    return this.of({ ...frame, file, line: line ?? frame.line });
  }

  of({ file, className, methodName, line }: FrameText): NamedFrame {
    const key = `${file}\n${className}\n${methodName}`;
    return { method: this.#methods.numberOf(key, { file, className, methodName }), line };
  }
}
