import type { Browser, Page } from 'playwright-core';

/** One event of Chromium's trace: times in microseconds of one monotonic clock. */
interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
}

/** What one step cost the UI thread; milliseconds. */
export interface StepCost {
  readonly step: string;
  /** JavaScript: handlers, timers, animation frames, microtasks; per picture where a step gave several. */
  readonly script: number;
  /** The longest task, with style, layout and paint where they follow in the same one. */
  readonly task: number;
  /** Every task of a millisecond or more. */
  readonly tasks: readonly number[];
  /** From the input event, or where there is none the last rows' arrival, to the last frame drawn; undefined: no frame. */
  readonly painted: number | undefined;
}

/** Only what the figures need: every event that is written costs the thread that is measured. */
const CATEGORIES = [
  '-*',
  'toplevel',
  'v8',
  'v8.execute',
  'blink.user_timing',
  'disabled-by-default-devtools.timeline.frame',
];
const SCRIPT = new Set(['v8.callFunction', 'v8.run', 'RunMicrotasks', 'v8.evaluateModule']);
/** Marked in the page: when an input event came, and when rows of the flame graph did. */
const INPUT = 'flame input';
const ROWS = 'flame rows';

/** Runs steps under Chromium's tracing: real time on the UI thread, not what the script thinks it took. */
export class UiTrace {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #steps: string[] = [];

  constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  async start(): Promise<void> {
    await this.#browser.startTracing(this.#page, { categories: CATEGORIES });
  }

  /** One step: `act` resolves when what it began is on screen. */
  async step(name: string, act: () => Promise<void>): Promise<void> {
    const number = this.#steps.push(name) - 1;
    await this.#page.evaluate((mark) => performance.mark(mark), `step ${number} begins`);
    await act();
    await this.#page.evaluate((mark) => performance.mark(mark), `step ${number} ends`);
  }

  /** What every step cost, in order. */
  async stop(): Promise<readonly StepCost[]> {
    const { traceEvents } = JSON.parse((await this.#browser.stopTracing()).toString()) as {
      traceEvents: TraceEvent[];
    };
    const marks = new Map<string, TraceEvent>();
    for (const event of traceEvents) if (event.name.startsWith('step ')) marks.set(event.name, event);
    return this.#steps.map((step, number) => {
      const begin = marks.get(`step ${number} begins`);
      const end = marks.get(`step ${number} ends`);
      if (begin === undefined || end === undefined) throw new Error(`the trace has no step ${number}`);
      const during = traceEvents.filter(({ ts, pid }) => pid === begin.pid && ts >= begin.ts && ts < end.ts);
      return { step, ...costOf(during, begin) };
    });
  }
}

function costOf(events: readonly TraceEvent[], begin: TraceEvent): Omit<StepCost, 'step'> {
  const ours = events
    .filter(({ tid, ph }) => tid === begin.tid && ph === 'X')
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  let script = 0;
  let scriptEnd = 0;
  let taskEnd = 0;
  let task = 0;
  const tasks: number[] = [];
  for (const { name, ts, dur = 0 } of ours) {
    if (name === 'RunTask' || name === 'ThreadControllerImpl::RunTask') {
      task = Math.max(task, dur);
      // One task may be written down under both names.
      if (dur >= 1000 && ts >= taskEnd) tasks.push(dur / 1000);
      taskEnd = Math.max(taskEnd, ts + dur);
    }
    if (!SCRIPT.has(name) || ts < scriptEnd) continue;
    script += dur;
    scriptEnd = ts + dur;
  }
  const input = events.find(({ name }) => name === INPUT);
  const pictures = events.filter(({ name }) => name === ROWS);
  const from = input ?? pictures.at(-1);
  const perPicture = input === undefined ? Math.max(1, pictures.length) : 1;
  const frame = events.filter(({ name }) => name === 'DrawFrame').at(-1);
  return {
    script: script / 1000 / perPicture,
    task: task / 1000,
    tasks,
    painted: from === undefined || frame === undefined ? undefined : (frame.ts - from.ts) / 1000,
  };
}

/** In every page of a context, before its own scripts: marks when a mirror's rows of the flame graph arrive, and counts. */
export function watchFlameRows(): void {
  const counted = globalThis as unknown as { flameRowsSeen: number; Worker: typeof Worker };
  counted.flameRowsSeen = 0;
  for (const type of ['keydown', 'resize']) {
    addEventListener(
      type,
      ({ timeStamp }) => performance.mark('flame input', { startTime: timeStamp }),
      true,
    );
  }
  counted.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener(
        'message',
        (message: MessageEvent<{ type: string } | readonly { type: string }[]>) => {
          const startTime = performance.now();
          if (![message.data].flat().some(({ type }) => type === 'flameRows')) return;
          performance.mark('flame rows', { startTime });
          counted.flameRowsSeen++;
        },
      );
    }
  };
}
