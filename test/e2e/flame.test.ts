import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBuiltProgram } from '../support/built-program.ts';
import { launchChromium } from '../support/chromium.ts';
import { goldenPath } from '../support/read-log.ts';
import { serve } from '../support/served.ts';
import { LogWindow, type Painter, type WindowOptions } from '../support/window.ts';

useBuiltProgram();

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function openFlame(options: WindowOptions): Promise<LogWindow> {
  const { url } = await serve(goldenPath('server-small'));
  const window = await LogWindow.open(browser, url, options);
  await window.samplesShown(1553);
  await window.showPane('flame');
  return window;
}

/** The picture's pixels that differ by more than a shade, of all of them. */
async function difference(window: LogWindow, one: Buffer, other: Buffer): Promise<number> {
  return window.page.evaluate(
    async (pictures) => {
      const [a, b] = await Promise.all(
        pictures.map(async (png) => {
          const image = new Image();
          image.src = `data:image/png;base64,${png}`;
          await image.decode();
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
          context.drawImage(image, 0, 0);
          return context.getImageData(0, 0, image.width, image.height).data;
        }),
      );
      let different = 0;
      for (let at = 0; at < a.length; at += 4) {
        if ([0, 1, 2].some((channel) => Math.abs(a[at + channel] - b[at + channel]) > 16)) different++;
      }
      return different / (a.length / 4);
    },
    [one.toString('base64'), other.toString('base64')],
  );
}

describe.each<Painter>(['moving', 'settled'])('while the painter is that of %s pictures', (painter) => {
  async function open(): Promise<LogWindow> {
    return openFlame({ neverSettles: painter === 'moving' });
  }

  /** Everything that is asked for is on screen, by this painter. */
  async function drawn(window: LogWindow): Promise<void> {
    await window.settled();
    if (painter === 'settled') await window.flameSettled();
    else expect(await window.page.locator('.flame-settled g').count()).toBe(0);
  }

  test('it zooms by pointer and key, turns, and comes back', async () => {
    const window = await open();
    await drawn(window);
    await window.clickFrame('java.lang.Thread.run');
    await drawn(window);
    const zoomed = await window.flameFrames();
    expect(zoomed[0].label).toBe('java.lang.Thread.run');
    expect(zoomed.length).toBeGreaterThan(100);

    await window.page.keyboard.press('0');
    await drawn(window);
    const [root] = await window.flameFrames();
    expect(root.label).toBe('All Threads');
    await window.page.keyboard.press('i');
    await drawn(window);
    expect((await window.flameFrames())[0].y).toBeLessThan(root.y);
    expect(window.problems).toEqual([]);
  });

  test('it says what the frame under the pointer weighs, and marks what is searched', async () => {
    const window = await open();
    await drawn(window);
    await window.hoverFrame('AGCT.UnknownJavaErr5');
    await window.settled();
    expect(await window.part('flame-details').textContent()).toMatch(/AGCT\.UnknownJavaErr5.*421 samples/);
    expect(await window.page.locator('.frame-hover').getAttribute('title')).toMatch(
      /^AGCT\.UnknownJavaErr5\n421 samples/,
    );
    await window.search('UnknownJava');
    await drawn(window);
    const matches = (await window.flameFrames()).filter(({ match }) => match);
    expect(matches.map(({ label }) => label)).toEqual(['AGCT.UnknownJavaErr5']);
    expect(window.problems).toEqual([]);
  });

  test('keys lead from frame to frame, each told as an item of a tree that lies on its frame', async () => {
    const window = await open();
    const tree = window.page.locator('.flame-canvas');
    await tree.focus();
    const steps: string[] = [];
    for (const key of ['Home', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
      await window.page.keyboard.press(key);
      await drawn(window);
      const item = window.page.locator(`[id="${await tree.getAttribute('aria-activedescendant')}"]`);
      const [name] = (await item.getAttribute('aria-label'))!.split(', ');
      steps.push(`${key} ${await item.getAttribute('aria-level')} ${name}`);
      const place = (await item.boundingBox())!;
      const frame = (await window.flameFrames()).find(({ x, y }) => x === place.x && y === place.y);
      expect(frame?.label).toBe(name);
      const { y, height } = (await window.page.locator('.flame-scroller').boundingBox())!;
      expect(place.y >= y && place.y + place.height <= y + height).toBe(true);
    }
    expect(steps).toMatchInlineSnapshot(`
      [
        "Home 1 All Threads",
        "ArrowUp 2 AGCT.UnknownJavaErr5",
        "ArrowRight 2 AGCT.UnknownNotJava3",
        "ArrowRight 2 ServerSim$Chain.next",
        "ArrowUp 3 ServerSim$RegexHandler.handle",
        "ArrowDown 2 ServerSim$Chain.next",
      ]
    `);
    expect(window.problems).toEqual([]);
  });

  test('the menu of a frame opens by pointer and key', async () => {
    const window = await open();
    await drawn(window);
    const { x, y } = await window.pointOf('java.lang.Thread.run');
    await window.page.mouse.click(x, y, { button: 'right' });
    await window.page.getByRole('menu', { name: 'Actions for java.lang.Thread.run' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.page.locator('.flame-canvas').focus();
    await window.page.keyboard.press('Shift+F10');
    await window.page.getByRole('menu', { name: 'Actions for java.lang.Thread.run' }).waitFor();
    expect(window.problems).toEqual([]);
  });
});

test.each<WindowOptions & { readonly search?: string; readonly icicle?: boolean }>([
  {},
  { colorScheme: 'dark', search: 'match' },
  { pixelRatio: 2, icicle: true },
])('both painters draw the same pixels: %j', async ({ search, icicle, ...options }) => {
  const window = await openFlame(options);
  const pane = window.page.locator('.flame-scroller');
  if (search !== undefined) await window.search(search);
  if (icicle === true) await window.page.keyboard.press('i');
  await window.flameSettled();
  const settled = await pane.screenshot();
  // The other one is still there, hidden, until the next change.
  await window.page.locator('.flame-picture').evaluate((element) => (element.dataset.painter = 'moving'));
  const moving = await pane.screenshot();
  expect(await difference(window, settled, moving)).toBeLessThan(0.0005);
  expect(window.problems).toEqual([]);
});

test('at every level what is drawn, smaller frames and self add up to the parent', async () => {
  const window = await openFlame({});
  const frames = await window.flameFrames();
  expect(frames.some(({ kind }) => kind === 'remainder')).toBe(true);
  const children = new Map<number, number>();
  for (const { parent, totalCount } of frames) children.set(parent, (children.get(parent) ?? 0) + totalCount);
  for (const [at, { kind, label, selfCount, totalCount }] of frames.entries()) {
    if (kind !== 'remainder') expect((children.get(at) ?? 0) + selfCount, label).toBe(totalCount);
  }
});
