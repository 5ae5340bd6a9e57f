import { NONE } from '../../profile/columns.ts';
import { SampleTable } from '../../profile/sample-table.ts';
import type { SelfValues } from '../values/self-values.ts';
import type { TimeOrder } from '../values/time-order.ts';
import { UNBOUNDED } from '../values/time-range.ts';
import { ValuesInRange } from '../values/values-in-range.ts';
import type { ContextOrder } from './context-test.ts';

/**
 * Samples by thread and time. Four bytes a sample.
 *
 *   thread   0 1 0 0      rows    0 2 3 1      those of thread 1 are rows[start[1] … start[2])
 */
export class SamplesByThread {
  start = new Int32Array(1);
  rows = new Int32Array(0);

  /** `threadOf`: row of self values -> thread. O(samples). */
  update({ self }: SampleTable, { length, ...time }: TimeOrder, threadOf: Int32Array, threads: number): void {
    const { order } = time;
    const start = new Int32Array(threads + 1);
    for (let row = 0; row < length; row++) start[threadOf[self[row]] + 1]++;
    for (let thread = 0; thread < threads; thread++) start[thread + 1] += start[thread];
    const next = start.slice();
    const rows = new Int32Array(length);
    for (let place = 0; place < length; place++) {
      const row = order === undefined ? place : order[place];
      rows[next[threadOf[self[row]]]++] = row;
    }
    this.start = start;
    this.rows = rows;
  }

  get threads(): number {
    return this.start.length - 1;
  }
}

/** Whatever samples are looked for in. */
export interface ContextInputs {
  readonly samples: SampleTable;
  readonly byThread: SamplesByThread;
  readonly order: ContextOrder;
}

/**
 * Sample -> 1 if it was taken in one of some contexts of its thread. One sweep over the contexts by thread and start, and the
 * samples by thread and time: O(contexts + samples), without allocation for either.
 */
export function samplesInContexts(
  { samples, byThread, order: { order } }: ContextInputs,
  isWanted: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const isIn = new Uint8Array(samples.length);
  const { thread, from, to } = samples.contexts;
  const shift = shiftOf(samples);
  const { start, rows, threads } = byThread;
  const { ns } = samples.at;
  let last = NONE;
  let place = 0;
  let end = 0;
  for (const row of order) {
    if (isWanted[row] === 0 || thread[row] >= threads) continue;
    if (thread[row] !== last) {
      last = thread[row];
      place = start[last];
      end = start[last + 1];
    }
    // A sample before the start of a context is in no later one of its thread either.
    while (place < end && ns[rows[place]] < from[row] + shift) place++;
    for (; place < end && ns[rows[place]] < to[row] + shift; place++) isIn[rows[place]] = 1;
  }
  return isIn;
}

/** ns from the origin of the samples to that of their contexts. */
export function shiftOf({ origin = 0n, contexts }: SampleTable): number {
  return Number((contexts.origin ?? origin) - origin);
}

/** The samples in some contexts: their values, and they alone in a table. */
export class SamplesInScope {
  readonly values = new ValuesInRange();
  samples = new SampleTable();

  /** `meant`: context -> 1 if its samples are meant; `except`: if they are not. */
  update(source: SelfValues, inputs: ContextInputs, meant: Uint8Array, except: Uint8Array | undefined): void {
    const { samples: all } = inputs;
    const isIn = samplesInContexts(inputs, meant);
    const isOut = except && samplesInContexts(inputs, except);
    this.samples = selectedSamples(all, (row) => isIn[row] === 1 && isOut?.[row] !== 1);
    this.values.update(this.samples, source, UNBOUNDED);
  }
}

/** A table of some samples, with the rows of the same SelfTable and all contexts. */
function selectedSamples(all: SampleTable, isSelected: (row: number) => boolean): SampleTable {
  const { length, at, self, valueSelf = self, value, finalLength, contexts } = all;
  const selected = new SampleTable({ contexts });
  selected.origin = all.origin;
  let provisional = 0;
  for (let row = 0; row < length; row++) {
    if (!isSelected(row)) continue;
    const from = row & value.mask;
    const ns = value.column.bigints?.get(from) ?? value.column.ns[from];
    selected.append(at.bigints?.get(row) ?? at.ns[row], self[row], ns, valueSelf[row]);
    if (row >= finalLength) provisional++;
  }
  selected.provisional = provisional;
  return selected;
}
