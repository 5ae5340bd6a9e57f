import { MOST_NODES, NodeEstimate } from '../../shared/aggregate/node-estimate.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { JournaledProfile } from '../../shared/delta/make-delta.ts';
import { assert } from '../../shared/assert.ts';
import { joined } from '../../shared/bytes/joined.ts';
import type { Chosen } from '../../shared/formats/choice.ts';
import { ProfileReader } from '../../shared/formats/profile-reader.ts';
import type { Preallocation } from '../../shared/formats/decoder.ts';
import type { Peek } from '../../shared/formats/format-parts.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { Epoch, LogDamage } from '../../shared/protocol/messages.ts';
import { isProfile } from '../../shared/formats/detect-format.ts';
import { loadDecoders } from '../../shared/formats/load-decoders.ts';
import { openZip } from '../../shared/unpack/open-zip.ts';
import type { ZipUnpacker } from '../../shared/unpack/zip.ts';
import { looksLikeZip } from '../../shared/unpack/zip-magic.ts';
import { NodeReserve } from '../../shared/aggregate/node-reserve.ts';
import { GzipUnpacker } from '../source/gzip.ts';
import { looksLikeGzip } from '../source/gzip-magic.ts';

/** How much of the zeros at the end is looked at for whether their writer has gone on. */
const ZEROS_LOOKED_AT = 4096;

type Storage = 'plain' | 'gzip' | 'zip';

/**
 * One run of the writer: stored bytes in, a profile out. Unpacks, recognises the format, decodes and aggregates; a
 * new epoch is a new object.
 */
export class LogEpoch {
  readonly number: Epoch;
  readonly aggregator = new ProfileAggregator({ journal: true });
  readonly reader: ProfileReader;
  readonly estimate = new NodeEstimate();
  readonly nodeReserve = new NodeReserve(this.aggregator, MOST_NODES);
  /** Bytes after unpacking. */
  unpackedBytes = 0;

  #loading: Promise<void> | undefined;
  #previous: LeanProfile | undefined;
  #storage: 'unknown' | Storage = 'unknown';
  /** First bytes that may be a part of gzip's or zip's magic. */
  #held = new Uint8Array(0);
  #unpacker: GzipUnpacker | undefined;
  #archive: ZipUnpacker | undefined;
  #unpacking: Promise<void> | undefined;
  /** Compressed bytes arrived after the compressed data had been taken for complete. */
  #mustUnpackAgain = false;
  /** The bytes that are pending are zeros: 'not written yet'. */
  #pendingIsZeros = false;

  /** `previous`: the profile of the epoch before, whose names a writer that goes on does not repeat. */
  constructor(number: Epoch, previous: LeanProfile | undefined, chosen: Chosen) {
    this.number = number;
    this.#previous = previous;
    this.reader = new ProfileReader(this.aggregator, chosen);
  }

  get source(): JournaledProfile {
    const { profile, journal } = this.aggregator;
    assert(journal !== undefined, 'the aggregator of a log that is followed keeps a journal');
    return { profile, journal };
  }

  get damage(): LogDamage | undefined {
    if (this.reader.damage !== undefined) return this.reader.damage;
    const { records } = this.reader;
    const gzip = this.#unpacker?.damage;
    if (gzip !== undefined) return { what: 'gzip data', record: records, ...gzip };
    const zip = this.#archive?.damage;
    return zip === undefined ? undefined : { what: 'zip archive', record: records, ...zip };
  }

  /** Why there is nothing to read in an archive; a sentence. */
  get refusal(): string | undefined {
    const refusal = this.#archive?.refusal;
    return refusal === undefined ? undefined : `This is a zip archive that ${refusal}.`;
  }

  /**
   * Stored bytes, borrowed until `unpacked` has resolved. Returns the offset up to which the stored content is final:
   * zeros at the end may still be overwritten. While what reads them has to be loaded nothing is taken: see `unpacked`.
   */
  append(bytes: Uint8Array, offset: number): number {
    let input = bytes;
    if (this.#storage === 'unknown') {
      input = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
      if (mayBecomePacked(input)) {
        this.#held = input.slice();
        return 0;
      }
      this.#held = new Uint8Array(0);
      const storage = looksLikeGzip(input) ? 'gzip' : looksLikeZip(input) ? 'zip' : 'plain';
      this.#loading = this.#load(storage, input);
      if (this.#loading !== undefined) return 0;
      this.#storage = storage;
    }
    const end = offset + bytes.length;
    if (this.#storage === 'gzip') {
      this.#unpacker ??= new GzipUnpacker((unpacked) => this.#decode(unpacked));
      if (this.#unpacker.hasEnded) this.#mustUnpackAgain = true;
      else this.#unpacking = this.#unpacker.write(input);
      return end;
    }
    if (this.#archive !== undefined) {
      this.#archive.write(input);
      return end;
    }
    this.#decode(input);
    const { preallocation } = this;
    return this.#pendingIsZeros && preallocation !== undefined ? preallocation.resumeOffset : end;
  }

  /**
   * Resolves when all stored bytes are decoded: true. False when nothing was taken so far, because what reads them was
   * not there: it is now, and all bytes are to be appended again. `storedBytes` are in the file, and `peek` reads them.
   */
  async unpacked(storedBytes: number, peek: Peek): Promise<boolean> {
    if (this.#loading !== undefined) {
      await this.#loading;
      this.#loading = undefined;
      return false;
    }
    await this.#unpacking;
    this.#unpacking = undefined;
    if (!this.#mustUnpackAgain) return true;
    this.#mustUnpackAgain = false;
    this.#unpacker?.close();
    let toPass = this.unpackedBytes;
    const unpacker = new GzipUnpacker((unpacked) => {
      const passed = Math.min(toPass, unpacked.length);
      toPass -= passed;
      if (passed < unpacked.length) this.#decode(unpacked.subarray(passed));
    });
    this.#unpacker = unpacker;
    for (let offset = 0; offset < storedBytes;) {
      const bytes = peek(offset, Math.min(1 << 20, storedBytes - offset));
      if (bytes.length === 0) break;
      offset += bytes.length;
      await unpacker.write(bytes);
    }
    return true;
  }

  /** Nothing more is expected: the last trace counts with the frames it has, and compressed data must be whole. */
  async end(): Promise<void> {
    if (this.#held.length > 0) {
      await loadDecoders(this.#held);
      this.#storage = 'plain';
      this.#decode(this.#held);
      this.#held = new Uint8Array(0);
    }
    await this.#unpacker?.end();
    this.#archive?.end();
    // What has not begun may still become anything.
    if (this.unpackedBytes > 0) this.reader.settle(true);
  }

  /** Zeros at the end of the file that a writer has begun to overwrite are to be read again from this offset. */
  overwrittenFrom(peek: Peek): number | undefined {
    const { preallocation } = this;
    const { pending } = this.reader.bytes;
    if (!this.#pendingIsZeros || preallocation === undefined || pending === 0) return undefined;
    const from = preallocation.resumeOffset;
    if (!peek(from, Math.min(ZEROS_LOOKED_AT, pending)).some((byte) => byte !== 0)) return undefined;
    this.unpackedBytes = from;
    preallocation.rewind();
    return from;
  }

  get preallocation(): Preallocation | undefined {
    return this.reader.decoder?.preallocation;
  }

  close(): void {
    this.#unpacker?.close();
  }

  /** What reading needs; undefined when all that is there already. */
  #load(storage: Storage, head: Uint8Array): Promise<void> | undefined {
    const decoders = loadDecoders(storage === 'plain' ? head : undefined);
    if (storage !== 'zip' || this.#archive !== undefined) return decoders;
    return Promise.all([decoders, openZip(isProfile, (unpacked) => this.#decode(unpacked))]).then(
      ([, archive]) => {
        this.#archive = archive;
      },
    );
  }

  /** Unpacked bytes. */
  #decode(bytes: Uint8Array): void {
    const start = this.unpackedBytes;
    if (start === 0 && bytes[0] === 0) this.#takeOverNames();
    this.#previous = undefined;
    this.unpackedBytes += bytes.length;
    this.reader.append(bytes);
    const { preallocation } = this;
    if (preallocation === undefined) return;
    const { resumeOffset } = preallocation;
    if (resumeOffset >= start && resumeOffset < this.unpackedBytes)
      this.#pendingIsZeros = bytes[resumeOffset - start] === 0;
    else if (resumeOffset >= this.unpackedBytes) this.#pendingIsZeros = false;
  }

  /**
   * Content that begins with zeros was truncated under a writer that went on where it was (the rest is a hole): it
   * will not name again what it has named. A new writer begins at 0 and names everything itself.
   */
  #takeOverNames(): void {
    const { aggregator } = this;
    if (this.#previous === undefined) return;
    const { methods, threads } = this.#previous;
    for (let row = 0; row < methods.length; row++) {
      const names = methods.names[row];
      if (names !== undefined)
        aggregator.defineMethod(aggregator.method(methods.idHi[row], methods.idLo[row]), names);
    }
    for (let row = 0; row < threads.length; row++) {
      const name = threads.name[row];
      if (name !== undefined)
        aggregator.nameThread(aggregator.thread(threads.idHi[row], threads.idLo[row]), name);
    }
  }
}

/** Too few bytes to tell whether they are packed. */
function mayBecomePacked(head: Uint8Array): boolean {
  return (head.length === 1 && head[0] === 0x1f) || (head.length < 4 && head[0] === 0x50);
}
