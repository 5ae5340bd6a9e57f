import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import {
  countText,
  formatAmount,
  formatCount,
  formatExactAmount,
  formatShare,
} from '../../../shared/text/format-value.ts';
import type { Metric } from '../../../shared/values/metric.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { Values } from '../../profile-worker/pane-messages.ts';
import type { ColumnId } from '../../store/column-layout.ts';

/** What the numbers of a table are, and what they refer to. */
export interface Measure {
  readonly metric: Metric;
  readonly units: ProfileUnits;
  /** What percentages are of. */
  readonly whole: ProfileSummary;
  /** The largest values of all rows: these get a bar of full length. */
  readonly largest: Values;
}

/** A number of a table. */
export interface Cell {
  /** Empty for zero, so that non-zero values stand out. */
  readonly text: string;
  /** The exact value, where `text` is rounded. */
  readonly exact: string | undefined;
  /** Length of the bar beside a share, 0 to 1. */
  readonly bar: number | undefined;
}

const NOTHING: Cell = { text: '', exact: undefined, bar: undefined };

export function cellOf(id: ColumnId, row: Values, { metric, units, whole, largest }: Measure): Cell {
  const byTime = metric === 'time';
  switch (id) {
    case 'totalShare':
      return byTime
        ? share(row.totalTime, whole.totalTime, largest.totalTime)
        : share(row.totalCount, whole.samples, largest.totalCount);
    case 'selfShare':
      return byTime
        ? share(row.selfTime, whole.totalTime, largest.selfTime)
        : share(row.selfCount, whole.samples, largest.selfCount);
    case 'totalCount':
      return count(row.totalCount);
    case 'selfCount':
      return count(row.selfCount);
    case 'totalTime':
      return amount(row.totalTime, units);
    case 'selfTime':
      return amount(row.selfTime, units);
  }
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

function count(value: number): Cell {
  if (value === 0) return NOTHING;
  return {
    text: formatCount(value),
    exact: Number.isInteger(value) ? undefined : countText(value),
    bar: undefined,
  };
}

function amount(value: number, units: ProfileUnits): Cell {
  if (value === 0) return NOTHING;
  const unit = units.value?.unit ?? 'ns';
  return { text: formatAmount(value, unit), exact: formatExactAmount(value, unit), bar: undefined };
}
