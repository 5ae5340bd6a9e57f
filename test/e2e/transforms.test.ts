import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';
import { chips, shortName } from '../support/scope-on-screen.ts';
import type { LogWindow } from '../support/window.ts';

const LOG = goldenPath('server-small');

const { openServerLog } = useWindows();

/** What the command line exports in a scope. */
async function collapsed(...options: string[]): Promise<string> {
  const run = await runCli(['export', LOG, '--format', 'collapsed', ...options]);
  expect(run.status).toBe(0);
  // Transforms may leave a sample no frame, and a line of collapsed stacks has at least one.
  expect(run.stderr).toMatch(/^(.*: samples without a frame left out\n)?$/);
  return run.stdout;
}

/** Selects a method by keys, which go to the methods from then on. It stays so under a scope that has it. */
async function select(window: LogWindow, label: string): Promise<void> {
  await focusMethods(window);
  await window.page.keyboard.press('Home');
  const at = (await window.rows('flat', 20)).indexOf(label);
  for (let step = 0; step < at; step++) await window.page.keyboard.press('ArrowDown');
  await window.settled();
}

async function focusMethods(window: LogWindow): Promise<void> {
  await window.part('pane-flat').locator('[role=grid]').focus();
  await window.settled();
}

/** Chooses an entry of the menu of the selected method. */
async function chooseEntry(window: LogWindow, name: string): Promise<void> {
  await focusMethods(window);
  await window.page.keyboard.press('Shift+F10');
  const isTop = /^(Keep|Drop|Focus)/.test(name);
  await window.choose(...(isTop ? [] : ['Transform']), name);
}

test('every transform, by the menu of a row and by its key, exports what the command line exports', async () => {
  const window = await openServerLog();
  const { page } = window;
  await window.chooseView('thread-grouping', 'all');
  await window.showPane('flat');
  const method = (await window.rows('flat', 50)).find((label) => /^java\.util\.[a-z]+\.[A-Z]/.test(label))!;
  const end = method.lastIndexOf('.');
  const name = method.slice(0, method.lastIndexOf('.', end - 1) + 1);
  const className = method.slice(0, end).replace(/\$.*$/, '');
  const all = await collapsed();
  const short = shortName(method);
  const cases: readonly (readonly [entry: string, key: string, options: string[]])[] = [
    [`Keep samples with ${short}`, 'Alt+Shift+K', ['--keep', method]],
    [`Focus on ${short}`, 'Alt+Shift+F', ['--focus', method]],
    [`Merge ${short} into callers`, 'Alt+Shift+M', ['--merge', method]],
    [`Collapse ${name}*`, 'Alt+Shift+C', ['--collapse', name]],
    [`Collapse ${className}.*`, 'Alt+Shift+X', ['--collapse-class', className]],
    ['Only java.util.*', '', ['--only', 'java.util.']],
    ['Collapse recursion', 'Alt+r', ['--collapse-recursion', 'all']],
    ['Collapse direct recursion', 'Alt+Shift+R', ['--collapse-recursion', 'direct']],
    ['Stable names', 'Alt+Shift+S', ['--fold', 'lambda,proxy,reflection,generated']],
    // The last one, because the method is not selected any more. Its key has a test of its own.
    [`Drop samples with ${short}`, '', ['--drop', method]],
  ];
  await select(window, method);
  for (const [entry, key, options] of cases) {
    const expected = await collapsed(...options);
    expect(expected === all, entry).toBe(false);
    await chooseEntry(window, entry);
    expect(await chips(window)).toEqual([entry]);
    expect(await window.exported('export-collapsed'), entry).toBe(expected);
    await page.keyboard.press('Control+z');
    expect(await chips(window)).toEqual([]);
    if (key === '') continue;
    await focusMethods(window);
    await page.keyboard.press(key);
    expect(await chips(window), key).toEqual([entry]);
    await page.keyboard.press('Control+z');
    expect(await chips(window)).toEqual([]);
  }
});

test('rows that an undone scope brings back are there; prefixes that belong together are written in a dialog, and changed by their chip', async () => {
  const window = await openServerLog();
  const { page } = window;
  await window.chooseView('thread-grouping', 'all');
  await window.showPane('flat');
  // Above the selected one, too.
  const before = await window.rows('flat', 5);
  await select(window, before[1]);
  await window.page.keyboard.press('Alt+Shift+K');
  expect((await chips(window)).length).toBe(1);
  await window.page.keyboard.press('Control+z');
  await window.settled();
  await window.page.keyboard.press('Home');
  await window.settled();
  expect(await window.rows('flat', 5)).toEqual(before);
  expect(await window.part('pane-flat').locator('.virtual-rows-missing').count()).toBe(0);

  // By keyboard alone.
  const method = (await window.rows('flat', 50)).find((label) => label.startsWith('java.util.'))!;
  await select(window, method);
  await page.keyboard.press('Alt+Shift+O');
  await window.part('step').waitFor();
  const field = window.part('step-prefixes');
  expect(await field.inputValue()).toBe('java.util.');
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await field.fill('');
  await page.keyboard.press('Control+Enter');
  expect(await window.part('step').getByRole('alert').textContent()).toBe('Enter the beginning of a name.');
  await field.fill('java.util.*\njava.lang.');
  // Keys of the text stay in it, and are not those of the window beneath.
  await field.press('End');
  await page.keyboard.type('\nServerSimx');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Control+z');
  await expect.poll(() => field.inputValue()).toContain('ServerSimx');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Control+Enter');
  await window.part('step').waitFor({ state: 'hidden' });
  expect(await chips(window)).toEqual(['Only java.util.*, java.lang.*, ServerSim*']);
  expect(await window.exported('export-collapsed')).toBe(
    await collapsed('--only', 'java.util.', '--only', 'java.lang.', '--only', 'ServerSim'),
  );
  await page.getByRole('button', { name: 'Only java.util.*', exact: false }).first().click();
  expect(await field.inputValue()).toBe('java.util.\njava.lang.\nServerSim');
  await field.fill('ServerSim');
  await window.part('step-apply').click();
  expect(await chips(window)).toEqual(['Only ServerSim*']);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  expect(await chips(window)).toEqual([]);

  await chooseEntry(window, 'Stable names…');
  expect(await objectionsInBothThemes(window)).toEqual([]);
  for (const name of ['proxy', 'reflection', 'generated']) await window.part(`step-${name}`).uncheck();
  await window.part('step-apply').click();
  expect(await chips(window)).toEqual(['Stable names: lambda']);
  expect(await window.exported('export-collapsed')).toBe(await collapsed('--fold', 'lambda'));
});

test('a zoom is a step and a chip; what is exported follows it if it narrows, and otherwise says so', async () => {
  const window = await openServerLog();
  const { page } = window;
  await window.chooseView('thread-grouping', 'all');
  const graph = page.locator('.flame-scroller');
  const place = await graph.boundingBox();
  await window.clickFrame('java.lang.Thread.run');
  await window.part('zoom-reset').waitFor();
  // Nothing moves with the click.
  expect(await graph.boundingBox()).toEqual(place);
  expect(await chips(window)).toEqual([]);
  const all = await collapsed();
  expect(await window.exported('export-collapsed')).toBe(all);
  await page.getByText('everything in scope is in it, not only the zoom').waitFor();
  await window.part('zoom-keep').click();
  await window.settled();
  expect(await chips(window)).toEqual(['Only below java.lang.Thread.run']);
  // The frame is the root of its stacks.
  const below = all.split('\n').filter((line) => line.startsWith('java.lang.Thread.run;'));
  expect((await window.exported('export-collapsed')).trimEnd().split('\n')).toEqual(below);
  await page.keyboard.press('Control+z');
  expect(await chips(window)).toEqual([]);
  expect(await window.exported('export-collapsed')).toBe(all);
  await page.keyboard.press('Control+Shift+Z');
  expect(await chips(window)).toEqual(['Only below java.lang.Thread.run']);
  await page.getByRole('button', { name: 'Remove: Only below' }).click();
  expect(await graph.boundingBox()).toEqual(place);
  expect(await chips(window)).toEqual([]);
});
