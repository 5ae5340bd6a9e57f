/**
 * A day with 1.2 million samples in the window: the heatmap's first picture, and the timeline while the wheel zooms it, with
 * all panes on screen. From the input to the task after the frame that has the new picture.
 */
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { RecordOutput } from '../../support/log-writer/record-output.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { median, percentile } from '../median.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { ServedProgram } from '../served-window.ts';
import { UiTrace } from '../ui-trace.ts';
import { idle, openPane } from './panes.ts';

const HEATMAP_MS = 300;
const TASK_MS = 16;
const SAMPLES = 1_200_000;
const SHORT_SAMPLES = 100_000;
const DAY_SECONDS = 86_400;
const METHODS = 300;
const FRAMES = 4;
const HEATMAPS = 5;
const ZOOMS = 12;

export const DAY_ROWS: readonly BenchRow[] = [
  { id: 'day-window', what: 'a day with 1.2 M samples in the window', short: true, measure },
];

async function measure(bench: Bench): Promise<readonly Figure[]> {
  const served = await ServedProgram.start(bench, { files: [dayLog(bench)] });
  try {
    const page = await openPane(served, '4');
    await page.evaluate(watchDrawing);
    const trace = new UiTrace(served.browser, page);
    await trace.start();
    const zooms = await zoomTimeline(page, trace);
    const tasks = (await trace.stop()).flatMap(({ tasks: ofStep }) => ofStep.map(({ ms }) => ms));
    const heatmaps: number[] = [];
    for (let heatmap = 0; heatmap < HEATMAPS; heatmap++) {
      heatmaps.push(await drawn(page, 'timeline', () => page.keyboard.press('7')));
      await idle(page);
      await page.keyboard.press('7');
      await idle(page);
    }
    return [
      {
        id: 'first heatmap',
        value: heatmaps[0],
        unit: 'ms',
        goal: HEATMAP_MS,
        detail: { again: median(heatmaps.slice(1)) },
      },
      { id: 'timeline zoomed, p95', value: percentile(zooms, 0.95), unit: 'ms', goal: undefined },
      { id: 'its UI tasks, p95', value: percentile(tasks, 0.95), unit: 'ms', goal: TASK_MS },
    ];
  } finally {
    await served.stop();
  }
}

async function zoomTimeline(page: Page, trace: UiTrace): Promise<readonly number[]> {
  const plot = await page.getByTestId('timeline-plot').boundingBox();
  if (plot === null) throw new Error('no timeline');
  await page.mouse.move(plot.x + plot.width / 3, plot.y + plot.height / 2);
  const zooms: number[] = [];
  for (let zoom = 0; zoom < ZOOMS; zoom++) {
    // Six steps in and six out again.
    const by = zoom < ZOOMS / 2 ? -100 : 100;
    await trace.step('zoom', async () => {
      zooms.push(await drawn(page, 'timeline-plot', () => page.mouse.wheel(0, by)));
    });
  }
  return zooms;
}

interface Watched {
  /** When an input arrived. */
  input: number;
  /** Class of an element around a canvas -> when the frame with its last drawing was over. */
  readonly drawn: Map<string, number>;
}

/** Milliseconds from the input that `act` makes to the last picture of a canvas in an element of this class. */
async function drawn(page: Page, inside: string, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const { watched } = globalThis as unknown as { watched: Watched };
    watched.input = NaN;
    watched.drawn.clear();
  });
  await act();
  await idle(page);
  await page.waitForFunction(
    (name) => (globalThis as unknown as { watched: Watched }).watched.drawn.has(name),
    inside,
  );
  return page.evaluate((name) => {
    const { watched } = globalThis as unknown as { watched: Watched };
    return (watched.drawn.get(name) ?? NaN) - watched.input;
  }, inside);
}

/** Runs in the page. */
function watchDrawing(): void {
  const watched: Watched = { input: NaN, drawn: new Map() };
  Object.assign(globalThis, { watched });
  for (const type of ['keydown', 'pointerdown', 'wheel'])
    addEventListener(type, ({ timeStamp }) => (watched.input = timeStamp), true);
  let canvases = new Set<HTMLCanvasElement>();
  const noteAll = (): void => {
    const shown = canvases;
    canvases = new Set();
    setTimeout(() => {
      for (const canvas of shown)
        for (let at: Element | null = canvas; at !== null; at = at.parentElement)
          for (const name of at.classList) watched.drawn.set(name, performance.now());
    });
  };
  const note = (canvas: HTMLCanvasElement): void => {
    if (canvases.size === 0) requestAnimationFrame(noteAll);
    canvases.add(canvas);
  };
  const context = CanvasRenderingContext2D.prototype;
  for (const method of ['fillRect', 'putImageData'] as const) {
    const draw = Reflect.get(context, method) as (...values: unknown[]) => void;
    context[method] = function (this: CanvasRenderingContext2D, ...values: unknown[]) {
      note(this.canvas);
      draw.apply(this, values);
    };
  }
}

/** Samples at random times of a day, nearly in their order. */
function dayLog(bench: Bench): string {
  const samples = bench.short ? SHORT_SAMPLES : SAMPLES;
  const path = join(bench.folder, `day-${samples}.hpl`);
  if (existsSync(path)) return path;
  bench.say(`writing a log: ${samples} samples of a day …`);
  const random = new SeededRandom(1);
  const file = openSync(path, 'w');
  const output = new RecordOutput((block) => {
    for (let written = 0; written < block.length;) written += writeSync(file, block, written);
  });
  output.thread(0, 1, 'main');
  for (let method = 1; method <= METHODS; method++)
    output.method(0, method, 'Day.java', 'Lday/Day;', `work${method}`);
  for (let sample = 0; sample < samples; sample++) {
    const at = (sample / samples) * (DAY_SECONDS - 1) + random.next();
    output.traceStart(FRAMES, 0, 1, Math.floor(at), Math.floor((at % 1) * 1e9));
    for (let frame = 0; frame < FRAMES; frame++) output.frame(0, 1 + random.below(METHODS), 1, 1);
  }
  output.flush();
  closeSync(file);
  return path;
}
