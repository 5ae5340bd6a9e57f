import { ComparedWidths, withDifference } from '../engine/comparison/flame-difference.ts';
import type { ComparedTree } from '../engine/comparison/comparison.ts';
import {
  type ComparedWhole,
  type Pair,
  type RowChange,
  rowChange,
  type CompareBy,
} from '../engine/values/row-change.ts';
import { shownLabel } from '../text/format-frame.ts';
import {
  dependenceText,
  pointsText,
  rangeText,
  formatAmount,
  formatQuantity,
  formatRate,
  formatShare,
} from '../text/format-value.ts';
import type { RowTree } from '../engine/trees/row-tree.ts';
import { weightName } from '../engine/values/metric.ts';
import { keepsAll, keptOfBoth } from '../engine/views/filter.ts';
import { ALL_ROWS, type FlameLayout, type FlameRow, isBlock } from '../engine/views/flame-columns.ts';
import { exportFlameSvg, type FlameOverlay } from './flame-svg.ts';
import type { TextSink } from './text-sink.ts';
import type { ComparisonInput, WrittenComparison } from './written-comparison.ts';

type Options = ComparisonInput & { readonly calls: ComparedTree };

/**
 * A differential flame graph as a self-contained SVG file. A frame is as wide as both profiles together, so that frames
 * that vanished are there, too. Red with a plus: its share grew, or its amount, or that of a second: see `by`. Blue with a
 * minus: it shrank. Grey: the samples do not confirm the difference. Frames of only one profile have an outline; those that vanished are hatched.
 */
export function writeComparedSvg({ input }: WrittenComparison, sink: TextSink): void {
  const options = { ...input, calls: input.comparison.calls() };
  const { calls, metric, filter, by, seconds } = options;
  const sums = new ComparedWidths(calls, metric, ({ base, next }) =>
    by === 'share'
      ? { base: rootWeight(calls.tree, base), next: rootWeight(calls.tree, next) }
      : ((by === 'rate' ? seconds : undefined) ?? { base: 1, next: 1 }),
  );
  exportFlameSvg(
    {
      sums,
      metric: 'samples',
      siblings: 'name',
      units: options.units,
      zoom: options.root(sums),
      search: undefined,
      kept: keepsAll(filter) ? undefined : keptOfBoth(calls, filter),
      theme: options.theme,
      colourBy: 'package',
      orientation: options.orientation,
      title: options.title,
      width: options.width,
      overlay: new DifferenceOverlay(options, sums),
    },
    sink,
  );
}

class DifferenceOverlay implements FlameOverlay {
  readonly weight: string;
  readonly headings: readonly string[];
  readonly footer: string;
  readonly #options: Options;
  readonly #weights: ComparedWidths;
  /** All weights of each side. */
  readonly #wholes: Pair;
  readonly #compared: ComparedWhole;
  readonly #whole: number;

  constructor(options: Options, widths: ComparedWidths) {
    const { calls, names, units, metric, by, seconds, isSampled, isDependent = false } = options;
    this.#options = options;
    this.#weights = widths;
    this.#wholes = {
      base: rootWeight(calls.tree, widths.base),
      next: rootWeight(calls.tree, widths.next),
    };
    const samples = {
      base: rootWeight(calls.tree, calls.base.totalCount),
      next: rootWeight(calls.tree, calls.next.totalCount),
    };
    const scale =
      by === 'share' ? this.#wholes : ((by === 'rate' ? seconds : undefined) ?? { base: 1, next: 1 });
    this.#compared = { by, scale: { metric, ...scale }, samples, seconds, isSampled, isDependent };
    this.#whole = rootWeight(calls.tree, widths.totalCount);
    const quantity = (count: number): string => formatQuantity(count, units.counted.one, units.counted.many);
    this.weight = weightName(metric, units);
    this.headings = [
      `Base: ${names.base}, ${quantity(samples.base)} \u00b7 new: ${names.next}, ${quantity(samples.next)}`,
      `Red +: a larger ${COMPARED[by]} than in the base. Blue \u2212: a smaller one. Grey: ${metric === 'samples' ? 'chance explains' : `${units.counted.many} do not confirm`} the difference.`,
      ...(isDependent ? [dependenceText(units.counted.many)] : []),
    ];
    const width = {
      share: 'the mean of its two shares',
      amount: 'the sum of both profiles',
      rate: 'the sum of both profiles, each per second',
    }[by];
    this.footer = `The width of a frame is ${width}. Outlined: only in the new profile. Hatched: only in the base.`;
  }

  compared(layout: FlameLayout): FlameLayout {
    const { tree, base, next } = this.#options.calls;
    const { totalCount, totalTime } = next;
    // The layout has widths in place of the values of its rows.
    const ofRows = (values: ArrayLike<number>): Float64Array<ArrayBuffer> =>
      Float64Array.from(layout.id, (id, at) =>
        id === ALL_ROWS || isBlock(layout, at) ? 0 : values[tree.rowOf(id)],
      );
    const laidOut = { ...layout, totalCount: ofRows(totalCount), totalTime: ofRows(totalTime.ns) };
    return withDifference(laidOut, { tree, totalCount, totalTime, compared: { base } }, this.#compared);
  }

  tooltip(row: FlameRow): string {
    const label = shownLabel(row.label);
    if (row.kind === 'block' || row.id === ALL_ROWS)
      return `${label}\n${formatShare(row.weight, this.#whole)} of the graph`;
    return `${label}\n${this.#differenceOf(this.#options.calls.tree.rowOf(row.id))}`;
  }

  #differenceOf(row: number): string {
    const { calls } = this.#options;
    const samples = { base: calls.base.totalCount[row], next: calls.next.totalCount[row] };
    const weights = { base: this.#weights.base[row], next: this.#weights.next[row] };
    const change = rowChange(samples, weights, this.#compared);
    const sides = [this.#side('base', samples, weights), this.#side('next', samples, weights)];
    return [...sides, ...(change === undefined ? [] : this.#changeLines(change))].join('\n');
  }

  /** `base 30.00 %, 1.20 s, 300 samples`. */
  #side(each: 'base' | 'next', samples: Pair, weights: Pair): string {
    const { units, metric } = this.#options;
    const { by, scale } = this.#compared;
    const count = formatQuantity(samples[each], units.counted.one, units.counted.many);
    return [
      `${each === 'base' ? 'base' : 'new'} ${formatShare(weights[each], this.#wholes[each])}`,
      ...(metric === 'samples' ? [] : [formatAmount(weights[each], units.value?.unit ?? 'ns')]),
      count,
      ...(by === 'rate' ? [this.#perSecond(weights[each] / scale[each])] : []),
    ].join(', ');
  }

  #changeLines({ difference, sampled, certainty, only }: RowChange): readonly string[] {
    const { units, metric } = this.#options;
    const { many } = units.counted;
    const lines = [this.#differenceText(difference)];
    const isOfTime = metric === 'time';
    if (sampled !== undefined && (certainty === 'real' || (certainty === 'chance' && isOfTime)))
      lines.push(`95 % interval of ${many}: ${rangeText(sampled.low, sampled.high)} points`);
    else if (certainty === 'real') lines.push('more than chance explains (95 % interval)');
    if (certainty === 'chance')
      lines.push(
        isOfTime ? `${many} do not confirm the difference` : 'chance explains the difference (95 % interval)',
      );
    if (certainty === 'unknown') lines.push(`${many} are not independent of each other: it may be chance`);
    if (only !== undefined) lines.push(only === 'new' ? 'only in the new profile' : 'only in the base');
    return lines;
  }

  #differenceText(difference: number): string {
    const { units, metric, by } = this.#options;
    if (by === 'share') return `${pointsText(difference)} points`;
    const sign = difference > 0 ? '+' : difference < 0 ? '\u2212' : '';
    const size = Math.abs(difference);
    if (by === 'rate') return `${sign}${this.#perSecond(size)}`;
    const { one, many } = units.counted;
    return `${sign}${metric === 'samples' ? formatQuantity(size, one, many) : formatAmount(size, units.value?.unit ?? 'ns')}`;
  }

  #perSecond(value: number): string {
    const { units, metric } = this.#options;
    return metric === 'samples' ? formatRate(value) : `${formatAmount(value, units.value?.unit ?? 'ns')} /s`;
  }
}

/** The compared quantity, for the legend. */
const COMPARED: Readonly<Record<CompareBy, string>> = {
  share: 'share',
  amount: 'amount',
  rate: 'amount per second',
};

function rootWeight(tree: RowTree, weights: ArrayLike<number>): number {
  return tree.roots().reduce((sum, row) => sum + weights[row], 0);
}
