import { focusPane, showOnly, expand, choosePane } from '../store/actions/actions.ts';
import { type PaneId, type RowsPaneId, PANES } from '../store/panes/panes.ts';
import { activeLog, hasSamples } from '../store/state/selectors.ts';
import { currentPane, panesOnScreen, shownPanes, panesAt } from '../store/state/shown-panes.ts';
import { useWindow } from '../store/state/window-store.ts';
import type { Row, Selection } from '../profile-worker/pane-messages.ts';
import { openSource, addToPath } from '../store/actions/detail-actions.ts';
import { selectionOf } from '../store/state/selection.ts';
import type { MenuEntry, MenuItem } from '../widgets/Menu.tsx';
import { type RefObject, useEffect } from 'react';
import { flushSync } from 'react-dom';
import type { MethodRef } from '../../shared/engine/query.ts';
import type { WindowState } from '../store/state/window-state.ts';
import { PLACES } from '../store/panes/pane-list.ts';

/** Puts the focus into a pane, where its keys work. */
export function enterPane(pane: PaneId): void {
  focusPane(pane);
  const inPane = `[data-pane=${pane}]`;
  document
    .querySelector<HTMLElement>(
      ['tree', 'treegrid', 'listbox', 'region', 'grid'].map((role) => `${inPane} [role=${role}]`).join(', '),
    )
    ?.focus();
}

/** Puts the focus into the pane that has the keys. */
export function enterCurrentPane(): void {
  enterPane(currentPane(useWindow.getState()));
}

/**
 * From the pane that has the focus to the next or previous one; from elsewhere to the one that had it last. A small window
 * shows the place of a pane that is not on screen.
 */
export function enterNextPane(step: 1 | -1): void {
  const state = useWindow.getState();
  const log = activeLog(state);
  if (log === undefined || !hasSamples(log)) return;
  const drawn = [...document.querySelectorAll<HTMLElement>('[data-pane]')].flatMap(
    (each) => paneOf(each) ?? [],
  );
  const walk = panesToWalk(state, drawn);
  const focused = paneOf(document.activeElement?.closest<HTMLElement>('[data-pane]'));
  const last = currentPane(state);
  if (focused === undefined && drawn.includes(last)) return enterPane(last);
  const next = walk.at((walk.indexOf(focused ?? last) + step) % walk.length);
  if (next === undefined) return;
  if (drawn.includes(next)) return enterPane(next);
  showOnly(PANES[next].place);
  enterPaneWhenShown(next);
}

function paneOf(element: HTMLElement | null | undefined): PaneId | undefined {
  return element?.dataset.pane as PaneId | undefined;
}

/** Puts the focus into a pane that is about to be shown, at once: the next key may come before the next frame. */
export function enterPaneWhenShown(pane: PaneId): void {
  flushSync(() => undefined);
  enterPane(pane);
}

/** Shows something in another pane, and goes there. */
export function thenEnter(pane: PaneId, show: () => void): () => void {
  return () => {
    show();
    enterPaneWhenShown(pane);
  };
}

const ENTERED: readonly PaneId[] = ['callers', 'callersFlame'];

/** Shows the callers and callees of what is selected, and goes there. */
export function enterDetail({ of, id, label }: Selection): void {
  openDetail({ of, id, label });
  const pane = panesOnScreen(useWindow.getState()).find((each) => ENTERED.includes(each));
  if (pane !== undefined) enterPaneWhenShown(pane);
}

/** A double click on a row, or Enter: the callers and callees of a method. A thread is expanded or collapsed. */
export function openRow(pane: RowsPaneId, row: Row): void {
  if (row.kind === 'frame' || row.kind === 'error') enterDetail(selectionOf(pane, row));
  else expand(pane, row.id, 'toggle');
}

/** Shows the source of a method, and goes there. */
function enterSource({ of, id, label }: Selection): void {
  openSource({ of, id, label });
  enterPaneWhenShown('source');
}

/** The entries about a single method, in the menus of rows and frames. `shows`: other ways to show it. */
export function methodEntries(selection: Selection, shows: readonly MenuEntry[] = []): readonly MenuEntry[] {
  const isMethod = selection.kind === 'frame' || selection.kind === 'error';
  const source: MenuItem = {
    text: 'Show source',
    hint: '6',
    disabled: selection.kind !== 'frame',
    run: () => enterSource(selection),
  };
  return [
    {
      text: 'Callers and callees',
      hint: 'Enter',
      disabled: !isMethod,
      run: () => enterDetail(selection),
    },
    { text: 'Show', entries: [source, ...shows] },
  ];
}

/** Takes the focus when the pane was entered before its content had arrived. */
export function useEnteredFocus(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const pane = content.current?.closest('[data-pane]');
    const isInside = pane?.contains(document.activeElement) === true;
    if (useWindow.getState().focusedPane === 'source' && !isInside) enterPane('source');
  }, [content]);
}

/**
 * Shows the callers and callees of a method. One that is opened from the callers or callees of another is behind it on
 * the path.
 */
function openDetail(method: MethodRef): void {
  addToPath(method);
  const state = useWindow.getState();
  const onScreen = panesOnScreen(state);
  if (onScreen.includes('callers') || onScreen.includes('callersFlame')) return;
  const shown = shownPanes(state);
  if (shown === 'all' || shown === 'tree') choosePane('tree', 'detail');
  else showOnly('sandwich');
}

/**
 * The panes that F6 goes through: those that are drawn. A small window draws one place; there it goes through the panes of
 * all places.
 */
function panesToWalk(state: WindowState, drawn: readonly PaneId[]): readonly PaneId[] {
  if (!state.isSmall) return drawn;
  const isWalked = ({ id, isOfAll }: (typeof PLACES)[number]): boolean =>
    isOfAll || id === 'summary' || (id === 'sandwich' && shownPanes(state) === id);
  return PLACES.filter(isWalked).flatMap(({ id }) => panesAt(id, state));
}
