import { FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import type { ChunkConstants } from './chunk-constants.ts';
import { Cursor } from './cursor.ts';
import { KeyNumbers } from './key-numbers.ts';
import { type FieldPlan, FieldValues, Shape, type WantedNames } from './field-plan.ts';

const STACK_TRACE: WantedNames = ['truncated', 'frames'];
const FRAME: WantedNames = ['method', 'lineNumber', 'bytecodeIndex', 'type'];
/** The line of a frame whose line the JVM does not know. */
const UNKNOWN_LINE = 0xffff;
/** Frame types with keys below it are cached; a JVM has four of them. */
const FRAME_TYPES = 64;
/** Methods with keys below it are cached. */
const SMALL_KEYS = 1 << 30;

/** Whether a frame type means native methods. */
const Native = { unknown: 0, no: 1, yes: 2 } as const;

/** Reads stack traces of one chunk on demand. */
export class StackTraces {
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
  /** A frame consists of four integers: method, line, BCI and type, as all JVMs write it. */
  readonly #isPlain: boolean;
  readonly #methodType: number;
  readonly #frameType: number;
  readonly #methods = new KeyNumbers();
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
    this.#isPlain =
      this.#framePlan?.shapes.length === FRAME.length &&
      this.#framePlan.shapes.every((shape) => shape === Shape.integer) &&
      this.#framePlan.slots.every((slot, at) => slot === at);
    this.#methodType = this.#framePlan?.wanted[0]?.type ?? -1;
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
    for (;;) {
      cell = this.#readPlain(cell, last);
      if (cell === last) break;
      framePlan.read(cursor, values);
      const line = values.lo[1];
      stack[cell] = 0;
      stack[cell + 1] = this.#method(values.hi[0], values.lo[0]);
      stack[cell + 2] = line <= 0 || line >= UNKNOWN_LINE ? NO_LINE : line;
      stack[cell + 3] = this.#isNative(values.hi[3], values.lo[3])
        ? NATIVE_BCI
        : Math.max(values.lo[2], NO_BCI);
      cell += FRAME_CELLS;
    }
    this.depth = free + count;
    return !cursor.hasFailed();
  }

  /**
   * Fast path: reads frames up to cell `last` that consist of small numbers and have a cached method and frame type, as
   * nearly all do. Returns the cell of the first other frame.
   */
  #readPlain(first: number, last: number): number {
    const cursor = this.#cursor;
    const { bytes, end } = cursor;
    const stack = this.stack;
    const methods = this.#methods;
    const natives = this.#natives;
    let cell = first;
    if (!this.#isPlain) return cell;
    for (let at = cursor.at; cell < last; cell += FRAME_CELLS, cursor.at = at) {
      let key = bytes[at++];
      if (key >= 0x80) {
        key = (key & 0x7f) | (bytes[at++] << 7);
        if (key >= 0x4000) {
          key = (key & 0x3fff) | (bytes[at++] << 14);
          if (key >= 0x200000) {
            key = (key & 0x1fffff) | (bytes[at++] << 21);
            if (key >= 0x10000000) break;
          }
        }
      }
      let line = bytes[at++];
      if (line >= 0x80) {
        line = (line & 0x7f) | (bytes[at++] << 7);
        if (line >= 0x4000) {
          line = (line & 0x3fff) | (bytes[at++] << 14);
          if (line >= 0x200000) break;
        }
      }
      let bci = bytes[at++];
      if (bci >= 0x80) {
        bci = (bci & 0x7f) | (bytes[at++] << 7);
        if (bci >= 0x4000) {
          bci = (bci & 0x3fff) | (bytes[at++] << 14);
          if (bci >= 0x200000) break;
        }
      }
      const type = bytes[at++];
      if (at > end || type >= FRAME_TYPES) break;
      const method = methods.find(key);
      const native = natives[type];
      if (method < 0 || native === Native.unknown) break;
      stack[cell] = 0;
      stack[cell + 1] = method;
      stack[cell + 2] = line === 0 || line >= UNKNOWN_LINE ? NO_LINE : line;
      stack[cell + 3] = native === Native.yes ? NATIVE_BCI : bci;
    }
    return cell;
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

  #method(hi: number, lo: number): number {
    if (hi !== 0 || lo < 0 || lo >= SMALL_KEYS) return this.#constants.method(this.#methodType, hi, lo);
    const known = this.#methods.find(lo);
    if (known >= 0) return known;
    const number = this.#constants.method(this.#methodType, hi, lo);
    this.#methods.add(lo, number);
    return number;
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
