/** What a slice takes of a moment in which nothing else happens, milliseconds: it ends with the step that reaches it. */
const SLICE_MS = 4;

/**
 * Takes the steps of some work when the window has nothing else to do, a few at a time, and says `ended` after the last;
 * or `stopped`, when it is to stop before a slice. Returns what ends it early, without a word.
 */
export function inIdleSlices(
  steps: Iterator<unknown>,
  isToStop: () => boolean,
  done: (how: 'ended' | 'stopped') => void,
): () => void {
  let cancel = whenIdle(slice);
  function slice(): void {
    if (isToStop()) return done('stopped');
    const start = performance.now();
    do {
      if (steps.next().done === true) return done('ended');
    } while (performance.now() - start < SLICE_MS);
    cancel = whenIdle(slice);
  }
  return () => cancel();
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
