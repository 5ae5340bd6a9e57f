import type { ComparedWhole } from '../../../shared/engine/comparison/row-change.ts';
import { hasIntervals, type ProfileUnits } from '../../../shared/profile/profile-units.ts';
import {
  countText,
  formatAmount,
  formatCount,
  formatExactAmount,
  formatRate,
  formatShare,
} from '../../../shared/text/format-value.ts';
import { isRankUndecided } from '../../../shared/engine/values/share-interval.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import type { SampleSum } from '../../../shared/engine/values/self-values.ts';
import { shareCertainty } from '../../../shared/engine/views/precision.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { Row, SortColumn, Values } from '../../profile-worker/pane-messages.ts';
import type { ColumnId } from '../../store/column-layout.ts';
import { type ChangeTone, comparedCell, type ComparedValues } from './compared-cells.ts';

/** What the numbers of a table are, and what they refer to. */
export interface Measure {
  readonly metric: Metric;
  readonly units: ProfileUnits;
  /** What percentages are of. */
  readonly whole: ProfileSummary;
  /** Percentages of rows below another one are of that. */
  readonly ofParent?: boolean;
  /** The largest values of all rows: these get a bar of full length. */
  readonly largest: Values;
  /** undefined: nothing is compared. */
  readonly compared?: ComparedWhole | undefined;
}

/** A number of a table. */
export interface Cell {
  /** Empty for zero, so that non-zero values stand out. */
  readonly text: string;
  /** The exact value, where `text` is rounded; for a share of samples what it is of and how exact it is. */
  readonly exact: string | undefined;
  /** The 95 % interval of a share of samples. */
  readonly interval?: string;
  /** Length of the bar beside a share, 0 to 1. */
  readonly bar: number | undefined;
  /** Of a change. */
  readonly tone?: ChangeTone | undefined;
}

const NOTHING: Cell = { text: '', exact: undefined, bar: undefined };

/** A row, or what is left of it beside its name. */
export type CellValues = ComparedValues & Pick<Row, 'parentCount' | 'parentTime' | 'selfRate' | 'totalRate'>;

export function cellOf(id: ColumnId, row: CellValues, measure: Measure): Cell {
  const { metric, units } = measure;
  switch (id) {
    case 'totalShare':
    case 'selfShare':
      return shareOf(id === 'selfShare' ? 'self' : 'total', metric, row, measure);
    case 'totalOtherShare':
    case 'selfOtherShare': {
      const other = metric === 'time' ? 'samples' : 'time';
      // Bars are of the metric in use: two bars of a row would not be comparable.
      return { ...shareOf(id === 'selfOtherShare' ? 'self' : 'total', other, row, measure), bar: undefined };
    }
    case 'totalCount':
      return count(row.totalCount);
    case 'selfCount':
      return count(row.selfCount);
    case 'totalTime':
      return amount(row.totalTime, units);
    case 'selfTime':
      return amount(row.selfTime, units);
    case 'totalRate':
      return rate(row.totalRate);
    case 'selfRate':
      return rate(row.selfRate);
    case 'when':
      return NOTHING;
    case 'totalBase':
    case 'totalNew':
    case 'totalChange':
    case 'selfBase':
    case 'selfNew':
    case 'selfChange': {
      const { compared } = measure;
      return compared === undefined ? NOTHING : { ...comparedCell(id, row, compared, units), bar: undefined };
    }
  }
}

/** The row's own part of all, 0 to 1; 0 where a time is negative. */
export function selfShare({ selfCount, selfTime }: Values, { metric, whole }: Measure): number {
  const [part, all] = metric === 'time' ? [selfTime, whole.totalTime] : [selfCount, whole.samples];
  return part > 0 && all > 0 ? part / all : 0;
}

function shareOf(part: 'self' | 'total', metric: Metric, row: CellValues, measure: Measure): Cell {
  const { units, largest } = measure;
  const { samples, time, isOfParent } = wholeOf(row, measure);
  if (metric === 'time') {
    const ns = row[`${part}Time`];
    return share(ns, time, isOfParent ? time : largest[`${part}Time`]);
  }
  const counted = row[`${part}Count`];
  const cell = share(counted, samples, isOfParent ? samples : largest[`${part}Count`]);
  return sampled(cell, counted, samples, units);
}

/** What the percentages of a row are of. */
function wholeOf(
  { parentCount, parentTime }: CellValues,
  { whole, ofParent }: Measure,
): SampleSum & { readonly isOfParent: boolean } {
  return ofParent === true && parentCount !== undefined && parentTime !== undefined
    ? { samples: parentCount, time: parentTime, isOfParent: true }
    : { samples: whole.samples, time: whole.totalTime, isOfParent: false };
}

function share(part: number, whole: number, largest: number): Cell {
  if (part === 0) return NOTHING;
  const text = formatShare(part, whole).replace(' %', '');
  return {
    text,
    exact: text.startsWith('<') ? `${((part / whole) * 100).toPrecision(3)} %` : undefined,
    bar: largest > 0 ? Math.min(1, Math.max(0, part / largest)) : undefined,
  };
}

/** The cell of a share, with its 95 % interval if it is one of samples. Shares of time have no such interval. */
function sampled(cell: Cell, part: number, samples: number, units: ProfileUnits): Cell {
  const certainty = shareCertainty(part, samples, units);
  return certainty === undefined ? cell : { ...cell, exact: certainty.text, interval: certainty.interval };
}

/**
 * Whether another recording could put a row before the one above it, by the values by which rows are sorted. False for
 * rows that are sorted by names or times.
 */
export function isUndecided(
  by: SortColumn,
  above: Values | undefined,
  row: Values,
  { units, whole }: Pick<Measure, 'units' | 'whole'>,
): boolean {
  if (above === undefined || !hasIntervals(units) || (by !== 'selfCount' && by !== 'totalCount'))
    return false;
  return row[by] > 0 && isRankUndecided(above[by], row[by], whole.samples);
}

function count(value: number): Cell {
  if (value === 0) return NOTHING;
  return {
    text: formatCount(value),
    exact: Number.isInteger(value) ? undefined : countText(value),
    bar: undefined,
  };
}

function rate(perSecond = 0): Cell {
  if (perSecond === 0) return NOTHING;
  return { text: formatRate(perSecond).replace(' /s', ''), exact: undefined, bar: undefined };
}

function amount(value: number, units: ProfileUnits): Cell {
  if (value === 0) return NOTHING;
  const unit = units.value?.unit ?? 'ns';
  return { text: formatAmount(value, unit), exact: formatExactAmount(value, unit), bar: undefined };
}
