import { joined } from '../read/carry.ts';
import type { Accepts } from '../read/unpack/zip-entry.ts';
import { ZipUnpacker } from '../read/unpack/zip.ts';
import type { OpenGunzip, UnpackDamage, Unpacker } from '../read/unpack/unpacker.ts';

const EMPTY = new Uint8Array(0);

/**
 * A zip archive is unpacked in pieces of this size. A piece may grow a thousandfold, so at most 4 MB are emitted before
 * the receiver can delay the next piece.
 */
const ZIP_PIECE_BYTES = 4096;
const FIRST_GZIP_PIECE_BYTES = 64;
/**
 * So many unpacked bytes of gzip data are emitted at first, or all that there are. A first piece may unpack to a single
 * byte, because the codes of its block take up the rest. One byte can look like the beginning of a record of any log.
 */
const FIRST_UNPACKED_BYTES = 64;
/** Stored bytes are counted in steps of this size. */
export const STEP_BYTES = 1 << 18;

interface InputUnpackerOptions {
  /** Receives unpacked bytes, borrowed for the call. */
  readonly take: (bytes: Uint8Array) => void;
  /**
   * Called before stored bytes are read, in steps at fixed offsets: this many more of them may be read before the next
   * call. So what the receiver does by the number of stored bytes is independent of how they arrive.
   */
  readonly onStored?: (bytes: number) => void;
  /** The entry of a zip archive that is wanted. */
  readonly accepts: Accepts;
  readonly openGunzip: OpenGunzip;
}

/**
 * Unpacks stored bytes. The first bytes show how the input is stored: uncompressed bytes are passed on, gzip is
 * unpacked, and so is the first wanted entry of a zip archive.
 */
export class InputUnpacker {
  /** Undefined until it is known from the first bytes. */
  storage: Storage | undefined;
  /** Bytes emitted so far. */
  unpackedBytes = 0;
  /** `end` was called. */
  hasEnded = false;

  readonly #options: InputUnpackerOptions;
  /** First bytes, too few to detect the storage; when it is gzip, first unpacked bytes, too few to detect the format. */
  #held: Uint8Array = EMPTY;
  #unpacker: Unpacker | undefined;
  #archive: ZipUnpacker | undefined;
  /** Stored bytes read so far, and those announced by `onStored`. */
  #storedBytes = 0;
  #announcedBytes = 0;
  /** Unpacked bytes that were emitted before `restart`. */
  #toSkip = 0;
  /** The error that the receiver threw. */
  #failure: { readonly error: unknown } | undefined;

  constructor(options: InputUnpackerOptions) {
    this.#options = options;
  }

  /** Unpacks the next stored bytes, borrowed until the promise resolves. Without a promise, they have been unpacked. */
  push(bytes: Uint8Array): Promise<void> | undefined {
    if (this.storage !== undefined) return this.#read(bytes);
    const head = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
    this.storage = storageOf(head);
    if (this.storage === undefined) {
      this.#held = head.slice();
      return undefined;
    }
    this.#held = EMPTY;
    return this.#read(head);
  }

  /** The input has ended: incomplete compressed data is reported as damage. */
  end(): Promise<void> | undefined {
    this.hasEnded = true;
    if (this.#unpacker !== undefined) return this.#endPacked(this.#unpacker);
    if (this.#held.length === 0) return undefined;
    this.storage = 'uncompressed';
    return this.#read(this.#takeHeld());
  }

  async #endPacked(unpacker: Unpacker): Promise<void> {
    await unpacker.end();
    const held = this.#takeHeld();
    if (held.length > 0) this.#options.take(held);
    this.#throwFailure();
  }

  #takeHeld(): Uint8Array {
    const held = this.#held;
    this.#held = EMPTY;
    return held;
  }

  /**
   * For compressed bytes that arrive after `end`. The caller then pushes all stored bytes again, from the first; only
   * unpacked bytes that were not emitted before are emitted.
   */
  restart(): void {
    this.close();
    this.storage = undefined;
    this.hasEnded = false;
    this.#unpacker = undefined;
    this.#archive = undefined;
    this.#storedBytes = 0;
    this.#toSkip = this.unpackedBytes;
  }

  close(): void {
    this.#unpacker?.close();
  }

  get damage(): UnpackDamage | undefined {
    return this.#unpacker?.damage;
  }

  /** Describes a zip archive from which nothing can be read: 'a ZIP archive without a profile'. */
  get refusal(): string | undefined {
    return this.#archive?.refusal;
  }

  #read(bytes: Uint8Array): Promise<void> | undefined {
    if (this.storage !== 'uncompressed') return this.#unpack(bytes);
    for (let at = 0; at < bytes.length;) {
      const piece = this.#nextPiece(bytes, at, STEP_BYTES);
      at += piece.length;
      this.#emit(piece);
    }
    return undefined;
  }

  /** The next stored bytes from `at` on: at most `mostBytes`, and none of the next step. */
  #nextPiece(bytes: Uint8Array, at: number, mostBytes: number): Uint8Array {
    const stepEnd = this.#storedBytes - (this.#storedBytes % STEP_BYTES) + STEP_BYTES;
    if (stepEnd > this.#announcedBytes) {
      this.#announcedBytes = stepEnd;
      this.#options.onStored?.(STEP_BYTES);
    }
    const piece = bytes.subarray(at, at + Math.min(mostBytes, stepEnd - this.#storedBytes));
    this.#storedBytes += piece.length;
    return piece;
  }

  async #unpack(bytes: Uint8Array): Promise<void> {
    const unpacker = (this.#unpacker ??= await this.#open());
    for (let at = 0; at < bytes.length && unpacker.damage === undefined;) {
      const piece = this.#nextPiece(bytes, at, this.#pieceBytes);
      at += piece.length;
      await unpacker.write(piece);
      this.#throwFailure();
    }
  }

  /**
   * zlib discards its output of the piece in which it finds damage. To lose little, a piece of gzip data has 64 bytes,
   * or a sixteenth of the compressed bytes before it.
   */
  get #pieceBytes(): number {
    if (this.storage === 'zip') return ZIP_PIECE_BYTES;
    return Math.max(FIRST_GZIP_PIECE_BYTES, this.#storedBytes >> 4);
  }

  async #open(): Promise<Unpacker> {
    const onBytes = (bytes: Uint8Array): void => this.#emitUnpacked(bytes);
    if (this.storage === 'gzip') return this.#options.openGunzip(onBytes);
    this.#archive = new ZipUnpacker(this.#options.accepts, onBytes);
    return this.#archive;
  }

  /** Called by an unpacker. Keeps errors of the receiver, which the unpacker would report as damaged data. */
  #emitUnpacked(bytes: Uint8Array): void {
    if (this.#failure !== undefined) return;
    try {
      this.#emit(bytes);
    } catch (error) {
      this.#failure = { error };
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #emit(bytes: Uint8Array): void {
    const skipped = Math.min(this.#toSkip, bytes.length);
    this.#toSkip -= skipped;
    if (skipped === bytes.length) return;
    this.unpackedBytes += bytes.length - skipped;
    const rest = skipped === 0 ? bytes : bytes.subarray(skipped);
    const fresh = this.#held.length === 0 ? rest : joined(this.#takeHeld(), rest);
    if (this.storage === 'gzip' && this.unpackedBytes < FIRST_UNPACKED_BYTES) this.#held = fresh;
    else this.#options.take(fresh);
  }
}

/** The storage of an input. */
export type Storage = 'uncompressed' | 'gzip' | 'zip';

/**
 * Detects the storage of an input by its first bytes. Undefined while there are too few of them; four always suffice,
 * and two for gzip: 0x1f is also record type 31 of an Honest Profiler log, but no method id begins with 0x8b.
 */
export function storageOf(head: Uint8Array): Storage | undefined {
  if (head.length === 0) return undefined;
  if (head[0] === 0x1f) return head.length < 2 ? undefined : head[1] === 0x8b ? 'gzip' : 'uncompressed';
  if (head[0] !== 0x50) return 'uncompressed';
  if (head.length > 1 && head[1] !== 0x4b) return 'uncompressed';
  if (head.length < 4) return undefined;
  // An archive begins with an entry, or with the end of its directory if it is empty.
  const isZip = (head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6);
  return isZip ? 'zip' : 'uncompressed';
}
