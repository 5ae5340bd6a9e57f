import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import type { LogWindow, WindowOptions } from '../support/window.ts';

const { openServerLog } = useWindows();

/** What one callback drew on the canvas of the flame graph. */
interface Paint {
  levels: number;
  labels: number;
}

declare global {
  interface Window {
    paints: Paint[];
  }
}

/** Counts the work of each callback that draws: `window.paints`. */
async function countPaints(window: LogWindow): Promise<void> {
  await window.page.evaluate(() => {
    globalThis.window.paints = [];
    let open: Paint | undefined;
    const note = (canvas: HTMLCanvasElement, what: keyof Paint): void => {
      if (canvas.className !== 'flame-canvas-layer') return;
      if (open === undefined) {
        globalThis.window.paints.push((open = { levels: 0, labels: 0 }));
        // Runs when the callback has ended.
        queueMicrotask(() => (open = undefined));
      }
      open[what]++;
    };
    const count = (method: 'putImageData' | 'fillText', what: keyof Paint): void => {
      const context = CanvasRenderingContext2D.prototype;
      const draw = Reflect.get(context, method) as (...values: unknown[]) => void;
      context[method] = function (this: CanvasRenderingContext2D, ...values: unknown[]) {
        note(this.canvas, what);
        draw.apply(this, values);
      };
    };
    count('putImageData', 'levels');
    count('fillText', 'labels');
  });
}

async function openFlame(options: WindowOptions): Promise<LogWindow> {
  const window = await openServerLog({ painter: 'canvas', ...options });
  await window.showPane('flame');
  await window.settled();
  return window;
}

/** Height of a level and of the part drawn beyond the visible one, CSS pixels. */
const LEVEL = 19;
const OVERSCAN = 256;

test('a zoom draws what is seen, frame by frame, and once what is not; a step draws two methods', async () => {
  const window = await openFlame({ width: 900, height: 500 });
  const { page } = window;
  const paints = (): Promise<readonly Paint[]> => page.evaluate(() => globalThis.window.paints);
  const forgetPaints = (): Promise<void> => page.evaluate(() => void (globalThis.window.paints = []));
  const scroller = page.locator('.flame-scroller');
  const { height } = (await scroller.boundingBox())!;
  const seen = Math.ceil(height / LEVEL);
  const overscanPainted = (): Promise<void> =>
    expect
      .poll(async () => (await paints()).at(-1)?.levels)
      .toBe(Math.ceil((height + OVERSCAN) / LEVEL) - seen);
  await countPaints(window);
  await page.setViewportSize({ width: 1000, height: 500 });
  // The graph before is drawn first, with its surroundings.
  await window.settled();
  await overscanPainted();
  await forgetPaints();
  await window.clickFrame('java.lang.Thread.run');
  await overscanPainted();
  const [overscan, last, ...moving] = [...(await paints())].reverse();
  const labelled = (await window.flameFrames()).filter(({ width }) => width >= 35);
  expect(last.levels).toBe(seen);
  expect(last.labels).toBeGreaterThan(10);
  expect(last.labels).toBeLessThanOrEqual(labelled.filter(({ depth }) => depth < seen).length);
  expect(overscan.labels).toBeLessThanOrEqual(labelled.filter(({ depth }) => depth >= seen).length);
  // The tint of the frame that the click selects may be painted before the first step of the zoom.
  if (moving.at(-1)?.levels === 1) moving.pop();
  for (const { levels } of moving) expect(levels).toBe(seen);

  await forgetPaints();
  await page.locator('.flame-canvas').focus();
  const frames = await window.flameFrames();
  const selected = async (): Promise<string> =>
    (await page.locator('.frame-marked').getAttribute('aria-label'))!.split(', ')[0];
  let label = await selected();
  for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowRight']) {
    const before = label;
    await page.keyboard.press(key);
    await window.settled();
    label = await selected();
    // The levels in which the tint of the selected method has changed.
    const tinted = frames.filter((frame) => [before, label].includes(frame.label)).map(({ depth }) => depth);
    const levels = (await paints()).reduce((sum, paint) => sum + paint.levels, 0);
    expect(levels).toBeLessThanOrEqual(before === label ? 0 : new Set(tinted).size);
    await forgetPaints();
  }
  // As far as it was drawn ahead.
  await scroller.evaluate((element) => element.scrollBy(0, 100));
  await window.settled();
  expect(await paints()).toEqual([]);

  // Further: the visible part with its surroundings, at once.
  await scroller.evaluate((element) => element.scrollBy(0, 600));
  await expect.poll(async () => (await paints()).length).toBe(1);
  const { levels } = (await paints())[0];
  expect(Math.abs(levels - Math.ceil((height + 2 * OVERSCAN) / LEVEL))).toBeLessThanOrEqual(1);

  // A wider pane: another graph.
  await forgetPaints();
  await page.setViewportSize({ width: 1100, height: 500 });
  await expect.poll(async () => (await paints()).length).toBeGreaterThan(1);
  const [first] = await paints();
  expect(first.levels).toBeLessThanOrEqual(seen + 1);
  expect(window.problems).toEqual([]);
});
