import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';

const { openServerLog } = useWindows();

test('the chart zooms to a single sample, moves in time, follows the thread, and opens callers', async () => {
  const window = await openServerLog();
  const { keyboard, mouse } = window.page;
  await keyboard.press('8');
  const graph = window.part('chart-graph');
  await graph.waitFor();
  await window.settled();
  const drawn = window.part('chart-drawn');
  const details = window.part('chart-details');
  await window.part('chart-thread').selectOption({ label: 'All threads' });
  await window.settled();
  expect(await drawn.textContent()).toBe('1,553 samples');
  expect(await objections(window)).toEqual([]);
  const { x, y, width } = (await graph.boundingBox())!;
  await mouse.move(x + width / 2, y + 10);
  await keyboard.down('Control');
  for (let step = 0; step < 30; step++) await mouse.wheel(0, -100);
  await keyboard.up('Control');
  await window.settled();
  const single = /^([\d,]+) of 1,553 samples$/.exec((await drawn.textContent())!)!;
  const place = Number(single[1].replace(',', ''));
  // The sample that was under the pointer.
  expect(Math.abs(place - 1_553 / 2)).toBeLessThan(20);
  await graph.focus();
  await keyboard.press('Shift+ArrowRight');
  await window.settled();
  expect(await drawn.textContent()).toBe(`${place + 1} of 1,553 samples`);
  // One sample: its deepest frame has it for itself.
  await keyboard.press('Home');
  for (let level = 0; level < 60; level++) await keyboard.press('ArrowDown');
  await window.settled();
  expect(await details.textContent()).toMatch(/1 sample · 1 self · at 0:/);
  await keyboard.press('Enter');
  await window.settled();
  expect(await window.part('pane-callers').count()).toBe(1);
  // The keys of the menu are those of the chart, too.
  await graph.focus();
  await keyboard.press('Home');
  for (let level = 0; level < 3; level++) await keyboard.press('ArrowDown');
  await keyboard.press('Alt+Shift+K');
  await window.settled();
  expect(await window.part('scope-chip').allTextContents()).toEqual([expect.stringMatching(/^with .*\w/)]);
  await keyboard.press('8');
  expect(await window.part('pane-chart').count()).toBe(0);
  expect(window.problems).toEqual([]);
});
