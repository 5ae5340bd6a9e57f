import { focusPane } from '../store/actions.ts';
import type { PaneId } from '../store/panes.ts';

/** Puts the focus into a pane, where its keys work. */
export function enterPane(pane: PaneId): void {
  focusPane(pane);
  const inPane = `[data-testid=pane-${pane}]`;
  document.querySelector<HTMLElement>(`${inPane} [role=tree], ${inPane} [role=listbox]`)?.focus();
}

/** The same for a pane that is about to be shown. */
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
