/**
 * What a change of the scope costs at full size, in a real browser on a real host, with all panes on screen: from the key
 * to the last frame that is drawn because of it, by the browser's own trace.
 */
import type { Page } from 'playwright-core';
import { median, percentile } from '../median.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { ServedProgram } from '../served-window.ts';
import { UiTrace } from '../ui-trace.ts';
import { idle, openPane, press, rendererBytes, type Step } from './panes.ts';

const TRANSFORM_MS = 400;
const KEPT_MS = 50;
const THREADS_MS = 100;
const TASK_P95_MS = 16;
const BYTES_PER_NODE = 12;
const DETAIL_MS = 150;
const ROUNDS = 5;
/** Methods whose callers and callees are shown one after the other. */
const DETAILS = 20;
/** Of the log of 313 MB. */
const NODES = 7.7e6;

export const SCOPE_ROWS: readonly BenchRow[] = [
  { id: 'scope', what: 'a change of the scope, all panes, 7.7 M nodes', short: true, measure: measureScope },
  {
    id: 'detail',
    what: 'callers and callees of a method, 7.7 M nodes',
    short: false,
    measure: measureDetail,
  },
];

const UNDO = press('Control+z');
const REDO = press('Control+Shift+Z');

/** A method below `java.util.regex`, in which most samples end. */
async function selectMethod(page: Page): Promise<void> {
  await page
    .getByTestId('pane-flat')
    .locator('[role=row][data-row-id]', { hasText: 'Pattern$' })
    .first()
    .click();
}

async function measureScope(bench: Bench): Promise<readonly Figure[]> {
  const log = await bench.log('real', bench.short ? 26e6 : 313e6);
  const served = await ServedProgram.start(bench, { files: [log] });
  try {
    const page = await openPane(served, '4');
    await selectMethod(page);
    await idle(page);
    const before = await rendererBytes(served);
    const trace = new UiTrace(served.browser, page);
    await trace.start();
    const run = async ([name, act]: Step): Promise<void> => {
      await trace.step(name, async () => {
        await act(page);
        await idle(page);
      });
    };
    let within = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await run(['drop', press('Delete')]);
      await run(['drop undone', UNDO]);
      await run(['collapse', press('Shift+C')]);
      within = Math.max(within, await rendererBytes(served));
      await run(['collapse undone', UNDO]);
      await run(['collapse redone', REDO]);
      await run(['collapse recursion', press('Alt+r')]);
      await run(['collapse recursion undone', UNDO]);
      await run(['collapse undone', UNDO]);
    }
    const after = await rendererBytes(served);
    await run(['list of threads', press('Shift+T')]);
    await page.getByTestId('threads-panel').locator('[role=treeitem]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    for (let round = 0; round < ROUNDS; round++) {
      await run(['only this thread', press('Enter')]);
      await run(['all threads', press('Control+a')]);
      await run(['all but this thread', press('Delete')]);
      await run(['all threads', press('Control+a')]);
    }
    const costs = await trace.stop();
    const tasks = costs.flatMap((step) => step.tasks.map(({ ms }) => ms));
    const shown = new Map<string, number[]>();
    for (const { step, shown: ms = NaN } of costs) shown.set(step, [...(shown.get(step) ?? []), ms]);
    const worst = (...names: readonly string[]): number =>
      Math.max(...names.map((name) => median(shown.get(name) ?? [])));
    const detail = Object.fromEntries([...shown].map(([name, ms]) => [name, median(ms)]));
    return [
      {
        id: 'transform applied',
        value: worst('collapse', 'collapse redone', 'collapse recursion'),
        unit: 'ms',
        goal: TRANSFORM_MS,
        detail,
      },
      {
        id: 'transform undone, to another',
        value: worst('collapse recursion undone'),
        unit: 'ms',
        goal: TRANSFORM_MS,
      },
      // Back at the whole profile, whose views were kept: nothing is built.
      {
        id: 'last transform undone',
        value: worst('collapse undone'),
        unit: 'ms',
        goal: KEPT_MS,
      },
      { id: 'samples dropped', value: worst('drop', 'drop undone'), unit: 'ms', goal: TRANSFORM_MS },
      {
        id: 'threads chosen',
        value: worst('only this thread', 'all but this thread', 'all threads'),
        unit: 'ms',
        goal: THREADS_MS,
      },
      { id: 'list of threads', value: worst('list of threads'), unit: 'ms', goal: undefined },
      { id: 'UI task p95', value: percentile(tasks, 0.95), unit: 'ms', goal: TASK_P95_MS },
      {
        id: 'memory of a transform',
        value: (within - before) / NODES,
        unit: 'bytes',
        goal: bench.short ? undefined : BYTES_PER_NODE,
        detail: { beforeMB: before / 1e6, withinMB: within / 1e6, afterMB: after / 1e6 },
      },
      { id: 'kept after undo', value: (after - before) / 1e6, unit: 'MB', goal: undefined },
    ];
  } finally {
    await served.stop();
  }
}

/** From the key that opens the detail of a method, in the list of those with most samples, until it is on screen. */
async function measureDetail(bench: Bench): Promise<readonly Figure[]> {
  const log = await bench.log('real', bench.short ? 26e6 : 313e6);
  const served = await ServedProgram.start(bench, { files: [log] });
  try {
    const page = await openPane(served, '4');
    const methods = page.getByTestId('pane-flat').locator('[role=row][data-row-id]');
    await methods.first().click();
    await idle(page);
    const answers: number[] = [];
    for (let method = 0; method < DETAILS; method++) {
      const startedAt = performance.now();
      await page.keyboard.press('Enter');
      await idle(page);
      answers.push(performance.now() - startedAt);
      await page.getByTestId('pane-callers').waitFor();
      await page.getByTestId('pane-flat').locator('.virtual-rows').focus();
      await page.keyboard.press('ArrowDown');
      await idle(page);
    }
    return [
      { id: 'shown', value: median(answers), unit: 'ms', goal: DETAIL_MS, detail: { answers } },
      { id: 'shown, worst', value: Math.max(...answers), unit: 'ms', goal: undefined },
    ];
  } finally {
    await served.stop();
  }
}
