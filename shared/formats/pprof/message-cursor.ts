import { int64 } from '../../profile/int64.ts';

/** Wire types of fields (protocol buffers). pprof does not use groups. */
export const Wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * Steps through the fields of one protobuf message in input[at … end). Stops at an invalid or incomplete field and sets
 * `isBroken`.
 *
 *   08 96 01   field 1, varint 150      lo 150, hi 0
 *   12 02 …    field 2, 2 bytes         from … to
 */
export class MessageCursor {
  at: number;
  end: number;
  isBroken = false;
  /** Number of the current field. */
  field = 0;
  /** Wire type of the current field. */
  wire = 0;
  /** Halves of the varint read last. */
  lo = 0;
  hi = 0;
  /** Bytes of the current field, if it has a length: from … to. */
  from = 0;
  to = 0;
  readonly #input: Uint8Array;

  constructor(input: Uint8Array, at = 0, end = input.length) {
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
    // A tag beyond 31 bits gives a negative field number: pprof's fields have small numbers.
    this.field = this.index >> 3;
    this.wire = this.lo & 7;
    if (this.field <= 0) return this.#break();
    switch (this.wire) {
      case Wire.varint:
        return this.varint();
      case Wire.fixed64:
        return this.#bytes(8);
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

  /** The varint read last as a signed number; the nearest double beyond 2^53. */
  get number(): number {
    return this.hi * 4_294_967_296 + (this.lo >>> 0);
  }

  /** The same, exact: a bigint if it is not a safe integer. */
  get integer(): number | bigint {
    const { number } = this;
    return Number.isSafeInteger(number) ? number : int64(this.hi, this.lo);
  }

  /** The varint read last as an index; -1 if it has more than 31 bits. */
  get index(): number {
    return this.hi === 0 && this.lo >= 0 ? this.lo : -1;
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
