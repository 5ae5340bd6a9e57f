import { FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { NO_LINE } from '../../profile/frame-table.ts';
import type { ChunkConstants } from './chunk-constants.ts';
import { Cursor } from './cursor.ts';
import { KeyNumbers } from './key-numbers.ts';
import { NOWHERE, type FieldPlan, FieldValues, Shape, type WantedNames } from './field-plan.ts';

const STACK_TRACE: WantedNames = ['truncated', 'frames'];
const FRAME: WantedNames = ['method', 'lineNumber', 'bytecodeIndex', 'type'];
/** A line that the JVM does not know. */
const UNKNOWN_LINE = 0xffff;
const NATIVE_BCI = -3;
const NO_BCI = -1;
/** Ids of types of frames that are remembered; a JVM has four of them. */
const FRAME_TYPES = 64;
/** Keys of methods above it are looked up in their pool each time. */
const SMALL_KEYS = 1 << 30;

/** Whether a type of frames is that of native methods. */
const Native = { unknown: 0, no: 1, yes: 2 } as const;

/** Reads the stack traces of one chunk, each when a sample has it. */
export class StackTraces {
  /** The stack that `read` read last: frames of FRAME_CELLS cells, leaf first. One frame of room in front of it. */
  stack = new Int32Array(64 * FRAME_CELLS);
  depth = 0;
  isTruncated = false;

  readonly #constants: ChunkConstants;
  readonly #type: number;
  readonly #cursor: Cursor;
  readonly #end: number;
  readonly #values = new FieldValues();
  readonly #plan: FieldPlan | undefined;
  readonly #framePlan: FieldPlan | undefined;
  /** Per field of a frame its slot, NOWHERE for none; undefined where a field is no integer. */
  readonly #plainSlots: Int8Array | undefined;
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
    this.#framePlan =
      frames?.element === undefined || frames.isPooled
        ? undefined
        : constants.planner.reading(frames.type, FRAME);
    if (this.#framePlan?.shapes.every((shape) => shape === Shape.integer) === true)
      this.#plainSlots = Int8Array.from(this.#framePlan.slots, (slot) => (slot < 0 ? NOWHERE : slot));
    this.#methodType = this.#framePlan?.wanted[0]?.type ?? -1;
    this.#frameType = this.#framePlan?.wanted[3]?.type ?? -1;
  }

  /** Reads a stack trace behind `leaf` free frames; false when the chunk does not have it. */
  read(hi: number, lo: number, leaf: number): boolean {
    const pool = this.#constants.pools.get(this.#type);
    const row = pool?.find(hi, lo) ?? -1;
    const framePlan = this.#framePlan;
    if (pool === undefined || row < 0 || framePlan === undefined) return false;
    const cursor = this.#cursor;
    const values = this.#values;
    values.clear();
    cursor.moveTo(pool.at[row], this.#end);
    this.#plan?.read(cursor, values);
    if (cursor.hasFailed()) return false;
    this.isTruncated = values.lo[0] !== 0;
    cursor.moveTo(values.at[1], this.#end);
    const count = cursor.count();
    // Beside the free frames in front, one behind for what was cut.
    const cells = (leaf + count + 1) * FRAME_CELLS;
    if (cells > this.stack.length) this.stack = grown(this.stack, nextCapacity(this.stack.length, cells));
    const stack = this.stack;
    let cell = leaf * FRAME_CELLS;
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
    this.depth = leaf + count;
    return !cursor.hasFailed();
  }

  /**
   * Frames up to cell `last` that are nothing but small numbers, of a method and a type of frames that were met: nearly
   * all are. Returns the cell of the first that is anything else.
   */
  #readPlain(first: number, last: number): number {
    const cursor = this.#cursor;
    const { bytes, end } = cursor;
    const slots = this.#plainSlots;
    const { lo } = this.#values;
    const stack = this.stack;
    const methods = this.#methods;
    const natives = this.#natives;
    let cell = first;
    if (slots === undefined) return cell;
    for (let at = cursor.at; cell < last; cell += FRAME_CELLS, cursor.at = at) {
      for (let step = 0; step < slots.length; step++) {
        let byte = bytes[at++];
        let low = byte;
        if (byte >= 0x80) {
          byte = bytes[at++];
          low = (low & 0x7f) | (byte << 7);
          if (byte >= 0x80) {
            byte = bytes[at++];
            low = (low & 0x3fff) | (byte << 14);
            if (byte >= 0x80) {
              byte = bytes[at++];
              low = (low & 0x1fffff) | (byte << 21);
              if (byte >= 0x80) return cell;
            }
          }
        }
        lo[slots[step]] = low;
      }
      const [key, line, bci, type] = [lo[0], lo[1], lo[2], lo[3]];
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

  /** Puts a frame that is no method where a free one was kept, or at the root. */
  putPseudo(frame: number, method: number): void {
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
