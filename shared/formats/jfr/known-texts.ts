import type { KeepBytes } from '../../read/keep-bytes.ts';
import { SliceInterner } from '../../read/slice-interner.ts';
import { decodeModifiedUtf8 } from '../../text/modified-utf8.ts';
import { dottedClass } from './class-name.ts';

/** Decoded texts by their bytes: every chunk repeats the same names, and decoding one takes a microsecond. */
export class KnownTexts {
  readonly #bytes: SliceInterner;
  readonly #texts: string[] = [];
  readonly #dotted = new Map<string, string>();

  constructor(keeps?: KeepBytes) {
    this.#bytes = new SliceInterner(keeps);
  }

  /** The text of bytes[from … to), which are modified UTF-8. */
  of(bytes: Uint8Array, from: number, to: number): string {
    const number = this.#bytes.intern(bytes, from, to);
    // The number of a text that was refused, too.
    if (number === 0 && !this.#bytes.equals(0, bytes, from, to)) return decodeModifiedUtf8(bytes, from, to);
    return (this.#texts[number] ??= decodeModifiedUtf8(bytes, from, to));
  }

  /** See `dottedClass`. */
  dottedClass(name: string): string {
    let dotted = this.#dotted.get(name);
    if (dotted === undefined) this.#dotted.set(name, (dotted = dottedClass(name)));
    return dotted;
  }
}
