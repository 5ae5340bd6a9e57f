import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import type { LogWindow } from '../support/window.ts';

const { openServerLog } = useWindows();

/** The picture on the clipboard: its size, and the colours of some of its points. */
function copied(window: LogWindow, points: readonly (readonly [x: number, y: number])[]): Promise<unknown> {
  return window.page.evaluate(async (at) => {
    const items = await navigator.clipboard.read();
    const [item] = items;
    const image = await createImageBitmap(await item.getType('image/png'));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d', {
      willReadFrequently: true,
    })!;
    context.drawImage(image, 0, 0);
    return {
      types: items.map(({ types }) => types.join()),
      width: image.width,
      height: image.height,
      colours: at.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].join(' ')),
    };
  }, points);
}

test.each(['flame', 'icicle'] as const)(
  'X07: the whole graph is copied as an image and nothing else, also what is not in view: %s',
  async (orientation) => {
    const window = await openServerLog({ width: 1000, height: 400, isOwn: true });
    const { page } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.showPane('flame');
    await page
      .getByTestId(`flame-orientation`)
      .getByText(orientation === 'flame' ? 'Upward' : 'Downward')
      .click();
    await window.settled();
    const frames = await window.flameFrames();
    const place = (await page.locator('.flame-graph').boundingBox())!;
    const seen = (await page.locator('.flame-scroller').boundingBox())!;
    expect(place.height).toBeGreaterThan(seen.height * 2);
    // The point beside the upper left corner of a frame has no label.
    const corners = frames
      .filter(({ kind, width }) => (kind === 'frame' || kind === 'all') && width > 12)
      .map((frame): [number, number] => [
        Math.round(frame.x - place.x) + 2,
        Math.round(frame.y - place.y) + 1,
      ]);
    const { x, y } = await window.pointOf('java.lang.Thread.run');
    await page.mouse.click(x, y, { button: 'right' });
    await window.choose('Copy', 'Copy graph as image');
    await window.part('notice').filter({ hasText: 'was copied as an image' }).waitFor();
    const { types, colours, ...size } = (await copied(window, corners)) as {
      types: string[];
      colours: string[];
      width: number;
      height: number;
    };
    expect(types).toEqual(['image/png']);
    expect(size).toEqual({ width: Math.round(place.width), height: Math.round(place.height) });
    // Every frame has its colour, those far from the visible part, too: none is empty.
    const surface = await page.evaluate(
      () => getComputedStyle(document.querySelector('.flame-scroller')!).backgroundColor,
    );
    const empty = `${surface.match(/\d+/g)!.slice(0, 3).join(' ')} 255`;
    expect(colours.filter((colour) => colour === empty || colour.endsWith(' 0'))).toEqual([]);
    expect(colours.length).toBeGreaterThan(100);
    expect(window.problems).toEqual([]);
  },
);
