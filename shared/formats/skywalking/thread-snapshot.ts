import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { MessageCursor, Wire } from '../../read/protobuf.ts';
import type { Damage } from '../../facts/damage.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { SliceInterner } from '../../read/slice-interner.ts';
import { STACK_NODE_BYTES, StackTree } from '../stack-tree.ts';

/** Agents limit stacks to some hundred frames, which need far less. */
const MAX_SNAPSHOT_BYTES = 1 << 24;

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
    const cursor = new MessageCursor(bytes);
    const stack = new MessageCursor(bytes);
    let start = from;
    while (start < to && this.damage === undefined) {
      cursor.moveTo(start, to);
      if (!cursor.varint()) {
        if (to - start >= 10) this.#fail(offset + start, 'a length of more than ten bytes', 'a length');
        break;
      }
      const length = cursor.number;
      if (length < 1 || length > MAX_SNAPSHOT_BYTES) {
        this.#fail(offset + start, `a length of ${length} bytes`, `1 to ${MAX_SNAPSHOT_BYTES}`);
        break;
      }
      const end = cursor.at + length;
      if (end > to) break;
      cursor.moveTo(cursor.at, end);
      if (!this.#readSnapshot(bytes, cursor, stack)) {
        this.#fail(offset + start, `invalid data at byte ${offset + cursor.at}`, 'a ThreadSnapshot message');
        break;
      }
      this.#keep();
      start = end;
    }
    return start;
  }

  #readSnapshot(bytes: Uint8Array, cursor: MessageCursor, stack: MessageCursor): boolean {
    this.#segmentId = '';
    this.#ms = 0;
    this.#sequence = 0;
    this.#depth = 0;
    while (cursor.next()) {
      const { field, wire, from, to } = cursor;
      if (wire === Wire.varint && field === TIME) this.#ms = cursor.number;
      else if (wire === Wire.varint && field === SEQUENCE) this.#sequence = cursor.lo;
      else if (wire === Wire.bytes && field === SEGMENT_ID)
        this.#segmentId = utf8.decode(bytes.subarray(from, to));
      else if (wire === Wire.bytes && field === STACK) {
        stack.moveTo(from, to);
        if (!this.#readStack(bytes, stack)) return false;
      }
    }
    return !cursor.isBroken;
  }

  #readStack(bytes: Uint8Array, stack: MessageCursor): boolean {
    while (stack.next()) {
      if (stack.field !== CODE_SIGNATURE || stack.wire !== Wire.bytes) continue;
      if (this.#depth === this.#stack.length)
        this.#stack = grown(this.#stack, nextCapacity(this.#depth, this.#depth + 1));
      this.#stack[this.#depth++] = this.snapshots.signatures.intern(bytes, stack.from, stack.to);
    }
    return !stack.isBroken;
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

  #fail(byteOffset: number, found: string, expected: string): void {
    this.damage = { what: 'snapshot', byteOffset, record: this.snapshots.length, found, expected };
  }
}

const utf8 = new TextDecoder();

const SNAPSHOT_BYTES = 20;

/**
 * Snapshots in the order of the file, stored until it is known which of them count. Their stacks are paths in one tree
 * of code signatures, so a snapshot needs 20 bytes and only the nodes that no other stack has.
 *
 *   row   segment   sequence   ms              node
 *   0     0         0          1795174578459   3         Thread.run:840 > Shop.serve:12 > Work.fib:60
 *   1     0         1          1795174578469   0         an empty stack
 *   2     1         0          1795174578460   3
 */
export class Snapshots {
  length = 0;
  segment = new Int32Array(FIRST_ROWS);
  sequence = new Int32Array(FIRST_ROWS);
  /** ms since 1970. */
  ms = new Float64Array(FIRST_ROWS);
  /** -> row of `stacks`; 0 for an empty stack. */
  node = new Int32Array(FIRST_ROWS);
  /** Distinct code signatures, UTF-8: `className.methodName:line`. */
  readonly signatures: SliceInterner;
  /** Frames are numbers of signatures. */
  readonly stacks = new StackTree();

  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
    this.signatures = new SliceInterner(memory);
  }

  /**
   * `stack`: `depth` numbers of signatures, root first, borrowed for the call. Once the limit on memory is exceeded,
   * snapshots are ignored.
   */
  append(segment: number, sequence: number, ms: number, stack: Int32Array, depth: number): void {
    if (this.#memory.isExceeded) return;
    const row = this.length;
    if (row === this.segment.length) {
      const capacity = nextCapacity(row, row + 1);
      this.segment = grown(this.segment, capacity);
      this.sequence = grown(this.sequence, capacity);
      this.ms = grown(this.ms, capacity);
      this.node = grown(this.node, capacity);
    }
    const nodes = this.stacks.length;
    this.segment[row] = segment;
    this.sequence[row] = sequence;
    this.ms[row] = ms;
    let node = 0;
    for (let level = 0; level < depth; level++) node = this.stacks.child(node, stack[level]);
    this.node[row] = node;
    const bytes = SNAPSHOT_BYTES + (this.stacks.length - nodes) * STACK_NODE_BYTES;
    this.#memory.keep(bytes);
    this.length = row + 1;
  }
}
