import { Int64Index } from '../../aggregate/int64-index.ts';
import type { KeepBytes } from '../../bytes/keep-bytes.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { decodeText } from './decode-text.ts';

/** Of a string in the tables. */
const STRING_BYTES = 32;

/** The UTF8 records of a file. They are decoded on demand, because few of the names in a heap dump are needed. */
export class StringPool {
  readonly #ids = new Int64Index();
  #arena = new Uint8Array(0);
  /** Row -> its first byte in the arena; one extra entry at the end. */
  #starts = new Float64Array(FIRST_ROWS);
  #length = 0;
  readonly #keeps: KeepBytes | undefined;

  constructor(keeps?: KeepBytes) {
    this.#keeps = keeps;
  }

  /** Adds a string, unless there is one with this id, or no memory for it. */
  add(hi: number, lo: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#ids.find(hi, lo) >= 0) return;
    if (this.#keeps?.(STRING_BYTES + to - from) === false) return;
    this.#ids.add(hi, lo);
    const row = this.#length++;
    const start = this.#starts[row];
    const end = start + to - from;
    if (end > this.#arena.length) this.#arena = grown(this.#arena, nextCapacity(this.#arena.length, end));
    this.#arena.set(bytes.subarray(from, to), start);
    if (row + 2 > this.#starts.length) this.#starts = grown(this.#starts, nextCapacity(row, row + 2));
    this.#starts[row + 1] = end;
  }

  /** Undefined for the id 0, which means null, and for an unknown id. */
  text(hi: number, lo: number): string | undefined {
    if (hi === 0 && lo === 0) return undefined;
    const row = this.#ids.find(hi, lo);
    return row < 0 ? undefined : decodeText(this.#arena.subarray(this.#starts[row], this.#starts[row + 1]));
  }
}
