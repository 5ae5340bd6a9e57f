import { useSyncExternalStore } from 'react';

/** Device pixels per CSS pixel; changes when the page is zoomed or the window moves to another screen. */
export function usePixelRatio(): number {
  return useSyncExternalStore(watch, () => window.devicePixelRatio);
}

/** A media query matches one ratio, so each change registers a query for the new one. */
function watch(changed: () => void): () => void {
  let query: MediaQueryList;
  function ask(): void {
    query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener('change', answer, { once: true });
  }
  function answer(): void {
    ask();
    changed();
  }
  ask();
  return () => query.removeEventListener('change', answer);
}
