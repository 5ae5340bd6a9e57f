import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { type Range, Ranges } from './ranges.ts';

/** Bytes of a text, without its characters. */
const TEXT_BYTES = 48;

/** The string table of a file. Strings are decoded on demand, and kept. */
export class Texts {
  readonly #input: Uint8Array;
  readonly #sink: Pick<SampleSink, 'keeps'>;
  readonly #ranges: Ranges;
  readonly #known = new Map<number, string>();

  constructor(input: Uint8Array, sink: Pick<SampleSink, 'keeps' | 'holds'>) {
    this.#input = input;
    this.#sink = sink;
    this.#ranges = new Ranges(sink);
  }

  push(range: Range): void {
    this.#ranges.push(range);
  }

  /** '' for an invalid index. */
  at(index: number): string {
    const known = this.#known.get(index);
    if (known !== undefined || index < 0 || index >= this.#ranges.length) return known ?? '';
    const text = this.decoded(this.#ranges.at(index));
    this.#known.set(index, text);
    return text;
  }

  /** Any text of the input; '' if the memory budget does not allow it. */
  decoded({ from, to }: Range): string {
    if (!this.#sink.keeps(TEXT_BYTES + to - from)) return '';
    return utf8.decode(this.#input.subarray(from, to));
  }
}

const utf8 = new TextDecoder();
