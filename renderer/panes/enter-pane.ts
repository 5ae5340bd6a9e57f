import { focusPane } from '../store/actions.ts';
import type { PaneId } from '../store/panes.ts';
import { currentPane } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';

/** Puts the focus into a pane, where its keys work. */
export function enterPane(pane: PaneId): void {
  // The heatmap is beside all panes, as the timeline is: keys of the window stay those of the pane before.
  if (pane !== 'heatmap') focusPane(pane);
  const inPane = `[data-testid=pane-${pane}]`;
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

/** From the pane that has the focus to the next or previous one on screen; from elsewhere to the one that had it last. */
export function enterNextPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-testid^=pane-]')];
  const ids = panes.map(({ dataset }) => dataset.testid?.replace('pane-', '')) as PaneId[];
  if (ids.length === 0) return;
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const last = Math.max(0, ids.indexOf(useWindow.getState().focusedPane));
  enterPane(ids[at < 0 ? last : (at + step + ids.length) % ids.length]);
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
