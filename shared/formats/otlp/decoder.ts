import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { Carry } from '../../read/carry.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { type DecodedInput, WholeInputDecoder } from '../whole-input.ts';
import { OtlpReader } from './reader.ts';
import { LENGTH_BYTES, MOST_MESSAGE_BYTES } from './recognise.ts';

/** Decodes a message of OpenTelemetry. Those of an archive are one profile. */
export class OtlpDecoder extends WholeInputDecoder {
  readonly #chosen: Chosen;
  #reader: OtlpReader;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#chosen = chosen;
    this.#reader = new OtlpReader(sink, chosen, false);
  }

  facts(): FormatFacts {
    return this.#reader.facts();
  }

  protected override decodeInput(input: Uint8Array): DecodedInput {
    const files = this.filesOf(input);
    if (files.length > 1) this.#reader = new OtlpReader(this.sink, this.#chosen, true);
    let end: DecodedInput = { accepted: 0 };
    for (const { from, to } of files) {
      if (end.damage !== undefined || this.sink.isFull) break;
      const { accepted, damage } = this.#reader.read(input.subarray(from, to));
      end = {
        accepted: from + accepted,
        damage: damage && { ...damage, byteOffset: from + damage.byteOffset },
      };
      this.records = this.#reader.records;
    }
    return end;
  }
}

/**
 * Decodes messages that follow each other, each after its length in four bytes, as collectors write them into a file that
 * grows. Each is read as soon as all of it is there.
 *
 *   00 00 04 d2 ▐message of 1234 bytes▐ 00 00 01 00 ▐message of 256▐ …
 */
export class OtlpSeriesDecoder implements ProfileDecoder {
  damage: Damage | undefined;
  readonly #sink: SampleSink;
  readonly #reader: OtlpReader;
  readonly #carry = new Carry();
  #accepted = 0;
  #skipped = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#reader = new OtlpReader(sink, chosen, true);
  }

  get records(): number {
    return this.#reader.records;
  }

  facts(): FormatFacts {
    return this.#reader.facts();
  }

  get bytes(): ByteAccount {
    return { accepted: this.#accepted, skipped: this.#skipped, pending: this.#carry.length };
  }

  /** Nothing more is read. */
  #isOver(): boolean {
    return this.damage !== undefined || this.#sink.isFull;
  }

  append(bytes: Uint8Array): void {
    if (this.#isOver()) {
      this.#skipped += bytes.length;
      return;
    }
    const input = this.#carry.join(bytes);
    let at = 0;
    while (at + LENGTH_BYTES <= input.length && !this.#isOver()) {
      const length = lengthAt(input, at);
      const from = at + LENGTH_BYTES;
      if (length > MOST_MESSAGE_BYTES) this.damage = this.#tooLong(length);
      if (length > MOST_MESSAGE_BYTES || from + length > input.length) break;
      const { accepted, damage } = this.#reader.read(input.subarray(from, from + length));
      if (damage !== undefined)
        this.damage = { ...damage, byteOffset: this.#accepted + LENGTH_BYTES + damage.byteOffset };
      const used = LENGTH_BYTES + (damage === undefined ? length : accepted);
      this.#accepted += used;
      at += used;
    }
    if (!this.#isOver()) {
      this.#carry.keep(input, at);
      return;
    }
    this.#skipped += input.length - at;
    this.#carry.clear();
  }

  emitOpen(): void {
    // A message counts as soon as all of it is there, and the rest of one may still come.
  }

  #tooLong(length: number): Damage {
    return {
      what: 'message',
      byteOffset: this.#accepted,
      record: this.records,
      found: `a length of ${length} bytes`,
      expected: `at most ${MOST_MESSAGE_BYTES}`,
    };
  }
}

function lengthAt(input: Uint8Array, at: number): number {
  return new DataView(input.buffer, input.byteOffset + at, LENGTH_BYTES).getUint32(0);
}
