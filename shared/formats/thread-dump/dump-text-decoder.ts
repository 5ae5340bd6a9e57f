import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { MAX_LINE_BYTES } from '../../bytes/line-splitter.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { tooLongLines } from '../../facts/limit-damage.ts';
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

  /** `hasSlashedClasses`: as in `DumpSeries`. */
  constructor(sink: SampleSink, chosen: Chosen, hasSlashedClasses = false) {
    this.#sink = sink;
    this.series = new DumpSeries(sink, chosen, hasSlashedClasses);
  }

  /** Reads the line bytes[from … to); false if it does not belong to a dump. */
  protected abstract readLine(bytes: Uint8Array, from: number, to: number): boolean;

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
      if (isRead && !this.#sink.isFull && this.readLine(bytes, from, to)) this.#accepted += stored;
      else this.#skipped += stored;
    }
  }
}

const utf8 = new TextDecoder();
/** Lines of dumps are shorter. */
const MAX_TEXT_BYTES = 1 << 16;

/** The text bytes[from … to), or its beginning if it is too long. */
export function lineText(bytes: Uint8Array, from: number, to: number): string {
  return utf8.decode(bytes.subarray(from, Math.min(to, from + MAX_TEXT_BYTES)));
}
