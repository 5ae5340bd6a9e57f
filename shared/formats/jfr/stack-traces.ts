import { FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { NO_LINE } from '../../profile/frame-table.ts';
import type { ChunkConstants } from './chunk-constants.ts';
import { Cursor } from './cursor.ts';
import { type FieldPlan, FieldValues } from './field-plan.ts';

/** A line that the JVM does not know. */
const UNKNOWN_LINE = 0xffff;
const NATIVE_BCI = -3;
const NO_BCI = -1;
/** Ids of types of frames that are remembered; a JVM has four of them. */
const FRAME_TYPES = 64;
/** Keys of methods that are looked up by index. */
const SMALL_KEYS = 1 << 20;

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
  readonly #methodType: number;
  readonly #frameType: number;
  /** Small key of a method -> its number and 1; 0 while it was not met. Frames are what a chunk has most of. */
  #methods = new Int32Array(256);
  readonly #natives = new Uint8Array(FRAME_TYPES);

  constructor(bytes: Uint8Array, constants: ChunkConstants, type: number) {
    this.#constants = constants;
    this.#type = type;
    this.#cursor = new Cursor(bytes);
    this.#end = bytes.length;
    this.#plan = constants.planner.reading(type, ['truncated', 'frames']);
    const frames = this.#plan?.wanted[1];
    this.#framePlan =
      frames?.element === undefined || frames.isPooled
        ? undefined
        : constants.planner.reading(frames.type, ['method', 'lineNumber', 'bytecodeIndex', 'type']);
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
    for (let frame = 0; frame < count; frame++, cell += FRAME_CELLS) {
      framePlan.read(cursor, values);
      const line = values.lo[1];
      stack[cell] = 0;
      stack[cell + 1] = this.#method(values.hi[0], values.lo[0]);
      stack[cell + 2] = line <= 0 || line >= UNKNOWN_LINE ? NO_LINE : line;
      stack[cell + 3] = this.#isNative(values.hi[3], values.lo[3])
        ? NATIVE_BCI
        : Math.max(values.lo[2], NO_BCI);
    }
    this.depth = leaf + count;
    return !cursor.hasFailed();
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
    if (lo >= this.#methods.length)
      this.#methods = grown(this.#methods, Math.max(lo + 1, this.#methods.length * 2));
    const known = this.#methods[lo];
    if (known > 0) return known - 1;
    const number = this.#constants.method(this.#methodType, hi, lo);
    this.#methods[lo] = number + 1;
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
