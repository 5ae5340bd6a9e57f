/**
 * Receives the pieces of a text in order, so that a large export is never one string. `share`: how much of the export is
 * written with this piece, 0 to 1.
 */
export type TextSink = (text: string, share: number) => void;

/** Collects a complete export as one string. */
export function collectText(write: (sink: TextSink) => void): string {
  const pieces: string[] = [];
  write((text) => pieces.push(text));
  return pieces.join('');
}

/**
 * Writes lines to a sink in pieces of about 64 Ki characters, because calling the sink for each short line would be slow.
 * Lines are joined with `join`, not `+`: V8 stores a concatenation as a tree of its parts, which is about twenty times as
 * large as the text.
 */
export class LineWriter {
  readonly #sink: TextSink;
  readonly #expected: number;
  #written = 0;
  readonly #lines: string[] = [];
  #length = 0;

  /** `expected`: about how many lines will be written, for the share. */
  constructor(sink: TextSink, expected: number) {
    this.#sink = sink;
    this.#expected = expected;
  }

  /** One line; the line break is added. */
  line(text: string): void {
    this.#lines.push(text);
    this.#length += text.length + 1;
    if (this.#length > 65_536) this.flush();
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    this.#written += this.#lines.length;
    this.#lines.push('');
    this.#sink(this.#lines.join('\n'), Math.min(1, this.#written / this.#expected));
    this.#lines.length = 0;
    this.#length = 0;
  }
}
