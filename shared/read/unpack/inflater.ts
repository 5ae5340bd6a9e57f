import { Inflate } from 'fflate';

/** The state of fflate's Inflate, which it does not publish: it says nowhere else that a stream is over. */
interface InflateState {
  /** `f`: the last block has begun; `l`: the codes of the present block; `p`: bits that are used of the first byte left. */
  readonly s: { readonly f?: number; readonly l?: unknown; readonly p?: number };
  /** Bytes that are not read yet. */
  readonly p: Uint8Array;
}

/**
 * Unpacks deflated data. They mark their own end: bytes behind it are not read. fflate would keep them, and copy them
 * again with every piece.
 */
export class Inflater {
  /** The data are complete. */
  isOver = false;
  /** How many of the bytes that were pushed last are behind the end of the data. */
  surplus = 0;
  readonly #inflate: Inflate;

  constructor(onBytes: (bytes: Uint8Array) => void) {
    this.#inflate = new Inflate((bytes) => onBytes(bytes));
  }

  /** Unpacks the next bytes, which are not borrowed but kept. Throws if they are invalid. */
  push(bytes: Uint8Array): void {
    if (this.isOver) return;
    this.#inflate.push(bytes);
    const { s: state, p: left } = this.#inflate as unknown as InflateState;
    if (state.f !== 1 || Boolean(state.l)) return;
    this.isOver = true;
    this.surplus = Math.min(bytes.length, left.length - ((state.p ?? 0) > 0 ? 1 : 0));
  }

  /** No more bytes follow. Throws if the data are incomplete. */
  end(): void {
    if (!this.isOver) this.#inflate.push(new Uint8Array(0), true);
  }
}
