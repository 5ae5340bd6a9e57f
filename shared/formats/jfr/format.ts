import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import {
  areOfOneChunk,
  beginsChunk,
  CHUNK_HEADER_BYTES,
  type ChunkHeader,
  readChunkHeader,
} from './chunk/chunk-header.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { Chunk } from './events/chunk.ts';
import { KnownTypes } from './events/event-types.ts';
import { RecordingFacts } from './facts/recording-facts.ts';
import { SampleGroups } from './events/sample-groups.ts';
import { SampleWriter } from './sample-writer.ts';

/** Recordings of JDK Flight Recorder, and of async-profiler in the same format (specs: JFR 2.x). */
export const JFR: ProfileFormat = {
  id: 'jfr',
  name: 'JFR recording',
  listed: { group: 'JVM profilers', entry: 'JFR' },
  extensions: ['.jfr'],
  // A file is read once. A recording that a JVM is writing comes flush by flush: see `JfrDecoder`.
  follows: false,
  joinsEntries: 'bytes',
  notRecorded: [
    'the time that an execution sample stands for, unless its period is recorded or given',
    'frames deeper than the stack depth of the recording',
    'execution samples of threads that are in neither Java nor native methods',
  ],
  recognise: (head) => {
    const begins = beginsChunk(head);
    if (begins === true) return is('it begins with FLR');
    return begins === undefined
      ? isPossible(0.5, 'it ends within its first four bytes')
      : isNot(0, 'it does not begin with FLR');
  },
  createDecoder: (sink, chosen) => new JfrDecoder(sink, chosen),
};

/** Bytes of the buffer for a chunk. It grows with the bytes received, because the size in the header may be wrong. */
const INITIAL_CAPACITY = 1 << 10;
/** Bytes of chunks that are kept until the sample type is selected. */
const MOST_HELD_BYTES = 64 << 20;
/** Flushes of a growing chunk after which the sample type is selected from those that there are. */
const FLUSHES_WITHOUT_TYPE = 5;

/** A chunk that was not read yet, because the sample type depends on chunks after it. */
interface HeldChunk {
  readonly header: ChunkHeader;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A chunk as it was at its latest flush. More of it may follow. */
interface OpenChunk {
  readonly header: ChunkHeader;
  /** Undefined while nothing was decoded, because no sample type is selected. */
  readonly chunk: Chunk | undefined;
}

/**
 * Decodes JFR recordings, version 2 (specs: JFR 2.x): consecutive chunks, each with its own metadata and constants. A
 * chunk is read when it is complete, so only one chunk is in memory; except at the beginning of a recording that is
 * joined from several, where chunks without regular samples are kept until one has them.
 *
 * A chunk that a JVM is writing comes in parts, one per flush: its header as it was at the flush, and the bytes since the
 * flush before. Each part is read when it is complete, and each byte is decoded once.
 *
 *   finished chunks    header bytes │ header bytes │ …
 *   a growing chunk    header bytes │ header, same start: more bytes │ header, same start, state 0: the last bytes
 */
export class JfrDecoder implements ProfileDecoder {
  damage: Damage | undefined;
  records = 0;

  readonly #sink: SampleSink;
  readonly #facts: RecordingFacts;
  readonly #writer: SampleWriter;
  readonly #types = new KnownTypes();
  /** Reused for each chunk. */
  readonly #groups: SampleGroups;
  /** Bytes of the next header; #headLength of them are there. */
  readonly #head = new Uint8Array(CHUNK_HEADER_BYTES);
  #headLength = 0;
  /** Bytes of the current chunk; #length of them are used, and #decoded of these are decoded. */
  #collected = new Uint8Array(0);
  #length = 0;
  #decoded = 0;
  /** Header of the current chunk, or of its current part; undefined while it is incomplete. */
  #header: ChunkHeader | undefined;
  /** Set while the next header may continue the current chunk. */
  #open: OpenChunk | undefined;
  #flushes = 0;
  /** Whether no header follows a growing chunk, but bytes of a copy that the JVM had not flushed. */
  #isUnflushed = false;
  /** Offset in the input minus offset in the chunk, for the current part of the current chunk. */
  #base = 0;
  #accepted = 0;
  #skipped = 0;
  /** Nothing is read any more: the last chunk was read although its end is missing, or reading was stopped. */
  #hasEnded = false;
  /** The memory budget has not allowed the tables of a chunk. */
  #isRefused = false;
  #held: HeldChunk[] = [];
  #heldBytes = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#facts = new RecordingFacts(chosen);
    this.#writer = new SampleWriter(sink, this.#facts);
    this.#groups = new SampleGroups(sink.memory, sink.keepsTimes);
  }

  append(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#hasEnded) {
        this.#skipped += bytes.length - at;
        return;
      }
      if (this.#isUnflushed) {
        this.#headLength += bytes.length - at;
        return;
      }
      if (this.#header === undefined) {
        const part = bytes.subarray(at, at + CHUNK_HEADER_BYTES - this.#headLength);
        this.#head.set(part, this.#headLength);
        this.#headLength += part.length;
        at += part.length;
        if (this.#headLength === CHUNK_HEADER_BYTES) this.#readHeader();
      } else {
        const { size } = this.#header;
        const taken = this.#collect(bytes, at, size === 0 ? bytes.length - at : size - this.#length);
        if (taken === 0) {
          this.#stopAtLimit();
          this.#skipped += bytes.length - at;
          return;
        }
        at += taken;
        if (this.#length === size) this.#readChunk(this.#header, true);
      }
    }
  }

  emitOpen(ended: boolean, isFollowed = false): void {
    if (!ended || this.#hasEnded) return;
    if (this.#header === undefined) {
      // Another chunk or flush may follow. What there is is shown now, of whatever sample type.
      this.#flushes = FLUSHES_WITHOUT_TYPE;
      if (this.#open !== undefined && this.#open.chunk === undefined)
        this.#readChunk(this.#open.header, true);
      else this.#readHeld();
      this.#facts.losses.isOpen = this.#open !== undefined && !isFollowed;
      const isAfterChunk = this.#base > 0 && this.#open === undefined;
      if (isAfterChunk && this.#headLength > 0 && !this.#isDamaged()) this.#cutInHeader();
      return;
    }
    this.#hasEnded = true;
    const { size } = this.#header;
    const end = this.#base + this.#length;
    const found = this.#length;
    this.#readChunk(this.#header, false);
    // A chunk of unknown size was not finished, which is no damage.
    if (size > 0 && this.damage === undefined && !this.#isRefused) this.#cut(end, found, size);
  }

  /** The input ends before the chunk does: it is not all that was written. */
  #cut(at: number, found: number, size: number): void {
    this.damage = {
      what: 'chunk',
      byteOffset: at,
      record: this.records,
      found: `the end of the file after ${found} bytes of the chunk`,
      expected: `${size} bytes, as its header says: the file was cut`,
    };
    this.#stop();
  }

  #cutInHeader(): void {
    const found = `the end of the file after ${this.#headLength} bytes`;
    this.#damaged({ what: 'chunk header', at: 0, found, expected: `${CHUNK_HEADER_BYTES} bytes` });
  }

  get bytes(): ByteAccount {
    const pending = this.#headLength + this.#length - this.#decoded + this.#heldBytes;
    return { accepted: this.#accepted, skipped: this.#skipped, pending };
  }

  facts(): FormatFacts {
    return this.#facts.facts();
  }

  /** Copies up to `wanted` bytes into the buffer of the chunk; returns their number, 0 if the limit allows no more. */
  #collect(bytes: Uint8Array, from: number, wanted: number): number {
    const taken = Math.min(wanted, bytes.length - from);
    const length = this.#length + taken;
    if (length > this.#collected.length) {
      // A growing chunk continues in the same buffer.
      const isBound = this.#header !== undefined && this.#header.size > 0 && !this.#header.isOpen;
      const most = isBound ? (this.#header?.size ?? Infinity) : Infinity;
      // Independent of how the bytes arrive, because capacities are limited.
      let doubled = Math.max(INITIAL_CAPACITY, this.#collected.length * 2);
      while (doubled < length) doubled *= 2;
      const capacity = Math.max(length, Math.min(most, doubled));
      if (!this.#sink.memory.hold(capacity - this.#collected.length)) return 0;
      const larger = new Uint8Array(capacity);
      larger.set(this.#collected.subarray(0, this.#length));
      this.#collected = larger;
    }
    this.#collected.set(bytes.subarray(from, from + taken), this.#length);
    this.#length = length;
    return taken;
  }

  #readHeader(): void {
    const header = readChunkHeader(this.#head);
    const open = this.#open;
    if ('found' in header) {
      if (open !== undefined) {
        this.#isUnflushed = true;
        return;
      }
      this.#readHeld();
      if (!this.#isDamaged()) this.#damaged({ what: 'chunk header', at: 0, ...header });
      return;
    }
    const continues =
      open !== undefined && areOfOneChunk(open.header, header) && header.size >= open.header.size;
    if (continues) {
      this.#collected.set(this.#head);
      this.#accepted += CHUNK_HEADER_BYTES;
      this.#base += CHUNK_HEADER_BYTES;
    } else {
      this.#closeOpen();
      if (this.#collect(this.#head, 0, CHUNK_HEADER_BYTES) === 0) {
        this.#stopAtLimit();
        return;
      }
    }
    this.#headLength = 0;
    this.#header = header;
    this.#facts.losses.isOpen = false;
    if (this.#length === header.size) this.#readChunk(header, true);
  }

  /** Another chunk follows a growing one: its last part is missing, because its file vanished before it was read. */
  #closeOpen(): void {
    if (this.#open === undefined) return;
    this.#open.chunk?.memory.release();
    this.#open = undefined;
    this.#base += this.#length;
    this.#skipped += this.#length - this.#decoded;
    this.#length = 0;
    this.#decoded = 0;
  }

  #readChunk(header: ChunkHeader, isWhole: boolean): void {
    const bytes = this.#collected.subarray(0, this.#length);
    const isOpen = header.isOpen && isWhole;
    const chunk = new Chunk(bytes, header, this.#groups, this.#sink.memory, this.#open?.chunk);
    chunk.describe(isWhole, this.#types);
    if (this.#facts.sampleType === undefined && chunk.types !== undefined) {
      const present = chunk.presentTypes((type) => this.#facts.selects(type));
      const isAwaited = isOpen && ++this.#flushes < FLUSHES_WITHOUT_TYPE;
      const isLast = !isWhole || (isOpen && !isAwaited) || this.#heldBytes + bytes.length > MOST_HELD_BYTES;
      const isUndecided = present.size > 0 || this.#held.length > 0;
      if (!this.#facts.chooseFrom(present, isLast) && isUndecided && isWhole) {
        this.#header = undefined;
        this.#open = isOpen ? { header, chunk: undefined } : undefined;
        if (isOpen) return;
        if (!this.#sink.memory.hold(bytes.length)) {
          this.#stopAtLimit();
          return;
        }
        this.#held.push({ header, bytes: bytes.slice() });
        this.#heldBytes += bytes.length;
        this.#length = 0;
        return;
      }
    }
    this.#readHeld();
    if (!this.#isDamaged()) this.#decode(chunk, isWhole);
  }

  /** Reads the chunks that were kept, now that the sample type is selected or no chunk follows. */
  #readHeld(): void {
    const held = this.#held;
    if (held.length === 0) return;
    if (this.#facts.sampleType === undefined) this.#facts.chooseFrom(new Set(), true);
    const [collected, length, header, open] = [this.#collected, this.#length, this.#header, this.#open];
    this.#open = undefined;
    this.#held = [];
    for (const each of held) {
      this.#heldBytes -= each.bytes.length;
      this.#sink.memory.release(each.bytes.length);
      if (this.#isDamaged()) {
        this.#skipped += each.bytes.length;
        continue;
      }
      this.#collected = each.bytes;
      this.#length = each.bytes.length;
      const chunk = new Chunk(each.bytes, each.header, this.#groups, this.#sink.memory);
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
    this.#open = open;
  }

  /**
   * Whether nothing more is to be decoded. A method because TypeScript would assume that `damage` is still undefined
   * after a call that sets it.
   */
  #isDamaged(): boolean {
    return this.damage !== undefined || this.#isRefused;
  }

  /** Decodes the chunk in the buffer, whose metadata was read, from #decoded on. */
  #decode(chunk: Chunk, isWhole: boolean): void {
    this.#groups.clear();
    chunk.read(isWhole, this.#facts);
    if (chunk.isRefused) {
      this.#isRefused = true;
      this.#stop();
      return;
    }
    this.#writer.write(chunk);
    this.#facts.addEvents(chunk);
    if (this.#decoded === 0) this.#facts.addChunk(isWhole || chunk.header.size > 0);
    this.records += chunk.records;
    const isRead = chunk.damage === undefined || chunk.types !== undefined;
    this.#accepted += isRead ? chunk.end - this.#decoded - chunk.misfitBytes : 0;
    this.#skipped += isRead ? chunk.misfitBytes : 0;
    if (isRead) this.#decoded = chunk.end;
    this.#header = undefined;
    if (chunk.damage !== undefined) {
      this.#damaged(chunk.damage);
    } else if (chunk.header.isOpen && isWhole) {
      this.#open = { header: chunk.header, chunk };
    } else {
      this.#open = undefined;
      chunk.memory.release();
      this.#base += chunk.end;
      this.#length -= chunk.end;
      this.#decoded = 0;
    }
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
    this.#stop();
  }

  /**
   * The memory budget allows no more to be held. The rest of the input is skipped, and so are the chunks that were kept:
   * a sink that is full counts none of their samples.
   */
  #stopAtLimit(): void {
    this.#held = [];
    this.#skipped += this.#heldBytes;
    this.#heldBytes = 0;
    this.#stop();
  }

  /** Skips the rest of the input. */
  #stop(): void {
    this.#hasEnded = true;
    this.#skipped += this.#headLength + this.#length - this.#decoded;
    this.#headLength = 0;
    this.#length = 0;
    this.#decoded = 0;
    this.#open = undefined;
    this.#collected = new Uint8Array(0);
    this.#header = undefined;
  }
}
