import type { BrowserWindow } from 'electron';
import type { WindowPlace } from './window-place.ts';

/** After this time a window is shown even if its page has neither been drawn nor loaded. */
const LONGEST_HIDDEN_MS = 2000;

/**
 * Shows a new, hidden window when its page is drawn, so that it does not flash; at the latest when the page is loaded or
 * after two seconds. Under Wayland a hidden window may never be drawn (electron/electron#48859).
 *
 * Returns a function that brings the window to the front; it does nothing while the window waits to be shown.
 */
export function showWhenDrawn(
  window: BrowserWindow,
  place: Pick<WindowPlace, 'isMaximized' | 'isFullScreen'> | undefined,
): () => void {
  let isWaiting = true;
  const stopWaiting = () => {
    isWaiting = false;
    clearTimeout(timer);
  };
  const show = () => {
    if (!isWaiting) return;
    stopWaiting();
    // Only here: maximizing shows a hidden window, and so does full screen.
    if (place?.isMaximized === true) window.maximize();
    window.show();
    if (place?.isFullScreen === true) window.setFullScreen(true);
  };
  const timer = setTimeout(show, LONGEST_HIDDEN_MS);
  window.once('ready-to-show', show);
  window.webContents.once('did-finish-load', show);
  window.once('closed', stopWaiting);
  return () => {
    if (isWaiting) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
}
