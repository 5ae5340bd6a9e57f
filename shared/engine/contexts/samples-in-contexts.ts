import { SampleTable } from '../../profile/sample-table.ts';
import type { SelfValues } from '../values/self-values.ts';
import { UNBOUNDED } from '../values/time-range.ts';
import { ValuesInRange } from '../values/values-in-range.ts';
import type { Contexts } from './contexts.ts';

/** Sample -> 1 if it is in one of some contexts. O(contexts + samples). */
function samplesInContexts(
  { length }: SampleTable,
  { order, first, end, byThread: { rows } }: Contexts,
  isWanted: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const isIn = new Uint8Array(length);
  let done = 0;
  for (const row of order) {
    if (isWanted[row] === 0) continue;
    for (let place = Math.max(first[row], done); place < end[row]; place++) isIn[rows[place]] = 1;
    done = Math.max(done, end[row]);
  }
  return isIn;
}

/** The samples in some contexts: their values, and they alone in a table. */
export class SamplesInScope {
  readonly values = new ValuesInRange();
  samples = new SampleTable();
  /** Sample of the whole table -> 1 if it is one of them. */
  isIn = new Uint8Array(0);

  /** `meant`: context -> 1 if its samples are meant; `except`: if they are not. */
  update(
    source: SelfValues,
    all: SampleTable,
    contexts: Contexts,
    meant: Uint8Array,
    except: Uint8Array | undefined,
  ): void {
    this.isIn = samplesInContexts(all, contexts, meant);
    const isOut = except && samplesInContexts(all, contexts, except);
    isOut?.forEach((is, row) => (this.isIn[row] &= 1 - is));
    this.samples = selectedSamples(all, this.isIn);
    this.values.update(this.samples, source, UNBOUNDED);
  }
}

/** A table of some samples, with the rows of the same SelfTable and all contexts. */
function selectedSamples(all: SampleTable, isSelected: Uint8Array): SampleTable {
  const { length, at, self, valueSelf = self, value, finalLength, contexts } = all;
  const selected = new SampleTable({ contexts });
  selected.origin = all.origin;
  let provisional = 0;
  for (let row = 0; row < length; row++) {
    if (isSelected[row] === 0) continue;
    const from = row & value.mask;
    const ns = value.column.bigints?.get(from) ?? value.column.ns[from];
    selected.append(at.bigints?.get(row) ?? at.ns[row], self[row], ns, valueSelf[row]);
    if (row >= finalLength) provisional++;
  }
  selected.provisional = provisional;
  return selected;
}
