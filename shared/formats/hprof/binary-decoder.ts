import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { factTable, type FormatFacts } from '../../facts/format-facts.ts';
import { BinaryRecords } from './binary-records.ts';
import { type BinaryHeader, readBinaryHeader } from './binary-header.ts';
import { HprofContents } from './hprof-contents.ts';
import { hprofOptions } from './hprof-options.ts';
import { type ReadHeader, RecordStream } from './record-stream.ts';
import { mayBeIncomplete } from './record-tags.ts';

/**
 * Decodes binary files of Android's BinaryHprofWriter, of the JDK's agent and of writers of heap dumps (specs: hprof,
 * section 2). They may begin with a text, as Android's snapshots do.
 */
export class HprofBinaryDecoder implements ProfileDecoder {
  readonly #sink: SampleSink;
  readonly #contents: HprofContents;
  readonly #stream: RecordStream;
  #header: BinaryHeader | undefined;
  #reader: BinaryRecords | undefined;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#stream = new RecordStream((bytes) => this.#readHeader(bytes), sink.holds);
    this.#contents = new HprofContents(hprofOptions(chosen), sink.keeps);
  }

  append(bytes: Uint8Array): void {
    this.#stream.append(bytes);
  }

  emitOpen(ended: boolean): void {
    if (!ended || this.#stream.isEnded) return;
    const last = this.#stream.end();
    // An incomplete table of samples counts if there is no complete one.
    if (last !== undefined && mayBeIncomplete(last.tag))
      this.#reader?.readIncompleteTable(last.bytes, last.from, last.bytes.length);
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

  get refusal(): string | undefined {
    return this.#contents.refusal;
  }

  get instead(): string | undefined {
    return this.#contents.instead;
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

  #readHeader(bytes: Uint8Array): ReturnType<ReadHeader> {
    const header = readBinaryHeader(bytes);
    if (header === undefined || 'problem' in header) return header;
    this.#header = header;
    this.#reader = new BinaryRecords(this.#contents, header, this.#sink.keeps);
    return { reader: this.#reader, length: header.length };
  }
}

/** Undefined if unknown, or beyond 8.64e15 ms, the latest time of a Date. */
function startText(millis: number): string | undefined {
  return millis > 0 && millis <= 8.64e15 ? new Date(millis).toISOString() : undefined;
}
