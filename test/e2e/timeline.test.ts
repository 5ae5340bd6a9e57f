import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenLog, goldenPath, readLog } from '../support/read-log.ts';
import { cliOutput } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const LOG = goldenLog('server-small');
const { open, openServerLog } = useWindows();

/** Waits for the timeline, and returns where its plot is. */
async function plotOf(window: LogWindow): Promise<{ x: number; y: number; width: number }> {
  await window.part('timeline-from').waitFor();
  await window.settled();
  const { x, y, width } = (await window.part('timeline-plot').boundingBox())!;
  return { x, y: y + 12, width };
}

/** Drags from one share of the width to another, in ten steps; `during` is called before the button is released. */
async function drag(
  window: LogWindow,
  [from, to]: readonly [number, number],
  during?: () => Promise<void>,
): Promise<void> {
  const { x, y, width } = await plotOf(window);
  const { mouse } = window.page;
  await mouse.move(x + width * from, y);
  await mouse.down();
  await mouse.move(x + width * to, y, { steps: 10 });
  await during?.();
  await mouse.up();
  await window.settled();
}

/** The range in the address, as options of the command line. */
async function rangeOptions(window: LogWindow): Promise<string[]> {
  const fields = new URLSearchParams((await window.fragment()).slice(1));
  return ['from', 'to'].flatMap((name) => {
    const value = fields.get(name);
    return value === null ? [] : [`--${name}`, value];
  });
}

/** What tree, methods and flame graph show. */
async function shownRows(window: LogWindow): Promise<readonly unknown[]> {
  const textsOf = (pane: string): Promise<readonly string[]> =>
    window.part(pane).locator('[data-row-id]').allTextContents();
  const [tree, flat] = [await textsOf('pane-tree'), await textsOf('pane-flat')];
  return [tree, flat, (await window.flameFrames()).map(({ label, totalCount }) => `${label} ${totalCount}`)];
}

/** The times on the axis of the timeline. */
const axisOf = async (window: LogWindow): Promise<string> =>
  (await window.page.locator('.timeline-axis > span').allTextContents()).join(' ');

const samplesOutside = (window: LogWindow): Promise<number> => window.samplesOutside();

test('a range that is dragged is what all panes show, while it is dragged; export, undo and address', async () => {
  const window = await openServerLog();
  const whole = await window.exported('export-lean');
  const ofWhole = await shownRows(window);
  let dragged: readonly unknown[] = [];
  await drag(window, [0.25, 0.6], async () => {
    await window.settled();
    dragged = await shownRows(window);
    expect(await window.part('scope-chip').count()).toBe(1);
    expect(await samplesOutside(window)).toBeGreaterThan(0);
    // The address changes when the button is released.
    expect(await rangeOptions(window)).toEqual([]);
  });
  for (const [at, rows] of dragged.entries()) expect(rows).not.toEqual(ofWhole[at]);
  expect(await shownRows(window)).toEqual(dragged);
  const options = await rangeOptions(window);
  expect(options.length).toBe(4);
  const args = [goldenPath('server-small'), ...options];
  expect(await window.exported('export-lean')).toBe(await cliOutput('export', ...args, '--format', 'lean'));
  expect(await window.exported('export-timeline')).toBe(
    await cliOutput('export', ...args, '--format', 'timeline'),
  );
  const summary = JSON.parse(await cliOutput('summary', ...args, '--count-all', '--json')) as {
    scope: { outside: number };
  };
  expect(await samplesOutside(window)).toBe(summary.scope.outside);
  await window.page.keyboard.press('Control+z');
  await window.settled();
  expect(await window.exported('export-lean')).toBe(whole);
  await window.page.keyboard.press('Control+Shift+Z');
  await window.settled();
  expect(await rangeOptions(window)).toEqual(options);
  await window.page.reload();
  await window.samplesShown(1553);
  await plotOf(window);
  expect(await samplesOutside(window)).toBe(summary.scope.outside);
  expect(await objections(window)).toEqual([]);
  expect(window.problems).toEqual([]);
});

test('by mouse: wheel, double click and Escape in a drag; by keyboard: ends move, zoom and clear; times are entered exactly', async () => {
  const window = await openServerLog();
  // The wheel zooms, a double click resets that and leaves the range, Escape ends a drag only.
  await drag(window, [0.4, 0.6]);
  const { x, y, width } = await plotOf(window);
  const { keyboard, mouse } = window.page;
  const before = { options: await rangeOptions(window), axis: await axisOf(window) };
  await mouse.move(x + width / 2, y);
  await mouse.wheel(0, -200);
  await window.settled();
  const zoomedTo = await axisOf(window);
  expect(zoomedTo).not.toBe(before.axis);
  await mouse.wheel(300, 0);
  await window.settled();
  expect(await axisOf(window)).not.toBe(zoomedTo);
  await mouse.dblclick(x + width * 0.9, y);
  await window.settled();
  expect([await rangeOptions(window), await axisOf(window)]).toEqual([before.options, before.axis]);
  // The search, which Escape would clear, has nothing to do with it.
  await window.search('Chain');
  await window.part('pane-tree').locator('[role=row][data-row-id]').first().click();
  await drag(window, [0.1, 0.8], async () => keyboard.press('Escape'));
  expect(await rangeOptions(window)).toEqual(before.options);
  expect(await window.page.getByText(/\d names? ·/).count()).toBe(1);
  expect(await window.part('pane-tree').locator('[aria-selected=true]').count()).toBe(1);
  // A press that Escape has ended is no click, which would clear the range.
  await mouse.move(x + width * 0.2, y);
  await mouse.down();
  await keyboard.press('Escape');
  await mouse.up();
  expect(await rangeOptions(window)).toEqual(before.options);
  await mouse.click(x + width * 0.2, y);
  await window.settled();
  expect(await rangeOptions(window)).toEqual([]);

  // By keyboard.
  const start = window.part('timeline-from');
  await start.focus();
  await keyboard.press('ArrowRight');
  await window.settled();
  const first = await start.getAttribute('aria-valuenow');
  expect(Number(first)).toBeGreaterThan(0);
  await keyboard.press('Tab');
  await keyboard.press('Shift+ArrowLeft');
  const axis = await axisOf(window);
  await keyboard.press('+');
  await window.settled();
  expect(await start.getAttribute('aria-valuenow')).toBe(first);
  const zoomed = await axisOf(window);
  expect(zoomed).not.toBe(axis);
  // What is shown follows the range that a key moves out of it.
  await keyboard.press('Home');
  await window.settled();
  expect(await start.getAttribute('aria-valuenow')).not.toBe(first);
  expect(await axisOf(window)).not.toBe(zoomed);
  await keyboard.press('End');
  await window.settled();
  expect((await axisOf(window)).split(' ').at(-1)).not.toBe(zoomed.split(' ').at(-1));
  expect(await axisOf(window)).not.toBe(zoomed);
  await window.part('scope-chip').getByRole('button').first().click();
  expect(await window.part('range-from').evaluate((field) => field === document.activeElement)).toBe(true);
  await window.part('range-from').fill('2.5');
  await window.part('range-to').fill('1');
  await window.part('range-apply').click();
  expect(await window.part('range').getByRole('alert').textContent()).toBe('From must be before To');
  await window.part('range-to').fill('3s');
  await window.part('range-apply').click();
  await window.settled();
  expect(await window.part('scope-chip').textContent()).toBe('0:02.5 to 0:03');
  const summary = JSON.parse(
    await cliOutput(
      'summary',
      goldenPath('server-small'),
      '--from',
      '2.5',
      '--to',
      '3',
      '--count-all',
      '--json',
    ),
  ) as { scope: { outside: number } };
  expect(await samplesOutside(window)).toBe(summary.scope.outside);
  await start.focus();
  await keyboard.press('Escape');
  await window.settled();
  expect(await window.part('scope-chip').count()).toBe(0);
  expect(window.problems).toEqual([]);
});

test('a drag that ends before the window has drawn it chooses its range', async () => {
  const window = await openServerLog();
  const { x, y, width } = await plotOf(window);
  await window
    .part('timeline-plot')
    .locator('canvas')
    .evaluate(
      (canvas, { from, to, at }) => {
        const event = (type: string, clientX: number): PointerEvent =>
          new PointerEvent(type, { bubbles: true, pointerId: 1, clientX, clientY: at, detail: 1 });
        // In one task, as in a window that is busy.
        for (const [type, place] of [
          ['pointerdown', from],
          ['pointermove', (from + to) / 2],
          ['pointermove', to],
          ['pointerup', to],
          ['click', to],
        ] as const)
          canvas.dispatchEvent(event(type, place));
      },
      { from: x + width * 0.2, to: x + width * 0.6, at: y },
    );
  await window.part('range-bar').waitFor();
  await window.settled();
  expect(await rangeOptions(window)).toHaveLength(4);
  expect(window.problems).toEqual([]);
});

test('while a log grows a range stands still, and following shows its newest samples', async () => {
  const path = join(temporaryFolder(), 'live.hpl');
  writeFileSync(path, LOG.subarray(0, 400_000));
  const window = await open([path]);
  await plotOf(window);
  await drag(window, [0.2, 0.9]);
  const inRange = async (): Promise<string | null> =>
    window.part('pane-tree').locator('[role=row][data-row-id]').first().textContent();
  const before = await inRange();
  const options = await rangeOptions(window);
  appendFileSync(path, LOG.subarray(400_000, 900_000));
  const outside = await samplesOutside(window);
  await expect.poll(() => samplesOutside(window)).toBeGreaterThan(outside);
  await window.settled();
  expect(await inRange()).toBe(before);
  expect(await rangeOptions(window)).toEqual(options);
  appendFileSync(path, LOG.subarray(900_000, 1_000_000));
  await window.samplesShown(
    readLog(LOG.subarray(0, 1_000_000), 1e6, { samples: true }).profile.samples!.length,
  );
  await window.part('timeline-follow').selectOption({ label: 'Last 10 s' });
  await window.settled();
  expect(await window.part('scope-chip').textContent()).toBe('last 10 s');
  // Its end stays at the newest sample so far, until "all" is followed again.
  const followed = window.part('timeline-follow').locator('option:checked');
  for (const follows of ['All time', 'Freeze'])
    await window.part('timeline-follow').selectOption({ label: follows });
  await window.settled();
  expect(await window.part('scope-chip').allTextContents()).toEqual([expect.stringMatching(/^before 0:/)]);
  expect(await window.part('sample-count-in-scope').count()).toBe(0);
  expect(await followed.textContent()).toBe('Frozen');
  const ended = [await rangeOptions(window), await inRange()];
  appendFileSync(path, LOG.subarray(1_000_000, 1_100_000));
  await window.part('sample-count-in-scope').waitFor({ state: 'attached' });
  await window.settled();
  expect([await rangeOptions(window), await inRange()]).toEqual(ended);
  await window.part('timeline-follow').selectOption({ label: 'Last 10 s' });
  await window.settled();
  // The end of a range that follows is dragged back: from then on it stands still.
  await drag(window, [0.999, 0.7]);
  const rewound = {
    options: await rangeOptions(window),
    rows: await inRange(),
    outside: await samplesOutside(window),
  };
  expect(rewound.options).toContain('--to');
  appendFileSync(path, LOG.subarray(1_100_000));
  expect(await followed.textContent()).toBe('Frozen');
  await expect.poll(() => samplesOutside(window)).toBeGreaterThan(rewound.outside);
  await window.settled();
  expect([await rangeOptions(window), await inRange()]).toEqual([rewound.options, rewound.rows]);
  await window.part('timeline-to').press('Escape');
  await window.settled();
  expect(await window.part('scope-chip').count()).toBe(0);
  expect(window.problems).toEqual([]);
});

test('a file without times has no timeline, no heatmap and no metric to choose; a timeline has lanes, and can be switched off', async () => {
  const stacks = join(temporaryFolder(), 'shop.collapsed');
  writeFileSync(stacks, 'main;Shop.run;Cart.add 3\nmain;Shop.run;Cart.pay 2\n');
  const untimed = await open([stacks]);
  await untimed.samplesShown(5);
  expect(await untimed.part('timeline').count()).toBe(0);
  // It sums one value.
  expect(await untimed.part('metric').count()).toBe(0);
  await untimed.page.keyboard.press('7');
  await untimed.part('notice').getByText('does not record when samples were taken').waitFor();
  expect(await untimed.part('pane-flame').count()).toBe(1);
  const window = await openServerLog();
  await plotOf(window);
  // A track for each pool of threads, the heaviest first, which shows only its samples when it is pressed.
  await window.part('timeline-lanes-button').click();
  const lanes = window.part('timeline-lanes').locator('.lane-name');
  await lanes.first().waitFor();
  await window.settled();
  const labels = await lanes.allTextContents();
  expect(labels.at(-1)).toMatch(/^JVM threads/);
  expect(await window.part('tracks-handle').textContent()).toMatch(
    /^\d+ of \d+ tracks?, as high as [\d.,]+ samples/,
  );
  // What is under the pointer is told beside it: time, thread, and where it was.
  const middle = (await window.part('timeline-lanes').boundingBox())!;
  const inPlot = (await window.part('timeline-plot').boundingBox())!;
  for (
    let at = 0.2;
    at < 0.9 && (await window.part('track-pointed').filter({ hasText: 'sample' }).count()) === 0;
    at += 0.02
  )
    await window.page.mouse.move(inPlot.x + inPlot.width * at, middle.y + 9);
  expect(await window.part('track-pointed').textContent()).toContain(labels[0].replace(/ \(\d+\)$/, ''));
  expect(await window.part('track-pointed').textContent()).toMatch(
    /^0:0\d\.?\d*, .*: \d+ samples? \(.*\), (in|such as) .*\w/,
  );
  // A pool unfolds to its threads, and the edge shows more or fewer tracks, by keyboard too.
  const fold = window.part('timeline-lanes').getByRole('button', { name: /^Threads of/ });
  const tracks = async (): Promise<number> =>
    Number(/of (\d+)/.exec((await window.part('tracks-handle').textContent()) ?? '')?.[1]);
  const folded = await tracks();
  await fold.first().press('Enter');
  await expect.poll(tracks).toBeGreaterThan(folded);
  await window.part('tracks-handle').press('ArrowUp');
  const height = (await window.part('timeline-lanes').boundingBox())!.height;
  await window.part('tracks-handle').press('ArrowUp');
  expect((await window.part('timeline-lanes').boundingBox())!.height).toBe(height - 18);
  await fold.first().press('Enter');
  await window.settled();
  const name = await lanes.first().textContent();
  // All lanes have the axis of the timeline above them, with their names and its scale at the left.
  const box = async (selector: string): Promise<{ x: number; width: number }> =>
    (await window.page.locator(selector).boundingBox())!;
  const plot = await box('[data-testid=timeline-plot]');
  for (const lane of ['.lane-colours', '.measured-content canvas']) {
    const { x, width } = await box(lane);
    expect([Math.abs(x - plot.x) < 1, Math.abs(width - plot.width) < 1]).toEqual([true, true]);
  }
  const names = (await lanes.first().boundingBox())!;
  expect(names.x + names.width).toBeLessThanOrEqual(plot.x);
  expect(await window.part('timeline-scale').textContent()).toMatch(/^\d+ samples\/s$/);
  await lanes.first().click();
  await window.settled();
  expect(await window.part('scope-chip').textContent()).toContain(name?.replace(/ \(\d+\)$/, ''));
  expect(await samplesOutside(window)).toBeGreaterThan(0);
  expect(await objections(window)).toEqual([]);
  await lanes.first().click();
  await window.settled();
  expect(await window.part('scope-chip').count()).toBe(0);
  // What was measured besides samples is told at the pointer, and at a cursor by keys.
  const measured = window.page.getByRole('slider', { name: 'Measured over time' });
  await measured.focus();
  await window.page.keyboard.press('ArrowRight');
  const told = await measured.getAttribute('aria-valuetext');
  expect(told).toMatch(/^0:0\d\.\d+: Share of errors (\d|not measured)/);
  expect(await window.part('measured-text').textContent()).toBe(told);
  await window.page.keyboard.press('End');
  expect(await window.part('measured-text').textContent()).not.toBe(told);
  expect(await window.part('measured-pointed').count()).toBe(0);
  await measured.hover({ position: { x: 200, y: 8 } });
  const pointed = window.part('measured-pointed');
  await pointed.waitFor();
  expect(await pointed.textContent()).toBe(await measured.getAttribute('aria-valuetext'));
  await window.page.mouse.move(2, 2);
  await pointed.waitFor({ state: 'detached' });
  // The column of times is drawn for the rows on screen.
  await window.part('pane-flat').getByTestId('choose-columns').click();
  await window.page.getByRole('menuitemcheckbox', { name: 'When' }).click();
  const row = window.part('pane-flat').locator('[role=row][data-row-id]').first();
  await expect.poll(() => row.getAttribute('aria-description')).toMatch(/(steady|burst|once)$/);
  // The detail has the same word, with a drawing.
  await row.click();
  await window.page.keyboard.press('2');
  await window.settled();
  const times = window.part('detail-times');
  await times.waitFor();
  const description = await row.getAttribute('aria-description');
  expect(description?.endsWith((await times.textContent()) ?? 'no word')).toBe(true);
  const painted = await times.locator('canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, at) => at % 4 === 3 && value > 0).length;
  });
  expect(painted).toBeGreaterThan(24);
  await window.part('view').click();
  await window.part('show-timeline').uncheck();
  await window.settled();
  expect(await window.part('timeline').count()).toBe(0);
  expect([...untimed.problems, ...window.problems]).toEqual([]);
});

test('any number that a recording has measured becomes a track; axes tell the time of day', async () => {
  const window = await open(['assets/shop.jfr.gz']);
  await window.samplesShown(1_306);
  await window.part('timeline-lanes-button').click();
  const names = window.part('measured-lanes').locator('.measured-lane > :first-child');
  await names.first().waitFor();
  expect(await names.allTextContents()).toEqual(['GC pauses', 'CPU, this JVM', 'CPU, machine', 'Heap used']);
  await window.part('series-choice').click();
  await window.page.getByRole('menuitemcheckbox', { name: 'CPU, machine' }).click();
  await window.part('series-choice').click();
  await window.page.getByRole('menuitem', { name: 'Java Thread Statistics' }).click();
  await window.page.getByRole('menuitemcheckbox', { name: 'Active Threads' }).click();
  expect(await names.allTextContents()).toEqual([
    'GC pauses',
    'CPU, this JVM',
    'Heap used',
    'Java Thread Statistics: Active Threads',
  ]);
  expect(await window.part('series-choice').textContent()).toMatch(/^Measured: 4 of \d+$/);
  expect(await objections(window)).toEqual([]);
  const label = window.page.locator('.timeline-axis > span').first();
  expect(await label.textContent()).toBe('0:00');
  await window.part('view').click();
  await window.part('clock').getByText('UTC').click();
  await window.page.keyboard.press('Escape');
  expect(await label.textContent()).toMatch(/^\d\d:\d\d:\d\d$/);
  expect(window.problems).toEqual([]);
});
