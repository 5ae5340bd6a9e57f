import { Int64Index } from '../../../aggregate/int64-index.ts';
import { FRAME_CELLS } from '../../../aggregate/sample-sink.ts';
import { FIRST_ROWS, FIRST_SLOTS, grown, nextCapacity, NONE } from '../../../profile/columns.ts';
import { EMPTY_STACK_NAME, TRUNCATED_NAME } from '../../../text/pseudo-frames.ts';
import type { ChunkConstants } from '../chunk/chunk-constants.ts';
import type { SampleEvents } from './event-types.ts';
import type { SampleGroups } from './sample-groups.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../../profile/frame-table.ts';
import { Cursor } from '../chunk/cursor.ts';
import { type FieldPlan, FieldValues, type WantedNames } from '../chunk/field-plan.ts';

/** Instead of a number: the chunk does not contain the stack trace. */
const LOST = -2;
/** Instead of a number: StackNumbers had no capacity for the stack. */
export const NOT_KEPT = -1;

/** The stacks of one chunk as the profile shows them. A stack of several threads is read once. */
export class ChunkStacks {
  /** Number of the stack found last, or NOT_KEPT. */
  number = NOT_KEPT;
  /** The JVM truncated the stack found last. */
  isTruncated = false;
  /** Frames of the deepest stack found, without "(truncated)". */
  deepest = 0;
  /** The stack found last has no frames in the file. */
  isEmpty = false;

  readonly #groups: SampleGroups;
  readonly #classType: number;
  /** Set if the class of a sample is the method that is its leaf. */
  readonly #leafMethod: ((hi: number, lo: number) => number) | undefined;
  readonly #constants: ChunkConstants;
  readonly #numbers: StackNumbers;
  readonly #groupsTruncated: boolean;
  readonly #traces: StackTraces;
  /** (stack, class) -> index in #numberOf and #wasTruncated. */
  readonly #rows = new Int64Index();
  /** Arguments of the latest `find`, and their row. */
  #stack = NONE;
  #class = NONE;
  #row = NONE;
  readonly #numberOf: number[] = [];
  readonly #wasTruncated: boolean[] = [];
  readonly #wasEmpty: boolean[] = [];
  /** Frames of the stack read last. */
  #frames: Int32Array = new Int32Array(0);

  constructor(
    bytes: Uint8Array,
    { stackType, classType, type }: SampleEvents,
    groups: SampleGroups,
    constants: ChunkConstants,
    numbers: StackNumbers,
    groupsTruncated: boolean,
  ) {
    this.#groups = groups;
    this.#classType = classType;
    this.#leafMethod = type?.hasLeafMethod === true ? constants.methodsOf(classType) : undefined;
    this.#constants = constants;
    this.#numbers = numbers;
    this.#groupsTruncated = groupsTruncated;
    this.#traces = new StackTraces(bytes, constants, stackType);
  }

  /**
   * Finds a stack by rows of the chunk's KeyColumns. A class becomes a frame called by the leaf, or is the method that is
   * the leaf; NONE for neither.
   * False if the chunk does not contain the stack trace.
   */
  find(stack: number, klass: number): boolean {
    // Groups of samples with the same stack are often consecutive.
    const isLast = this.#row >= 0 && stack === this.#stack && klass === this.#class;
    let row = isLast ? this.#row : this.#rows.find(stack, klass);
    this.#stack = stack;
    this.#class = klass;
    this.#row = row;
    if (row < 0) {
      row = this.#rows.add(stack, klass);
      this.#row = row;
      const isRead = this.#read(stack, klass);
      this.#numberOf.push(isRead ? this.#numbers.of(this.#frames) : LOST);
      this.#wasTruncated.push(isRead && this.isTruncated);
      this.#wasEmpty.push(isRead && this.isEmpty);
    }
    const number = this.#numberOf[row];
    if (number === LOST) return false;
    this.number = number;
    this.isTruncated = this.#wasTruncated[row];
    this.isEmpty = this.#wasEmpty[row];
    return number !== NOT_KEPT || this.#read(stack, klass);
  }

  /** Frames of the stack found last, leaf first; borrowed until the next `find`. */
  frames(): Int32Array {
    return this.number === NOT_KEPT ? this.#frames : this.#numbers.cellsOf(this.number);
  }

  #read(stack: number, klass: number): boolean {
    const { stacks, classes } = this.#groups;
    const { methods } = this.#constants;
    const traces = this.#traces;
    const free = klass === NONE ? 0 : 1;
    const [hi, lo] = [stacks.hi[stack], stacks.lo[stack]];
    const hasLeaf = free > 0 && this.#leafMethod !== undefined;
    // Without a stack trace, the method is known still.
    if (hasLeaf && (hi | lo) === 0) traces.readNone(free);
    else if (!traces.read(hi, lo, free)) return false;
    if (free > 0) traces.put(0, this.#leaf(classes.hi[klass], classes.lo[klass]));
    let { depth } = traces;
    this.isTruncated = traces.isTruncated;
    this.isEmpty = depth === free && !hasLeaf;
    if (this.isEmpty) traces.put(depth++, methods.ofPseudo(EMPTY_STACK_NAME));
    this.deepest = Math.max(this.deepest, depth);
    if (!this.isEmpty && traces.isTruncated && this.#groupsTruncated)
      traces.put(depth++, methods.ofPseudo(TRUNCATED_NAME));
    this.#frames = traces.stack.subarray(0, depth * FRAME_CELLS);
    return true;
  }

  /** The method of the frame for a class or method of the event. */
  #leaf(hi: number, lo: number): number {
    const constants = this.#constants;
    if (this.#leafMethod !== undefined) return this.#leafMethod(hi, lo);
    return constants.methods.ofPseudo(constants.className(this.#classType, hi, lo) ?? '(unknown class)');
  }
}

const STACK_TRACE: WantedNames = ['truncated', 'frames'];
const FRAME: WantedNames = ['method', 'lineNumber', 'bytecodeIndex', 'type'];
/** The line of a frame whose line the JVM does not know. */
const UNKNOWN_LINE = 0xffff;
/** Frame types with keys below it are cached; a JVM has four of them. */
const FRAME_TYPES = 64;

/** Whether a frame type means native methods. */
const Native = { unknown: 0, no: 1, yes: 2 } as const;

/** Reads stack traces of one chunk on demand. */
class StackTraces {
  /** The stack read last: FRAME_CELLS cells per frame, leaf first. */
  stack = new Int32Array(FIRST_ROWS * FRAME_CELLS);
  depth = 0;
  isTruncated = false;

  readonly #constants: ChunkConstants;
  readonly #type: number;
  readonly #cursor: Cursor;
  readonly #end: number;
  readonly #values = new FieldValues();
  readonly #plan: FieldPlan | undefined;
  /** Number of steps before the frames; undefined if `truncated` comes after them, so that all steps must be read. */
  readonly #stepsToFrames: number | undefined;
  readonly #framePlan: FieldPlan | undefined;
  readonly #method: (hi: number, lo: number) => number;
  readonly #frameType: number;
  readonly #natives = new Uint8Array(FRAME_TYPES);

  constructor(bytes: Uint8Array, constants: ChunkConstants, type: number) {
    this.#constants = constants;
    this.#type = type;
    this.#cursor = new Cursor(bytes);
    this.#end = bytes.length;
    this.#plan = constants.planner.reading(type, STACK_TRACE);
    const frames = this.#plan?.wanted[1];
    const slots = this.#plan?.slots ?? [];
    this.#stepsToFrames = slots.indexOf(0) < slots.indexOf(1) ? slots.indexOf(1) : undefined;
    this.#framePlan =
      frames?.element === undefined || frames.isPooled
        ? undefined
        : constants.planner.reading(frames.type, FRAME);
    this.#method = constants.methodsOf(this.#framePlan?.wanted[0]?.type ?? -1);
    this.#frameType = this.#framePlan?.wanted[3]?.type ?? -1;
  }

  /**
   * Reads the stack trace with a key; false if the chunk does not contain it. The first `free` frames, at the leaf, are
   * left for `put`.
   */
  read(hi: number, lo: number, free: number): boolean {
    const pool = this.#constants.pools.get(this.#type);
    const row = pool?.find(hi, lo) ?? -1;
    const framePlan = this.#framePlan;
    if (pool === undefined || row < 0 || framePlan === undefined) return false;
    const cursor = this.#cursor;
    const values = this.#values;
    values.clear();
    cursor.moveTo(pool.at[row], this.#end);
    this.#plan?.read(cursor, values, this.#stepsToFrames);
    if (cursor.hasFailed()) return false;
    this.isTruncated = values.lo[0] !== 0;
    if (this.#stepsToFrames === undefined) cursor.moveTo(values.at[1], this.#end);
    const count = cursor.count();
    // One more frame at the root, for '(truncated)'.
    const cells = (free + count + 1) * FRAME_CELLS;
    if (cells > this.stack.length) this.stack = grown(this.stack, nextCapacity(this.stack.length, cells));
    const stack = this.stack;
    let cell = free * FRAME_CELLS;
    const last = cell + count * FRAME_CELLS;
    for (; cell < last; cell += FRAME_CELLS) {
      framePlan.read(cursor, values);
      const line = values.lo[1];
      stack[cell] = 0;
      stack[cell + 1] = this.#method(values.hi[0], values.lo[0]);
      stack[cell + 2] = line <= 0 || line >= UNKNOWN_LINE ? NO_LINE : line;
      stack[cell + 3] = this.#isNative(values.hi[3], values.lo[3])
        ? NATIVE_BCI
        : Math.max(values.lo[2], NO_BCI);
    }
    this.depth = free + count;
    return !cursor.hasFailed();
  }

  /** A stack of `free` frames, which are left for `put`. */
  readNone(free: number): void {
    this.depth = free;
    this.isTruncated = false;
  }

  /** Sets a frame without a line: a free one, or one more at the root. */
  put(frame: number, method: number): void {
    const cell = frame * FRAME_CELLS;
    this.stack[cell] = 0;
    this.stack[cell + 1] = method;
    this.stack[cell + 2] = NO_LINE;
    this.stack[cell + 3] = NO_BCI;
  }

  #isNative(hi: number, lo: number): boolean {
    if (hi !== 0 || lo < 0 || lo >= FRAME_TYPES) return false;
    if (this.#natives[lo] === Native.unknown) {
      const name = this.#constants.text(this.#frameType, 0, lo);
      const isNative = name === 'Native' || name === 'Kernel' || name === 'C++';
      this.#natives[lo] = isNative ? Native.yes : Native.no;
    }
    return this.#natives[lo] === Native.yes;
  }
}

/** 64 MB. Stacks that do not fit are placed frame by frame each time. */
const MAX_CELLS = (4 << 20) * FRAME_CELLS;

/**
 * Numbers the stacks of all chunks, and stores the call node at which each ends in a thread. Keys of stack traces are
 * valid in one chunk only, and a recording of an hour has some hundred chunks with the same stacks: finding a known
 * stack takes one comparison, placing it again takes a lookup per frame.
 *
 *   number   cells
 *   0        0 77 12 4 │ 0 76 30 1
 *   1        0 78  3 0 │ 0 76 31 9
 *
 *   thread,number   node
 *   0,0             2
 *   1,0             7
 */
export class StackNumbers {
  #length = 0;
  #cells = new Int32Array(FIRST_ROWS);
  #cellsUsed = 0;
  /** number -> its first cell; one extra entry at the end. */
  #starts = new Int32Array(FIRST_ROWS + 1);
  #hashes = new Int32Array(FIRST_ROWS);
  /** Hash table with open addressing, at most half full. */
  #slots = new Int32Array(FIRST_SLOTS).fill(-1);
  /** (thread, number) -> row of #nodes. */
  readonly #places = new Int64Index();
  #nodes = new Int32Array(FIRST_ROWS);

  /** The number of a stack, which is added if it is unknown; -1 if the capacity is used up. */
  of(stack: Int32Array): number {
    const cells = stack.length;
    const hash = hashOf(stack, cells);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] >= 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot];
      if (this.#hashes[number] === hash && this.#equals(number, stack, cells)) return number;
    }
    return this.#cellsUsed + cells > MAX_CELLS ? -1 : this.#add(stack, cells, hash, slot);
  }

  /** Borrowed until the next `of`. */
  cellsOf(number: number): Int32Array {
    return this.#cells.subarray(this.#starts[number], this.#starts[number + 1]);
  }

  /** The call node where a stack ends in a thread; -1 if it has not been placed there. */
  nodeOf(thread: number, number: number): number {
    const place = this.#places.find(thread, number);
    return place < 0 ? -1 : this.#nodes[place];
  }

  /** Stores the call node where a stack ends in a thread, for which `nodeOf` returned -1. */
  place(thread: number, number: number, node: number): void {
    const place = this.#places.add(thread, number);
    if (place === this.#nodes.length) this.#nodes = grown(this.#nodes, nextCapacity(place, place + 1));
    this.#nodes[place] = node;
  }

  #equals(number: number, stack: Int32Array, cells: number): boolean {
    const kept = this.#cells;
    const start = this.#starts[number];
    if (this.#starts[number + 1] - start !== cells) return false;
    for (let cell = 0; cell < cells; cell++) if (kept[start + cell] !== stack[cell]) return false;
    return true;
  }

  #add(stack: Int32Array, cells: number, hash: number, slot: number): number {
    const number = this.#length++;
    const start = this.#cellsUsed;
    const end = start + cells;
    if (end > this.#cells.length) this.#cells = grown(this.#cells, nextCapacity(this.#cells.length, end));
    this.#cells.set(stack, start);
    this.#cellsUsed = end;
    if (number === this.#hashes.length) {
      this.#hashes = grown(this.#hashes, number * 2);
      this.#starts = grown(this.#starts, number * 2 + 1);
    }
    this.#hashes[number] = hash;
    this.#starts[number + 1] = end;
    this.#slots[slot] = number;
    if (this.#length * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#length; number++) {
      let slot = this.#hashes[number] & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}

function hashOf(stack: Int32Array, cells: number): number {
  let hash = cells;
  for (let cell = 0; cell < cells; cell += FRAME_CELLS) {
    const frame = Math.imul(stack[cell + 1], 0x85ebca6b) ^ (stack[cell + 2] << 10) ^ stack[cell + 3];
    hash = Math.imul(hash ^ frame, 0x9e3779b1) ^ (hash >>> 15);
  }
  return hash ^ (hash >>> 13);
}
