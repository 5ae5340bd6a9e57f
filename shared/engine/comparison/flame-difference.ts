import type { RowTree } from '../trees/row-tree.ts';
import type { Metric } from '../values/metric.ts';
import { ValueColumns } from '../values/value-columns.ts';
import type { RowValues } from '../values/row-sums.ts';
import { flameWeights } from '../views/flame-measures.ts';
import {
  type Pair,
  type ComparedTo,
  type ComparedWhole,
  relativeChange,
  rowChange,
} from '../values/row-change.ts';
import { NONE } from '../../profile/columns.ts';
import { differenceLevel } from '../../text/difference-colour.ts';
import { ALL_ROWS, type FlameLayout, isBlock } from '../views/flame-columns.ts';

/** Totals of the rows of two profiles. */
interface ComparedTotals extends Pick<RowValues, 'tree' | 'totalCount' | 'totalTime'> {
  readonly compared?: Pick<ComparedTo, 'base'> | undefined;
}

/** A layout of compared rows with how its frames differ. O(rows of the layout). */
export function withDifference(
  layout: FlameLayout,
  { tree, totalCount, totalTime, compared }: ComparedTotals,
  whole: ComparedWhole,
): FlameLayout {
  if (compared === undefined) return layout;
  const { base } = compared;
  const { metric } = whole.scale;
  const { length } = layout;
  const difference = {
    baseSelfCount: new Float64Array(length),
    baseTotalCount: new Float64Array(length),
    baseTotalTime: new Float64Array(length),
    level: new Int8Array(length),
    hasBoth: whole.samples.base > 0 && whole.samples.next > 0,
  };
  const wholes =
    metric === 'samples'
      ? whole.samples
      : { base: rootTime(tree.roots(), base.totalTime.ns), next: rootTime(tree.roots(), totalTime.ns) };
  for (let at = 0; at < length; at++) {
    if (layout.id[at] === ALL_ROWS) {
      difference.baseTotalCount[at] = whole.samples.base;
      difference.baseTotalTime[at] = rootTime(tree.roots(), base.totalTime.ns);
      continue;
    }
    const row = isBlock(layout, at) ? NONE : tree.rowOf(layout.id[at]);
    if (row === NONE) continue;
    difference.baseSelfCount[at] = base.selfCount[row];
    difference.baseTotalCount[at] = base.totalCount[row];
    difference.baseTotalTime[at] = base.totalTime.ns[row];
    const samples = { base: base.totalCount[row], next: totalCount[row] };
    const values = metric === 'samples' ? samples : { base: base.totalTime.ns[row], next: totalTime.ns[row] };
    const change = rowChange(samples, values, whole);
    if (change === undefined || change.certainty === 'chance') continue;
    difference.level[at] = differenceLevel(relativeChange(change, whole, wholes));
  }
  return { ...layout, difference };
}

function rootTime(roots: readonly number[], ns: ArrayLike<number>): number {
  return roots.reduce((sum, row) => sum + ns[row], 0);
}

/**
 * The widths of the frames of a differential flame graph, as totals of rows: a frame is as wide as both sides together, so
 * that frames that vanished are there, too.
 */
export class ComparedWidths extends ValueColumns implements RowValues {
  readonly tree: RowTree;
  readonly revision = 1;
  readonly changed = undefined;
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
    super(tree.length);
    const base = flameWeights(sides.base, metric);
    const next = flameWeights(sides.next, metric);
    const by = wholes({ base, next });
    const factors = { base: by.next || 1, next: by.base || 1 };
    this.tree = tree;
    this.base = base;
    this.next = next;
    this.totalCount = base.map((weight, row) => weight * factors.base + next[row] * factors.next);
  }

  isShown(row: number): boolean {
    return this.totalCount[row] > 0;
  }
}
