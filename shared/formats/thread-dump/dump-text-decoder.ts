import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { MAX_LINE_BYTES } from '../../read/line-splitter.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { tooLongLines } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { DumpLines } from './dump-lines.ts';
import { DumpSeries } from './dump-series.ts';

/** Decodes dumps that are lines of text, whatever their form: reads the lines and counts their bytes. */
export abstract class DumpTextDecoder implements ProfileDecoder {
  /** Always undefined: after invalid lines, the next dump can be read. */
  readonly damage = undefined;
  protected readonly series: DumpSeries;
  readonly #sink: SampleSink;
  readonly #lines = new DumpLines();
  #appended = 0;
  #accepted = 0;
  #skipped = 0;
  /** Complete dumps of the input have a last line: one without it at the end of the input was cut. */
  #hasLastLines = false;
  /** The lines of a dump whose last line has not come yet, with their bytes in the input; undefined: none is held. */
  #held: { readonly line: Uint8Array; readonly stored: number }[] | undefined;
  #heldBytes = 0;
  /** A line of `#held` is the first of a dump; before it are lines about the dump. */
  #isDumpHeld = false;

  /** `hasSlashedClasses`: as in `DumpSeries`. */
  constructor(sink: SampleSink, chosen: Chosen, hasSlashedClasses = false) {
    this.#sink = sink;
    this.series = new DumpSeries(sink, chosen, hasSlashedClasses);
  }

  /** Reads the line bytes[from … to); false if it does not belong to a dump. */
  protected abstract readLine(bytes: Uint8Array, from: number, to: number): boolean;

  /** The place of the line in a dump that has a first and a last line. `about`: a sampler wrote it before or after a dump. */
  protected abstract placeOf(bytes: Uint8Array, from: number, to: number): DumpPlace | undefined;

  /** Ends the thread of the last line. */
  protected abstract endThread(): void;

  get records(): number {
    return this.series.records;
  }

  get refusal(): string | undefined {
    return this.series.refusal;
  }

  append(bytes: Uint8Array): void {
    this.#appended += bytes.length;
    this.#lines.take(bytes);
    this.#readLines();
  }

  emitOpen(ended: boolean): void {
    if (!ended) return;
    this.#lines.end();
    this.#readLines();
    this.#dropHeld();
    this.endThread();
  }

  get bytes(): ByteAccount {
    const accepted = this.#accepted;
    const skipped = this.#skipped;
    return { accepted, skipped, pending: this.#appended - accepted - skipped };
  }

  facts(): FormatFacts {
    return { ...this.series.facts(), skips: tooLongLines(this.#lines.tooLong, MAX_LINE_BYTES) };
  }

  #readLines(): void {
    const lines = this.#lines;
    while (lines.next()) {
      const { bytes, from, to, stored } = lines;
      const isRead = !lines.isTooLong && !lines.isForeign;
      // A full sink takes nothing more, and threads and locks would be kept.
      if (!isRead || this.#sink.isFull) this.#skipped += stored;
      else if (lines.isUnterminated && this.series.isInStack && isCutFrame(lineText(bytes, from, to))) {
        this.series.dropStack();
        this.#skipped += stored;
      } else if (!this.#hold(bytes, from, to, stored)) this.#read(bytes, from, to, stored);
    }
  }

  #read(bytes: Uint8Array, from: number, to: number, stored: number): void {
    if (this.readLine(bytes, from, to)) this.#accepted += stored;
    else this.#skipped += stored;
  }

  /** Keeps a line of a dump until its last line has come. False if the line is to be read at once. */
  #hold(bytes: Uint8Array, from: number, to: number, stored: number): boolean {
    const place = this.placeOf(bytes, from, to);
    if (place === 'last') {
      this.#hasLastLines = true;
      this.#readHeld();
      return false;
    }
    // Another tool may have written the dump before, without a last line. A sampler writes all alike.
    if (place === 'about' && this.#isDumpHeld) this.#dropHeld();
    else if (place === 'first' && this.#isDumpHeld) this.#readHeld();
    if (place !== undefined && this.#hasLastLines) this.#held ??= [];
    if (this.#held === undefined) return false;
    this.#isDumpHeld ||= place === 'first';
    const bytesOfLine = to - from + HELD_LINE_BYTES;
    if (this.#heldBytes + bytesOfLine > MOST_HELD_BYTES || !this.#sink.memory.hold(bytesOfLine)) {
      this.#readHeld();
      return false;
    }
    this.#heldBytes += bytesOfLine;
    this.#held.push({ line: bytes.slice(from, to), stored });
    return true;
  }

  #readHeld(): void {
    for (const { line, stored } of this.#takeHeld()) this.#read(line, 0, line.length, stored);
  }

  /** The dump that is held was cut. */
  #dropHeld(): void {
    const isDump = this.#isDumpHeld;
    if (!isDump) {
      this.#readHeld();
      return;
    }
    this.series.cutDumps++;
    for (const { stored } of this.#takeHeld()) this.#skipped += stored;
  }

  #takeHeld(): readonly { readonly line: Uint8Array; readonly stored: number }[] {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#isDumpHeld = false;
    this.#sink.memory.release(this.#heldBytes);
    this.#heldBytes = 0;
    return held;
  }
}

export type DumpPlace = 'about' | 'first' | 'last';

/** Memory of a line that is held, without its bytes. */
const HELD_LINE_BYTES = 100;
/** A larger dump is read as it comes. */
const MOST_HELD_BYTES = 64 << 20;

/** Whether a line is the beginning of a frame. */
function isCutFrame(line: string): boolean {
  return /^\s*(?:4XESTACKTRACE\s+)?at(?: |$)/.test(line) && !line.trimEnd().endsWith(')');
}

const utf8 = new TextDecoder();
/** Lines of dumps are shorter. */
const MAX_TEXT_BYTES = 1 << 16;

/** The text bytes[from … to), or its beginning if it is too long. */
export function lineText(bytes: Uint8Array, from: number, to: number): string {
  return utf8.decode(bytes.subarray(from, Math.min(to, from + MAX_TEXT_BYTES)));
}
