/**
 * Takes the pieces of a text in order. Exports write here, so that a large one never exists as one string. `share` of
 * the whole is written with this piece, 0 to 1.
 */
export type TextSink = (text: string, share: number) => void;

/** Collects a whole export; for panes and tests. */
export function collectText(write: (sink: TextSink) => void): string {
  const pieces: string[] = [];
  write((text) => pieces.push(text));
  return pieces.join('');
}

/** Passes text on in pieces of about 64 Ki characters, because most lines are short and most sinks are not free. */
export class LineWriter {
  readonly #sink: TextSink;
  readonly #expected: number;
  #lines = 0;
  #buffer = '';

  /** About `expected` lines will be written. */
  constructor(sink: TextSink, expected: number) {
    this.#sink = sink;
    this.#expected = expected;
  }

  /** One line; the line break is added. */
  line(text: string): void {
    this.#lines++;
    this.#buffer += text + '\n';
    if (this.#buffer.length > 65_536) this.flush();
  }

  flush(): void {
    if (this.#buffer !== '') this.#sink(this.#buffer, Math.min(1, this.#lines / this.#expected));
    this.#buffer = '';
  }
}
