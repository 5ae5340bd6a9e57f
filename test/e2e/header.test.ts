import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { layoutFaults } from '../support/layout-faults.mjs';
import { useWindows } from '../support/opened-window.ts';
import { goldenLog } from '../support/read-log.ts';
import { chips } from '../support/scope-on-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const { open, openServerLog } = useWindows();

const SIZES = [
  [700, 450],
  [900, 700],
  [1440, 900],
  [2560, 1440],
  // As 1280 × 720 at 200 %.
  [640, 360],
] as const;

async function showScope(window: LogWindow, ...fields: readonly string[]): Promise<void> {
  await window.page.evaluate(
    (fragment) => (location.hash = fragment),
    ['#log=server-small.hpl.gz', ...fields].join('&'),
  );
  await expect.poll(() => chips(window)).toHaveLength(fields.length);
  await window.settled();
}

/** Samples of the root of the call tree, which counts what is in scope. */
async function rootCount(window: LogWindow): Promise<string | undefined> {
  await window.settled();
  return (await window.numbers('tree', 'totalCount')).get('All threads');
}

const textOf = async (window: LogWindow, testId: string): Promise<string | null> =>
  window.part(testId).textContent();

test('S7: the kinds of samples of a recording are tabs with their counts, the others are in a menu', async () => {
  // A server of its own: another kind of samples stays chosen in it.
  const window = await open(['assets/shop.jfr.gz'], { width: 1440, height: 900 });
  await window.samplesShown(1306);
  const tabs = window.part('kinds').getByRole('tab');
  await expect.poll(() => tabs.allInnerTexts()).toHaveLength(4);
  const texts = (await tabs.allTextContents()).map((text) => text.replace(/(\d)/, ' $1'));
  expect(texts.slice(0, 3)).toEqual(['CPU 1,306', 'Allocations 8,600', expect.stringMatching(/^Locks \d+$/)]);
  expect(await objectionsInBothThemes(window)).toEqual([]);

  // By keyboard: arrows only move the focus.
  await tabs.first().focus();
  await window.page.keyboard.press('ArrowRight');
  expect(await tabs.nth(0).getAttribute('aria-selected')).toBe('true');
  await window.page.keyboard.press('Enter');
  await expect.poll(() => tabs.nth(1).getAttribute('aria-selected')).toBe('true');
  await window.part('metric').getByText('Allocated').waitFor();

  // One of the menu has a tab while it is chosen.
  await window.chooseKind('exceptions');
  await expect.poll(() => tabs.nth(4).textContent()).toMatch(/^Exceptions\d/);
  expect(window.problems).toEqual([]);
});

test('S13: the row of the scope wraps and cuts no verb, at any size, and no text is on another', async () => {
  const window = await openServerLog();
  const long = `pool-of-connections-to-the-database-${'of-orders-'.repeat(4)}17`;
  await showScope(
    window,
    `thread=${long}`,
    'thread=main',
    'drop=com.acme.Server.run',
    'collapse=com.example.of.a.company.with.a.very.long.name.and.many.departments.shop.',
    'fold=lambda,proxy,reflection,generated',
  );
  const verbs = ['thread', 'thread', 'Drop', 'Collapse', 'Stable'];
  for (const [width, height] of SIZES) {
    await window.page.setViewportSize({ width, height });
    await window.settled();
    expect(await window.page.evaluate(layoutFaults), `${width}`).toEqual([]);
    const shown = await window.part('scope-chip').evaluateAll((parts) =>
      parts.map((part) => {
        const text = part.querySelector('.chip-text')!.firstChild as Text;
        const range = document.createRange();
        range.selectNodeContents(text);
        const { left, right } = range.getBoundingClientRect();
        const box = part.getBoundingClientRect();
        return left >= box.left && right <= box.right && box.right <= innerWidth ? text.data.trim() : '';
      }),
    );
    expect(shown, `${width}`).toEqual(verbs);
  }
  expect(await textOf(window, 'sample-count')).toBe('1,553');
  expect(await objectionsInBothThemes(window)).toEqual([]);
});

test('S13: no pane moves where one line has space for what is narrowed', async () => {
  const window = await openServerLog({ width: 1440, height: 900 });
  const pane = window.part('pane-flame');
  const place = await pane.boundingBox();
  await showScope(window, 'thread=main', 'collapse=java.');
  expect(await pane.boundingBox()).toEqual(place);
  expect(await textOf(window, 'sample-count-in-scope')).toBe(await rootCount(window));
});

test('S14: the numbers at the top are those of the scope, as the panes count them', async () => {
  const window = await openServerLog({ width: 1440, height: 900 });
  expect(await textOf(window, 'sample-count')).toBe(await rootCount(window));
  expect(await textOf(window, 'hide-errors')).toBe('no stack 36.1 %');
  await showScope(window, 'thread=main');
  const inScope = await textOf(window, 'sample-count-in-scope');
  expect(inScope).toBe(await rootCount(window));
  expect(await textOf(window, 'thread-count')).toBe('1');
  const share = await textOf(window, 'hide-errors');
  await window.part('hide-errors').click();
  await expect.poll(() => textOf(window, 'sample-count-in-scope')).not.toBe(inScope);
  const numberOf = (text: string | null | undefined): number => Number((text ?? '').replaceAll(',', ''));
  const left = numberOf(await rootCount(window));
  expect(share).toBe(`no stack ${((1 - left / numberOf(inScope)) * 100).toFixed(1)} %`);
  await window.part('hide-errors').click();
  await window.settled();
  // Left out, they are not in the number of the scope either.
  await showScope(window);
  await window.part('hide-errors').click();
  await expect.poll(() => textOf(window, 'sample-count-in-scope')).toBe('992');
  expect(await rootCount(window)).toBe('992');
});

test('S15: comparing, exporting and all commands have buttons that say so', async () => {
  const window = await openServerLog({ width: 1280, height: 720 });
  for (const [button, opened] of [
    ['Compare…', 'compare'],
    ['Commands and shortcuts', 'palette'],
  ] as const) {
    await window.page.getByRole('button', { name: button }).click();
    await window.part(opened).waitFor();
    await window.page.keyboard.press('Escape');
    await window.part(opened).waitFor({ state: 'detached' });
  }
  for (const word of ['Compare…', 'Export…'])
    expect(await window.page.locator('.top-row').getByText(word).isVisible(), word).toBe(true);
});

test('S16: finding changes no number, the calls of a method are found without the find field, and a zoom narrows once it is kept', async () => {
  const window = await openServerLog({ width: 1440, height: 900 });
  await window.search('Pattern');
  expect(await textOf(window, 'sample-count')).toBe(await rootCount(window));
  expect(await chips(window)).toEqual([]);
  await window.page.getByRole('button', { name: 'Clear the find field' }).click();
  await window.settled();

  const row = window.part('pane-flat').locator('[role=row][data-row-id]').nth(3);
  await row.click({ button: 'right' });
  await window.choose('Show', 'Find in call tree');
  await window.settled();
  expect(await window.part('search-field').inputValue()).toBe('');
  expect(await window.part('pane-flat').locator('[role=row][data-row-id]').count()).toBeGreaterThan(8);
  expect(await window.part('pane-tree').locator('[aria-selected=true]').count()).toBe(1);

  await window.clickFrame('java.lang.Thread.run');
  await window.settled();
  expect(await chips(window)).toEqual([]);
  expect(await window.part('sample-count-in-scope').count()).toBe(0);
  await window.part('zoom-keep').click();
  await expect.poll(() => textOf(window, 'sample-count-in-scope')).toBe('166');
  expect(await chips(window)).toEqual(['Only below java.lang.Thread.run']);
});

test('S17: menus of methods, columns and exports have at most eight entries, all of them in a small window', async () => {
  const window = await openServerLog({ width: 700, height: 450 });
  await window.showPane('flat');
  const openers = {
    method: () =>
      window.part('pane-flat').locator('[role=row][data-row-id]').first().click({ button: 'right' }),
    columns: () => window.part('choose-columns').click(),
    exports: () => window.part('export-menu').click(),
  };
  for (const [name, openMenu] of Object.entries(openers)) {
    await openMenu();
    const menu = window.page.getByRole('menu').first();
    await menu.waitFor();
    const entries = menu.locator(':scope > button, :scope > [role=none] > button');
    expect(await entries.count(), name).toBeLessThanOrEqual(8);
    expect(
      (await entries.allTextContents()).filter((text) => /\b(it|its)\b/.test(text)),
      name,
    ).toEqual([]);
    const box = (await menu.boundingBox())!;
    expect([box.y >= 0, box.y + box.height <= 450, box.x + box.width <= 700], name).toEqual([
      true,
      true,
      true,
    ]);
    expect(await menu.evaluate((each) => each.scrollHeight <= each.clientHeight), name).toBe(true);
    expect(await window.page.evaluate(layoutFaults), name).toEqual([]);
    await window.page.keyboard.press('Escape');
  }
});

test('S18: what is not shown has its true reason: it was dropped, or the choice of rows leaves it out', async () => {
  const window = await openServerLog({ width: 1440, height: 900 });
  const first = window.part('pane-flat').locator('[role=row][data-row-id]').first();
  const [label] = await window.rows('flat', 1);
  await first.click();
  await showScope(window, `drop=${encodeURIComponent(label)}`);
  await expect.poll(() => textOf(window, 'flame-details')).toMatch(/dropped from the scope$/);

  await showScope(window);
  await first.dblclick();
  await window.settled();
  await showScope(window, `rows=${encodeURIComponent('totalCount > 1000000')}`);
  const pane = window.part('pane-callers');
  await expect
    .poll(async () => (await pane.count()) === 0 || (await pane.textContent()))
    .toMatch(/choice of rows leaves it out|No row has these names and numbers/);
});

test('S21: tabs of files with like names keep what differs', async () => {
  const folder = temporaryFolder();
  const names = Array.from(
    { length: 14 },
    (_, at) => `checkout-prod-${`${at + 1}`.padStart(2, '0')}-production-europe.hpl`,
  );
  for (const name of names) writeFileSync(join(folder, name), goldenLog('hello'));
  const window = await open(
    names.map((name) => join(folder, name)),
    { width: 1280, height: 720 },
  );
  await window.part('tab').nth(13).waitFor();
  await window.settled();
  const kept = await window.part('tab').evaluateAll((tabs) =>
    tabs.map((tab) => {
      const part = tab.querySelector<HTMLElement>('.elided-tail')!;
      const range = document.createRange();
      range.selectNodeContents(part);
      return range.getBoundingClientRect().width <= part.getBoundingClientRect().width + 0.5
        ? part.textContent
        : '';
    }),
  );
  expect(kept).toEqual(names.map((name) => /\d\d/.exec(name)![0]));
  expect(await window.page.evaluate(layoutFaults)).toEqual([]);
});

test('the rows at the top stand still while a log grows', async () => {
  const log = goldenLog('server-small');
  const path = join(temporaryFolder(), 'grows.hpl');
  writeFileSync(path, log.subarray(0, 900_000));
  const window = await open(['--follow', path], { width: 1440, height: 900 });
  await window.part('hide-errors').waitFor();
  const places = (): Promise<string[]> =>
    window.page.evaluate(() =>
      Array.from(
        document.querySelectorAll('.top-row button, .scope-path button, .scope-facts > *'),
        (each) => {
          const { left, width } = each.getBoundingClientRect();
          return `${each.getAttribute('data-testid') ?? each.className} ${left} ${width}`;
        },
      ).filter((each) => !/^(status-chip|scope-hint|computing|so-far|log-close)/.test(each)),
    );
  // Once it has grown, the word for its state is there, whether the log is live or rests.
  const word = window.part('status-chip').locator('.chip-text');
  let end = 900_000;
  for (; (await word.count()) === 0 && end < 1_000_000; end += 10_000) {
    const before = await textOf(window, 'sample-count');
    appendFileSync(path, log.subarray(end, end + 10_000));
    await expect.poll(() => textOf(window, 'sample-count')).not.toBe(before);
    await window.settled();
  }
  expect(await word.count()).toBe(1);
  const samples = await textOf(window, 'sample-count');
  const before = await places();
  appendFileSync(path, log.subarray(end, end + 100_000));
  await expect.poll(() => textOf(window, 'sample-count')).not.toBe(samples);
  await window.settled();
  expect(await places()).toEqual(before);
  expect(await textOf(window, 'sample-count')).toBe(await rootCount(window));
});
