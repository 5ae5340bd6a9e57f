import { FIRST_ROWS, nextCapacity } from '../../profile/columns.ts';
import type { Damage } from '../../facts/damage.ts';
import type { Snapshots } from './snapshots.ts';

/** Agents limit stacks to some hundred frames, which need far less. */
const MAX_SNAPSHOT_BYTES = 1 << 24;
const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH_DELIMITED = 2;
const FOUR_BYTES = 5;

/** Numbers of the fields (SkyWalking, profile/Profile.proto: ThreadSnapshot, ThreadStack). */
const SEGMENT_ID = 2;
const TIME = 3;
const SEQUENCE = 4;
const STACK = 5;
const CODE_SIGNATURE = 1;

/**
 * Reads ThreadSnapshot messages, each after its length as a varint, into `Snapshots`.
 *
 *   length   taskId   traceSegmentId   time   sequence   stack
 *   0x9a 01  0a …     12 …             18 …   20 …       2a … ( 0a Thread.run:840  0a Shop.serve:12  … )
 *
 * The exporter writes snapshots without traceSegmentId. Such a snapshot belongs to the segment of the one before it if
 * its sequence is higher; otherwise a new segment begins (specs: skywalking, section 1).
 */
export class ThreadSnapshotReader {
  readonly snapshots: Snapshots;
  /** Segment -> its id; undefined for segments without an id. */
  readonly segmentIds: (string | undefined)[] = [];
  damage: Damage | undefined;

  readonly #segmentOf = new Map<string, number>();
  /** Segment of the latest snapshot without traceSegmentId. */
  #unnamed = -1;
  /** Sequence of that snapshot. */
  #unnamedSequence = 0;
  #at = 0;
  #stack = new Int32Array(FIRST_ROWS);
  #depth = 0;
  #segmentId = '';
  #ms = 0;
  #sequence = 0;

  constructor(snapshots: Snapshots) {
    this.snapshots = snapshots;
  }

  /**
   * Reads the complete messages of bytes[from … to) and returns the offset after them. Sets `damage` at an invalid
   * message; `offset` is the offset of bytes[0] in the input.
   */
  read(bytes: Uint8Array, from: number, to: number, offset: number): number {
    let start = from;
    while (start < to && this.damage === undefined) {
      this.#at = start;
      const length = this.#varint(bytes, to);
      if (length === undefined) {
        if (to - start >= 10) this.#fail(offset + start, 'a length of more than ten bytes', 'a length');
        break;
      }
      if (length < 1 || length > MAX_SNAPSHOT_BYTES) {
        this.#fail(offset + start, `a length of ${length} bytes`, `1 to ${MAX_SNAPSHOT_BYTES}`);
        break;
      }
      const end = this.#at + length;
      if (end > to) break;
      if (!this.#readSnapshot(bytes, end)) {
        this.#fail(offset + start, `invalid data at byte ${offset + this.#at}`, 'a ThreadSnapshot message');
        break;
      }
      this.#keep();
      start = end;
    }
    return start;
  }

  #readSnapshot(bytes: Uint8Array, end: number): boolean {
    this.#segmentId = '';
    this.#ms = 0;
    this.#sequence = 0;
    this.#depth = 0;
    while (this.#at < end) {
      const tag = this.#varint(bytes, end);
      if (tag === undefined || !isTag(tag)) return false;
      const field = Math.floor(tag / 8);
      const wire = tag % 8;
      if (wire === VARINT) {
        const value = this.#varint(bytes, end);
        if (value === undefined) return false;
        if (field === TIME) this.#ms = value;
        if (field === SEQUENCE) this.#sequence = value | 0;
      } else if (wire === LENGTH_DELIMITED && (field === SEGMENT_ID || field === STACK)) {
        const length = this.#length(bytes, end);
        if (length === undefined) return false;
        const fieldEnd = this.#at + length;
        if (field === STACK && !this.#readStack(bytes, fieldEnd)) return false;
        if (field === SEGMENT_ID) this.#segmentId = utf8.decode(bytes.subarray(this.#at, fieldEnd));
        this.#at = fieldEnd;
      } else if (!this.#skip(bytes, end, wire)) return false;
    }
    return true;
  }

  #readStack(bytes: Uint8Array, end: number): boolean {
    while (this.#at < end) {
      const tag = this.#varint(bytes, end);
      if (tag === undefined || !isTag(tag)) return false;
      if (tag !== CODE_SIGNATURE * 8 + LENGTH_DELIMITED) {
        if (!this.#skip(bytes, end, tag % 8)) return false;
        continue;
      }
      const length = this.#length(bytes, end);
      if (length === undefined) return false;
      if (this.#depth === this.#stack.length) {
        const larger = new Int32Array(nextCapacity(this.#depth, this.#depth + 1));
        larger.set(this.#stack);
        this.#stack = larger;
      }
      this.#stack[this.#depth++] = this.snapshots.signatures.intern(bytes, this.#at, this.#at + length);
      this.#at += length;
    }
    return true;
  }

  /** Skips the value of a field that is not needed. */
  #skip(bytes: Uint8Array, end: number, wire: number): boolean {
    if (wire === VARINT) return this.#varint(bytes, end) !== undefined;
    const length =
      wire === LENGTH_DELIMITED
        ? this.#length(bytes, end)
        : wire === EIGHT_BYTES
          ? 8
          : wire === FOUR_BYTES
            ? 4
            : undefined;
    if (length === undefined || this.#at + length > end) return false;
    this.#at += length;
    return true;
  }

  #keep(): void {
    const { snapshots } = this;
    snapshots.append(this.#segment(), this.#sequence, this.#ms, this.#stack, this.#depth);
  }

  #segment(): number {
    if (this.#segmentId !== '') {
      const known = this.#segmentOf.get(this.#segmentId);
      if (known !== undefined) return known;
      this.#segmentOf.set(this.#segmentId, this.segmentIds.length);
      return this.segmentIds.push(this.#segmentId) - 1;
    }
    if (this.#unnamed < 0 || this.#sequence <= this.#unnamedSequence)
      this.#unnamed = this.segmentIds.push(undefined) - 1;
    this.#unnamedSequence = this.#sequence;
    return this.#unnamed;
  }

  /** Reads the length of a field; undefined if the field would end after `end`. */
  #length(bytes: Uint8Array, end: number): number | undefined {
    const length = this.#varint(bytes, end);
    return length !== undefined && length >= 0 && length <= end - this.#at ? length : undefined;
  }

  /** Reads a signed 64-bit integer as a double; undefined if it is incomplete or has more than ten bytes. */
  #varint(bytes: Uint8Array, end: number): number | undefined {
    let value = 0;
    let factor = 1;
    const last = Math.min(end, this.#at + 10);
    for (let at = this.#at; at < last; at++, factor *= 128) {
      const byte = bytes[at];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        this.#at = at + 1;
        return value < 2 ** 63 ? value : value - 2 ** 64;
      }
    }
    return undefined;
  }

  #fail(byteOffset: number, found: string, expected: string): void {
    this.damage = { what: 'snapshot', byteOffset, record: this.snapshots.length, found, expected };
  }
}

const utf8 = new TextDecoder();

/** Fields are numbered from 1 to 2^29 - 1. */
function isTag(tag: number): boolean {
  return tag >= 8 && tag < 2 ** 32;
}
