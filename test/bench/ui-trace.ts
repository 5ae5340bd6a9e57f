import type { Browser, Page } from 'playwright-core';

/** One event of Chromium's trace: times in microseconds of one monotonic clock. */
interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  /** Part of the duration in which the thread had a processor. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
}

/**
 * One task, milliseconds: how long it took, how much of that the thread had a processor for, and what of it was script
 * and collecting garbage, which may be in the middle of script. The rest is style, layout and paint. A task that had no
 * processor waited for other threads and programs.
 */
export interface Task {
  readonly ms: number;
  readonly processor: number;
  readonly script: number;
  readonly garbage: number;
}

/** Cost of one step on the UI thread; milliseconds. */
export interface StepCost {
  readonly step: string;
  /** JavaScript of one task, the most: handlers, timers, an animation frame, microtasks. */
  readonly script: number;
  /** Of all tasks: an animated zoom is painted ten times. */
  readonly allScript: number;
  /** The longest task, with style, layout and paint where they follow in the same one. */
  readonly task: number;
  /** Every task of a millisecond or more. */
  readonly tasks: readonly Task[];
  /**
   * From the input event, or where there is none the last rows' arrival, to the first frame with these rows; without rows
   * to the last frame drawn. undefined: no frame.
   */
  readonly painted: number | undefined;
  /** To the last frame drawn: an animation has ended, as far as the step waited for it. */
  readonly settled: number | undefined;
  /** From the first input event to the last frame drawn: what was asked for is on screen, in all panes. */
  readonly shown: number | undefined;
}

/** Only the categories that the figures need: every recorded event costs time on the measured thread. */
const CATEGORIES = [
  '-*',
  'toplevel',
  'v8',
  'v8.execute',
  'blink.user_timing',
  'disabled-by-default-devtools.timeline.frame',
];
const SCRIPT = new Set(['v8.callFunction', 'v8.run', 'RunMicrotasks', 'v8.evaluateModule']);
const TASK = new Set(['RunTask', 'ThreadControllerImpl::RunTask']);
const GARBAGE = new Set(['MajorGC', 'MinorGC']);
/**
 * Marks in the page: an input event, or the request of another view after a pause in typing; the arrival of rows of the
 * flame graph; the animation frame in which they are painted.
 */
const INPUT = 'flame input';
const ROWS = 'flame rows';
const PAINTING = 'flame painting';

/** Runs steps under Chromium's tracing, which measures time on the UI thread independently of the script. */
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

  /** One step: `act` resolves when its result is on screen. */
  async step(name: string, act: () => Promise<void>): Promise<void> {
    const number = this.#steps.push(name) - 1;
    await this.#page.evaluate((mark) => performance.mark(mark), `step ${number} begins`);
    await act();
    await this.#page.evaluate((mark) => performance.mark(mark), `step ${number} ends`);
  }

  /** The cost of every step, in order. */
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
  const scripts = outermost(ours, SCRIPT);
  const garbage = outermost(ours, GARBAGE);
  // One task may be recorded under both names.
  const tasks = outermost(ours, TASK);
  const from = last(events, INPUT) ?? last(events, ROWS);
  const painting = events.find(({ name, ts }) => name === PAINTING && ts >= (from?.ts ?? 0));
  const settled = last(events, 'DrawFrame');
  const painted =
    painting === undefined
      ? settled
      : events.find(({ name, ts }) => name === 'DrawFrame' && ts >= painting.ts);
  const scriptIn = ({ ts, dur = 0 }: TraceEvent): number =>
    sum(scripts.filter((script) => script.ts >= ts && script.ts < ts + dur));
  const since = (start: TraceEvent | undefined, frame: TraceEvent | undefined): number | undefined =>
    start === undefined || frame === undefined ? undefined : (frame.ts - start.ts) / 1000;
  return {
    script: Math.max(0, ...tasks.map(scriptIn)),
    allScript: sum(scripts),
    task: tasks.reduce((most, { dur = 0 }) => Math.max(most, dur), 0) / 1000,
    tasks: tasks
      .filter(({ dur = 0 }) => dur >= 1000)
      .map((task) => {
        const { ts, dur = 0, tdur = 0 } = task;
        return {
          ms: dur / 1000,
          processor: tdur / 1000,
          script: scriptIn(task),
          garbage: sum(garbage.filter((event) => event.ts >= ts && event.ts < ts + dur)),
        };
      }),
    painted: since(from, painted),
    settled: since(from, settled),
    shown: since(
      events.find(({ name }) => name === INPUT),
      settled,
    ),
  };
}

function last(events: readonly TraceEvent[], wanted: string): TraceEvent | undefined {
  return events.findLast(({ name }) => name === wanted);
}

/** Outermost events of these names; `events` in the order of their beginnings. */
function outermost(events: readonly TraceEvent[], names: ReadonlySet<string>): readonly TraceEvent[] {
  let end = 0;
  return events.filter(({ name, ts, dur = 0 }) => {
    if (!names.has(name) || ts < end) return false;
    end = ts + dur;
    return true;
  });
}

/** Milliseconds. */
function sum(events: readonly TraceEvent[]): number {
  return events.reduce((total, { dur = 0 }) => total + dur, 0) / 1000;
}

/**
 * In every page of a context, before its own scripts: marks when a mirror is asked for another view, when its rows of the
 * flame graph arrive, and when they are painted; counts them.
 */
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
        ({ data }: MessageEvent<{ readonly events?: readonly { readonly type: string }[] }>) => {
          const startTime = performance.now();
          if (data.events?.some(({ type }) => type === 'flame') !== true) return;
          performance.mark('flame rows', { startTime });
          counted.flameRowsSeen++;
          // The window's own listener, which comes next, requests the same frame.
          requestAnimationFrame(() => performance.mark('flame painting'));
        },
      );
    }

    override postMessage(message: unknown, transfer?: Transferable[] | StructuredSerializeOptions): void {
      const { requests } = message as { readonly requests?: readonly { readonly type: string }[] | 'close' };
      if (Array.isArray(requests) && requests.some(({ type }: { type: string }) => type === 'view'))
        performance.mark('flame input');
      super.postMessage(message, transfer as Transferable[]);
    }
  };
}
