/** Takes the pieces of a text in order. Exports write here, so that a large one never exists as one string. */
export type TextSink = (text: string) => void;

/** Collects a whole export; for panes and tests. */
export function collectText(write: (sink: TextSink) => void): string {
  const pieces: string[] = [];
  write((text) => pieces.push(text));
  return pieces.join('');
}

/** Passes text on in pieces of about 64 Ki characters, because most lines are short and most sinks are not free. */
export class LineWriter {
  readonly #sink: TextSink;
  #buffer = '';

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** One line; the line break is added. */
  line(text: string): void {
    this.#buffer += text + '\n';
    if (this.#buffer.length > 65_536) this.flush();
  }

  flush(): void {
    if (this.#buffer !== '') this.#sink(this.#buffer);
    this.#buffer = '';
  }
}
