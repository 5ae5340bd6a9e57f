import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import { frame, log, trace } from '../support/log-bytes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow } from '../support/window.ts';

/** More rows than a browser can lay out: the scroll bar stands for them in proportion (virtual-scroll.ts). */
const CALLEES = 640_000;
const ROW_HEIGHT = 24;

const { open } = useWindows();

/** Rows on screen from top to bottom: number, and distance of the top edge from the pane's, pixels. */
async function rowsOnScreen(window: LogWindow): Promise<[index: number, top: number][]> {
  return window
    .part('pane-tree')
    .locator('[role=treegrid]')
    .evaluate((scroller) => {
      const pane = scroller.getBoundingClientRect();
      return Array.from(scroller.querySelectorAll('[data-index]'), (row): [number, number] => [
        Number(row.getAttribute('data-index')),
        row.getBoundingClientRect().top - pane.top,
      ])
        .filter(([, top]) => top > -22 && top < pane.height)
        .sort(([a], [b]) => a - b);
    });
}

/** Counts elements of rows that leave the document from now on. */
async function watchRemovedRows(window: LogWindow): Promise<() => Promise<number>> {
  const counter = await window
    .part('pane-tree')
    .locator('[role=treegrid]')
    .evaluateHandle((scroller) => {
      const counted = { removed: 0 };
      new MutationObserver((changes) => {
        for (const { removedNodes } of changes)
          for (const node of removedNodes)
            if (node instanceof HTMLElement && node.closest('.virtual-rows-missing') === null)
              counted.removed++;
      }).observe(scroller, { subtree: true, childList: true });
      return counted;
    });
  return () => counter.evaluate(({ removed }) => removed);
}

function expectSeamless(rows: readonly [number, number][]): void {
  expect(rows.length).toBeGreaterThan(10);
  for (const [at, [index, top]] of rows.entries()) {
    expect(index).toBe(rows[0][0] + at);
    expect(top).toBeCloseTo(rows[0][1] + at * ROW_HEIGHT, 0);
  }
}

test('B16: of 640 000 rows the last can be reached and every one between', { timeout: 240_000 }, async () => {
  const path = join(temporaryFolder(), 'wide.hpl');
  const one = log(trace(1, 5, frame(0, 0, 1)));
  const whole = Buffer.alloc(one.length * CALLEES);
  for (let callee = 0; callee < CALLEES; callee++) {
    whole.set(one, callee * one.length);
    // The id, the last field of the frame, the last record of the trace.
    whole.writeUInt32BE(callee + 1, (callee + 1) * one.length - 4);
  }
  writeFileSync(path, whole);
  const window = await open([path]);
  // Before the log is read: methods and flame graph would be laid out for nothing.
  await window.page.keyboard.press('1');
  // As many names are read and sorted, which takes long on a busy machine.
  window.page.setDefaultTimeout(120_000);
  await window.samplesShown(CALLEES);
  await window.showPane('tree');
  const scroller = window.part('pane-tree').locator('[role=treegrid]');
  const height = await scroller.evaluate((element) => element.clientHeight);

  await scroller.focus();
  await window.page.keyboard.press('End');
  await window.settled();
  let rows = await rowsOnScreen(window);
  expectSeamless(rows);
  // Row 0 is the thread.
  expect(rows.at(-1)![0]).toBe(CALLEES);
  expect(rows.at(-1)![1] + ROW_HEIGHT).toBeCloseTo(height, 0);

  await window.page.keyboard.press('PageUp');
  await window.page.keyboard.press('Home');
  await window.settled();
  expect((await rowsOnScreen(window))[0]).toEqual([0, 0]);

  // Rows that arrive later are drawn with the elements of those that were on screen.
  const removedRows = await watchRemovedRows(window);
  // The scroll bar goes in proportion, the wheel row by row, also from there.
  await scroller.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await window.settled();
  rows = await rowsOnScreen(window);
  expectSeamless(rows);
  expect(Math.abs(rows[0][0] - CALLEES / 2)).toBeLessThan(CALLEES / 100);
  const [first] = rows[1];
  await scroller.hover();
  await window.page.mouse.wheel(0, 10 * ROW_HEIGHT);
  await expect.poll(async () => (await rowsOnScreen(window))[1][0]).toBe(first + 10);
  await window.settled();
  expectSeamless(await rowsOnScreen(window));

  await scroller.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await window.settled();
  rows = await rowsOnScreen(window);
  expectSeamless(rows);
  expect(rows.at(-1)![0]).toBe(CALLEES);
  expect(rows.at(-1)![1] + ROW_HEIGHT).toBeCloseTo(height, 0);
  // At an end there are no rows beyond the edge.
  expect(await removedRows()).toBeLessThan(10);
  expect(window.problems).toEqual([]);
});
