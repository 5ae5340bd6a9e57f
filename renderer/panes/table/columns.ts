import type { Metric } from '../../../shared/views/grouping.ts';
import { formatCount, formatExactTime, formatShare, formatTime } from '../../../shared/text/format-value.ts';
import type { ProfileSummary, TreeSort, Values } from '../../mirror/mirror-messages.ts';

export type ColumnId = 'totalShare' | 'selfShare' | 'totalCount' | 'selfCount' | 'totalTime' | 'selfTime';

export interface Column {
  readonly id: ColumnId;
  readonly title: string;
  readonly hint: string;
  /** CSS pixels. */
  readonly width: number;
  readonly sort: TreeSort;
}

/** Method names keep at least this much, and this share of the pane. */
const LEAST_NAME_WIDTH = 200;
const LEAST_NAME_SHARE = 0.42;

const COLUMN_PAIRS: readonly (readonly [total: Column, self: Column])[] = [
  [
    {
      id: 'totalShare',
      title: 'Total %',
      hint: 'Share of all samples: the method and what it calls',
      width: 92,
      sort: 'totalCount',
    },
    {
      id: 'selfShare',
      title: 'Self %',
      hint: 'Share of all samples: the method itself',
      width: 84,
      sort: 'selfCount',
    },
  ],
  [
    {
      id: 'totalCount',
      title: 'Total #',
      hint: 'Samples with the method on the stack',
      width: 76,
      sort: 'totalCount',
    },
    {
      id: 'selfCount',
      title: 'Self #',
      hint: 'Samples with the method on top',
      width: 72,
      sort: 'selfCount',
    },
  ],
  [
    {
      id: 'totalTime',
      title: 'Total time',
      hint: 'Time from each of its samples to the next sample in the log',
      width: 84,
      sort: 'totalTime',
    },
    {
      id: 'selfTime',
      title: 'Self time',
      hint: 'Time from each sample with the method on top to the next sample in the log',
      width: 80,
      sort: 'selfTime',
    },
  ],
];

/**
 * The columns that fit beside the method, most telling first: a tree is read by totals, a flat list by self values.
 * Shares go by the metric, times are there only where the log has any. A column that does not fit hides all after it,
 * so that what remains stays in its order.
 */
export function fittingColumns(
  width: number,
  metric: Metric,
  timed: boolean,
  first: 'total' | 'self',
): readonly Column[] {
  const columns = COLUMN_PAIRS.filter(([total]) => timed || total.id !== 'totalTime').flatMap(
    ([total, self]) => (first === 'total' ? [total, self] : [self, total]),
  );
  let room = width - Math.max(LEAST_NAME_WIDTH, width * LEAST_NAME_SHARE);
  const fitting = columns.findIndex((column) => (room -= column.width) < 0);
  const shown = fitting < 0 ? columns : columns.slice(0, Math.max(1, fitting));
  return metric === 'samples' ? shown : shown.map(byTime);
}

function byTime(column: Column): Column {
  switch (column.id) {
    case 'totalShare':
      return { ...column, sort: 'totalTime', hint: 'Share of all time: the method and what it calls' };
    case 'selfShare':
      return { ...column, sort: 'selfTime', hint: 'Share of all time: the method itself' };
    default:
      return column;
  }
}

/** A cell: its text, the exact value behind it, and for shares the bar, 0 to 1. */
export interface Cell {
  readonly text: string;
  readonly exact: string | undefined;
  readonly bar: number | undefined;
}

export function cellOf(id: ColumnId, row: Values, metric: Metric, whole: ProfileSummary): Cell {
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
      return time(row.totalTime);
    case 'selfTime':
      return time(row.selfTime);
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

function time(ns: number): Cell {
  if (ns === 0) return { text: '', exact: undefined, bar: undefined };
  return { text: formatTime(ns), exact: formatExactTime(ns), bar: undefined };
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
