/**
 * What tree and flat list ask of the page's thread at full size: keys, wheel, scroll bar, sorting, searching,
 * regrouping, in a real browser on a real host. A task is what Chromium's trace says one was, script, style, layout and
 * paint together; tasks under a millisecond, which are most, are left out of the percentile.
 */
import type { Page } from 'playwright-core';
import { median, percentile } from '../median.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { ownBytes, rendererPids, ServedProgram } from '../served-window.ts';
import { UiTrace, watchFlameRows } from '../ui-trace.ts';

const TASK_P95_MS = 16;
const TASK_MAX_MS = 50;
const MEMORY_GROWTH = 1.25;

export const PANE_ROWS: readonly BenchRow[] = [
  { id: 'panes-tree', what: 'call tree on screen, 7.7 M nodes', short: true, measure: pane('tree') },
  { id: 'panes-flat', what: 'flat list on screen, 7.7 M nodes', short: false, measure: pane('flat') },
  {
    id: 'panes-memory',
    what: 'memory after four changes of grouping, 7.7 M nodes',
    short: false,
    measure: measureMemory,
  },
];

export type Step = readonly [name: string, act: (page: Page) => Promise<void>];

export const press =
  (...keys: readonly string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

function pane(which: 'tree' | 'flat'): (bench: Bench) => Promise<readonly Figure[]> {
  return async (bench) => {
    const log = await bench.log('real', bench.short ? 26e6 : 313e6);
    const served = await ServedProgram.start(bench, { files: [log] });
    try {
      const { browser } = served;
      const page = await openPane(served, which === 'tree' ? '1' : '2');
      await page.getByTestId(`pane-${which}`).locator('.virtual-rows').focus();
      const trace = new UiTrace(browser, page);
      const answers = new Map<string, number[]>();
      await trace.start();
      for (const [name, act] of stepsOf(which)) {
        await trace.step(name, async () => {
          const startedAt = performance.now();
          await act(page);
          await idle(page);
          answers.set(name, [...(answers.get(name) ?? []), performance.now() - startedAt]);
        });
      }
      const costs = await trace.stop();
      const longestFirst = costs
        .flatMap(({ step, tasks: ofStep }) => ofStep.map((task) => ({ step, ...task })))
        .sort((a, b) => b.ms - a.ms);
      const tasks = longestFirst.map(({ ms }) => ms);
      const steps = Object.fromEntries(
        [...answers].map(([name, milliseconds]) => [
          name,
          {
            longestTask: Math.max(...costs.filter(({ step }) => step === name).map(({ task }) => task)),
            answered: median(milliseconds),
          },
        ]),
      );
      return [
        {
          id: 'UI task p95',
          value: percentile(tasks, 0.95),
          unit: 'ms',
          goal: TASK_P95_MS,
          detail: { tasks: tasks.length, steps },
        },
        {
          id: 'UI task max',
          value: Math.max(...tasks),
          unit: 'ms',
          goal: TASK_MAX_MS,
          detail: { longest: longestFirst.slice(0, 10) },
        },
        // Two frames of this time are waiting for the screen.
        { id: 'answer, median', value: median([...answers.values()].flat()), unit: 'ms', goal: undefined },
        {
          id: 'answer, longest',
          value: Math.max(...[...answers.values()].flat()),
          unit: 'ms',
          goal: undefined,
        },
      ];
    } finally {
      await served.stop();
    }
  };
}

function stepsOf(which: 'tree' | 'flat'): readonly Step[] {
  const rows = `[data-testid=pane-${which}] .virtual-rows`;
  const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);
  const sorts =
    which === 'tree' ? ['label', 'totalCount', 'selfCount'] : ['label', 'selfCount', 'totalCount'];
  return [
    ['first', press('Home')],
    ...(which === 'flat'
      ? []
      : [
          ...times(20, ['open', press('ArrowRight')]),
          ...times(20, ['close', press('ArrowLeft')]),
          ...times(3, ['open the hot path', press('Alt+ArrowDown')]),
          ['open everything', press('Home', '*')] as Step,
        ]),
    ...times(20, ['next row', press('ArrowDown')]),
    ...times(10, ['next page', press('PageDown')]),
    ['last', press('End')],
    ['first', press('Home')],
    [
      'wheel',
      async (page) => {
        await page.hover(rows);
        for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 900);
      },
    ],
    [
      'scroll bar',
      async (page) => {
        await page.locator(rows).evaluate(async (element) => {
          for (let move = 0; move < 40; move++) {
            element.scrollTop = Math.abs(Math.sin(move / 9)) * element.scrollHeight;
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
        });
      },
    ],
    ...sorts.flatMap((by): Step[] =>
      times(2, [
        `sort by ${by}`,
        (page) => page.getByTestId(`pane-${which}`).locator(`[data-sort=${by}]`).first().click(),
      ]),
    ),
    [
      'search',
      async (page) => {
        await page.keyboard.press('Control+f');
        await page.keyboard.type('java.util.regex', { delay: 30 });
      },
    ],
    ['search no more', press('Control+a', 'Delete', 'Escape')],
    ...['line', 'method-id', 'fqmn'].map((frames): Step => [`group by ${frames}`, groupBy(frames)]),
  ];
}

const groupBy =
  (frames: string) =>
  async (page: Page): Promise<void> => {
    await page.getByTestId('view').click();
    await page.getByTestId('frame-grouping').selectOption(frames);
    await page.keyboard.press('Escape');
  };

async function measureMemory(bench: Bench): Promise<readonly Figure[]> {
  const served = await ServedProgram.start(bench, { files: [await bench.log('real', 313e6)] });
  try {
    const page = await openPane(served, '1');
    const before = await rendererBytes(served);
    const after: Record<string, number> = {};
    for (const frames of ['line', 'bci', 'method-id', 'fqmn']) {
      await groupBy(frames)(page);
      await idle(page);
      after[frames] = (await rendererBytes(served)) / 1e6;
    }
    const detail = { beforeMB: before / 1e6, afterMB: after };
    return [
      { id: 'after ÷ before', value: (after.fqmn * 1e6) / before, unit: '×', goal: MEMORY_GROWTH, detail },
      { id: 'most', value: Math.max(...Object.values(after)), unit: 'MB', goal: undefined },
    ];
  } finally {
    await served.stop();
  }
}

/** What all pages' processes keep, without their garbage; NaN where the system does not report it. */
export async function rendererBytes({ browser }: ServedProgram): Promise<number> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    await page.requestGC();
    for (const worker of page.workers()) await worker.evaluate(() => gc?.());
  }
  const pids = await rendererPids(browser);
  return pids.map((pid) => ownBytes(pid) ?? NaN).reduce((sum, bytes) => sum + bytes, 0);
}

/** Opens the window with one pane, or all; resolves when the log is read and on screen. */
export async function openPane({ browser, url }: ServedProgram, key: '1' | '2' | '4'): Promise<Page> {
  // Beside the summary the methods have all of their columns.
  const context = await browser.newContext({ viewport: { width: 1440, height: 720 } });
  await context.addInitScript(watchFlameRows);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.waitForFunction(() => window.leanscopeIdle !== undefined);
  await page.keyboard.press(key);
  await page.locator('[data-state=live], [data-state=idle]').first().waitFor();
  await idle(page);
  return page;
}

/** Resolves when nothing is being computed or drawn. */
export async function idle(page: Page): Promise<void> {
  await page.evaluate(() => window.leanscopeIdle?.());
}
