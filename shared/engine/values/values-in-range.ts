import type { SampleTable } from '../../profile/sample-table.ts';
import { TimeColumn } from '../../profile/time-column.ts';
import { NO_SAMPLES, OwnValues, type SampleSum, type SelfValues } from './self-values.ts';
import { boundsAfterOrigin, type NumberBounds, type TimeBounds, withinTest } from './time-range.ts';

/**
 * Self values of the samples that were taken in a time range.
 *
 *   samples   at 0 4 9 12      self 0 1 0 2         range [4, 12)
 *   SelfTable count 2 1 1      becomes 1 1 0
 */
export class ValuesInRange extends OwnValues {
  /** The samples of the source that are outside of the range, or have no time. */
  outside: SampleSum = NO_SAMPLES;

  /**
   * Sums the samples within the bounds. `source` has all samples, up to the present length of its table. O(samples), a
   * scan: they are not in the order of time.
   */
  update(samples: SampleTable, source: SelfValues, bounds: TimeBounds): void {
    this.takeRows(source);
    this.count.fill(0);
    this.time.ns.fill(0);
    this.time.bigints = undefined;
    this.#add(samples, bounds);
    this.#sumOutside(source);
    this.revision++;
  }

  #add(samples: SampleTable, bounds: TimeBounds): void {
    const { length, at, self, valueSelf = self, value } = samples;
    if (at.bigints === undefined && value.sumsStayExact(length)) {
      const within = boundsAfterOrigin(samples, bounds);
      const except = bounds.except === undefined ? NOTHING : boundsAfterOrigin(samples, bounds.except);
      const { column, mask } = value;
      addDoubles(length, at.ns, self, valueSelf, column.ns, mask, within, except, this.count, this.time.ns);
      return;
    }
    const isWithin = withinTest(samples, bounds);
    for (let row = 0; row < length; row++) {
      if (!isWithin(row)) continue;
      this.count[self[row]]++;
      value.addTo(this.time, valueSelf[row], row);
    }
  }

  #sumOutside(source: SelfValues): void {
    const all = new TimeColumn(1);
    let samples = 0;
    for (let row = 0; row < this.length; row++) {
      samples += source.count[row] - this.count[row];
      all.addFrom(0, source.time, row);
      const inside = this.time.bigints?.get(row) ?? this.time.ns[row];
      all.add(0, -inside);
    }
    this.outside = { samples, time: all.ns[0] };
  }
}

const NOTHING: NumberBounds = { least: Infinity, end: Infinity };

/** A separate function with arrays only, so that V8 compiles the loop early. */
function addDoubles(
  length: number,
  at: Float64Array,
  self: Int32Array,
  valueSelf: Int32Array,
  value: Float64Array,
  valueMask: number,
  { least, end }: NumberBounds,
  { least: exceptFrom, end: exceptTo }: NumberBounds,
  count: Float64Array,
  ns: Float64Array,
): void {
  for (let row = 0; row < length; row++) {
    if (at[row] < least || at[row] >= end || (at[row] >= exceptFrom && at[row] < exceptTo)) continue;
    count[self[row]]++;
    ns[valueSelf[row]] += value[row & valueMask];
  }
}
