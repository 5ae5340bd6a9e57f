import { Int64Index } from '../../aggregate/int64-index.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { decodeText } from './decode-text.ts';

/** The UTF8 records of a file, as bytes: few of the names in a heap dump are ever needed. */
export class StringPool {
  readonly #ids = new Int64Index();
  #arena = new Uint8Array(1 << 12);
  /** Row -> its first byte in the arena; one more than there are rows. */
  #starts = new Float64Array(65);
  #length = 0;

  /** The first string of an id stays. */
  add(hi: number, lo: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#ids.find(hi, lo) >= 0) return;
    this.#ids.add(hi, lo);
    const row = this.#length++;
    const start = this.#starts[row];
    const end = start + to - from;
    if (end > this.#arena.length) this.#arena = grown(this.#arena, nextCapacity(this.#arena.length, end));
    this.#arena.set(bytes.subarray(from, to), start);
    if (row + 2 > this.#starts.length) this.#starts = grown(this.#starts, nextCapacity(row, row + 2));
    this.#starts[row + 1] = end;
  }

  /** undefined for the null string 0, and for one that is not there. */
  text(hi: number, lo: number): string | undefined {
    if (hi === 0 && lo === 0) return undefined;
    const row = this.#ids.find(hi, lo);
    return row < 0 ? undefined : decodeText(this.#arena.subarray(this.#starts[row], this.#starts[row + 1]));
  }
}
