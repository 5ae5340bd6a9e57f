import type { SampleSink } from '../aggregate/sample-sink.ts';
import { type FrameText, frameFromText } from '../profile/frame-text.ts';
import { NamedMethods } from './named-methods.ts';

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
