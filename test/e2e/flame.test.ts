import { describe, expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import type { FlameFrame, LogWindow, PainterName, WindowOptions } from '../support/window.ts';

declare global {
  interface Window {
    /** Colours of the minimap when it was added to the page. */
    firstMinimap?: number;
  }
}

const { openRead, openServerLog } = useWindows();

/** With the root at the bottom; `isTurned` false: as the window opens it, which is from the top for a deep graph. */
async function openFlame(options: WindowOptions, isTurned = true): Promise<LogWindow> {
  const window = await openServerLog(options);
  await window.showPane('flame');
  if (isTurned) await window.page.keyboard.press('Alt+i');
  await window.settled();
  return window;
}

/** The label of the frame or block with this top left corner. */
function labelAt({ page }: LogWindow, { x, y }: { x: number; y: number }): Promise<string | undefined> {
  return page.evaluate(
    (corner) =>
      globalThis.window.leanscopeFrames?.().find((frame) => frame.x === corner.x && frame.y === corner.y)
        ?.label,
    { x, y },
  );
}

interface Painted extends WindowOptions {
  readonly painter: PainterName;
}

describe.each<Painted>([
  {
    painter: 'canvas',
  },
  {
    painter: 'd3',
    // Fewer frames: the window gives this painter at most some four hundred.
    width: 420,
  },
])('drawn by $painter', ({ painter, ...options }) => {
  /** Waits until everything requested is on screen, drawn by this painter. */
  const drawn = (window: LogWindow): Promise<void> => window.flameDrawnBy(painter);

  test('by pointer: what a frame weighs, its menu, zoom; what is searched is marked; by keys: each frame as an item of a tree, menu, zoom, turn', async () => {
    const window = await openFlame({ painter, ...options });
    await drawn(window);
    await window.hoverFrame('No stack');
    await window.settled();
    expect(await window.part('flame-details').textContent()).toMatch(/No stack.*561 samples/);
    expect(await window.part('frame-tip').textContent()).toMatch(/^No stack561 samples/);
    await window.search('no stack');
    await drawn(window);
    const matches = (await window.flameFrames()).filter(({ match }) => match);
    expect(matches.map(({ label }) => label)).toEqual(['No stack']);

    const { x, y } = await window.pointOf('java.lang.Thread.run');
    await window.page.mouse.click(x, y, { button: 'right' });
    await window.page.getByRole('menu', { name: 'Actions for java.lang.Thread.run' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.clickFrame('java.lang.Thread.run');
    await drawn(window);
    const zoomed = await window.flameFrames();
    expect(zoomed[0].label).toBe('java.lang.Thread.run');
    expect(zoomed.length).toBeGreaterThan(100);
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('0');
    await drawn(window);

    // By keys, from frame to frame: each is told as an item of a tree that lies on its frame.
    const { keyboard } = window.page;
    const tree = window.page.locator('.flame-canvas');
    await tree.focus();
    const steps: string[] = [];
    for (const key of ['Home', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
      await keyboard.press(key);
      await drawn(window);
      const item = window.page.locator(`[id="${await tree.getAttribute('aria-activedescendant')}"]`);
      const [name] = (await item.getAttribute('aria-label'))!.split(', ');
      steps.push(`${key} ${await item.getAttribute('aria-level')} ${name}`);
      const place = (await item.boundingBox())!;
      expect(await labelAt(window, place)).toBe(name);
      const { y, height } = (await window.page.locator('.flame-scroller').boundingBox())!;
      expect(place.y >= y && place.y + place.height <= y + height).toBe(true);
    }
    const fourth = 'java.util.regex.Pattern$Branch.match';
    expect(steps).toEqual([
      'Home 1 All threads',
      'ArrowUp 2 java.util.regex.Pattern$BranchConn.match',
      'ArrowRight 2 java.lang.Thread.run',
      'ArrowRight 2 java.util.regex.Pattern$GroupHead.match',
      `ArrowRight 2 ${fourth}`,
      'ArrowUp 3 java.util.regex.Pattern$BmpCharProperty.match',
      `ArrowDown 2 ${fourth}`,
    ]);
    await keyboard.press('Shift+F10');
    await window.page.getByRole('menu', { name: `Actions for ${fourth}` }).waitFor();
    await keyboard.press('Escape');
    await keyboard.press('Space');
    await drawn(window);
    expect((await window.flameFrame())?.label).toBe(fourth);
    await keyboard.press('0');
    await drawn(window);
    const root = (await window.flameFrame())!;
    expect(root.label).toBe('All threads');
    await keyboard.press('Alt+i');
    await drawn(window);
    expect((await window.flameFrame())!.y).toBeLessThan(root.y);
    expect(window.problems).toEqual([]);
  });
});

test('axe has no objection to the menu of a frame; a double click on one opens its callers and callees, in the sandwich too', async () => {
  const window = await openFlame({ width: 1440, height: 900 });
  const path = (): Promise<string[]> => window.part('detail-path').locator('.crumb').allInnerTexts();
  const label = 'java.lang.Thread.run';
  const { x, y } = await window.pointOf(label);
  await window.page.mouse.click(x, y, { button: 'right' });
  await window.page.getByRole('menu', { name: `Actions for ${label}` }).waitFor();
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await window.page.keyboard.press('Escape');
  await window.page.mouse.dblclick(x, y);
  await window.settled();
  expect(await path()).toEqual(['Thread.run']);
  await window.page.keyboard.press('5');
  await window.settled();
  // The method itself is the first level of its callees; what it calls is the second.
  const graph = window.part('pane-calleesFlame').locator('.flame-graph');
  const box = (await graph.boundingBox())!;
  await window.page.mouse.dblclick(box.x + box.width / 2, box.y + 19 + 9);
  await window.settled();
  expect(await path()).toEqual(['Thread.run', 'ThreadPoolExecutor$Worker.run']);
  expect(window.problems).toEqual([]);
});

const covers = (frame: FlameFrame, x: number, y: number): boolean =>
  frame.x <= x && x < frame.x + frame.width && frame.y <= y && y < frame.y + frame.height;

test('zooms go back and forward, and the wheel with Ctrl zooms at the pointer; no search is told, and the heaviest call of a method is found from its row', async () => {
  const window = await openFlame({});
  const root = async (): Promise<string> => (await window.flameFrame())!.label;
  await window.clickFrame('java.lang.Thread.run');
  await window.settled();
  await window.page.locator('.flame-canvas').focus();
  for (const [key, label] of [
    ['Alt+ArrowLeft', 'All threads'],
    ['Alt+ArrowRight', 'java.lang.Thread.run'],
    ['Alt+ArrowLeft', 'All threads'],
  ] as const) {
    await window.page.keyboard.press(key);
    await window.settled();
    expect(await root()).toBe(label);
  }
  // From everywhere, and nowhere does the browser leave the page.
  for (const [focus, label] of [
    ['.search-box input', 'java.lang.Thread.run'],
    ['body', 'All threads'],
    ['[data-testid=flame-orientation] [role=radio]', 'java.lang.Thread.run'],
  ] as const) {
    await window.page.locator(focus).first().focus();
    await window.page.keyboard.press(label === 'All threads' ? 'Alt+ArrowLeft' : 'Alt+ArrowRight');
    await window.settled();
    expect(await root(), focus).toBe(label);
  }
  await window.page.keyboard.press('?');
  await window.page.getByRole('dialog').waitFor();
  await window.page.keyboard.press('Alt+ArrowLeft');
  await window.page.keyboard.press('Escape');
  await window.page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await root()).toBe('java.lang.Thread.run');
  await window.page.keyboard.press('0');
  await window.settled();

  const { x, y } = await window.pointOf('ServerSim.lambda$main$2');
  const frames = await window.flameFrames();
  const towards: string[] = [];
  for (let at = frames.findIndex((frame) => covers(frame, x, y)); at > 0; at = frames[at].parent)
    towards.push(frames[at].label);
  expect(towards[0]).toBe('ServerSim.lambda$main$2');
  await window.page.mouse.move(x, y);
  await window.page.keyboard.down('Control');
  await window.page.mouse.wheel(0, -120);
  await expect.poll(root).not.toBe('All threads');
  expect(towards).toContain(await root());
  // Zoom steps are at least the duration of an animation apart.
  await expect
    .poll(async () => {
      await window.page.mouse.wheel(0, 120);
      await window.settled();
      return root();
    })
    .toBe('All threads');
  await window.page.keyboard.up('Control');

  await window.page.keyboard.press('Alt+n');
  await window.page.getByText('Type part of a name into the find field first.').waitFor();
  await window.showPane('all');
  const row = window.part('pane-flat').locator('[data-row-id]', { hasText: 'BranchConn.match' }).first();
  await row.click({ button: 'right' });
  await window.choose('Show', 'Find in flame graph');
  await window.page.locator('.frame-marked').waitFor();
  expect(await window.part('search-field').inputValue()).toBe('');
  expect(await window.page.locator('.frame-marked').getAttribute('aria-label')).toContain('BranchConn.match');
  expect(window.problems).toEqual([]);
});

/** How far the graph is scrolled, and how many frames with a match are in sight. */
async function sight({ page }: LogWindow): Promise<{ readonly top: number; readonly matches: number }> {
  return page.evaluate(() => {
    const scroller = document.querySelector('.flame-scroller')!;
    const { top, bottom } = scroller.getBoundingClientRect();
    const inSight = (globalThis.window.leanscopeFrames?.() ?? []).filter(
      ({ match, kind, y, height }) => match && kind === 'frame' && y >= top && y + height <= bottom,
    );
    return { top: scroller.scrollTop, matches: inSight.length };
  });
}

test('what is typed into the find field comes into sight, and nothing moves while a match is in sight', async () => {
  const window = await openRead('assets/shop.jfr.gz', 1306, { height: 400 });
  const { keyboard } = window.page;
  await window.showPane('flame');
  await window.search('mergeHi');
  const found = await sight(window);
  expect(found.top).toBeGreaterThan(0);
  expect(found.matches).toBeGreaterThan(0);
  await window.part('search-field').focus();
  // The window takes its time with each letter, and shows a match after each.
  await keyboard.press('End');
  for (let letters = 4; letters > 0; letters--) {
    await keyboard.press('Backspace');
    await window.settled();
  }
  expect((await sight(window)).top).toBe(found.top);
  await window.search('Thread.run');
  expect((await sight(window)).matches).toBeGreaterThan(0);
  await window.search('');
  const { top } = await sight(window);
  await window.search('java');
  expect((await sight(window)).top).toBe(top);
});

test('n and Shift+n go through all matches, the heaviest first, and each is in view', async () => {
  const window = await openFlame({ height: 500 }, false);
  await window.search('lambda$main');
  await window.page.locator('.flame-canvas').focus();
  const result = window.page.locator('.search-result');
  const mark = window.page.locator('.frame-marked');
  const seen: { readonly position: string; readonly samples: number; readonly root: string }[] = [];
  const root = async (): Promise<string> =>
    (await window.page.locator('.breadcrumb [aria-current]').getAttribute('title'))!;
  const step = async (key: 'Alt+n' | 'Alt+Shift+n'): Promise<void> => {
    const before = await result.textContent();
    await window.page.keyboard.press(key);
    await expect.poll(() => result.textContent()).not.toBe(before);
    await window.settled();
    const { y, height } = (await mark.boundingBox())!;
    const pane = (await window.page.locator('.flame-scroller').boundingBox())!;
    expect(y >= pane.y && y + height <= pane.y + pane.height).toBe(true);
    expect(await mark.getAttribute('aria-label')).toContain('lambda$main');
    const [, samples] = /(\d+) samples?/.exec((await mark.getAttribute('aria-label'))!)!;
    seen.push({
      position: (await result.textContent())!,
      samples: Number(samples),
      root: await root(),
    });
  };
  for (let times = 0; times < 8; times++) await step('Alt+n');
  expect(seen.map(({ position }) => position)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((position) => `${position} of 8`),
  );
  expect(seen.map(({ samples }) => samples)).toEqual([165, 26, 9, 3, 3, 1, 1, 1]);
  // A frame of one sample is narrower than a pixel in the whole graph.
  expect(seen[0].root).toBe('All threads');
  expect(seen[7].root).not.toBe('All threads');
  await step('Alt+n');
  await step('Alt+Shift+n');
  expect(seen.slice(-2).map(({ position }) => position)).toEqual(['1 of 8', '8 of 8']);
  // Zooms that were made for a match can be undone.
  await window.page.keyboard.press('Alt+ArrowLeft');
  await window.settled();
  expect([await root(), seen[9].root]).toEqual([seen[8].root, seen[7].root]);
  expect(window.problems).toEqual([]);
});

test('a graph deeper than its pane has its root at the top, and a minimap that scrolls it and turns with it', async () => {
  const window = await openServerLog({ height: 500 });
  const { page } = window;
  await window.showPane('tree');
  await page.evaluate(() => {
    // Called when the task that adds the minimap is over, before the browser paints.
    new MutationObserver(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.flame-minimap canvas');
      if (canvas === null || globalThis.window.firstMinimap !== undefined) return;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      globalThis.window.firstMinimap = new Set(new Uint32Array(data.buffer)).size;
    }).observe(document.body, { childList: true, subtree: true });
  });
  await window.showPane('flame');
  const minimap = window.part('flame-minimap');
  await minimap.waitFor();
  // The surface, and many frames: it has its picture as soon as it appears.
  expect(await page.evaluate(() => globalThis.window.firstMinimap)).toBeGreaterThan(10);

  const orientation = page.getByTestId('flame-orientation').getByText('Downward');
  expect(await orientation.getAttribute('aria-checked')).toBe('true');
  const { x, y, width, height } = (await minimap.boundingBox())!;
  const scroller = page.locator('.flame-scroller');
  expect(await scroller.evaluate((element) => element.scrollTop)).toBe(0);
  await page.mouse.move(x + width / 2, y + 5);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height - 2);
  await page.mouse.up();
  const end = await scroller.evaluate((element) => element.scrollHeight - element.clientHeight);
  await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBe(end);

  /** Colours of the lines next to its edges: the root is grey from side to side. */
  const edges = (): Promise<readonly number[]> =>
    page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.flame-minimap canvas')!;
      const { width, height } = canvas;
      // A copy: the browser warns of a canvas on the screen that is read again and again.
      const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
      copy.drawImage(canvas, 0, 0);
      return [0, height - 1].map(
        (line) => new Set(new Uint32Array(copy.getImageData(0, line, width, 1).data.buffer)).size,
      );
    });
  const icicle = await edges();
  expect(icicle[0]).toBe(1);
  expect(icicle[1]).toBeGreaterThan(1);
  // In the task of the key only the graph turns: its minimap is drawn in another one.
  const turned = await page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>('.flame-minimap canvas')!;
    const before = canvas.toDataURL();
    document
      .querySelector('.flame-canvas')!
      .dispatchEvent(
        new KeyboardEvent('keydown', { key: 'i', altKey: true, bubbles: true, cancelable: true }),
      );
    const isTurned = (): boolean => document.querySelector('.flame-scroller.flame-flame') !== null;
    for (let tick = 0; tick < 100 && !isTurned(); tick++) await Promise.resolve();
    return { isTurned: isTurned(), hasOldMinimap: canvas.toDataURL() === before };
  });
  expect(turned).toEqual({ isTurned: true, hasOldMinimap: true });
  await window.settled();
  expect(await orientation.getAttribute('aria-checked')).toBe('false');
  await expect.poll(edges).toEqual([...icicle].reverse());
  expect(window.problems).toEqual([]);
});

test('the bar above the graph: space around its switch, a title that begins as those of other panes, and both ends of a long path', async () => {
  const window = await openFlame({ width: 700, height: 450 }, false);
  const deep = (await window.flameFrames()).find(
    ({ depth, width, label }) => depth === 10 && width > 20 && label.length < 34,
  )!;
  await window.page.mouse.click(deep.x + deep.width / 2, deep.y + deep.height / 2);
  await window.settled();
  const isCut = (selector: string): Promise<boolean> =>
    window.page
      .locator(selector)
      .evaluate((element) => element.clientWidth === 0 || element.scrollWidth > element.clientWidth);
  expect(await window.page.locator('.crumb').count()).toBe(2);
  expect(await window.page.locator('.crumb-skipped').count()).toBe(1);
  expect(await isCut('.crumb >> nth=0')).toBe(false);
  expect(await isCut('.crumb[aria-current]')).toBe(false);
  // The numbers of a frame go before those of the graph.
  expect(await isCut('.flame-details strong')).toBe(false);

  await window.page.keyboard.press('0');
  for (const width of [700, 1280]) {
    await window.page.setViewportSize({ width, height: 720 });
    await window.showPane('flame');
    const bar = (await window.page.locator('.flame-pane .pane-bar').boundingBox())!;
    const orientation = (await window.part('flame-orientation').boundingBox())!;
    expect(orientation.y - bar.y).toBeGreaterThanOrEqual(3);
    expect(bar.y + bar.height - orientation.y - orientation.height).toBeGreaterThanOrEqual(3);
    const textStart = (selector: string): Promise<number> =>
      window.page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return range.getBoundingClientRect().left;
        });
    const flame = await textStart('.crumb');
    await window.showPane('flat');
    expect(flame).toBe(await textStart('.header-text'));
  }
});
