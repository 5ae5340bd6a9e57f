import type { SampleSink } from '../aggregate/sample-sink.ts';
import type { Damage } from '../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from './decoder.ts';
import type { FormatFacts } from '../facts/format-facts.ts';
import type { Range } from '../read/protobuf.ts';

/** Half the length of the longest string in V8. */
const MAX_BYTES = 256 << 20;

/** The number of valid bytes from the start of an input, and the damage after them. */
export interface DecodedInput {
  readonly accepted: number;
  readonly damage?: Damage | undefined;
}

/** While the buffer grows, what was collected is in memory twice. */
const GROWING_COPIES = 2;

/**
 * For formats that can only be decoded from the complete input: JSON, tar archives, messages with forward references. Collects
 * the input and decodes it at its end; such a file cannot be followed.
 */
export abstract class WholeInputDecoder implements ProfileDecoder {
  damage: Damage | undefined;
  records = 0;
  #collected = new Uint8Array(0);
  #length = 0;
  #accepted = 0;
  #isRead = false;
  /** Where further files begin. */
  readonly #starts: number[] = [];
  protected readonly sink: SampleSink;

  constructor(sink: SampleSink) {
    this.sink = sink;
  }

  abstract facts(): FormatFacts;

  /** Decodes the complete input. Never throws because of invalid bytes. */
  protected abstract decodeInput(input: Uint8Array): DecodedInput;

  append(bytes: Uint8Array): void {
    const at = this.#length;
    const length = (this.#length += bytes.length);
    if (this.#isRead || this.damage !== undefined) return;
    if (length > MAX_BYTES) {
      this.damage = this.#tooLong();
      this.#collected = new Uint8Array(0);
      return;
    }
    if (!this.sink.memory.hold(bytes.length * GROWING_COPIES)) {
      // The sink is full: the reader says so.
      this.#isRead = true;
      this.#collected = new Uint8Array(0);
      return;
    }
    if (length > this.#collected.length) {
      const larger = new Uint8Array(Math.max(length, this.#collected.length * 2));
      larger.set(this.#collected.subarray(0, at));
      this.#collected = larger;
    }
    this.#collected.set(bytes, at);
  }

  emitOpen(ended: boolean): void {
    if (!ended || this.#isRead || this.damage !== undefined) return;
    this.#isRead = true;
    const length = this.#length;
    this.sink.memory.release(length * (GROWING_COPIES - 1));
    const { accepted, damage } = this.decodeInput(this.#collected.subarray(0, length));
    this.#accepted = accepted;
    this.damage = damage;
    this.#collected = new Uint8Array(0);
    this.sink.memory.release(length);
  }

  /** The bytes that follow are another file: see `ProfileDecoder.beginFile`. */
  beginFile(): void {
    if (this.sink.memory.keepRow()) this.#starts.push(this.#length);
  }

  /** The files of an input, by their first byte and the one after the last; usually one. */
  protected filesOf(input: Uint8Array): readonly Range[] {
    const starts = [0, ...this.#starts];
    return starts.map((from, at) => ({ from, to: starts[at + 1] ?? input.length }));
  }

  get bytes(): ByteAccount {
    const rest = this.#length - this.#accepted;
    const isDone = this.#isRead || this.damage !== undefined;
    return { accepted: this.#accepted, skipped: isDone ? rest : 0, pending: isDone ? 0 : rest };
  }

  #tooLong(): Damage {
    const limit = Math.round(MAX_BYTES / 1e6);
    return {
      what: 'file',
      byteOffset: 0,
      record: 0,
      found: `more than ${limit} MB`,
      expected: `at most ${limit} MB, because this format can only be read in one piece`,
    };
  }
}

/**
 * The end of an input of protobuf of which `accepted` bytes are complete fields. `limit`: why the samples ended before.
 */
export function endOfFields(
  input: Uint8Array,
  accepted: number,
  record: number,
  limit: Damage | undefined,
): DecodedInput {
  if (limit !== undefined) return { accepted: limit.byteOffset, damage: limit };
  if (accepted === input.length) return { accepted };
  const damage: Damage = {
    what: 'field',
    byteOffset: accepted,
    record,
    found: `${input.length - accepted} bytes that are not a complete field`,
    expected: 'a complete field of a profile',
  };
  return { accepted, damage };
}
