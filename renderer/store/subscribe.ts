import { showNotice } from './actions.ts';
import type { WindowState } from './window-state.ts';
import { useWindow } from './window-store.ts';

type Subscriber = (state: WindowState, before: WindowState) => void;

/**
 * Calls a function after each change of the store, until the returned function is called. An error in it reaches neither
 * other subscribers nor what changed the store: it is reported as an uncaught one, and the first one in a notice.
 */
export function subscribe(subscriber: Subscriber): () => void {
  let isTold = false;
  return useWindow.subscribe((state, before) => {
    try {
      subscriber(state, before);
    } catch (error) {
      reportError(error);
      if (isTold) return;
      isTold = true;
      const text = error instanceof Error ? error.message : String(error);
      showNotice('problem', `A part of the window stopped: ${text}. Reload it if something is missing.`);
    }
  });
}
