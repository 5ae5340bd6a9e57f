import { expect, test } from 'vitest';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import type { FlameFrame, LogWindow, PainterName } from '../support/window.ts';

const { openRead, openServerLog } = useWindows();

/** A log of few frames. */
const SMALL = 'assets/shop.hpl.gz';

/** Share of the pixels that differ by more than a shade. */
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

/** Lets a painter draw the graph that is shown. */
async function paintBy(window: LogWindow, painter: PainterName): Promise<void> {
  await window.page.evaluate((name) => {
    globalThis.window.leanscopePainter = name;
  }, painter);
  // Turned and back; the focus stays where it is.
  for (let turn = 0; turn < 2; turn++) {
    await window.page.locator('.flame-canvas').dispatchEvent('keydown', { key: 'i', altKey: true });
    await window.settled();
  }
  await window.flameDrawnBy(painter);
}

/** Draws the graph that is shown by both painters: the share of pixels that differ. */
async function differenceOfPainters(window: LogWindow): Promise<number> {
  const shots: Buffer[] = [];
  const frames: (readonly FlameFrame[])[] = [];
  for (const painter of ['canvas', 'd3'] as const) {
    await paintBy(window, painter);
    shots.push(await window.page.locator('.flame-scroller').screenshot());
    frames.push(await window.flameFrames());
  }
  expect(frames[0]).toEqual(frames[1]);
  return difference(window, shots[0], shots[1]);
}

/** Selects a method by its row, and shows the graph. */
async function selectMethod(window: LogWindow, at: number): Promise<void> {
  await window.showPane('flat');
  await window.part('pane-flat').locator(`[data-index="${at}"]`).click();
  await window.showPane('flame');
}

test('both painters draw the same pixels, in both themes: plain, and with what is selected and searched', async () => {
  const window = await openRead(SMALL, 5012);
  await window.showPane('flame');
  expect(await differenceOfPainters(window)).toBeLessThan(0.0005);
  await window.page.emulateMedia({ colorScheme: 'dark' });
  await selectMethod(window, 0);
  await window.search('order');
  expect(await differenceOfPainters(window)).toBeLessThan(0.001);
  expect(window.problems).toEqual([]);
});

test('both painters draw the same pixels: icicle, two pixels a point, with what is selected', async () => {
  const window = await openRead(SMALL, 5012, { pixelRatio: 2, width: 640 });
  await selectMethod(window, 1);
  await window.page.keyboard.press('Alt+i');
  expect(await differenceOfPainters(window)).toBeLessThan(0.0005);
  expect(window.problems).toEqual([]);
});

test('every frame of at least a pixel is drawn, as the profile has it, and no other; at every level frames, blocks and self add up to the parent; a block is zoomed into; a small graph is drawn by d3-flame-graph', async () => {
  const { profile } = readLog(goldenLog('server-small'));
  // Identified by the names on its path: independent of trees, rows and layouts.
  const paths = new NamePaths();
  const samples = samplesByPath(profile, paths);
  const window = await openServerLog({ width: 1440, height: 900 });
  await window.showPane('flame');
  await window.page.keyboard.press('Alt+i');
  for (const width of [1440, 700]) {
    await window.page.setViewportSize({ width, height: 900 });
    await window.settled();
    const frames = await window.flameFrames();
    const pixels = Math.round(frames[0].width);
    const wanted = [...samples].filter(([, count]) => count * pixels >= 1553).map(([path]) => path);
    const pathOf: number[] = [];
    for (const { parent, label } of frames)
      pathOf.push(parent < 0 ? ROOT_PATH : paths.below(pathOf[parent], label));
    const drawn = frames.flatMap((frame, at) =>
      frame.kind === 'block' ? [] : [{ ...frame, path: pathOf[at] }],
    );
    expect(drawn.length).toBeGreaterThan(1_000);
    expect(drawn.map(({ path }) => path).sort()).toEqual(wanted.sort());
    const wrong = drawn.filter(
      ({ path, totalCount, width: drawnWidth }) =>
        totalCount !== samples.get(path) ||
        Math.abs(drawnWidth - (totalCount * pixels) / 1553) > 1 ||
        drawnWidth < 1,
    );
    expect(wrong).toEqual([]);
  }

  await window.page.setViewportSize({ width: 1280, height: 720 });
  await window.settled();
  const frames = await window.flameFrames();
  expect(frames.some(({ kind }) => kind === 'block')).toBe(true);
  const children = new Map<number, number>();
  for (const { parent, totalCount } of frames) children.set(parent, (children.get(parent) ?? 0) + totalCount);
  const wrong = frames.filter(
    ({ kind, selfCount, totalCount }, at) =>
      kind !== 'block' && (children.get(at) ?? 0) + selfCount !== totalCount,
  );
  expect(wrong).toEqual([]);

  const block = frames.find(
    ({ kind, parent, totalCount, width }) => kind === 'block' && parent === 0 && totalCount > 1 && width > 1,
  )!;
  await window.page.mouse.click(block.x + block.width / 2, block.y + block.height / 2);
  await window.settled();
  const zoomed = await window.flameFrames();
  expect(zoomed[0]).toMatchObject({ label: block.label, totalCount: block.totalCount, depth: 0 });
  const crumb = window.page.locator('.breadcrumb [aria-current]');
  expect(await crumb.getAttribute('title')).toBe(`${block.label} of ${frames[block.parent].label}`);
  expect(
    zoomed.filter(({ parent }) => parent === 0).reduce((sum, { totalCount }) => sum + totalCount, 0),
  ).toBe(block.totalCount);

  // A large graph is drawn on a canvas, and a small one that changes quickly too.
  await window.page.keyboard.press('0');
  await window.settled();
  await window.flameDrawnBy('canvas');
  expect((await window.flameFrames()).length).toBeGreaterThan(400);
  await window.clickFrame('ServerSim.lambda$main$2');
  await window.settled();
  await window.page.locator('.flame-canvas').focus();
  while ((await window.flameFrames()).length > 400) {
    await window.page.keyboard.press('ArrowUp');
    await window.page.keyboard.press(' ');
    await window.settled();
  }
  await window.flameDrawnBy('d3');
  expect(await window.page.locator('.flame-d3-layer g.frame').count()).toBeGreaterThan(0);
  expect(window.problems).toEqual([]);
});

const ROOT_PATH = 0;

/** Numbers of paths of names. */
class NamePaths {
  readonly #numbers = new Map<string, number>();

  /** The path with one more name. */
  below(path: number, name: string): number {
    const key = `${path}/${name}`;
    const known = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, known);
    return known;
  }
}

/** Paths from the root down -> samples; the root has all. */
function samplesByPath(
  { nodes, frames, methods, selfValues }: LeanProfile,
  paths: NamePaths,
): ReadonlyMap<number, number> {
  const samples = new Map<number, number>();
  for (let self = 0; self < selfValues.length; self++) {
    const names: string[] = [];
    for (let node = selfValues.node[self]; !nodes.isRoot(node); node = nodes.parent[node]) {
      const method = frames.method[nodes.frame[node]];
      const { className = '', methodName = '' } = methods.names[method] ?? {};
      names.push(`${className}.${methodName}`);
    }
    const onPath = [ROOT_PATH];
    for (const name of names.reverse()) onPath.push(paths.below(onPath[onPath.length - 1], name));
    for (const path of onPath) samples.set(path, (samples.get(path) ?? 0) + selfValues.count[self]);
  }
  return samples;
}
