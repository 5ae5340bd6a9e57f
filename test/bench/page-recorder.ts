/**
 * Runs in the page before its scripts and records what was shown when. Times are those of `performance.now()`. An
 * entry's time is when the frame that shows it was painted, as exactly as a page can measure it: the first task after
 * the frame.
 */
export interface PageRecord {
  /** When the click that opened the log was dispatched by the browser; 0 for the navigation itself. */
  clickedAt: number;
  /** The first row or frame of a profile. */
  firstRowsAt: number | undefined;
  /** Every number of samples that was painted. */
  readonly samples: (readonly [at: number, samples: number])[];
  /** Every text of the state chip that was painted, and the progress bar's value (-1: none). */
  readonly states: (readonly [at: number, text: string, progress: number])[];
  /** Tasks of the page's thread beyond 50 ms, as reported by the browser. */
  readonly longTasks: (readonly [at: number, ms: number])[];
  /** Input: from the event to the painted frame that shows its effect, as the browser reports it (above 16 ms). */
  readonly inputs: (readonly [name: string, ms: number])[];
}

declare global {
  interface Window {
    recorded: PageRecord;
  }
}

export function recordPage(): void {
  const record: PageRecord = {
    clickedAt: 0,
    firstRowsAt: undefined,
    samples: [],
    states: [],
    longTasks: [],
    inputs: [],
  };
  window.recorded = record;
  window.addEventListener('click', (event) => (record.clickedAt ||= event.timeStamp), true);
  const find = (testId: string): HTMLElement | null => document.querySelector(`[data-testid=${testId}]`);
  let samples = -1;
  let state = '';
  const waiting: ((at: number) => void)[] = [];
  const noteAll = (): void => {
    const at = performance.now();
    for (const note of waiting.splice(0)) note(at);
  };
  let isAsked = false;
  const look = (): void => {
    isAsked = false;
    if (record.firstRowsAt === undefined && document.querySelector('[data-row-id], g.frame') !== null)
      waiting.push((at) => (record.firstRowsAt = at));
    const digits = /[\d,]+/.exec(find('sample-count')?.textContent ?? '')?.[0];
    const now = digits === undefined ? -1 : Number(digits.replaceAll(',', ''));
    if (now !== samples) {
      samples = now;
      waiting.push((at) => record.samples.push([at, now]));
    }
    const progress = Number(
      document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') ?? -1,
    );
    const text = find('status-chip')?.textContent ?? '';
    if (`${text} ${progress}` !== state) {
      state = `${text} ${progress}`;
      waiting.push((at) => record.states.push([at, text, progress]));
    }
    // Not queued behind pending messages: those are handled after the frame is painted.
    if (waiting.length > 0) void scheduler.postTask(noteAll, { priority: 'user-blocking' });
  };
  // A frame is requested only after a change: requesting every frame would cost the page time.
  new MutationObserver(() => {
    if (!isAsked) requestAnimationFrame(look);
    isAsked = true;
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  const observe = (type: string, note: (entry: PerformanceEntry) => void, options: object): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, ...options });
  observe('longtask', ({ startTime, duration }) => record.longTasks.push([startTime, duration]), {});
  observe('event', ({ name, duration }) => record.inputs.push([name, duration]), { durationThreshold: 16 });
}
