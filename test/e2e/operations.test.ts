import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { layoutFaults } from '../support/layout-faults.mjs';
import { useWindows } from '../support/opened-window.ts';
import { cliOutput } from '../support/run-cli.ts';
import { chips } from '../support/scope-on-screen.ts';
import { goldenPath } from '../support/read-log.ts';
import { servedHere } from '../support/served-here.ts';
import type { OperationsData } from '../../shared/answers/schemas.ts';
import { LogWindow } from '../support/window.ts';

const FILE = 'test/golden/jfr/requests-jdk25.jfr.gz';
const SAMPLES = 288;

const { browser, open, openRead } = useWindows();

/** The names and the first numbers on screen. */
async function rowsOf(window: LogWindow): Promise<string[]> {
  await window.settled();
  return window
    .part('pane-operations')
    .locator('[data-name]')
    .evaluateAll((rows) =>
      rows
        .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
        .map((row) => `${row.getAttribute('data-name')} ${row.children[1].textContent}`),
    );
}

async function samplesOf(...scope: readonly string[]): Promise<number> {
  const { whole } = JSON.parse(await cliOutput('top', FILE, '--json', ...scope)) as {
    whole: { samples: number };
  };
  return whole.samples;
}

/** A window that follows a link, high enough for all roots of a tree that is open along its hot path. */
async function linked(file: string, fragment: string): Promise<LogWindow> {
  const url = await servedHere(file);
  const window = await LogWindow.open(browser(), url);
  await window.page.setViewportSize({ width: 1440, height: 1300 });
  await window.page.goto('about:blank');
  await window.page.goto(`${new URL(url).origin}/${fragment}`);
  return window;
}

const inScope = async (window: LogWindow): Promise<number> => SAMPLES - (await window.samplesOutside());

test('the operations of a recording: the slow ones against the rest by one click, in the link and undone', async () => {
  const window = await openRead(FILE, SAMPLES, { width: 1440, height: 900, hasSummary: true });
  await window.part('tree-choice').getByRole('radio', { name: 'Operations' }).click();
  const { rows } = JSON.parse(await cliOutput('operations', FILE, '--json')) as OperationsData;
  const listed = rows.map(({ name, count }) => `${name} ${count}`);
  expect(await rowsOf(window)).toEqual(listed);
  const checkout = window.part('pane-operations').locator('[data-name=checkout]');
  await checkout.hover();
  await checkout.getByText('Slow vs rest').click();
  expect(await chips(window)).toEqual([
    'operation=checkout, slowest 5 %',
    'compared with the rest of operation=checkout',
  ]);
  const slow = await samplesOf('--context', 'operation=checkout', '--slower', '95%');
  expect(await inScope(window)).toBe(slow);
  // What is in scope does not leave the list, and is marked in it; it has durations on both sides.
  expect(await rowsOf(window)).toEqual(
    rows.map(({ name }) => (name === 'checkout' ? 'checkout 285 → 15' : `${name} `)),
  );
  expect(await checkout.getAttribute('aria-description')).toMatch(
    /^in scope, Count 285 → 15, p50, base → new 44\.2 ms → 268 ms, \+506 %, p99, base → new 196 ms → 636 ms/,
  );
  const all = await samplesOf('--context', 'operation=checkout');
  const said = window.part('pane-summary');
  expect(await said.textContent()).toContain(
    `${slow} samples in these requests, ${all - slow} in the other requests`,
  );
  expect(await said.textContent()).toContain('Requests.reindex grew');
  const fragment = await window.fragment();
  expect(decodeURIComponent(fragment)).toContain('context=operation=checkout&slower=95');
  expect(decodeURIComponent(fragment)).toContain('context-base=operation=checkout');
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await window.part('compare-swap').click();
  expect(await chips(window)).toEqual([
    'operation=checkout',
    'compared with operation=checkout, slowest 5 %',
  ]);
  expect(await inScope(window)).toBe(all - slow);
  await window.page.keyboard.press('Control+z');
  await window.page.keyboard.press('Control+z');
  expect(await chips(window)).toEqual([]);
  expect(await inScope(window)).toBe(SAMPLES);
  const other = await linked(FILE, fragment);
  await other.samplesShown(SAMPLES);
  expect(await inScope(other)).toBe(slow);
  expect(await chips(other)).toEqual([
    'operation=checkout, slowest 5 %',
    'compared with the rest of operation=checkout',
  ]);
  expect([...window.problems, ...other.problems]).toEqual([]);
});

test('by keyboard, by another attribute, and in a narrow window', async () => {
  const window = await openRead(FILE, SAMPLES, { width: 1440, height: 900 });
  const { keyboard } = window.page;
  await keyboard.press('Control+k');
  await keyboard.type('show the operations');
  await keyboard.press('Enter');
  await window.part('pane-operations').locator('[data-name=store]').waitFor();
  await window.settled();
  await keyboard.type('stor');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  expect(await chips(window)).toEqual(['operation=store']);
  expect(await inScope(window)).toBe(await samplesOf('--context', 'operation=store'));
  await keyboard.press('Shift+F10');
  await window.choose(/^Only the slow ones/);
  expect(await chips(window)).toEqual(['operation=store, slowest 5 %']);
  await window.part('operations-by').selectOption('customer');
  expect(await rowsOf(window)).toEqual([
    expect.stringMatching(/^other \d+$/),
    expect.stringMatching(/^gold \d+$/),
  ]);
  const pane = window.part('pane-operations');
  await pane.locator('[data-name=gold]').click();
  await keyboard.press('Enter');
  expect(await chips(window)).toEqual(['operation=store, customer=gold']);
  expect(await inScope(window)).toBe(
    await samplesOf('--context', 'operation=store', '--context', 'customer=gold'),
  );
  await pane.getByRole('columnheader', { name: 'customer', exact: false }).getByRole('button').click();
  expect((await rowsOf(window)).map((row) => row.split(' ')[0])).toEqual(['gold', 'other']);
  await window.page.setViewportSize({ width: 700, height: 450 });
  await window.settled();
  await keyboard.press('1');
  await pane.waitFor();
  await window.settled();
  expect(await window.page.evaluate(layoutFaults)).toEqual([]);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  expect(window.problems).toEqual([]);
});

test('threads are grouped by an attribute: its values are roots, and narrow the scope from their menu', async () => {
  const window = await openRead(FILE, SAMPLES, { width: 1440, height: 900 });
  await window.chooseView('thread-grouping', 'context:customer');
  const root = (name: string) => window.part('pane-tree').getByRole('row', { name: new RegExp(`^${name}`) });
  await root('gold').first().waitFor();
  await root('No request').first().waitFor();
  const grouped = await window.fragment();
  expect(grouped).toBe('#threads=context:customer');
  const alike = await linked(FILE, grouped);
  await alike.samplesShown(SAMPLES);
  await alike.part('pane-tree').getByRole('row', { name: /^gold/ }).first().waitFor();
  await root('gold').first().click({ button: 'right' });
  await window.choose('Only customer gold');
  expect(await chips(window)).toEqual(['customer=gold']);
  expect(await inScope(window)).toBe(await samplesOf('--context', 'customer=gold'));
  const fragment = await window.fragment();
  expect(decodeURIComponent(fragment)).toContain('threads=context:customer');
  const other = await linked(FILE, fragment);
  await other.samplesShown(SAMPLES);
  await other.part('pane-tree').getByRole('row', { name: /^gold/ }).first().waitFor();
  expect([...window.problems, ...other.problems]).toEqual([]);
});

test('a log without requests has no such pane, and says so of a link that has some', async () => {
  const window = await linked(
    goldenPath('server-small'),
    '#log=server-small.hpl.gz&context=operation%3Dcheckout',
  );
  await window.samplesShown(1_553);
  expect(await chips(window)).toEqual(['operation=checkout: no requests in this log']);
  expect(await window.samplesOutside()).toBe(0);
  const choices = window.part('tree-choice').getByRole('radio');
  expect(await choices.allTextContents()).not.toContain('Operations');
  // Its command says why it is not shown.
  await window.page.keyboard.press('Control+k');
  await window.page.keyboard.type('show the operations');
  await window.page.keyboard.press('Enter');
  await window.part('notice').getByText('This log tells of no requests').waitFor();
  await window.part('pane-tree').waitFor();
});

test('chosen for another log, the call tree is shown where there are no requests, and the operations where there are', async () => {
  const window = await open([FILE, goldenPath('server-small')], { width: 1440, height: 900 });
  await window.samplesShown(1_553);
  const tabs = window.page.getByRole('tab');
  await tabs.filter({ hasText: 'requests' }).click();
  await window.samplesShown(SAMPLES);
  await window.part('tree-choice').getByRole('radio', { name: 'Operations' }).click();
  await window.part('pane-operations').locator('[data-name=checkout]').waitFor();
  await tabs.filter({ hasText: 'server-small' }).click();
  await window.samplesShown(1_553);
  await window.treeRow('All threads').waitFor();
  expect(await window.part('tree-choice').getByRole('radio', { checked: true }).textContent()).toBe(
    'Call tree',
  );
  expect(await window.part('pane-operations').count()).toBe(0);
  await window.page.keyboard.press('2');
  await window.part('detail-empty').waitFor();
  await window.page.keyboard.press('4');
  await tabs.filter({ hasText: 'requests' }).click();
  await window.part('pane-operations').locator('[data-name=checkout]').waitFor();
  expect(window.problems).toEqual([]);
});
