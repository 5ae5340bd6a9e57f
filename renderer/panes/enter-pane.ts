import { focusPane } from '../store/actions.ts';

/** Puts the focus into a pane, where its keys work. */
export function enterPane(pane: 'tree' | 'flat' | 'flame'): void {
  focusPane(pane);
  const inPane = `[data-testid=pane-${pane}]`;
  document.querySelector<HTMLElement>(`${inPane} [role=tree], ${inPane} [role=listbox]`)?.focus();
}

/** The same for a pane that is about to be shown. */
export function enterPaneWhenShown(pane: 'tree' | 'flat' | 'flame'): void {
  requestAnimationFrame(() => enterPane(pane));
}

/** Shows something in another pane, and goes there. */
export function thenEnter(pane: 'tree' | 'flat' | 'flame', show: () => void): () => void {
  return () => {
    show();
    enterPaneWhenShown(pane);
  };
}
