import type { HeldMemory } from '../../aggregate/memory-budget.ts';
import { Int64Index } from '../../aggregate/int64-index.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import type { Cursor } from './cursor.ts';
import type { FieldPlanner } from './field-plan.ts';

/** Bytes of a constant, with its entry in an index and the copy that is made while the table grows. */
const CONSTANT_BYTES = 48;

/**
 * The constants of one type in one chunk: key -> offset of its fields. The fields are read on demand; most are never
 * needed.
 *
 *   row   key       at
 *   0     0,1077    8120
 *   1     0,1078    8146
 */
export class ConstantPool {
  length = 0;
  at = new Int32Array(FIRST_ROWS);
  readonly #keys = new Int64Index();
  readonly #memory: HeldMemory;

  constructor(memory: HeldMemory) {
    this.#memory = memory;
  }

  /** The row of a key, or -1. */
  find(hi: number, lo: number): number {
    return this.#keys.find(hi, lo);
  }

  /**
   * The last constant with a key replaces earlier ones: a thread that was renamed is written again. False if the memory
   * budget does not allow another one.
   */
  set(hi: number, lo: number, at: number): boolean {
    const known = this.#keys.find(hi, lo);
    if (known >= 0) {
      this.at[known] = at;
      return true;
    }
    if (this.length === this.at.length) {
      const capacity = nextCapacity(this.length, this.length + 1);
      if (!this.#memory.hold((capacity - this.length) * CONSTANT_BYTES)) return false;
      this.at = grown(this.at, capacity);
    }
    const row = this.#keys.add(hi, lo);
    this.at[row] = at;
    this.length = row + 1;
    return true;
  }
}

/**
 * Reads an event of constant pools; the cursor is at the byte after its size and type (specs: JFR).
 *
 *   start, duration, delta to the previous such event, mask, number of pools
 *   pool: type, number of constants, (key, fields)…
 *
 * The delta is ignored: reading all events of a chunk finds each such event once, even if the chain is damaged. Returns
 * false if the event is invalid, or if the memory budget allows no more; the constants before are kept.
 */
export function readConstantPools(
  cursor: Cursor,
  planner: FieldPlanner,
  pools: Map<number, ConstantPool>,
  memory: HeldMemory,
): boolean {
  cursor.skipIntegers(3);
  cursor.skip(1);
  for (let left = cursor.count(); left > 0 && !cursor.hasFailed(); left--) {
    const type = cursor.number();
    const plan = planner.skipping(type);
    const count = cursor.count();
    if (plan === undefined) return false;
    let pool = pools.get(type);
    if (pool === undefined) {
      pool = new ConstantPool(memory);
      pools.set(type, pool);
    }
    for (let constant = 0; constant < count && !cursor.hasFailed(); constant++) {
      cursor.integer();
      const { hi, lo, at } = cursor;
      plan.skip(cursor, 0);
      if (!cursor.hasFailed() && !pool.set(hi, lo, at)) return false;
    }
  }
  return !cursor.hasFailed();
}
