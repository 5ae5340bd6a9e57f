import { ComparedWidths } from '../compare/compared-widths.ts';
import type { ComparedTree } from '../compare/comparison.ts';
import { certaintyOf, shareChange } from '../compare/share-change.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { shownLabel } from '../text/format-frame.ts';
import { pointsText, rangeText } from '../text/format-points.ts';
import { formatAmount, formatQuantity, formatShare } from '../text/format-value.ts';
import { type ColourTheme, type FrameStyle, frameStyle } from '../text/frame-colour.ts';
import { differenceStyle } from '../text/difference-colour.ts';
import { differenceLevel } from '../text/difference-level.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { Metric } from '../values/metric.ts';
import type { RowValues } from '../values/row-sums.ts';
import { keepsAll, keptRows, type RowFilter } from '../views/filter.ts';
import { ALL_ROWS, type FlameRow } from '../views/flame-columns.ts';
import type { LayoutRoot } from '../views/flame-layout.ts';
import { exportFlameSvg, type FlameOverlay } from './flame-svg.ts';
import type { TextSink } from './text-sink.ts';

export interface CompareSvgOptions {
  readonly calls: ComparedTree;
  readonly metric: Metric;
  readonly units: ProfileUnits;
  /** Both profiles count samples: chance may explain differences. */
  readonly isSampled: boolean;
  readonly filter: RowFilter;
  /** The root of the drawing in the tree; undefined: everything. */
  readonly root: (sums: RowValues) => LayoutRoot | undefined;
  /** Both profiles are as wide, whatever they weigh. */
  readonly isByShare: boolean;
  readonly theme: ColourTheme;
  readonly orientation: 'flame' | 'icicle';
  readonly title: string;
  /** Names of both profiles. */
  readonly names: { readonly base: string; readonly next: string };
  readonly width: number;
}

/**
 * A differential flame graph as a self-contained SVG file. A frame is as wide as both profiles together, so that frames
 * that vanished are there, too. Red with a plus: its share grew. Blue with a minus: its share shrank. Grey: the samples
 * do not confirm the difference. Frames of only one profile have an outline; those that vanished are hatched.
 */
export function exportComparedSvg(options: CompareSvgOptions, sink: TextSink): void {
  const { calls, metric, filter, isByShare } = options;
  const sums = new ComparedWidths(calls, metric, ({ base, next }) =>
    isByShare
      ? { base: rootWeight(calls.tree, base), next: rootWeight(calls.tree, next) }
      : { base: 1, next: 1 },
  );
  exportFlameSvg(
    {
      sums,
      metric: 'samples',
      units: options.units,
      zoom: options.root(sums),
      search: undefined,
      kept: keepsAll(filter) ? undefined : keptRows(calls.both, filter),
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

interface Sides<Value> {
  readonly base: Value;
  readonly next: Value;
}

class DifferenceOverlay implements FlameOverlay {
  readonly headings: readonly string[];
  readonly footer: string;
  readonly #options: CompareSvgOptions;
  readonly #weights: Sides<Float64Array>;
  readonly #wholes: Sides<number>;
  readonly #samples: Sides<number>;
  readonly #whole: number;
  /** Row of the tree -> what is shown of it. */
  readonly #known = new Map<number, FrameDifference>();

  constructor(options: CompareSvgOptions, widths: ComparedWidths) {
    const { calls, names, units, metric, isByShare } = options;
    this.#options = options;
    this.#weights = widths;
    this.#wholes = {
      base: rootWeight(calls.tree, widths.base),
      next: rootWeight(calls.tree, widths.next),
    };
    this.#samples = {
      base: rootWeight(calls.tree, calls.base.totalCount),
      next: rootWeight(calls.tree, calls.next.totalCount),
    };
    this.#whole = rootWeight(calls.tree, widths.totalCount);
    const quantity = (samples: number): string =>
      formatQuantity(samples, units.counted.one, units.counted.many);
    this.headings = [
      `Base: ${names.base}, ${quantity(this.#samples.base)} \u00b7 new: ${names.next}, ${quantity(this.#samples.next)}`,
      `Red +: a larger share than in the base. Blue \u2212: a smaller one. Grey: ${metric === 'samples' ? 'chance explains' : `${units.counted.many} do not confirm`} the difference.`,
    ];
    const width = isByShare ? 'the mean of its two shares' : 'the sum of both profiles';
    this.footer = `The width of a frame is ${width}. Outlined: only in the new profile. Hatched: only in the base.`;
  }

  style(row: FlameRow): FrameStyle {
    const { theme } = this.#options;
    if (row.kind === 'block' || row.kind === 'all' || row.id === ALL_ROWS)
      return frameStyle({ ...row, match: false }, { theme, colourBy: 'package', searching: false });
    return this.#differenceOf(row).style;
  }

  sign(row: FlameRow): string {
    return row.kind === 'frame' || row.kind === 'error' ? this.#differenceOf(row).sign : '';
  }

  tooltip(row: FlameRow): string {
    const label = shownLabel(row.label);
    if (row.kind === 'block' || row.id === ALL_ROWS)
      return `${label}\n${formatShare(row.weight, this.#whole)} of the graph`;
    return `${label}\n${this.#differenceOf(row).text}`;
  }

  #differenceOf({ id }: FlameRow): FrameDifference {
    const row = this.#options.calls.tree.rowOf(id);
    let known = this.#known.get(row);
    if (known === undefined) this.#known.set(row, (known = this.#difference(row)));
    return known;
  }

  #difference(row: number): FrameDifference {
    const { calls, theme, units, metric, isSampled } = this.#options;
    const samples = { base: calls.base.totalCount[row], next: calls.next.totalCount[row] };
    const change = shareChange(
      { part: samples.base, whole: this.#samples.base },
      { part: samples.next, whole: this.#samples.next },
    );
    const shareIn = (side: 'base' | 'next'): number =>
      this.#wholes[side] > 0 ? this.#weights[side][row] / this.#wholes[side] : 0;
    const difference = shareIn('next') - shareIn('base');
    const certainty = certaintyOf(change, isSampled, difference);
    const level = certainty === 'chance' ? 0 : differenceLevel(difference);
    const only = samples.base === 0 ? 'new' : samples.next === 0 ? 'base' : undefined;
    const side = (name: string, each: 'base' | 'next'): string => {
      const share = formatShare(this.#weights[each][row], this.#wholes[each]);
      const count = formatQuantity(samples[each], units.counted.one, units.counted.many);
      const amount = formatAmount(this.#weights[each][row], units.value?.unit ?? 'ns');
      return `${name} ${share}, ${metric === 'samples' ? count : `${amount}, ${count}`}`;
    };
    const lines = [side('base', 'base'), side('new', 'next'), `${pointsText(difference)} points`];
    const interval =
      change && `95 % interval of ${units.counted.many}: ${rangeText(change.low, change.high)} points`;
    if (interval !== undefined && (certainty === 'real' || (certainty === 'chance' && metric === 'time')))
      lines.push(interval);
    if (certainty === 'chance')
      lines.push(
        metric === 'samples'
          ? 'chance explains the difference (95 % interval)'
          : `${units.counted.many} do not confirm the difference`,
      );
    if (only !== undefined) lines.push(only === 'new' ? 'only in the new profile' : 'only in the base');
    return {
      style: differenceStyle(theme, level, only),
      sign: level > 0 ? '+ ' : level < 0 ? '\u2212 ' : '',
      text: lines.join('\n'),
    };
  }
}

interface FrameDifference {
  readonly style: FrameStyle;
  readonly sign: string;
  readonly text: string;
}

function rootWeight(tree: RowTree, weights: ArrayLike<number>): number {
  return tree.roots().reduce((sum, row) => sum + weights[row], 0);
}
