import { shownLabel } from '../../../shared/text/format-frame.ts';
import { flameRow, kindAt, labelAt } from '../../../shared/engine/views/flame-columns.ts';
import { copyText, showIn } from '../../store/actions.ts';
import type { ShownChart } from '../../store/pane-views.ts';
import { selectionOf } from '../../store/selection.ts';
import { chooseRange } from '../../store/time-actions.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { thenEnter } from '../enter-pane.ts';
import { copyFrame } from '../flame/flame-menu.ts';
import { methodEntries } from '../rows/open-row.ts';
import { scopeEntries } from '../scope-entries.ts';
import { rangeOf } from '../timeline/timeline-geometry.ts';
import { timeOfRow } from './chart-text.ts';

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
