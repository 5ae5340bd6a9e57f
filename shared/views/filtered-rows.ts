import type { TimeColumn } from '../profile/time-column.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { RowValues } from '../values/row-sums.ts';
import { keptRows, type RowFilter } from './filter.ts';

/** The rows of a tree that pass a filter, and their ancestors, with unfiltered values. Later growth is not in it. */
export class FilteredRows implements RowValues {
  readonly #values: RowValues;
  readonly #kept: Uint8Array;

  constructor(values: RowValues, filter: RowFilter) {
    this.#values = values;
    this.#kept = keptRows(values, filter);
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

  isShown(row: number): boolean {
    return this.#kept[row] === 1 && this.#values.isShown(row);
  }
}
