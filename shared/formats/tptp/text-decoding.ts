import type { TextSource } from './trace-event.ts';

/** All encodings except UTF-16 and UTF-32: most of their letters contain a NUL byte, and a NUL byte ends a text. */
const ASCII_BASED = /^(?!utf-?(16|32)|ucs|iso-10646|unicode)/i;

/** Decodes texts in the encoding that the trace names. */
export class TextDecoding implements TextSource {
  name = 'UTF8';
  /** A sentence, if the named encoding is not supported. */
  problem: string | undefined;
  #decoder = utf8;

  use(name: string): void {
    this.name = name;
    this.problem = undefined;
    // Java's names: UTF8, ISO8859_1, Cp1252.
    const label = name
      .trim()
      .replace(/^iso8859_/i, 'iso-8859-')
      .replace(/^cp(125\d)$/i, 'windows-$1');
    const decoder = ASCII_BASED.test(label) ? decoderOf(label) : undefined;
    if (decoder === undefined) {
      this.name = `${name} (read as UTF-8)`;
      this.problem = `The encoding ${name === '' ? 'without a name' : name} is not supported: texts are read as UTF-8.`;
    }
    this.#decoder = decoder ?? utf8;
  }

  text(bytes: Uint8Array, from: number, to: number): string {
    return from === to ? '' : this.#decoder.decode(bytes.subarray(from, to));
  }
}

function decoderOf(label: string): TextDecoder | undefined {
  if (/^utf-?8$/i.test(label)) return utf8;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder();
