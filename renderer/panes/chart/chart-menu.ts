import { shownLabel } from '../../../shared/text/format-frame.ts';
import { flameRow, kindAt, labelAt } from '../../../shared/engine/views/flame-columns.ts';
import { copyText, showIn } from '../../store/actions/actions.ts';
import type { ShownChart } from '../../store/panes/pane-views.ts';
import { selectionOf } from '../../store/state/selection.ts';
import { chooseRange } from '../../store/actions/time-actions.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { thenEnter, methodEntries } from '../enter-pane.ts';
import { copyFrame } from '../flame/flame-menu.ts';
import { scopeEntries } from '../scope-entries.ts';
import { rangeOf, timeText, ZOOM_STEP } from '../timeline/timeline-geometry.ts';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import type { Interval } from '../../../shared/engine/views/timeline-columns.ts';
import { formatCount, formatQuantity } from '../../../shared/text/format-value.ts';
import { type FlameKey, flameKey } from '../flame/flame-walk.ts';

/** `details`: the numbers of the row, as the line below the chart shows them. */
export function chartEntries(
  chart: ShownChart,
  row: number,
  details: string,
  onZoom: () => void,
): readonly MenuEntry[] {
  const { layout } = chart;
  const kind = kindAt(layout, row);
  const label = labelAt(layout, row);
  const selection = selectionOf('chart', flameRow(layout, row));
  const isFrame = kind === 'frame' || kind === 'error';
  return [
    ...methodEntries(selection, [
      {
        text: 'Show in tree',
        disabled: !isFrame && kind !== 'thread',
        run: thenEnter('tree', () => showIn('tree', selection)),
      },
      {
        text: 'Find in methods',
        disabled: !isFrame,
        run: thenEnter('flat', () => showIn('flat', selection)),
      },
      {
        text: 'Only the time of the frame',
        run: () => {
          const { from, to } = timeOfRow(chart, row);
          chooseRange(rangeOf({ from, to: to + 1 }, chart));
        },
      },
    ]),
    { text: 'Zoom in', hint: 'Space', run: onZoom },
    'separator',
    ...scopeEntries({ kind, label }),
    'separator',
    {
      text: 'Copy',
      entries: [
        { text: 'Copy frame', hint: 'Ctrl C', run: () => copyFrame(layout, row, details) },
        { text: 'Copy name', run: () => void copyText(shownLabel(label)) },
      ],
    },
  ];
}

/** The time of a row: of its cells, or where samples are equally wide from its first sample to its last one. */
function timeOfRow({ layout: { start, weight }, times, isEqual }: ShownChart, row: number): Interval {
  const end = start[row] + weight[row];
  return { from: times[start[row]], to: times[isEqual ? Math.max(start[row], end - 1) : end] };
}

/** The samples of a row and when they were taken: `12 samples · 3 self · 0:03.12 to 0:03.24`. */
export function runText(chart: ShownChart, row: number, { counted }: ProfileUnits, dayTime?: number): string {
  const { layout } = chart;
  const parts = [formatQuantity(layout.totalCount[row], counted.one, counted.many)];
  if (layout.selfCount[row] > 0) parts.push(`${formatCount(layout.selfCount[row])} self`);
  const { from, to } = timeOfRow(chart, row);
  const [begin, end] = [timeText(from, dayTime), timeText(to, dayTime)];
  parts.push(begin === end ? `at ${begin}` : `${begin} to ${end}`);
  return parts.join(' · ');
}

/** The samples on screen in words: `12 to 40 of 1,553 samples`. */
export function drawnSamples({ from, to, count }: ShownChart, { counted }: ProfileUnits): string {
  const all = formatQuantity(count, counted.one, counted.many);
  if (to - from >= count) return all;
  const first = formatCount(from + 1);
  return to - from === 1 ? `${first} of ${all}` : `${first} to ${formatCount(to)} of ${all}`;
}

/** As in a flame graph with the root at the top; and zoom around the selected frame, and moves by a quarter. */
type ChartKey =
  | FlameKey
  | { readonly type: 'scale'; readonly factor: number }
  | { readonly type: 'pan'; readonly share: number };

const PAN_SHARE = 0.25;

export function chartKey(key: string, shiftKey: boolean): ChartKey | undefined {
  if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight'))
    return { type: 'pan', share: key === 'ArrowLeft' ? -PAN_SHARE : PAN_SHARE };
  if (key === '+') return { type: 'scale', factor: 1 / ZOOM_STEP };
  if (key === '-') return { type: 'scale', factor: ZOOM_STEP };
  return flameKey(key, 'icicle');
}
