import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';

const { openServerLog } = useWindows();

test('equally wide samples have the zoom of the timeline, follow the thread, and open callers', async () => {
  const window = await openServerLog();
  const { keyboard, mouse } = window.page;
  await keyboard.press('8');
  const graph = window.part('chart-graph');
  await graph.waitFor();
  await window.part('chart-widths').getByText('Equal width').click();
  await window.settled();
  const drawn = window.part('chart-drawn');
  const details = window.part('chart-details');
  await window.part('chart-thread').selectOption({ label: 'All threads' });
  await window.settled();
  expect(await drawn.textContent()).toBe('1,553 samples');
  expect(await objections(window)).toEqual([]);
  const { x, y, width } = (await graph.boundingBox())!;
  const axis = (): Promise<readonly string[]> =>
    window.page.locator('.timeline-axis > span').allTextContents();
  const whole = await axis();
  await mouse.move(x + width / 2, y + 10);
  await keyboard.down('Control');
  for (let step = 0; step < 5; step++) await mouse.wheel(0, -100);
  await keyboard.up('Control');
  await window.settled();
  expect(await drawn.textContent()).toMatch(/^[\d,]+ to [\d,]+ of 1,553 samples$/);
  expect(await axis()).not.toEqual(whole);
  expect(await window.fragment()).toContain('time-zoom=');
  // A frame's time is zoomed into, down to one sample.
  await graph.focus();
  await keyboard.press('Home');
  for (let level = 0; level < 60; level++) await keyboard.press('ArrowDown');
  await keyboard.press('Space');
  await window.settled();
  expect(await details.textContent()).toMatch(/1 sample · (1 self · )?at 0:/);
  await keyboard.press('Enter');
  await window.settled();
  expect(await window.part('pane-callers').count()).toBe(1);
  // The keys of the menu are those of the chart, too.
  await graph.focus();
  await keyboard.press('Home');
  for (let level = 0; level < 3; level++) await keyboard.press('ArrowDown');
  await keyboard.press('Alt+Shift+K');
  await window.settled();
  expect(await window.part('scope-chip').allTextContents()).toEqual([
    expect.stringMatching(/^Keep samples with .*\w/),
  ]);
  await keyboard.press('8');
  expect(await window.part('pane-chart').count()).toBe(0);
  expect(window.problems).toEqual([]);
});

test('the chart has the axis of the timeline: edges, labels and zoom; a gap is a gap', async () => {
  const window = await openServerLog();
  const { keyboard, mouse } = window.page;
  await keyboard.press('8');
  const graph = window.part('chart-graph');
  await graph.waitFor();
  await window.settled();
  const plot = (await window.part('timeline-plot').boundingBox())!;
  const chart = (await graph.boundingBox())!;
  expect([Math.abs(plot.x - chart.x) < 1, Math.abs(plot.width - chart.width) < 1]).toEqual([true, true]);
  const labels = (place: string): Promise<readonly string[]> =>
    window.page.locator(`${place} > span`).allTextContents();
  const whole = await labels('.timeline-axis');
  expect(whole.length).toBeGreaterThan(2);
  expect(await labels('.chart-times')).toEqual(whole);
  expect(await objections(window)).toEqual([]);
  // A tooltip is at the pointer.
  await mouse.move(chart.x + chart.width / 2, chart.y + 5);
  expect(await window.part('chart-pointed').textContent()).toMatch(/: [\d,]+ samples.* · 0:00 to 0:/);
  await keyboard.down('Control');
  for (let step = 0; step < 5; step++) await mouse.wheel(0, -100);
  await keyboard.up('Control');
  await window.settled();
  const zoomed = await labels('.timeline-axis');
  expect(zoomed).not.toEqual(whole);
  expect(await labels('.chart-times')).toEqual(zoomed);
  expect(await window.part('chart-drawn').textContent()).toMatch(/^[\d,]+ to [\d,]+ of [\d,]+ samples$/);
  // By keyboard: moved, a frame's time, and all again.
  await graph.focus();
  await keyboard.press('Shift+ArrowRight');
  await window.settled();
  expect(await labels('.chart-times')).not.toEqual(zoomed);
  await keyboard.press('0');
  await window.settled();
  expect([await labels('.timeline-axis'), await labels('.chart-times')]).toEqual([whole, whole]);
  expect(window.problems).toEqual([]);
});
