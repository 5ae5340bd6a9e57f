import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { factTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import type { RangeDecoder, RangeState } from '../byte-ranges.ts';
import { BinaryRecords } from './binary-records.ts';
import { type BinaryHeader, readBinaryHeader } from './binary-header.ts';
import { HprofContents } from './hprof-contents.ts';
import { hprofOptions } from './hprof-options.ts';
import { type PartContents, PartRecords } from './part-records.ts';
import { type ReadHead, RecordStream, type StreamState } from './record-stream.ts';
import { mayBeCut } from './record-tags.ts';

/**
 * Binary files of Android's BinaryHprofWriter, of the JDK's agent and of whatever writes heap dumps (specs: hprof,
 * section 2); also behind a text header, as Android's snapshots are. What is not needed is passed over without being
 * kept, however long.
 */
export class HprofBinaryDecoder implements ProfileDecoder {
  readonly #sink: SampleSink;
  readonly #contents: HprofContents;
  readonly #stream = new RecordStream((bytes) => this.#readHead(bytes), 0);
  #header: BinaryHeader | undefined;
  #reader: BinaryRecords | undefined;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#contents = new HprofContents(hprofOptions(chosen));
  }

  append(bytes: Uint8Array): void {
    this.#stream.append(bytes);
  }

  settle(ended: boolean): void {
    if (!ended || this.#stream.isEnded) return;
    const cut = this.#stream.end();
    // An incomplete table of samples counts when there is no complete one.
    if (cut !== undefined && mayBeCut(cut.tag)) this.#reader?.readCut(cut.bytes, cut.from, cut.bytes.length);
    this.#reader?.finish();
    if (this.#contents.dialect === undefined && this.#reader !== undefined)
      this.#contents.dialect = this.#reader.isAndroid ? 'android' : 'agent';
    this.#contents.emitSamples(this.#sink);
  }

  get damage(): Damage | undefined {
    return this.#stream.damage;
  }

  get records(): number {
    return this.#stream.records;
  }

  get bytes(): ByteAccount {
    return this.#stream.bytes;
  }

  facts(): FormatFacts {
    const facts = this.#contents.facts();
    if (this.#header === undefined) return facts;
    const { magic, idSize, startMillis, preamble } = this.#header;
    const limit = this.#contents.depthLimit;
    const settings = factTable(
      'File',
      [
        { name: 'What', kind: 'text' },
        { name: 'Value', kind: 'text' },
      ],
      [
        ...preamble.map((line) => ['Snapshot header', line]),
        ['Version', magic],
        ['Identifiers', `${idSize} bytes`],
        ['Sampling or file begun', startText(startMillis)],
        ['Depth limit', limit === undefined ? undefined : String(limit)],
      ],
    );
    return { ...facts, tables: [...facts.tables, settings] };
  }

  appendRange(state: unknown): boolean {
    const part = state as HprofPart | undefined;
    if (part === undefined || !this.#stream.standsAt(part.stream.start)) return false;
    if (this.#reader?.appendRange(part.contents) !== true) return false;
    this.#stream.appendRange(part.stream);
    return true;
  }

  #readHead(bytes: Uint8Array): ReturnType<ReadHead> {
    const header = readBinaryHeader(bytes);
    if (header === undefined || 'problem' in header) return header;
    this.#header = header;
    this.#reader = new BinaryRecords(this.#contents, header);
    return { reader: this.#reader, length: header.length };
  }
}

/** State of a decoder at the end of a byte range, structured-cloneable. */
interface HprofPart {
  readonly stream: StreamState;
  readonly contents: PartContents;
}

/** A part that is not the first, of a file with ids of 4 bytes; a record begins at `start`. */
export class HprofRangeDecoder implements ProfileDecoder, RangeDecoder {
  readonly #records = new PartRecords();
  readonly #stream: RecordStream;

  constructor(start: number) {
    this.#stream = new RecordStream(() => ({ reader: this.#records, length: 0 }), start);
  }

  append(bytes: Uint8Array): void {
    this.#stream.append(bytes);
  }

  settle(): void {
    // The decoder that appends the range handles the incomplete record at its end.
  }

  detach(): RangeState {
    const { contents } = this.#records;
    if (contents === undefined) return { state: undefined, buffers: [] };
    const state: HprofPart = { stream: this.#stream.state, contents };
    const { ids, kept, traces } = contents;
    const columns = [ids, kept, traces.thread, traces.leaf, traces.depth, traces.top, traces.tree.cells];
    return { state, buffers: columns.map(({ buffer }) => buffer) };
  }

  get damage(): Damage | undefined {
    return this.#stream.damage;
  }

  get records(): number {
    return this.#stream.records;
  }

  get bytes(): ByteAccount {
    return this.#stream.bytes;
  }

  facts(): FormatFacts {
    return NO_FACTS;
  }
}

/** The latest time that a Date can tell is 8.64e15 ms. */
function startText(millis: number): string | undefined {
  return millis > 0 && millis <= 8.64e15 ? new Date(millis).toISOString() : undefined;
}
