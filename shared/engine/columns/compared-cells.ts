import { type ComparedWhole, type RowChange, rowChange, type ComparedPart } from '../values/row-change.ts';
import type { ProfileUnits } from '../../profile/profile-units.ts';
import {
  formatAmount,
  formatCount,
  formatRate,
  formatShare,
  pointsText,
  rangeText,
} from '../../text/format-value.ts';
import { isTooFewToTell } from '../values/share-change.ts';
import type { Cell, CellValues, ChangeTone } from './column.ts';

const NOTHING: Cell = { text: '' };
/** In the column of a side that has nothing of a row that the other side has. */
const NONE_TEXT = '\u2013';

export const CHANGE_TONES: readonly ChangeTone[] = ['chance', 'grew', 'shrank'];

export type ComparedNumber = 'Base' | 'New' | 'Change';

/** A cell of the base, of the new side, or of the change. */
export function comparedCell(
  part: ComparedPart,
  number: ComparedNumber,
  row: CellValues,
  whole: ComparedWhole,
  units: ProfileUnits,
): Cell {
  const { samples, values } = sidesOf(row, part, whole);
  if (number === 'Change') return changeCell(rowChange(samples, values, whole), whole, units);
  const side = number === 'Base' ? 'base' : 'next';
  // A row may have time and no sample.
  const isEmpty = (each: 'base' | 'next'): boolean => samples[each] === 0 && values[each] === 0;
  if (isEmpty('base') && isEmpty('next')) return NOTHING;
  if (isEmpty(side)) return { ...NOTHING, text: NONE_TEXT };
  const { scale } = whole;
  const divisor = scale[side];
  return { ...NOTHING, text: divisor === 0 ? '' : valueText(values[side], divisor, whole, units) };
}

function sidesOf(
  row: CellValues,
  part: ComparedPart,
  { scale: { metric } }: ComparedWhole,
): Record<'samples' | 'values', { readonly base: number; readonly next: number }> {
  const isSelf = part === 'self';
  const samples = {
    base: (isSelf ? row.baseSelfCount : row.baseTotalCount) ?? 0,
    next: isSelf ? row.selfCount : row.totalCount,
  };
  const values =
    metric === 'samples'
      ? samples
      : {
          base: (isSelf ? row.baseSelfTime : row.baseTotalTime) ?? 0,
          next: isSelf ? row.selfTime : row.totalTime,
        };
  return { samples, values };
}

function changeCell(change: RowChange | undefined, whole: ComparedWhole, units: ProfileUnits): Cell {
  if (change === undefined || (change.difference === 0 && change.only === undefined && change.base === 0))
    return NOTHING;
  const { difference, certainty } = change;
  const tone = certainty === 'chance' ? 'chance' : difference > 0 ? 'grew' : 'shrank';
  return {
    text: differenceText(difference, whole, units),
    exact: changeText(change, whole, units),
    tone: difference === 0 ? 'chance' : tone,
  };
}

/** A change in words, and whether chance explains it. An interval is that of samples, whatever the metric: it says so. */
export function changeText(change: RowChange, whole: ComparedWhole, units: ProfileUnits): string {
  const { difference, certainty, sampled, only } = change;
  const { many } = units.counted;
  const isTime = whole.scale.metric === 'time';
  const unit = whole.by === 'share' ? ' points' : '';
  const parts = [`${differenceText(difference, whole, units)}${unit}`];
  if (only !== undefined) parts.push(only === 'new' ? 'only in the new samples' : 'only in the baseline');
  const interval =
    sampled && `95 % interval${isTime ? ` of ${many}` : ''} ${rangeText(sampled.low, sampled.high)}`;
  if (certainty === 'real') parts.push(interval ?? 'more than chance explains');
  else if (certainty === 'unknown') parts.push(`${many} are not independent of each other: it may be chance`);
  else if (certainty === 'chance') {
    if (isTooFewToTell(change.most)) parts.push(`too few ${many} to tell`);
    else if (isTime) parts.push([`${many} do not confirm it`, ...(interval ? [interval] : [])].join(': '));
    else parts.push(`chance explains it: ${interval ?? '95 % interval contains no difference'}`);
  }
  return parts.join(', ');
}

/** With a sign: `+2.50`, `\u2212120`. */
export function differenceText(difference: number, whole: ComparedWhole, units: ProfileUnits): string {
  if (whole.by === 'share') return pointsText(difference);
  const sign = difference > 0 ? '+' : difference < 0 ? '\u2212' : '';
  return `${sign}${valueText(Math.abs(difference), 1, whole, units)}`;
}

/** A value divided by what it is compared by. */
export function valueText(
  value: number,
  divisor: number,
  { by, scale: { metric } }: ComparedWhole,
  units: ProfileUnits,
): string {
  if (by === 'share') return formatShare(value, divisor).replace(' %', '');
  const shown = value / divisor;
  if (metric === 'time') return formatAmount(shown, units.value?.unit ?? 'ns');
  return by === 'amount' ? formatCount(shown) : formatRate(shown).replace(' /s', '');
}
