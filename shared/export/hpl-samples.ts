import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import { isExactlyWithin, type TimeBounds, UNBOUNDED } from '../values/time-range.ts';

/** The samples of a source, of which those with a leaf are in a profile. */
export interface TimedSamples {
  readonly samples: SampleTable;
  readonly bounds: TimeBounds;
  /**
   * Row of the SelfTable of the source -> the call node of the profile at which its samples end; NONE for those that are
   * left out. Undefined: the profile is the source.
   */
  readonly leaves?: Int32Array | undefined;
}

/** What is written as traces: first samples without a time, then samples with one. */
export interface TracedSamples {
  /** Row of the SelfTable of the profile -> its samples without a time. */
  readonly untimed: Float64Array;
  /** Rows of the SampleTable in the order in which they are written, and where their stacks end. */
  readonly rows: Int32Array;
  readonly leaves: Int32Array;
  readonly total: number;
  /** Counts that are no whole numbers. */
  readonly rounded: number;
  /** The value of each sample is the time until the next one that is written, as in a log. */
  readonly hasLogTimes: boolean;
}

/**
 * The samples of a profile, each with its time where that is known. Samples of a log keep their order, because their
 * times depend on it; others are put in order of time.
 */
export function tracedSamples({ selfValues }: LeanProfile, timed: TimedSamples | undefined): TracedSamples {
  const untimed = new Float64Array(selfValues.length);
  let rounded = 0;
  let total = 0;
  for (let self = 0; self < untimed.length; self++) {
    const whole = Math.max(0, Math.round(selfValues.count[self]));
    if (whole !== selfValues.count[self]) rounded++;
    untimed[self] = whole;
    total += whole;
  }
  const { samples, leaves, bounds = UNBOUNDED } = timed ?? {};
  const length = samples?.length ?? 0;
  const rows = new Int32Array(length);
  const leafOf = new Int32Array(length);
  let count = 0;
  for (let row = 0; row < length && samples !== undefined; row++) {
    const leaf = leaves === undefined ? selfValues.node[samples.self[row]] : leaves[samples.self[row]];
    const self = leaf === NONE ? NONE : selfValues.find(leaf);
    if (self < 0 || untimed[self] < 1 || !isExactlyWithin(samples.timeOf(row), bounds)) continue;
    untimed[self]--;
    rows[count++] = row;
    leafOf[row] = leaf;
  }
  const written = rows.subarray(0, count);
  const isLog = samples === undefined || areLogTimes(samples);
  if (!isLog) {
    const { at } = samples;
    if (at.bigints === undefined) written.sort((a, b) => at.ns[a] - at.ns[b] || a - b);
    else written.sort((a, b) => compared(at.exact(a), at.exact(b)) || a - b);
  }
  // Samples that are left out give their time to the one before them.
  const hasLogTimes = isLog && (samples === undefined || count === length || areLogTimes(samples, written));
  return { untimed, rows: written, leaves: written.map((row) => leafOf[row]), total, rounded, hasLogTimes };
}

/**
 * As `TraceClock` computes them: the last sample repeats the interval before it. `rows`: those of a log with these
 * samples only; undefined: all.
 */
function areLogTimes({ length, at, value, valueSelf }: SampleTable, rows?: Int32Array): boolean {
  if (valueSelf !== undefined) return false;
  const count = rows?.length ?? length;
  const rowAt = (index: number): number => rows?.[index] ?? index;
  let interval = 0n;
  for (let index = 0; index < count; index++) {
    const row = rowAt(index);
    if (index + 1 < count) interval = at.exact(rowAt(index + 1)) - at.exact(row);
    if (value.exact(row) !== interval) return false;
  }
  return true;
}

function compared(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
