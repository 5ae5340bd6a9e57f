import type { Interval, TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { type KeyHelp, shownKey } from '../../widgets/key-name.ts';
import { between, moved, wholeInterval } from './timeline-geometry.ts';

/** Steps of an arrow key across what is shown. */
const STEPS = 100;

export type TimelineEnd = 'from' | 'to';

/**
 * The range after a key on one of its ends: arrows move it, with Shift only this end; Home and End likewise to the first
 * and the last sample. 'none': the range is cleared. Undefined for any other key. `range` is undefined while all samples
 * are looked at; then a key moves this end of all.
 */
export function rangeAfterKey(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  end: TimelineEnd,
  range: Interval | undefined,
  columns: TimelineColumns,
): Interval | 'none' | undefined {
  const whole = wholeInterval(columns);
  const { shown } = columns;
  if (key === 'Escape') return range === undefined ? undefined : 'none';
  const step = Math.max(1, Math.round((shown.to - shown.from) / STEPS));
  const by = STEPS_OF_KEY[key];
  const movesAll = range !== undefined && !shiftKey;
  const present = range ?? whole;
  if (by !== undefined) {
    return movesAll
      ? moved(range, by * step, columns)
      : withEnd(present, end, present[end] + by * step, columns);
  }
  if (key !== 'Home' && key !== 'End') return undefined;
  if (movesAll) return moved(range, key === 'Home' ? -whole.to : whole.to, columns);
  return withEnd(present, end, key === 'Home' ? 0 : whole.to, columns);
}

const STEPS_OF_KEY: Readonly<Record<string, number | undefined>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** With another end, which does not pass the other one. */
function withEnd({ from, to }: Interval, end: TimelineEnd, time: number, columns: TimelineColumns): Interval {
  return end === 'from'
    ? between(Math.min(time, to - 1), to, columns)
    : between(from, Math.max(time, from + 1), columns);
}

/** The bucket of the cursor among measured values after a key; undefined for any other key. */
export function bucketAfterKey(key: string, bucket: number, buckets: number): number | undefined {
  const to = { Home: 0, End: buckets - 1 }[key];
  const by = STEPS_OF_KEY[key];
  if (by === undefined) return to;
  return Math.max(0, Math.min(buckets - 1, bucket + by));
}

/** Columns of a page of cells. */
const PAGE = 10;

/** The keys that move the cursor among cells, with what they mean on either track. */
const CELL_STEPS: readonly {
  readonly by: Readonly<Record<string, readonly [columns: number, cells: number]>>;
  readonly heatmap: string;
  readonly durations: string;
}[] = [
  {
    by: { ArrowUp: [0, 1], ArrowDown: [0, -1] },
    heatmap: 'To the next, previous square in time',
    durations: 'To longer, shorter durations',
  },
  {
    by: { ArrowLeft: [-1, 0], ArrowRight: [1, 0], PageUp: [-PAGE, 0], PageDown: [PAGE, 0] },
    heatmap: 'By one column, by ten',
    durations: 'By one column, by ten',
  },
  {
    by: { Home: [-Infinity, 0], End: [Infinity, 0] },
    heatmap: 'To the first, last sample',
    durations: 'To the first, last column',
  },
];
const STEP_OF_KEY = new Map(CELL_STEPS.flatMap(({ by }) => Object.entries(by)));

/**
 * The square of the heatmap to which a key moves: up and down by one square in time, left and right by a column, Home and
 * End to the first and the last; undefined for any other key. `rows`: squares of a column; `last`: the last square.
 */
export function squareAfterKey(key: string, square: number, rows: number, last: number): number | undefined {
  const step = STEP_OF_KEY.get(key);
  if (step === undefined) return undefined;
  return Math.max(0, Math.min(last, square + step[0] * rows + step[1]));
}

/**
 * The cell of durations to which a key moves: up and down by one within its column, left and right by a column, Home and End
 * to the first and the last column; undefined for any other key. `rows`: cells of a column.
 */
export function cellAfterKey(
  key: string,
  cell: number,
  rows: number,
  lastColumn: number,
): number | undefined {
  const step = STEP_OF_KEY.get(key);
  if (step === undefined) return undefined;
  const column = Math.max(0, Math.min(lastColumn, Math.floor(cell / rows) + step[0]));
  return column * rows + Math.max(0, Math.min(rows - 1, (cell % rows) + step[1]));
}

const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].map((key) => shownKey(key));
const EARLIER_AND_LATER = Object.keys(STEPS_OF_KEY).map((key) => shownKey(key));
const ENDS = [['Home', 'End'], 'To the first, last sample'] as const;

/** The keys of the tracks, on the sheet; `control` names a key with Ctrl or Command. */
export function trackKeys(control: (key: string) => string): readonly KeyHelp[] {
  const cells = (track: 'heatmap' | 'durations'): KeyHelp['keys'] =>
    CELL_STEPS.map((step) => [Object.keys(step.by).map((key) => shownKey(key)), step[track]]);
  const withShift = ARROWS.map((key) => `Shift ${key}`);
  return [
    {
      title: 'Samples over time: an end of the range',
      keys: [
        [EARLIER_AND_LATER, 'Move the range'],
        ENDS,
        [['Shift ←', 'Shift →'], 'Move only this end'],
        [['+', '-'], 'Zoom in and out; also by the wheel'],
        [['Esc'], 'Clear the range'],
        [[control('drag')], 'In the timeline: select the baseline'],
      ],
    },
    { title: 'Samples over time: measured values', keys: [[EARLIER_AND_LATER, 'Earlier, later'], ENDS] },
    {
      title: 'Heatmap',
      keys: [
        ...cells('heatmap'),
        [withShift, 'Select a range from here'],
        [['Enter', 'Space'], 'Select the time of the square'],
        [['Esc'], 'Clear the range'],
        [[control('drag')], 'Select the baseline'],
      ],
    },
    {
      title: 'Durations of requests',
      keys: [
        ...cells('durations'),
        [withShift, 'Select requests from here; also by dragging'],
        [['Enter', 'Space'], 'What can be done with those that are selected'],
        [['Esc'], 'Clear the selection'],
      ],
    },
  ];
}
