import { type FlameZoom, isSameZoom } from '../../../shared/engine/query.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import { type FlameLayout, flameRow, kindAt, labelAt } from '../../../shared/engine/views/flame-columns.ts';
import {
  copyText,
  select,
  selectRow,
  showIn,
  zoomOut,
  zoomTo,
  changeActive,
} from '../../store/actions/actions.ts';
import { selectionOf } from '../../store/state/selection.ts';
import type { LogView } from '../../store/state/window-state.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { scopeEntries } from '../scope-entries.ts';
import { type FlamePaneId, isHalf } from '../../store/panes/panes.ts';
import { thenEnter, methodEntries, enterDetail } from '../enter-pane.ts';
import { withZoomNow, zoomOf } from '../../store/state/scope-history.ts';

/** A row of the graph as it was when the menu was opened; the graph may grow meanwhile. */
export interface MenuTarget {
  readonly pane: FlamePaneId;
  readonly layout: FlameLayout;
  readonly row: number;
  /** The zoom that the row leads to. */
  readonly zoom: FlameZoom | undefined;
}

/** Zooms into a row, and selects it where it is a frame. */
export function zoomInto({ pane, layout, row, zoom }: MenuTarget): void {
  if (row === 0) return;
  if (kindAt(layout, row) === 'block') select(undefined);
  else selectRow(pane, flameRow(layout, row));
  zoomTo(zoom, pane);
}

/**
 * The callers and callees of a frame; what is no method is zoomed into. `before`: the log before the first click of a double
 * click, which has zoomed into the frame.
 */
export function openFrame(target: MenuTarget, before?: LogView): void {
  const { pane, layout, row, zoom } = target;
  const selection = selectionOf(pane, flameRow(layout, row));
  if (selection.kind !== 'frame' && selection.kind !== 'error') return zoomInto(target);
  if (before !== undefined) takeBackZoom(pane, before, zoom);
  enterDetail(selection);
}

/** `details`: the numbers of the row, as the line below the graph shows them. `onCopyImage` copies the whole graph. */
export function menuEntries(
  target: MenuTarget,
  details: string,
  onCopyImage: () => void,
): readonly MenuEntry[] {
  const { pane, layout, row } = target;
  const kind = kindAt(layout, row);
  const isFrame = kind === 'frame' || kind === 'error';
  const selection = selectionOf(pane, flameRow(layout, row));
  const shows: readonly MenuEntry[] = [
    {
      text: 'Show in tree',
      // Rows of other trees are no calls.
      disabled: pane !== 'flame' || (!isFrame && kind !== 'thread'),
      run: thenEnter('tree', () => showIn('tree', selection)),
    },
    {
      text: 'Find in methods',
      disabled: !isFrame,
      run: thenEnter('flat', () => showIn('flat', selection)),
    },
  ];
  return [
    ...methodEntries(selection, shows),
    row === 0
      ? { text: 'Zoom out', hint: 'Backspace', run: () => zoomOut(pane) }
      : { text: 'Zoom in', hint: 'Space', run: () => zoomInto(target) },
    'separator',
    ...scopeEntries({ kind, label: labelAt(layout, row) }),
    'separator',
    {
      text: 'Copy',
      entries: [
        { text: 'Copy frame', hint: 'Ctrl C', run: () => copyFrame(layout, row, details) },
        { text: 'Copy name', run: () => void copyText(shownLabel(labelAt(layout, row))) },
        { text: 'Copy stack', run: () => void copyText(stackText(layout, row)) },
        { text: 'Copy graph as image', run: onCopyImage },
      ],
    },
  ];
}

/** Copies a row's name and numbers, with a tab between them. */
export function copyFrame(layout: FlameLayout, row: number, details: string): void {
  void copyText(`${shownLabel(labelAt(layout, row))}\t${details}`);
}

/** The frame and its callers as far as they are shown, one a line, the frame first: as Java prints stacks. */
function stackText(layout: FlameLayout, row: number): string {
  const lines: string[] = [];
  for (let at = row; at >= 0; at = layout.parent[at])
    if (kindAt(layout, at) !== 'all') lines.push(shownLabel(labelAt(layout, at)));
  return lines.join('\n');
}

/**
 * Takes back the zoom of a click that was the first of a double click, unless there is another one by now. `before`: the log
 * as it was then.
 */
export function takeBackZoom(pane: FlamePaneId, before: LogView, clicked: FlameZoom | undefined): void {
  const zoom = zoomOf(before, pane);
  changeActive((log) => {
    if (log.key !== before.key || !isSameZoom(zoomOf(log, pane), clicked) || isSameZoom(zoom, clicked))
      return log;
    const { scopesBack, scopesForward, zoomedPath } = isHalf(pane) ? log : before;
    return { ...withZoomNow(log, pane, zoom), scopesBack, scopesForward, zoomedPath };
  });
}
