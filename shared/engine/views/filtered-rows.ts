import type { TimeColumn } from '../../profile/time-column.ts';
import type { RowTree } from '../trees/row-tree.ts';
import { ComparedRows } from '../values/compared-rows.ts';
import type { ComparedTo } from '../values/row-change.ts';
import type { RowValues } from '../values/row-sums.ts';
import { keptRows, type RowFilter, wholeOf } from './filter.ts';

/** row -> 1 if it is kept: see `keptRows`. Rows of a comparison are also kept by the values of the baseline. */
export function keptOnEitherSide(values: RowValues, filter: RowFilter): Uint8Array {
  if (!(values instanceof ComparedRows)) return keptRows(values, filter);
  return keptOfBoth({ base: values.compared.base, next: values }, filter);
}

/** row -> 1 if it is kept by the values of either side. */
export function keptOfBoth(
  { base, next }: Readonly<Record<'base' | 'next', RowValues>>,
  filter: RowFilter,
): Uint8Array {
  const sides = {
    base: { columns: base, whole: wholeOf(base) },
    next: { columns: next, whole: wholeOf(next) },
  };
  const kept = keptRows(next, filter, sides.next.whole, sides);
  const inBase = keptRows(base, filter, sides.base.whole, sides);
  for (let row = 0; row < inBase.length; row++) kept[row] |= inBase[row];
  return kept;
}

/** The rows of a tree that pass a filter, and their ancestors, with unfiltered values. Later growth is not in it. */
export class FilteredRows implements RowValues {
  readonly #values: RowValues;
  readonly #kept: Uint8Array;

  /** `kept`: row -> 1 if it passes, or a row below it does. */
  constructor(values: RowValues, kept: Uint8Array) {
    this.#values = values;
    this.#kept = kept;
  }

  get tree(): RowTree {
    return this.#values.tree;
  }

  get selfCount(): ArrayLike<number> {
    return this.#values.selfCount;
  }

  get totalCount(): ArrayLike<number> {
    return this.#values.totalCount;
  }

  get selfTime(): TimeColumn {
    return this.#values.selfTime;
  }

  get totalTime(): TimeColumn {
    return this.#values.totalTime;
  }

  get revision(): number {
    return this.#values.revision;
  }

  get changed(): readonly number[] | undefined {
    return this.#values.changed;
  }

  get compared(): ComparedTo | undefined {
    return this.#values.compared;
  }

  isShown(row: number): boolean {
    return this.#kept[row] === 1 && this.#values.isShown(row);
  }
}
