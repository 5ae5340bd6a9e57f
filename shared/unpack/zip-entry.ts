import { Inflate } from 'fflate';
import { Carry } from '../bytes/carry.ts';
import { Crc32 } from './crc32.ts';

/** Nearly all entries are recognised by this many unpacked bytes. Then it is asked again after four times as many. */
const HEAD_BYTES = 4096;
/** By this many bytes it is decided whether an entry is wanted. */
const MOST_HEAD_BYTES = 1 << 24;
/** Deflated data unpacks to at most a thousand times its size, so a piece of this size to at most 4 MB. */
const PIECE_BYTES = 4096;

/**
 * Whether the entry with this name and these first bytes is wanted; undefined if more bytes are needed to decide.
 * `ended`: the entry has no more bytes.
 */
export type Accepts = (head: Uint8Array, ended: boolean, name: string) => boolean | undefined;

/** One entry of an archive. It is unpacked as its bytes arrive, until its first bytes show that it is not wanted. */
export class ZipEntry {
  readonly name: string;
  /** Whether the entry is wanted; undefined until that is decided. */
  isAccepted: boolean | undefined;
  /** Why the entry cannot be unpacked any further. */
  problem: string | undefined;
  readonly checksum = new Crc32();

  readonly #accepts: Accepts;
  readonly #onBytes: (bytes: Uint8Array) => void;
  readonly #inflate: Inflate | undefined;
  readonly #head = new Carry();
  /** Length of the head from which `#accepts` is asked again. */
  #askAt = 1;

  constructor(name: string, isDeflated: boolean, accepts: Accepts, onBytes: (bytes: Uint8Array) => void) {
    this.name = name;
    this.#accepts = accepts;
    this.#onBytes = onBytes;
    if (isDeflated) this.#inflate = new Inflate((bytes) => this.#take(bytes));
  }

  /** Takes the next stored bytes, borrowed for the call. */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.#isRead; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      if (this.#inflate === undefined) this.#take(piece);
      // Copied, because the inflater may keep the piece.
      else this.#attempt(() => this.#inflate?.push(piece.slice()));
    }
  }

  /** Call it at the end of the entry. */
  end(): void {
    if (this.#isRead) this.#attempt(() => this.#inflate?.push(new Uint8Array(0), true));
    if (this.isAccepted === undefined) this.#decide(true);
  }

  get #isRead(): boolean {
    return this.isAccepted !== false && this.problem === undefined;
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.isAccepted === false) return;
    this.checksum.add(bytes);
    if (this.isAccepted === true) {
      this.#onBytes(bytes);
      return;
    }
    this.#head.keep(this.#head.join(bytes), 0);
    if (this.#head.length >= this.#askAt) this.#decide(false);
  }

  #decide(ended: boolean): void {
    const head = this.#head.bytes;
    const decision = this.#accepts(head, ended, this.name);
    this.isAccepted = decision ?? (ended || head.length >= MOST_HEAD_BYTES ? false : undefined);
    while (head.length >= HEAD_BYTES && this.#askAt <= head.length) this.#askAt *= 4;
    if (this.isAccepted === undefined) return;
    this.#head.clear();
    if (this.isAccepted && head.length > 0) this.#onBytes(head);
  }

  #attempt(inflate: () => void): void {
    try {
      inflate();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }
}
