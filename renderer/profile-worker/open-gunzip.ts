import type { OpenGunzip, UnpackDamage, Unpacker } from '../../shared/read/unpack/unpacker.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

const NOTHING = new Uint8Array(0);
/** Bytes of the size at the end of a member. */
const SIZE_BYTES = 4;
/**
 * A stream unpacks a piece at once and queues all that it contains, up to a thousand times as much: at most 33 MB for
 * pieces of this size.
 */
const PIECE_BYTES = 1 << 15;

/**
 * The browser's own gunzip, with a stream for each member, because a stream accepts no bytes after its member. Where a
 * member ends is known only from its content: bytes that look like the head of a member begin a new one if the bytes
 * before them are the size of what was unpacked so far.
 */
class GzipUnpacker implements Unpacker {
  damage: UnpackDamage | undefined;
  readonly #onBytes: (bytes: Uint8Array) => void;
  #member: Member;
  /** The last bytes of the present member that were written. */
  #tail: Uint8Array = NOTHING;
  /** Bytes that are not written yet: an incomplete head of a member. */
  #held: Uint8Array<ArrayBuffer> = NOTHING;
  #storedBytes = 0;

  constructor(onBytes: (bytes: Uint8Array) => void) {
    this.#onBytes = onBytes;
    this.#member = new Member(onBytes);
  }

  async write(bytes: Uint8Array): Promise<void> {
    // A copy: the stream keeps its chunks, and this buffer is reused.
    const stored = new Uint8Array(this.#held.length + bytes.length);
    stored.set(this.#held);
    stored.set(bytes, this.#held.length);
    const end = stored.length - incompleteHeadBytes(stored);
    this.#held = stored.subarray(end);
    let from = 0;
    for (let at = findMemberHead(stored, 0); at >= 0; at = findMemberHead(stored, at + 1)) {
      await this.#write(stored.subarray(from, at));
      from = at;
      if (this.damage !== undefined) return;
      const size = memberSize(this.#tail);
      if (size < 0 || !(await this.#member.hasUnpacked(size))) continue;
      await this.#endMember();
      this.#member = new Member(this.#onBytes);
      this.#tail = NOTHING;
    }
    await this.#write(stored.subarray(from, end));
  }

  async end(): Promise<void> {
    await this.#write(this.#held);
    await this.#endMember();
  }

  close(): void {
    this.#member.abort();
  }

  async #write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (bytes.length === 0 || this.damage !== undefined) return;
    await this.#attempt(this.#member.write(bytes));
    this.#storedBytes += bytes.length;
    const tail = new Uint8Array([...this.#tail, ...bytes.subarray(-SIZE_BYTES)]);
    this.#tail = tail.subarray(-SIZE_BYTES);
  }

  async #endMember(): Promise<void> {
    if (this.damage === undefined) await this.#attempt(this.#member.end());
    await this.#member.emitted;
  }

  async #attempt(step: Promise<void>): Promise<void> {
    try {
      await step;
    } catch (error) {
      this.damage ??= {
        byteOffset: this.#storedBytes,
        found: errorMessage(error),
        expected: 'compressed data',
      };
    }
  }
}

/** One member of a gzip file. */
class Member {
  /** Resolves when the output has ended and was emitted; never rejects. */
  readonly emitted: Promise<void>;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  #unpackedBytes = 0;

  constructor(onBytes: (bytes: Uint8Array) => void) {
    const { readable, writable } = new DecompressionStream('gzip');
    this.#writer = writable.getWriter();
    // It rejects only with the errors of `write` and `end`.
    this.#writer.closed.catch(() => undefined);
    this.emitted = this.#emit(readable, onBytes);
  }

  /** Resolves when all that `bytes` contain has been emitted. */
  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      await this.#writer.write(bytes.subarray(at, at + PIECE_BYTES));
      // The stream accepts another chunk only when its output has been read.
      await this.#writer.write(NOTHING);
    }
  }

  /** Whether everything that was written has unpacked to `size` bytes, modulo 2^32. */
  async hasUnpacked(size: number): Promise<boolean> {
    // The stream accepts this write only when its output has been read.
    await this.#writer.write(NOTHING).catch(() => undefined);
    return this.#unpackedBytes % 2 ** 32 === size;
  }

  end(): Promise<void> {
    return this.#writer.close();
  }

  abort(): void {
    this.#writer.abort().catch(() => undefined);
  }

  async #emit(readable: ReadableStream<Uint8Array>, onBytes: (bytes: Uint8Array) => void): Promise<void> {
    const reader = readable.getReader();
    for (;;) {
      const next = await reader.read().catch(() => undefined);
      if (next === undefined || next.done) return;
      this.#unpackedBytes += next.value.length;
      onBytes(next.value);
    }
  }
}

export const openGunzip: OpenGunzip = (onBytes) => Promise.resolve(new GzipUnpacker(onBytes));

/** A member of a gzip file begins with these bytes, followed by flags of which the upper three are 0 (RFC 1952). */
const MAGIC = [0x1f, 0x8b, 0x08] as const;
const RESERVED_FLAGS = 0xe0;

/** Where bytes[from …] may have the head of a gzip member; -1 if nowhere. Compressed data may contain such bytes, too. */
export function findMemberHead(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MAGIC[0], from); at >= 0; at = bytes.indexOf(MAGIC[0], at + 1)) {
    if (at + MAGIC.length >= bytes.length) return -1;
    const isHead = bytes[at + 1] === MAGIC[1] && bytes[at + 2] === MAGIC[2];
    if (isHead && (bytes[at + 3] & RESERVED_FLAGS) === 0) return at;
  }
  return -1;
}

/** The number of bytes at the end that may be an incomplete head, at most three. */
export function incompleteHeadBytes(bytes: Uint8Array): number {
  for (let count = Math.min(MAGIC.length, bytes.length); count > 0; count--) {
    const start = bytes.length - count;
    if (MAGIC.slice(0, count).every((byte, at) => bytes[start + at] === byte)) return count;
  }
  return 0;
}

/** The size of the unpacked data, modulo 2^32, with which a member ends. */
export function memberSize(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes.length < 4 ? -1 : view.getUint32(bytes.length - 4, true);
}
