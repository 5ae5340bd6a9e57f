import { TimeColumn } from '../../profile/time-column.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { Metric } from '../values/metric.ts';
import type { RowValues } from '../values/row-sums.ts';
import { flameWeights } from '../views/flame-measures.ts';
import type { Pair } from '../values/row-change.ts';

/**
 * The widths of the frames of a differential flame graph, as totals of rows: a frame is as wide as both sides together, so
 * that frames that vanished are there, too.
 */
export class ComparedWidths implements RowValues {
  readonly tree: RowTree;
  readonly revision = 1;
  readonly changed = undefined;
  readonly totalCount: Float64Array<ArrayBuffer>;
  readonly selfCount: Float64Array;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
  /** The weights of each side. */
  readonly base: Float64Array;
  readonly next: Float64Array;

  /**
   * Values of a side are divided by its `wholes`: each is multiplied by the other's instead, so that sums of widths stay
   * exact up to 2^53.
   */
  constructor(
    sides: { readonly base: RowValues; readonly next: RowValues },
    metric: Metric,
    wholes: (weights: { readonly base: Float64Array; readonly next: Float64Array }) => Pair,
  ) {
    const { tree } = sides.next;
    const base = flameWeights(sides.base, metric);
    const next = flameWeights(sides.next, metric);
    const by = wholes({ base, next });
    const factors = { base: by.next || 1, next: by.base || 1 };
    this.tree = tree;
    this.base = base;
    this.next = next;
    this.totalCount = base.map((weight, row) => weight * factors.base + next[row] * factors.next);
    this.selfCount = new Float64Array(tree.length);
    this.selfTime = new TimeColumn(tree.length);
    this.totalTime = new TimeColumn(tree.length);
  }

  isShown(row: number): boolean {
    return this.totalCount[row] > 0;
  }
}
