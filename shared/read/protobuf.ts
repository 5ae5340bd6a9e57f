import type { MemoryBudget } from '../aggregate/memory-budget.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../profile/columns.ts';
import { int64 } from '../profile/int64.ts';

/** Wire types of fields (protocol buffers). Groups are not read. */
export const Wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Bytes of the input. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** An integer of 64 bits as two halves. */
class Halves {
  lo = 0;
  hi = 0;

  /** The nearest double of the signed integer. */
  get number(): number {
    return this.hi * 4_294_967_296 + (this.lo >>> 0);
  }

  /** The signed integer, exact: a bigint if it is not a safe one. */
  get integer(): number | bigint {
    const { number } = this;
    return Number.isSafeInteger(number) ? number : int64(this.hi, this.lo);
  }

  /** The integer as an index; -1 if it has more than 31 bits. */
  get index(): number {
    return this.hi === 0 && this.lo >= 0 ? this.lo : -1;
  }
}

/**
 * Steps through the fields of one protobuf message in input[at … end). Stops at an invalid or incomplete field and sets
 * `isBroken`. The halves are those of the integer that was read last.
 *
 *   08 96 01   field 1, varint 150      lo 150, hi 0
 *   12 02 …    field 2, 2 bytes         from … to
 */
export class MessageCursor extends Halves {
  at: number;
  end: number;
  isBroken = false;
  /** Number of the current field. */
  field = 0;
  /** Wire type of the current field. */
  wire = 0;
  /** Bytes of the current field, if it has a length: from … to. */
  from = 0;
  to = 0;
  readonly #input: Uint8Array;

  constructor(input: Uint8Array, at = 0, end = input.length) {
    super();
    this.#input = input;
    this.at = at;
    this.end = end;
  }

  moveTo(at: number, end: number): void {
    this.at = at;
    this.end = end;
    this.isBroken = false;
  }

  next(): boolean {
    if (this.isBroken || this.at >= this.end) return false;
    if (!this.varint()) return false;
    // A tag beyond 31 bits gives a negative field number: fields have small numbers.
    this.field = this.index >> 3;
    this.wire = this.lo & 7;
    if (this.field <= 0) return this.#break();
    switch (this.wire) {
      case Wire.varint:
        return this.varint();
      case Wire.fixed64:
        return this.fixed64();
      case Wire.fixed32:
        return this.#bytes(4);
      case Wire.bytes:
        return this.varint() && this.#bytes(this.index);
      default:
        return this.#break();
    }
  }

  /** Reads a varint at the cursor. Packed fields consist of varints. */
  varint(): boolean {
    let lo = 0;
    let hi = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) return this.#break();
      const byte = this.#input[this.at++];
      const bits = byte & 0x7f;
      if (shift < 28) lo |= bits << shift;
      else if (shift === 28) {
        lo |= bits << 28;
        hi = bits >>> 4;
      } else if (shift < 64) hi |= bits << (shift - 32);
      if (byte < 0x80) {
        this.lo = lo;
        this.hi = hi;
        return true;
      }
    }
    return this.#break();
  }

  /** Reads an integer of eight bytes at the cursor. */
  fixed64(): boolean {
    if (!this.#bytes(8)) return false;
    this.lo = this.#int32(this.from);
    this.hi = this.#int32(this.from + 4);
    return true;
  }

  #int32(at: number): number {
    const input = this.#input;
    return input[at] | (input[at + 1] << 8) | (input[at + 2] << 16) | (input[at + 3] << 24);
  }

  #bytes(length: number): boolean {
    if (length < 0 || length > this.end - this.at) return this.#break();
    this.from = this.at;
    this.at += length;
    this.to = this.at;
    return true;
  }

  #break(): boolean {
    this.isBroken = true;
    return false;
  }
}

/**
 * Steps through the integers of a repeated field of a message, packed or not. They are not collected, because a message
 * may have millions. They are varints or, with `isFixed`, of eight bytes each. The halves are those of the current one.
 */
export class RepeatedIntegers extends Halves {
  readonly #field: number;
  readonly #isFixed: boolean;
  readonly #message: MessageCursor;
  readonly #packed: MessageCursor;

  constructor(input: Uint8Array, { from, to }: Range, field: number, isFixed = false) {
    super();
    this.#field = field;
    this.#isFixed = isFixed;
    this.#message = new MessageCursor(input, from, to);
    this.#packed = new MessageCursor(input, 0, 0);
  }

  /** False after the last one. */
  next(): boolean {
    const [message, packed] = [this.#message, this.#packed];
    for (;;) {
      if (packed.at < packed.end) {
        if (this.#isFixed ? packed.fixed64() : packed.varint()) return this.#take(packed);
        // The bytes left are no integer.
        packed.moveTo(0, 0);
      }
      do if (!message.next()) return false;
      while (message.field !== this.#field);
      if (message.wire === Wire.varint || (message.wire === Wire.fixed64 && this.#isFixed))
        return this.#take(message);
      if (message.wire === Wire.bytes) packed.moveTo(message.from, message.to);
    }
  }

  #take({ hi, lo }: MessageCursor): true {
    this.hi = hi;
    this.lo = lo;
    return true;
  }
}

/** The first integer of a repeated field of a message; the nearest double beyond 2^53, 0 if there is none. */
export function firstNumber(input: Uint8Array, message: Range, field: number): number {
  const integers = new RepeatedIntegers(input, message, field);
  return integers.next() ? integers.number : 0;
}

/** Bytes of a range, while the columns are copied to grow. */
const RANGE_BYTES = 16;

/** Ranges of the input, as columns: there may be millions of empty ones, of two bytes each. */
export class Ranges {
  length = 0;
  from = new Int32Array(FIRST_ROWS);
  to = new Int32Array(FIRST_ROWS);
  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** Nothing is added if the memory budget does not allow it. */
  push({ from, to }: Range): void {
    const row = this.length;
    if (row === this.from.length) {
      const capacity = nextCapacity(row, row + 1);
      if (!this.#memory.hold((capacity - row) * RANGE_BYTES)) return;
      this.from = grown(this.from, capacity);
      this.to = grown(this.to, capacity);
    }
    this.from[row] = from;
    this.to[row] = to;
    this.length = row + 1;
  }

  at(row: number): Range {
    return { from: this.from[row], to: this.to[row] };
  }
}

/** A table of strings. They are decoded on demand, and kept. */
export class Texts {
  readonly #input: Uint8Array;
  readonly #memory: MemoryBudget;
  readonly #ranges: Ranges;
  readonly #known = new Map<number, string>();

  constructor(input: Uint8Array, memory: MemoryBudget) {
    this.#input = input;
    this.#memory = memory;
    this.#ranges = new Ranges(memory);
  }

  push(range: Range): void {
    this.#ranges.push(range);
  }

  /** '' for an invalid index. */
  at(index: number): string {
    const known = this.#known.get(index);
    if (known !== undefined || index < 0 || index >= this.#ranges.length) return known ?? '';
    const text = this.decoded(this.#ranges.at(index));
    this.#known.set(index, text);
    return text;
  }

  /** Any text of the input; '' if the memory budget does not allow it. */
  decoded({ from, to }: Range): string {
    return this.#memory.keepRow(to - from) ? utf8.decode(this.#input.subarray(from, to)) : '';
  }
}

const utf8 = new TextDecoder();
