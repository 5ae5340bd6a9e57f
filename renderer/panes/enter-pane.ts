import { focusPane, showOnly } from '../store/actions.ts';
import type { PaneId } from '../store/panes.ts';
import { activeLog, currentPane, hasSamples, panesToWalk, placeOf } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';

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
  showOnly(placeOf(next));
  enterPaneWhenShown(next);
}

function paneOf(element: HTMLElement | null | undefined): PaneId | undefined {
  return element?.dataset.pane as PaneId | undefined;
}

/** Puts the focus into a pane that is about to be shown. */
export function enterPaneWhenShown(pane: PaneId): void {
  requestAnimationFrame(() => enterPane(pane));
}

/** Shows something in another pane, and goes there. */
export function thenEnter(pane: PaneId, show: () => void): () => void {
  return () => {
    show();
    enterPaneWhenShown(pane);
  };
}
