import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { CHUNK_HEADER_BYTES, type ChunkHeader, readChunkHeader } from './chunk-header.ts';
import { Chunk } from './chunk.ts';
import { KnownTypes } from './known-types.ts';
import { RecordingFacts } from './recording-facts.ts';
import { SampleGroups } from './sample-groups.ts';
import { SampleWriter } from './sample-writer.ts';

/** Bytes of the buffer for a chunk. It grows with the bytes received, because the size in the header may be wrong. */
const INITIAL_CAPACITY = 1 << 16;
/** Bytes of chunks that are kept until the sample type is selected. */
const MOST_HELD_BYTES = 64 << 20;

/** A chunk that was not read yet, because the sample type depends on chunks after it. */
interface HeldChunk {
  readonly header: ChunkHeader;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Decodes JFR recordings, version 2 (specs: JFR 2.x): consecutive chunks, each with its own metadata and constants. A
 * chunk is read when it is complete, so only one chunk is in memory; except at the beginning of a recording that is
 * joined from several, where chunks without regular samples are kept until one has them.
 */
export class JfrDecoder implements ProfileDecoder {
  damage: Damage | undefined;
  records = 0;

  readonly #facts: RecordingFacts;
  readonly #writer: SampleWriter;
  readonly #types = new KnownTypes();
  /** Reused for each chunk. */
  readonly #groups = new SampleGroups();
  /** Bytes of the current chunk; #length of them are used. */
  #collected = new Uint8Array(0);
  #length = 0;
  /** Header of the current chunk; undefined while it is incomplete. */
  #header: ChunkHeader | undefined;
  /** Offset of the current chunk. */
  #base = 0;
  #accepted = 0;
  #skipped = 0;
  #hasEnded = false;
  #held: HeldChunk[] = [];
  #heldBytes = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#facts = new RecordingFacts(chosen);
    this.#writer = new SampleWriter(sink, this.#facts);
  }

  append(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.damage !== undefined || this.#hasEnded) {
        this.#skipped += bytes.length - at;
        return;
      }
      if (this.#header === undefined) {
        at += this.#collect(bytes, at, CHUNK_HEADER_BYTES - this.#length);
        this.#readHeader();
      } else {
        const { size } = this.#header;
        at += this.#collect(bytes, at, size === 0 ? bytes.length - at : size - this.#length);
        if (this.#length === size) this.#readChunk(this.#header, true);
      }
    }
  }

  settle(ended: boolean): void {
    if (!ended || this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.damage !== undefined) return;
    if (this.#header !== undefined) this.#readChunk(this.#header, false);
    else this.#readHeld();
  }

  get bytes(): ByteAccount {
    return { accepted: this.#accepted, skipped: this.#skipped, pending: this.#length + this.#heldBytes };
  }

  facts(): FormatFacts {
    return this.#facts.facts();
  }

  /** Copies up to `wanted` bytes into the buffer of the chunk; returns their number. */
  #collect(bytes: Uint8Array, from: number, wanted: number): number {
    const taken = Math.min(wanted, bytes.length - from);
    const length = this.#length + taken;
    if (length > this.#collected.length) {
      const most = this.#header === undefined || this.#header.size === 0 ? Infinity : this.#header.size;
      const doubled = Math.max(INITIAL_CAPACITY, this.#collected.length * 2);
      const larger = new Uint8Array(Math.max(length, Math.min(most, doubled)));
      larger.set(this.#collected.subarray(0, this.#length));
      this.#collected = larger;
    }
    this.#collected.set(bytes.subarray(from, from + taken), this.#length);
    this.#length = length;
    return taken;
  }

  #readHeader(): void {
    if (this.#length < CHUNK_HEADER_BYTES) return;
    const header = readChunkHeader(this.#collected);
    if ('found' in header) {
      this.#readHeld();
      if (!this.#isDamaged()) this.#damaged({ what: 'chunk header', at: 0, ...header });
      return;
    }
    this.#header = header;
    if (this.#length === header.size) this.#readChunk(header, true);
  }

  #readChunk(header: ChunkHeader, isWhole: boolean): void {
    const bytes = this.#collected.subarray(0, this.#length);
    const chunk = new Chunk(bytes, header, this.#groups);
    chunk.describe(isWhole, this.#types);
    if (this.#facts.sampleType === undefined && chunk.types !== undefined) {
      const present = chunk.presentTypes();
      const isLast = !isWhole || this.#heldBytes + bytes.length > MOST_HELD_BYTES;
      const isUndecided = present.size > 0 || this.#held.length > 0;
      if (!this.#facts.chooseFrom(present, isLast) && isUndecided && isWhole) {
        this.#held.push({ header, bytes: bytes.slice() });
        this.#heldBytes += bytes.length;
        this.#length = 0;
        this.#header = undefined;
        return;
      }
    }
    this.#readHeld();
    if (this.damage === undefined) this.#decode(chunk, isWhole);
  }

  /** Reads the chunks that were kept, now that the sample type is selected or no chunk follows. */
  #readHeld(): void {
    const held = this.#held;
    if (held.length === 0) return;
    if (this.#facts.sampleType === undefined) this.#facts.chooseFrom(new Set(), true);
    const [collected, length, header] = [this.#collected, this.#length, this.#header];
    this.#held = [];
    for (const each of held) {
      this.#heldBytes -= each.bytes.length;
      if (this.#isDamaged()) {
        this.#skipped += each.bytes.length;
        continue;
      }
      this.#collected = each.bytes;
      this.#length = each.bytes.length;
      const chunk = new Chunk(each.bytes, each.header, this.#groups);
      chunk.describe(true, this.#types);
      this.#decode(chunk, true);
    }
    if (this.#isDamaged()) {
      this.#skipped += length;
      return;
    }
    this.#collected = collected;
    this.#length = length;
    this.#header = header;
  }

  /** A method because TypeScript would assume that `damage` is still undefined after a call that sets it. */
  #isDamaged(): boolean {
    return this.damage !== undefined;
  }

  /** Decodes the chunk in the buffer, whose metadata was read. */
  #decode(chunk: Chunk, isWhole: boolean): void {
    this.#groups.clear();
    chunk.read(isWhole, this.#facts);
    this.#writer.write(chunk);
    this.#facts.addChunk(chunk, isWhole);
    this.records += chunk.records;
    if (chunk.damage !== undefined) {
      const isRead = chunk.types !== undefined;
      this.#accepted += isRead ? chunk.end - chunk.misfitBytes : 0;
      this.#skipped += isRead ? chunk.misfitBytes : 0;
      this.#length -= isRead ? chunk.end : 0;
      this.#damaged(chunk.damage);
      return;
    }
    this.#accepted += chunk.end - chunk.misfitBytes;
    this.#skipped += chunk.misfitBytes;
    this.#length -= chunk.end;
    this.#base += chunk.end;
    this.#header = undefined;
  }

  /** Sets the damage and skips the rest of the input. */
  #damaged({
    what,
    at,
    found,
    expected,
  }: {
    what: string;
    at: number;
    found: string;
    expected: string;
  }): void {
    this.damage = { what, byteOffset: this.#base + at, record: this.records, found, expected };
    this.#skipped += this.#length;
    this.#length = 0;
    this.#collected = new Uint8Array(0);
    this.#header = undefined;
  }
}
