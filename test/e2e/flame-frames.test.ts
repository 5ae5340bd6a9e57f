import { expect, test } from 'vitest';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import type { LogWindow } from '../support/window.ts';

const { openRead, openServerLog } = useWindows();

/** A log of few frames. */
const SMALL = 'assets/shop.hpl.gz';

/** The frames that d3-flame-graph has drawn: title, left and right edge, upper edge in the window. */
async function d3Frames(window: LogWindow): Promise<readonly (readonly [string, number, number, number])[]> {
  await window.flameDrawnBy('d3');
  return window.page.evaluate(() =>
    Array.from(document.querySelectorAll('.flame-d3-layer g.frame'), (frame) => {
      const { left, right, top } = frame.querySelector('foreignObject')!.getBoundingClientRect();
      return [frame.querySelector('title')!.textContent, left, right, top] as const;
    }),
  );
}

test.each([
  { pixelRatio: 1, width: 1280, icicle: false },
  { pixelRatio: 2, width: 640, icicle: true },
])('d3-flame-graph draws each frame where the pointer finds it: %j', async ({ icicle, ...options }) => {
  const window = await openRead(SMALL, 5012, { painter: 'd3', ...options });
  await window.showPane('flame');
  if (icicle) await window.page.keyboard.press('Alt+i');
  await window.settled();
  const wanted = (await window.flameFrames()).map(
    ({ label, x, y, width }) => [label, x, x + width, y] as const,
  );
  expect(wanted.length).toBeGreaterThan(20);
  const drawn = [...(await d3Frames(window))];
  expect(drawn).toHaveLength(wanted.length);
  for (const [label, left, right, top] of wanted) {
    const at = drawn.findIndex(
      ([title, x, end, y]) =>
        title === label && Math.abs(x - left) <= 1 && Math.abs(end - right) <= 1.5 && Math.abs(y - top) < 1,
    );
    expect(at, `${label} from ${left} to ${right} at ${top}`).toBeGreaterThanOrEqual(0);
    drawn.splice(at, 1);
  }
  expect(window.problems).toEqual([]);
});

test('a small graph is complete as soon as it is drawn: no frame grows and no label follows, so growth does not flicker', async () => {
  const window = await openRead(SMALL, 5012, { painter: 'd3' });
  await window.showPane('flame');
  await window.flameDrawnBy('d3');
  // What is in the document when the task that draws has ended, before the page is painted.
  const drawn = window.page.evaluate(
    () =>
      new Promise<{ frames: number; narrow: number; labels: number }>((resolve) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          const frames = [...document.querySelectorAll('.flame-d3-layer g.frame')];
          const narrow = frames.filter(
            (frame) => frame.querySelector('rect')!.getAttribute('width') !== frame.getAttribute('width'),
          );
          const labels = frames.filter((frame) => frame.querySelector('div')!.textContent !== '');
          resolve({ frames: frames.length, narrow: narrow.length, labels: labels.length });
        });
        observer.observe(document.querySelector('.flame-d3-layer')!, { childList: true });
      }),
  );
  await window.page.keyboard.press('Alt+i');
  const { frames, narrow, labels } = await drawn;
  expect(frames).toBe((await window.flameFrames()).length);
  expect(narrow).toBe(0);
  expect(labels).toBeGreaterThan(20);
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
      names.push(className === 'AGCT' ? 'No stack' : `${className}.${methodName}`);
    }
    const onPath = [ROOT_PATH];
    for (const name of names.reverse()) onPath.push(paths.below(onPath[onPath.length - 1], name));
    for (const path of onPath) samples.set(path, (samples.get(path) ?? 0) + selfValues.count[self]);
  }
  return samples;
}
