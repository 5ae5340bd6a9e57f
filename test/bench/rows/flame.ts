import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, closeSync, copyFileSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { percentile } from '../median.ts';
import { leanscope } from '../processes.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { type StepCost, UiTrace, watchFlameRows } from '../ui-trace.ts';

export const FLAME_ROWS: readonly BenchRow[] = [
  {
    id: 'flame-real',
    what: 'flame graph: zoom, update, resize, search at 7.7 M call nodes, 1440 px',
    short: true,
    measure: (bench) => measureFlame(bench, 1440, bench.short ? 26e6 : 313e6, bench.short ? 6 : 12),
  },
  {
    id: 'flame-wide',
    what: 'the same, 2560 px',
    short: false,
    measure: (bench) => measureFlame(bench, 2560, 313e6, 12),
  },
];

async function measureFlame(
  bench: Bench,
  width: number,
  bytes: number,
  rounds: number,
): Promise<readonly Figure[]> {
  const log = await bench.log('real', bytes);
  const growing = join(bench.folder, 'flame-growing.hpl');
  copyFileSync(log, growing);
  const { server, url } = await serve(bench, growing);
  const browser = await chromium.launch({
    executablePath: bench.chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  try {
    const page = await openFlame(browser, url, width);
    const costs = await runSteps(browser, page, width, growing, log, rounds);
    return figuresOf(costs, await drawnFrames(page));
  } finally {
    await browser.close();
    server.kill();
  }
}

async function runSteps(
  browser: Browser,
  page: Page,
  width: number,
  growing: string,
  source: string,
  rounds: number,
): Promise<readonly StepCost[]> {
  const trace = new UiTrace(browser, page);
  const press = (key: string) => async (): Promise<void> => {
    await page.keyboard.press(key);
    await idle(page);
  };
  await trace.start();
  for (let round = 0; round < rounds; round++) {
    await page.getByTestId('pane-flame').locator('.flame-canvas').focus();
    await page.keyboard.press('Home');
    for (let level = 0; level < 2 + (round % 3); level++) await page.keyboard.press('ArrowUp');
    if (round % 2 === 1) await page.keyboard.press('ArrowRight');
    await trace.step('zoom in', press('Space'));
    await page.keyboard.press('ArrowUp');
    await trace.step('zoom in', press('Space'));
    await trace.step('zoom out', press('Backspace'));
    await trace.step('reset', press('0'));
    await trace.step('resize', async () => {
      await page.setViewportSize({ width: round % 2 === 0 ? width - 80 : width, height: 900 });
      await idle(page);
    });
    await page.keyboard.press('Control+f');
    for (const key of 'get') {
      await trace.step('search', async () => {
        await withNextRows(page, () => page.keyboard.press(key));
        await idle(page);
      });
    }
    await page.keyboard.press('Escape');
    await idle(page);
    await trace.step('update', async () => {
      await withNextRows(page, () => appendPart(growing, source, round));
      await idle(page);
    });
  }
  return trace.stop();
}

interface Counted {
  readonly flameRowsSeen: number;
}

/** Resolves when the page has got the rows of another flame graph. */
async function withNextRows(page: Page, act: () => Promise<void> | void): Promise<void> {
  const seen = await page.evaluate(() => (globalThis as unknown as Counted).flameRowsSeen);
  await act();
  await page.waitForFunction((count) => (globalThis as unknown as Counted).flameRowsSeen > count, seen);
}

const PART_BYTES = 200_000;

/** Appends the next part of the recorded log: its ids are known, not all of its stacks are new. */
function appendPart(growing: string, source: string, part: number): void {
  const bytes = Buffer.alloc(PART_BYTES);
  const file = openSync(source, 'r');
  const read = readSync(file, bytes, 0, PART_BYTES, part * PART_BYTES);
  closeSync(file);
  appendFileSync(growing, bytes.subarray(0, read));
}

async function openFlame(browser: Browser, url: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  await context.addInitScript(watchFlameRows);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.waitForFunction(() => window.leanscopeIdle !== undefined);
  await page.keyboard.press('3');
  await page.locator('[data-state=live], [data-state=idle]').first().waitFor();
  await idle(page);
  // The root at the bottom, whatever the depth: the keys of the steps go up to callees.
  await page.getByRole('radio', { name: 'Upward' }).click();
  await idle(page);
  return page;
}

async function idle(page: Page): Promise<void> {
  await page.evaluate(() => window.leanscopeIdle?.());
}

async function drawnFrames(page: Page): Promise<number> {
  const text = (await page.getByTestId('flame-drawn').textContent()) ?? '';
  return Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
}

/** Processor time of the task with the most: what its UI task takes where nothing else runs. */
function processorOf({ tasks }: StepCost): number {
  return Math.max(0, ...tasks.map(({ processor }) => processor));
}

function figuresOf(costs: readonly StepCost[], drawn: number): readonly Figure[] {
  const p95 = (of: readonly StepCost[], figure: (cost: StepCost) => number | undefined): number =>
    percentile(
      of.flatMap((cost) => figure(cost) ?? []),
      0.95,
    );
  const byStep = Object.fromEntries(
    [...new Set(costs.map(({ step }) => step))].map((step) => {
      const own = costs.filter((cost) => cost.step === step);
      const rounded = (figure: (cost: StepCost) => number | undefined): number =>
        Math.round(p95(own, figure) * 10) / 10;
      return [
        step,
        {
          script: rounded(({ script }) => script),
          allScript: rounded(({ allScript }) => allScript),
          task: rounded(({ task }) => task),
          processor: rounded(processorOf),
          painted: rounded(({ painted }) => painted),
          settled: rounded(({ settled }) => settled),
        },
      ];
    }),
  );
  const detail = { drawn, steps: costs.length, p95: byStep };
  return [
    { id: 'script p95', value: p95(costs, ({ script }) => script), unit: 'ms', goal: 16, detail },
    { id: 'painted p95', value: p95(costs, ({ painted }) => painted), unit: 'ms', goal: 100 },
    { id: 'settled p95', value: p95(costs, ({ settled }) => settled), unit: 'ms', goal: undefined },
    { id: 'UI task p95', value: p95(costs, ({ task }) => task), unit: 'ms', goal: 16 },
    { id: 'UI task max', value: Math.max(...costs.map(({ task }) => task)), unit: 'ms', goal: 50 },
    { id: 'processor p95', value: p95(costs, processorOf), unit: 'ms', goal: undefined },
    { id: 'frames drawn', value: drawn, unit: 'frames', goal: undefined },
  ];
}

async function serve(
  bench: Bench,
  file: string,
): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const { program, args } = leanscope('serve', '--no-open', file);
  const server = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    // A configuration folder of its own, so that its recent files are separate.
    env: { ...process.env, XDG_CONFIG_HOME: bench.folder },
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      const address = /http:\/\/\S+/.exec(text)?.[0];
      if (address !== undefined && text.includes('\n')) resolve(address);
    });
    server.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
  return { server, url };
}
