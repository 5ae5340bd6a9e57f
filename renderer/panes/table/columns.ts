import { type Metric, weightName } from '../../../shared/values/metric.ts';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { capitalised } from '../../../shared/text/capitalised.ts';
import {
  formatAmount,
  formatCount,
  formatExactAmount,
  formatShare,
} from '../../../shared/text/format-value.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { SortColumn, Values } from '../../profile-worker/pane-messages.ts';

export type ColumnId = 'totalShare' | 'selfShare' | 'totalCount' | 'selfCount' | 'totalTime' | 'selfTime';

export interface Column {
  readonly id: ColumnId;
  readonly title: string;
  readonly hint: string;
  /** CSS pixels. */
  readonly width: number;
  readonly sort: SortColumn;
}

/** CSS pixels; as in table.css. In a very wide window the numbers stay within sight of the names. */
const MOST_NAME_WIDTH = 1100;
/** Method names keep at least this much, and this share of the pane. */
const LEAST_NAME_WIDTH = 200;
const LEAST_NAME_SHARE = 0.42;

type ColumnPair = readonly [total: Column, self: Column];

function columnPairs(units: ProfileUnits, metric: Metric): readonly ColumnPair[] {
  const { counted, value } = units;
  const whole = weightName(metric, units);
  const byTime = metric === 'time';
  const shares: ColumnPair = [
    {
      id: 'totalShare',
      title: 'Total %',
      hint: `Share of all ${whole}: the method and what it calls`,
      width: 92,
      sort: byTime ? 'totalTime' : 'totalCount',
    },
    {
      id: 'selfShare',
      title: 'Self %',
      hint: `Share of all ${whole}: the method itself`,
      width: 84,
      sort: byTime ? 'selfTime' : 'selfCount',
    },
  ];
  const Counted = capitalised(counted.many);
  const counts: ColumnPair = [
    {
      id: 'totalCount',
      title: 'Total #',
      hint: `${Counted} with the method on the stack`,
      width: 76,
      sort: 'totalCount',
    },
    {
      id: 'selfCount',
      title: 'Self #',
      hint: `${Counted} with the method on top`,
      width: 72,
      sort: 'selfCount',
    },
  ];
  if (value === undefined) return [shares, counts];
  const name = value.name.toLowerCase();
  const meaning = value.meaning ?? name;
  const values: ColumnPair = [
    {
      id: 'totalTime',
      title: `Total ${name}`,
      hint: `The method and what it calls: ${meaning}`,
      width: 84 + extraWidth(name),
      sort: 'totalTime',
    },
    {
      id: 'selfTime',
      title: `Self ${name}`,
      hint: `The method itself: ${meaning}`,
      width: 80 + extraWidth(name),
      sort: 'selfTime',
    },
  ];
  return [shares, counts, values];
}

/** Room for a title that is longer than `Total time`; pixels. */
function extraWidth(name: string): number {
  return 7 * Math.max(0, name.length - 'time'.length);
}

/**
 * The columns that fit beside the method, most telling first: a tree is read by totals, a flat list by self values.
 * Shares go by the metric, times are there only where the file has any. A column that does not fit hides all after it,
 * so that what remains stays in its order.
 */
export function fittingColumns(
  width: number,
  metric: Metric,
  units: ProfileUnits,
  first: 'total' | 'self',
): readonly Column[] {
  const columns = columnPairs(units, metric).flatMap(([total, self]) =>
    first === 'total' ? [total, self] : [self, total],
  );
  let room = width - Math.max(LEAST_NAME_WIDTH, width * LEAST_NAME_SHARE);
  const fitting = columns.findIndex((column) => (room -= column.width) < 0);
  return fitting < 0 ? columns : columns.slice(0, Math.max(1, fitting));
}

/** What the columns leave for the name, CSS pixels. */
export function nameWidthBeside(columns: readonly Column[], width: number): number {
  const room = columns.reduce((rest, column) => rest - column.width, width);
  return Math.min(MOST_NAME_WIDTH, Math.max(0, room));
}

/** A cell: its text, the exact value behind it, and for shares the bar, 0 to 1. */
export interface Cell {
  readonly text: string;
  readonly exact: string | undefined;
  readonly bar: number | undefined;
}

export function cellOf(
  id: ColumnId,
  row: Values,
  metric: Metric,
  units: ProfileUnits,
  whole: ProfileSummary,
): Cell {
  switch (id) {
    case 'totalShare':
      return metric === 'time' ? share(row.totalTime, whole.totalTime) : share(row.totalCount, whole.samples);
    case 'selfShare':
      return metric === 'time' ? share(row.selfTime, whole.totalTime) : share(row.selfCount, whole.samples);
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

function share(part: number, whole: number): Cell {
  if (part === 0) return { text: '', exact: undefined, bar: undefined };
  const bar = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : undefined;
  return { text: formatShare(part, whole).replace(' %', ''), exact: undefined, bar };
}

/** Zeros are left out: what remains can be seen at a glance. */
function count(value: number): Cell {
  return { text: value === 0 ? '' : formatCount(value), exact: undefined, bar: undefined };
}

function amount(value: number, units: ProfileUnits): Cell {
  if (value === 0) return { text: '', exact: undefined, bar: undefined };
  const unit = units.value?.unit ?? 'ns';
  return { text: formatAmount(value, unit), exact: formatExactAmount(value, unit), bar: undefined };
}

const STEP = 14;
const FULL_LEVELS = 16;

/**
 * Indentation of a level, pixels. Sixteen levels get a full step each; below them steps shrink, so that a stack of
 * 1,500 frames still leaves `room` for the names.
 */
export function indentOf(depth: number, room: number): number {
  if (depth <= FULL_LEVELS) return Math.min(depth * STEP, room);
  const deeper = depth - FULL_LEVELS;
  const full = FULL_LEVELS * STEP;
  const rest = Math.max(0, room - full);
  return Math.min(full + rest * (deeper / (deeper + rest / 6)), Math.max(room, 0));
}
