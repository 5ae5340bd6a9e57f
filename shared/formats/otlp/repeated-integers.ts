import { int64 } from '../../profile/int64.ts';
import { MessageCursor, Wire } from '../pprof/message-cursor.ts';
import type { Range } from '../pprof/ranges.ts';

/**
 * Steps through the integers of a repeated field of a message, packed or not. They are not collected, because a message
 * may have millions. Packed ones are varints, or of eight bytes each.
 */
export class RepeatedIntegers {
  /** Halves of the current integer. */
  hi = 0;
  lo = 0;
  readonly #view: DataView;
  readonly #field: number;
  readonly #hasFixed: boolean;
  readonly #message: MessageCursor;
  readonly #packed: MessageCursor;

  constructor(input: Uint8Array, { from, to }: Range, field: number, hasFixed = false) {
    this.#view = new DataView(input.buffer, input.byteOffset, input.length);
    this.#field = field;
    this.#hasFixed = hasFixed;
    this.#message = new MessageCursor(input, from, to);
    this.#packed = new MessageCursor(input, 0, 0);
  }

  /** False after the last one. */
  next(): boolean {
    const [message, packed] = [this.#message, this.#packed];
    for (;;) {
      if (packed.at < packed.end) {
        if (this.#hasFixed ? this.#takeFixed(packed) : packed.varint() && this.#take(packed)) return true;
        // What is left is no integer.
        packed.moveTo(0, 0);
      }
      do if (!message.next()) return false;
      while (message.field !== this.#field);
      if (message.wire === Wire.varint) return this.#take(message);
      if (message.wire === Wire.bytes) packed.moveTo(message.from, message.to);
      else if (message.wire === Wire.fixed64) {
        packed.moveTo(message.from, message.to);
        return this.#takeFixed(packed);
      }
    }
  }

  /** The current integer, signed and exact: a bigint if it is not a safe one. */
  get integer(): number | bigint {
    const nearest = this.hi * 4_294_967_296 + (this.lo >>> 0);
    return Number.isSafeInteger(nearest) ? nearest : int64(this.hi, this.lo);
  }

  #take({ hi, lo }: MessageCursor): true {
    this.hi = hi;
    this.lo = lo;
    return true;
  }

  #takeFixed(packed: MessageCursor): boolean {
    const { at } = packed;
    if (packed.end - at < 8) return false;
    this.lo = this.#view.getInt32(at, true);
    this.hi = this.#view.getInt32(at + 4, true);
    packed.at += 8;
    return true;
  }
}
