/** What a slice takes of a moment in which nothing else happens, milliseconds: it ends with the step that reaches it. */
const SLICE_MS = 4;

/**
 * Takes the steps of some work when the window has nothing else to do, a few at a time, and calls `done` after the last.
 * Returns what ends it early.
 */
export function inIdleSlices(steps: Iterator<unknown>, done: () => void): () => void {
  let cancel = whenIdle(slice);
  let ended = false;
  function slice(): void {
    if (ended) return;
    const start = performance.now();
    do {
      if (steps.next().done === true) {
        done();
        return;
      }
    } while (performance.now() - start < SLICE_MS);
    cancel = whenIdle(slice);
  }
  return () => {
    ended = true;
    cancel();
  };
}

/** Milliseconds after which a slice is due anyway: a browser may go without an idle moment for as long as it likes. */
const LATEST_MS = 200;

/** Browsers without idle callbacks get a pause that lets a frame through. */
function whenIdle(task: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const handle = requestIdleCallback(task, { timeout: LATEST_MS });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(task, 30);
  return () => clearTimeout(timer);
}
