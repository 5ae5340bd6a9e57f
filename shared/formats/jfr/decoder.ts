import type { ProfileAggregator } from '../../aggregate/profile-aggregator.ts';
import type { RangeProfile } from '../../aggregate/range-profile.ts';
import { FRAME_CELLS, type SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import type { RangeDecoder, RangeState } from '../byte-ranges.ts';
import { CHUNK_HEADER_BYTES, type ChunkHeader, readChunkHeader } from './chunk-header.ts';
import { Chunk } from './chunk.ts';
import { KnownTypes } from './known-types.ts';
import { RecordingFacts } from './recording-facts.ts';
import type { RecordingPart } from './recording-part.ts';
import { SampleGroups } from './sample-groups.ts';
import { SampleWriter } from './sample-writer.ts';

/** Initial buffer of a chunk, bytes. It grows with the bytes received, not with the size in the header. */
const FIRST_ROOM = 1 << 16;

/**
 * JFR recordings, version 2 (specs: JFR 2.x): chunks back to back, each with its own description of its events and its
 * own constants. A chunk is read when all of it is there, so that memory holds one chunk and the profile.
 */
export class JfrDecoder implements ProfileDecoder, RangeDecoder {
  damage: Damage | undefined;
  records = 0;

  readonly #facts: RecordingFacts;
  readonly #writer: SampleWriter;
  readonly #types = new KnownTypes();
  /** Of one chunk after the other. */
  readonly #groups = new SampleGroups();
  /** The chunk that has begun, and how many bytes of it are there. */
  #collected = new Uint8Array(0);
  #length = 0;
  /** Of that chunk; undefined while it has too few bytes. */
  #header: ChunkHeader | undefined;
  readonly #start: number;
  /** Offset of that chunk. */
  #base: number;
  #accepted = 0;
  #skipped = 0;
  #hasEnded = false;

  /** `start`, for a part that is not the first: the offset of the first byte that is appended; a chunk begins there. */
  constructor(sink: SampleSink, chosen: Chosen, start?: number) {
    this.#start = start ?? 0;
    this.#base = this.#start;
    this.#facts = new RecordingFacts(chosen);
    this.#writer = new SampleWriter(sink, this.#facts, start !== undefined);
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
    if (this.damage === undefined && this.#header !== undefined) this.#readChunk(this.#header, false);
    this.#hasEnded = true;
  }

  detach(): RangeState {
    const kept = this.#writer.kept();
    const state: RecordingPart = {
      start: this.#start,
      accepted: this.#accepted,
      skipped: this.#skipped,
      collected: this.#collected.slice(0, this.#length),
      records: this.records,
      damage: this.damage,
      facts: this.#facts.part(),
      methods: this.#writer.methods.keys,
      kept,
    };
    const columns =
      kept === undefined
        ? []
        : [kept.thread, kept.stack, kept.count, kept.value.ns, kept.stacks.cells, kept.stacks.starts];
    return { state, buffers: columns.map(({ buffer }) => buffer) };
  }

  /** Chunks are independent; only the counts and the method numbers belong to the recording. */
  appendRange(state: unknown, profile: RangeProfile, into: ProfileAggregator): boolean {
    const part = state as RecordingPart;
    const isWithin = this.damage !== undefined || this.#hasEnded || this.#length > 0;
    if (isWithin || part.start !== this.#base || !this.#facts.fits(part.facts)) return false;
    const { methods } = this.#writer;
    const numbers = part.methods.map(({ className, methodName, descriptor }) =>
      methods.of(className, methodName, descriptor),
    );
    const { idLo, length } = profile.methods;
    for (let row = 0; row < length; row++) idLo[row] = numbers[idLo[row]];
    const threads = into.append(profile);
    if (part.kept !== undefined) {
      const { cells, starts } = part.kept.stacks;
      const end = starts[part.kept.stacks.length];
      for (let cell = 0; cell < end; cell += FRAME_CELLS) cells[cell + 1] = numbers[cells[cell + 1]];
      this.#writer.appendRange(part.kept, threads);
    }

    this.#facts.appendRange(part.facts);
    this.#accepted += part.accepted;
    this.#skipped += part.skipped;
    this.#base += part.accepted + part.skipped;
    if (part.damage !== undefined)
      this.damage = { ...part.damage, record: this.records + part.damage.record };
    this.records += part.records;
    this.append(part.collected);
    return true;
  }

  get bytes(): ByteAccount {
    return { accepted: this.#accepted, skipped: this.#skipped, pending: this.#length };
  }

  facts(): FormatFacts {
    return this.#facts.facts();
  }

  /** Takes up to `wanted` bytes of an input; returns how many. */
  #collect(bytes: Uint8Array, from: number, wanted: number): number {
    const taken = Math.min(wanted, bytes.length - from);
    const length = this.#length + taken;
    if (length > this.#collected.length) {
      const most = this.#header === undefined || this.#header.size === 0 ? Infinity : this.#header.size;
      const room = Math.max(length, Math.min(most, Math.max(FIRST_ROOM, this.#collected.length * 2)));
      const larger = new Uint8Array(room);
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
      this.#damaged({ what: 'chunk header', at: 0, ...header });
      return;
    }
    this.#header = header;
    if (this.#length === header.size) this.#readChunk(header, true);
  }

  #readChunk(header: ChunkHeader, isWhole: boolean): void {
    this.#groups.clear();
    const chunk = new Chunk(this.#collected.subarray(0, this.#length), header, this.#groups);
    chunk.read(isWhole, this.#facts, this.#types);
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

  /** Skips everything from here on. */
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
