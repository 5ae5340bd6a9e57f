import type { ProfileUnits } from '../../profile/profile-units.ts';
import {
  countText,
  formatAmount,
  formatCount,
  formatExactAmount,
  formatRate,
  formatShare,
} from '../../text/format-value.ts';
import type { ComparedPart } from '../values/row-change.ts';
import type { Metric } from '../values/metric.ts';
import type { SampleSum } from '../values/self-values.ts';
import type { Cell, CellValues, Measure } from './column.ts';
import { doubtOf } from './precision.ts';

export const NOTHING: Cell = { text: '' };

/** The part that a row is of all, or of the row above. */
export function shareCell(part: ComparedPart, metric: Metric, row: CellValues, measure: Measure): Cell {
  const { units, largest } = measure;
  const { samples, time, isOfParent } = wholeOf(row, measure);
  if (metric === 'time') {
    const ns = row[`${part}Time`];
    return share(ns, time, isOfParent ? time : largest[`${part}Time`]);
  }
  const counted = row[`${part}Count`];
  const cell = share(counted, samples, isOfParent ? samples : largest[`${part}Count`]);
  const doubt = doubtOf(counted, samples, units);
  return doubt === undefined ? cell : { ...cell, exact: doubt };
}

/** The whole that the percentages of a row refer to. */
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

export function countCell(value: number): Cell {
  if (value === 0) return NOTHING;
  return { text: formatCount(value), exact: Number.isInteger(value) ? undefined : countText(value) };
}

export function rateCell(perSecond = 0): Cell {
  return perSecond === 0 ? NOTHING : { text: formatRate(perSecond).replace(' /s', '') };
}

export function amountCell(value: number, units: ProfileUnits): Cell {
  if (value === 0) return NOTHING;
  const unit = units.value?.unit ?? 'ns';
  return { text: formatAmount(value, unit), exact: formatExactAmount(value, unit) };
}
