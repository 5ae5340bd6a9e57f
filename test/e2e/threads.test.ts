import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { chips, expectFlat } from '../support/scope-on-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { open, openServerLog } = useWindows();

test('the list of threads, by keyboard alone: a pool only, all but one, search, undo', async () => {
  const window = await openServerLog();
  await window.showPane('flat');
  const { keyboard } = window.page;
  const rows = async (): Promise<string[]> => {
    await window.settled();
    return window
      .part('threads-panel')
      .locator('[role=treeitem]')
      .evaluateAll((elements) =>
        elements.map((each) =>
          [
            each.getAttribute('aria-checked'),
            each.querySelector('.thread-name')!.textContent,
            each.getAttribute('aria-description'),
          ].join(' '),
        ),
      );
  };
  await keyboard.press('Alt+j');
  expect(await rows()).toEqual([
    'true http-worker-* 6 threads, 1,000 samples, 64.4 %',
    'true main 420 samples, 27.0 %',
    'true Unknown Thread(s) 5 threads, 133 samples, 8.6 %',
  ]);
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  expect(await chips(window)).toEqual(['threads http-worker-*']);
  await expectFlat(window, '--thread', '/^http-worker-[0-9]+$/');
  await keyboard.press('ArrowDown');
  await keyboard.press('Space');
  expect(await chips(window)).toEqual(['thread main', 'threads http-worker-*']);
  await keyboard.press('Control+a');
  await keyboard.press('Delete');
  expect(await chips(window)).toEqual(['all but main']);
  await expectFlat(window, '--thread', '/^(?!(?:main)$)/');
  expect((await rows()).map((row) => row.split(' ')[0])).toEqual(['true', 'false', 'true']);
  await keyboard.press('Home');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowDown');
  const [, worker] = (await rows()).map((row) => row.split(' ')[1]);
  expect(worker).toMatch(/^http-worker-\d$/);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await keyboard.press('Space');
  expect(await chips(window)).toEqual([`all but main, ${worker}`]);
  expect((await rows()).slice(0, 2).map((row) => row.split(' ')[0])).toEqual(['mixed', 'false']);
  await keyboard.press('Escape');
  await window.part('threads-panel').waitFor({ state: 'detached' });
  await keyboard.press('Control+z');
  await keyboard.press('Control+z');
  expect(await chips(window)).toEqual([]);

  await keyboard.press('Alt+j');
  await keyboard.type('worker-[');
  expect(await rows()).toEqual([]);
  await keyboard.press('Escape');
  await keyboard.type('/worker-[12]/');
  expect((await rows()).map((row) => row.split(' ')[1]).toSorted()).toEqual([
    'http-worker-*',
    'http-worker-1',
    'http-worker-2',
  ]);
  await window.page.getByRole('button', { name: 'All but these' }).click();
  expect(await chips(window)).toEqual(['all but http-worker-2, http-worker-1']);
  // Of those that are chosen the others are left.
  await window.page.getByRole('button', { name: 'Only these' }).click();
  await window.part('threads-search').fill('worker-1');
  await window.page.getByRole('button', { name: 'All but these' }).click();
  expect(await chips(window)).toEqual(['thread http-worker-2']);
});

test('of five thousand threads only those on screen are in the document', async () => {
  const file = join(temporaryFolder(), 'many.collapsed');
  const lines = Array.from(
    { length: 5_000 },
    (_, at) => `[job ${at} of night tid=${at + 1}];Shop.run;Shop.sell ${at + 1}`,
  );
  writeFileSync(file, lines.join('\n'));
  const window = await open([file]);
  await window.samplesShown(12_502_500);
  const { keyboard } = window.page;
  await keyboard.press('Alt+j');
  const rows = window.part('threads-panel').locator('[role=treeitem]');
  await rows.first().waitFor();
  expect(await rows.first().locator('.thread-name').textContent()).toBe('job 4999 of night');
  expect(await rows.count()).toBeLessThan(40);
  await keyboard.press('ArrowDown');
  await keyboard.press('End');
  await window.settled();
  expect(await window.part('threads-panel').locator('[data-active]').textContent()).toContain(
    'job 0 of night',
  );
  await keyboard.press('Enter');
  expect(await chips(window)).toEqual(['thread job 0 of night']);
  expect(await window.part('threads-sum').textContent()).toBe('1 of 5,000 names · <0.1 % of samples');
});

test('the list of threads fits a window of 1280 pixels, and one of 640', async () => {
  const window = await openServerLog();
  for (const width of [1280, 640]) {
    await window.page.setViewportSize({ width, height: 720 });
    await window.settled();
    await window.part('threads').click();
    const row = window.part('threads-panel').locator('[role=treeitem]').nth(1);
    // Beside its name are the words of the pointer: only, all but.
    await row.locator('.thread-name').click();
    expect(await chips(window)).toEqual(['all but main']);
    const panel = (await window.part('threads-panel').boundingBox())!;
    const inside = (await row.locator('.thread-share').boundingBox())!;
    expect([panel.x >= 0, panel.x + panel.width <= width, inside.x + inside.width <= width]).toEqual([
      true,
      true,
      true,
    ]);
    await window.page.keyboard.press('Escape');
    await window.part('threads-panel').waitFor({ state: 'detached' });
    await window.page.keyboard.press('Control+z');
    expect(await chips(window)).toEqual([]);
  }
});
