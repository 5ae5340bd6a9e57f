import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';

const { openServerLog } = useWindows();

test('a range that is dragged over the squares is what all panes show; by keyboard too', async () => {
  const window = await openServerLog();
  const { keyboard, mouse } = window.page;
  await keyboard.press('7');
  const squares = window.part('heatmap-squares');
  await squares.waitFor();
  await window.settled();
  // It is on the axis of the timeline.
  const plot = (await window.part('timeline-plot').boundingBox())!;
  const { x, y, height } = (await squares.boundingBox())!;
  const { width } = (await squares.locator('[role=gridcell]').boundingBox())!;
  const drawn = (await squares.boundingBox())!;
  expect([Math.abs(plot.x - drawn.x) < 1, Math.abs(plot.width - drawn.width) < 1]).toEqual([true, true]);
  // From the first square of the second column to the last one of the third.
  await mouse.move(x + 1.5 * width, y + height - 1);
  await mouse.down();
  await mouse.move(x + 2.5 * width, y + 1, { steps: 5 });
  await window.settled();
  const chip = window.part('scope-chip');
  expect(await chip.textContent()).toBe('0:00.2 to 0:00.6');
  expect(await window.fragment()).toBe('');
  await mouse.up();
  await window.settled();
  expect(await window.fragment()).toContain('from=');
  const outside = await window.samplesOutside();
  const whole = (await window.flameFrames())[0];
  expect([outside > 0, whole.totalCount]).toEqual([true, 1_553 - outside]);
  expect(await objections(window)).toEqual([]);
  // A click selects one square, and the cell is told with its time.
  await mouse.click(x + 0.5 * width, y + height - 1);
  await window.settled();
  expect(await chip.textContent()).toBe('0:00 to 0:00.02');
  await keyboard.press('ArrowUp');
  expect(await squares.locator('[role=gridcell]').getAttribute('aria-label')).toMatch(
    /^0:00.02 to 0:00.04: \d+ samples?/,
  );
  await keyboard.press('Shift+ArrowRight');
  await window.settled();
  expect(await chip.textContent()).toBe('0:00.02 to 0:00.24');
  await keyboard.press('Home');
  await keyboard.press('Enter');
  await window.settled();
  expect(await chip.textContent()).toBe('0:00 to 0:00.02');
  // The zoom of the timeline is that of the heatmap, whose cursor stays at its time among other squares.
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp']) await keyboard.press(key);
  const cursor = (): Promise<string> =>
    squares.locator('[role=gridcell]').evaluate((each) => /^\S+/.exec(each.ariaLabel ?? '')![0]);
  const time = await cursor();
  await mouse.move(x + 2 * width, y + height / 2);
  for (let step = 0; step < 4; step++) await mouse.wheel(0, -100);
  await window.settled();
  expect(await cursor()).toBe(time);
  expect((await squares.locator('[role=gridcell]').boundingBox())!.width).toBeGreaterThan(2 * width);
  await squares.focus();
  await keyboard.press('Escape');
  await window.settled();
  expect(await chip.count()).toBe(0);
  expect(window.problems).toEqual([]);
});
