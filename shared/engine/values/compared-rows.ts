import type { TimeColumn } from '../../profile/time-column.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { ComparedTo } from './row-change.ts';
import type { ComparedWhole } from './row-change.ts';
import type { RowValues } from './row-sums.ts';

/** The values of the new side, with those of a baseline over the same rows. Rows that only the baseline has are shown, too. */
export class ComparedRows implements RowValues {
  readonly compared: ComparedTo & { readonly base: RowValues };
  readonly #next: RowValues;

  constructor(next: RowValues, base: RowValues, whole: ComparedWhole) {
    this.#next = next;
    this.compared = { base, whole };
  }

  get tree(): RowTree {
    return this.#next.tree;
  }

  get selfCount(): ArrayLike<number> {
    return this.#next.selfCount;
  }

  get totalCount(): ArrayLike<number> {
    return this.#next.totalCount;
  }

  get selfTime(): TimeColumn {
    return this.#next.selfTime;
  }

  get totalTime(): TimeColumn {
    return this.#next.totalTime;
  }

  get revision(): number {
    return this.#next.revision;
  }

  get changed(): readonly number[] | undefined {
    return this.#next.changed;
  }

  isShown(row: number): boolean {
    return this.#next.isShown(row) || this.compared.base.isShown(row);
  }
}
