import { NONE } from '../../profile/columns.ts';
import { differenceLevel } from '../../text/difference-colour.ts';
import type { ComparedTo } from '../values/row-change.ts';
import type { RowValues } from '../values/row-sums.ts';
import { ALL_ROWS, type FlameLayout, isBlock } from '../views/flame-columns.ts';
import { type ComparedWhole, relativeChange, rowChange } from '../values/row-change.ts';

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
