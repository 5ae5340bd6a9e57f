import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contrast } from '../support/contrast.ts';
import { coloursIn, drawnLabels, recordLabels } from '../support/drawn-labels.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testSize } from '../support/test-size.ts';
import type { FlameFrame, LogWindow, PainterName } from '../support/window.ts';

const { openRead, openServerLog } = useWindows();

/** The window draws large graphs on a canvas. */
const PAINTERS = testSize<readonly PainterName[]>(['canvas'], ['canvas', 'd3']);

/** The frames that can be seen completely and are wide enough to have an inner part. */
async function framesInView(window: LogWindow, least = 8): Promise<readonly FlameFrame[]> {
  const { y, height } = (await window.page.locator('.flame-scroller').boundingBox())!;
  const frames = await window.flameFrames();
  return frames.filter(
    (frame) =>
      frame.kind !== 'block' && frame.width >= least && frame.y >= y && frame.y + frame.height <= y + height,
  );
}

/** Inside outline and gaps, before the label. */
function inside({ x, y, height }: FlameFrame): Parameters<typeof coloursIn>[1][number] {
  return { x: x + 2, y: y + 2, width: 2, height: height - 5 };
}

test.each([
  { painter: 'canvas', colorScheme: 'dark', log: 'server-small', samples: 1553 },
  // The window gives d3 only small graphs.
  { painter: 'd3', colorScheme: 'light', log: 'hello', samples: 37 },
] as const)('the frames of the selected method are tinted, and no others: %j', async (view) => {
  const window = await openRead(goldenPath(view.log), view.samples, { ...view, width: 880, height: 1000 });
  await window.flameDrawnBy(view.painter);
  const scrolled = (): Promise<number> =>
    window.page.locator('.flame-scroller').evaluate((element) => element.scrollTop);
  const start = await scrolled();
  const frames = await framesInView(window);
  const coloursOf = async (): Promise<readonly string[]> =>
    (await coloursIn(window.page, frames.map(inside))).map((colours) => colours.join());
  const before = await coloursOf();
  const tinted = async (): Promise<readonly string[]> => {
    await window.settled();
    expect(await scrolled()).toBe(start);
    const after = await coloursOf();
    return frames.filter((_, at) => after[at] !== before[at]).map(({ label }) => label);
  };
  const labelled = (label: string): readonly string[] =>
    frames.filter((frame) => frame.label === label).map((frame) => frame.label);

  const { label } = frames.find((frame) => frame.kind === 'frame' && labelled(frame.label).length > 1)!;
  await window.search(label);
  await window.part('pane-flat').locator('[data-index="0"]').click();
  await window.page.getByRole('button', { name: 'Clear the find field' }).click();
  expect(await tinted()).toEqual(labelled(label));

  const [error] = frames.filter(({ kind }) => kind === 'error');
  await window.part('pane-tree').getByRole('treegrid').focus();
  await window.page.keyboard.press('End');
  await window.settled();
  expect(await tinted()).toEqual(labelled(error.label));
  // A thread is no method.
  await window.page.keyboard.press('Home');
  expect(await tinted()).toEqual([]);
  expect(window.problems).toEqual([]);
});

test('a method that is selected elsewhere is scrolled to, or told to be too narrow', async () => {
  const window = await openServerLog({ height: 600 });
  const scroller = window.page.locator('.flame-scroller');
  const { y, height } = (await scroller.boundingBox())!;
  const frames = await window.flameFrames();
  const below = frames.filter((frame) => frame.kind === 'frame' && frame.y > y + height);
  const isBelow = (label: string): boolean =>
    frames.every((frame) => frame.label !== label || below.includes(frame));
  const { label } = below.find((frame) => isBelow(frame.label))!;
  await window.search(label);
  await window.part('pane-flat').locator('[data-index="0"]').click();
  await expect
    .poll(async () => {
      const drawn = (await window.flameFrames()).filter((frame) => frame.label === label);
      return drawn.some((frame) => frame.y >= y && frame.y + frame.height <= y + height);
    })
    .toBe(true);
  expect(await window.part('flame-details').textContent()).toMatch(
    /\d samples?, [\d.]+ % of what is shown, in \d+ places?$/,
  );

  // Each of one sample, which is less than a pixel.
  await window.page.getByRole('button', { name: 'Clear the find field' }).click();
  await window.search('HashMap');
  await window.part('pane-flat').locator('[data-index="0"]').click();
  await window.part('flame-details').getByText('each of its frames is narrower than a pixel').waitFor();
  expect(window.problems).toEqual([]);
});

test.each(PAINTERS)('a hatched block with matches is tinted, and no other; drawn by %s', async (painter) => {
  const file = join(temporaryFolder(), 'narrow.collapsed');
  const narrow = (caller: string, name: string): string[] =>
    Array.from({ length: 3_000 }, (_, at) => `${caller};${name}${at} 1`);
  writeFileSync(file, [...narrow('shop.A.a', 'shop.Hit.m'), ...narrow('shop.B.b', 'shop.Miss.m')].join('\n'));
  const window = await openRead(file, 6_000, { painter, width: 880 });
  await window.showPane('flame');
  const blocks = async (): Promise<readonly FlameFrame[]> => {
    await window.flameDrawnBy(painter);
    return (await window.flameFrames()).filter(({ kind }) => kind === 'block');
  };
  const colours = async (): Promise<readonly string[]> =>
    (await coloursIn(window.page, (await blocks()).map(inside))).map((each) => each.join());
  const before = await colours();
  // A fill and the lines over it.
  for (const each of before) expect(each.split(',').length).toBeGreaterThan(1);
  await window.search('Hit');
  expect((await blocks()).map(({ match }) => match)).toEqual([true, false]);
  const after = await colours();
  expect(after.map((each, at) => each !== before[at])).toEqual([true, false]);
  expect(after[0].split(',').length).toBeGreaterThan(1);
  expect(window.problems).toEqual([]);
});

test.each(PAINTERS)('dark labels can be read on every fill; drawn by %s', async (painter) => {
  const window = await openServerLog({ painter, colorScheme: 'dark', width: 640 });
  await window.showPane('flame');
  await recordLabels(window);
  const fills = new Set<string>();
  /** Adds the fills of the frames in view; the number of them that are new. */
  const check = async (): Promise<number> => {
    const known = fills.size;
    await window.flameDrawnBy(painter);
    const labels = await drawnLabels(window);
    const frames = (await framesInView(window)).flatMap((frame) => {
      const label = labels.find(
        ({ x, y }) => Math.abs(x - frame.x - 4) < 0.5 && y > frame.y && y < frame.y + frame.height,
      );
      return label === undefined ? [] : [{ frame, label }];
    });
    expect(frames.length).toBeGreaterThan(20);
    const colours = await coloursIn(
      window.page,
      frames.map(({ frame }) => inside(frame)),
    );
    frames.forEach(({ label }, at) => {
      expect(colours[at].length).toBeGreaterThan(0);
      for (const fill of colours[at]) {
        fills.add(fill);
        expect(contrast(label.colour, fill), `${label.text} on ${fill}`).toBeGreaterThanOrEqual(4.5);
      }
    });
    return fills.size - known;
  };
  await window.page.keyboard.press('Alt+i');
  expect(await check()).toBeGreaterThan(10);
  await window.page.locator('.flame-canvas').focus();
  // A selected frame, then samples without a stack, which are last.
  for (const keys of [['Home', 'ArrowUp'], Array<string>(60).fill('ArrowRight')]) {
    for (const key of keys) await window.page.keyboard.press(key);
    expect(await check()).toBeGreaterThan(0);
  }
  // The selected frame and others match, then do not.
  for (const text of ['ServerSim', 'No stack']) {
    await window.search(text);
    expect(await check()).toBeGreaterThan(0);
    await window.page.getByRole('button', { name: 'Clear the find field' }).click();
  }
  expect(window.problems).toEqual([]);
});
