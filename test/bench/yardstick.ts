/**
 * How fast this machine is just now. Limits for figures that no ratio makes comparable - milliseconds, shares of a
 * core - are held against it; see short-form.ts.
 */
import { median } from './median.ts';
import { checksum, run } from './processes.ts';

export interface Yardstick {
  /** Milliseconds of a fixed amount of work like ours: JavaScript on typed arrays, more of them than a cache holds. */
  readonly loopMs: number;
  /** Milliseconds of `sha256sum` of a fixed amount. Where it uses the processor's instructions it is 6 times as fast. */
  readonly sha256Ms: number;
}

const ROUNDS = 5;
const ROWS = 1 << 21;
const HASHED_BYTES = 8 << 20;

/** Takes half a second. */
export function measureYardstick(): Yardstick {
  const parent = new Int32Array(ROWS);
  const total = new Float64Array(ROWS);
  const hashed = new Uint8Array(HASHED_BYTES);
  const loops: number[] = [];
  const hashes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    loops.push(milliseconds(() => sumTree(parent, total)));
    hashes.push(run(checksum('-'), hashed).seconds * 1000);
  }
  return { loopMs: median(loops), sha256Ms: median(hashes) };
}

/** The slower of two: what was measured in between may have met either. */
export function slowerOf(a: Yardstick, b: Yardstick): Yardstick {
  return { loopMs: Math.max(a.loopMs, b.loopMs), sha256Ms: Math.max(a.sha256Ms, b.sha256Ms) };
}

/** A tree by a fixed rule, then its totals, as views sum them. */
function sumTree(parent: Int32Array, total: Float64Array): void {
  let state = 1;
  for (let row = 1; row < parent.length; row++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    parent[row] = row - 1 - ((state >>> 8) % Math.min(row, 64));
    total[row] = state & 15;
  }
  for (let row = parent.length - 1; row > 0; row--) total[parent[row]] += total[row];
}

function milliseconds(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
