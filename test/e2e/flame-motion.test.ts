import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';

const { openServerLog } = useWindows();

declare global {
  interface Window {
    /** What the page's clock says while it stands still, ms; undefined: it runs. */
    stoppedAt?: number;
  }
}

/** Lets the page's clock stand still, `later` ms after where it is. */
function stopClock(page: Page, later: number): Promise<void> {
  return page.evaluate((ms) => {
    window.stoppedAt = performance.now() + ms;
  }, later);
}

function drawnFrames(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

test('a zoom is animated, but where reduced motion is wanted', async () => {
  const window = await openServerLog();
  const { page } = window;
  await window.showPane('flame');
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => self.stoppedAt ?? now();
  });
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion });
    const { x, y } = await window.pointOf('java.lang.Thread.run');
    const picture = (): Promise<Buffer> => page.locator('.flame-scroller').screenshot();

    await page.mouse.move(x, y);
    await stopClock(page, 0);
    await page.mouse.click(x, y);
    await page.mouse.move(x, 1);
    await expect.poll(async () => (await window.flameFrame())?.label).toBe('java.lang.Thread.run');
    await stopClock(page, 75);
    await drawnFrames(page);
    const halfway = await picture();
    await page.evaluate(() => delete self.stoppedAt);
    await window.settled();
    expect(halfway.equals(await picture()), reducedMotion).toBe(reducedMotion === 'reduce');
    await page.keyboard.press('0');
    await window.settled();
  }
  expect(window.problems).toEqual([]);
});
