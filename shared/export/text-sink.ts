/**
 * Receives the pieces of a text in order, so that a large export never exists as one string. `share`: the part of the
 * export written including this piece, 0 to 1.
 */
export type TextSink = (text: string, share: number) => void;

/** Collects a complete export; for panes and tests. */
export function collectText(write: (sink: TextSink) => void): string {
  const pieces: string[] = [];
  write((text) => pieces.push(text));
  return pieces.join('');
}

/**
 * Passes text on in pieces of about 64 Ki characters, because most lines are short and most sinks are not free. Lines
 * are joined with `join`, not `+`: V8 represents a concatenation as a tree of its parts, about twenty times as large as
 * the text as long as it is kept.
 */
export class LineWriter {
  readonly #sink: TextSink;
  readonly #expected: number;
  #written = 0;
  readonly #lines: string[] = [];
  #length = 0;

  /** About `expected` lines will be written. */
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
