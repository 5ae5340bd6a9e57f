import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { layoutFaults } from '../support/layout-faults.mjs';
import { useWindows } from '../support/opened-window.ts';
import type { LogWindow } from '../support/window.ts';

const { open } = useWindows();

const WIDE = { width: 1440, height: 900, hasSummary: true };

/** A state of the window: how it is entered from the one before. */
type State = readonly [name: string, enter: (window: LogWindow) => Promise<unknown>];

const press =
  (...keys: readonly string[]) =>
  async ({ page }: LogWindow): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
/** Opens a dialog or panel by keys, in the place of the one before. */
const opens =
  (testId: string, ...keys: readonly string[]) =>
  async (window: LogWindow): Promise<void> => {
    await press('Escape', ...keys)(window);
    await window.part(testId).waitFor();
  };
const choose = (testId: string, name: string) => (window: LogWindow) =>
  window.part(testId).getByRole('radio', { name, exact: true }).click();
const click = (testId: string) => (window: LogWindow) => window.part(testId).click();
const pane =
  (id: string) =>
  async ({ page }: LogWindow): Promise<void> =>
    page.locator(`[data-pane="${id}"]`).first().waitFor();

/** After each other: what is opened over the panes is closed by the next one. */
const STATES: readonly State[] = [
  ['all panes', pane('summary')],
  ['a method is selected', (window) => window.clickFrame('com.acme.shop.catalog.Ranking.top')],
  ['callers and callees', choose('tree-choice', 'Callers, callees')],
  ['source', press('6')],
  ['bottom-up tree', choose('tree-choice', 'Bottom-up')],
  ['spread of the selected method', choose('tree-choice', 'Spread')],
  ['spread of all methods', click('spread-all')],
  ['chart', press('8')],
  ['chart of equally wide samples', choose('chart-widths', 'Equal width')],
  ['bottom-up flame graph', choose('flame-direction', 'Bottom-up')],
  ['flame graphs of callers and callees', press('5')],
  ['methods alone', press('2')],
  ['call tree alone', press('1')],
  ['flame graph alone', press('3')],
  ['all panes again', press('4')],
  ['heatmap', press('7')],
  ['tracks', (window) => window.part('timeline-lanes-button').click()],
  ['found', (window) => window.search('sort')],
  ['only matches', click('only-matches')],
  ['nothing found', (window) => window.part('search-field').fill('no such method')],
  [
    'menu of a row',
    async (window) => {
      await window.part('search-field').fill('');
      await window.part('pane-flat').locator('[data-index="0"]').click({ button: 'right' });
    },
  ],
  ['transforms', (window) => window.page.getByRole('menuitem', { name: 'Transform' }).click()],
  [
    'a part of the scope',
    async (window) => {
      await press('Escape', 'Escape')(window);
      await window.part('summary-burst').first().click();
    },
  ],
  ['menu of exports', click('export-menu')],
  [
    'view options',
    async (window) => {
      await press('Escape')(window);
      await window.part('view').click();
    },
  ],
  ['details', opens('details', 'Alt+Enter')],
  ['threads', opens('threads-panel', 'Alt+j')],
  ['palette', opens('palette', 'Control+k')],
  ['shortcuts', opens('keys', '?')],
  ['conditions of rows', opens('filter', 'Control+Shift+f')],
  [
    'time range',
    async (window) => {
      await press('Escape')(window);
      await window.part('timeline-range').click();
    },
  ],
  ['rename', opens('rename', 'F2')],
  [
    'sources',
    async (window) => {
      await press('Escape', 'Control+k')(window);
      await window.page.keyboard.type('folders of sources');
      await window.page.keyboard.press('Enter');
      await window.part('sources').waitFor();
    },
  ],
  ['attach', opens('attach', 'Alt+a')],
  [
    'page to send',
    async (window) => {
      await press('Escape')(window);
      await window.part('export-menu').click();
      await window.page.getByRole('menuitem', { name: /page/i }).first().click();
      await window.part('page').waitFor();
    },
  ],
  ['offers to compare', opens('compare', 'Alt+c')],
  [
    'another kind beside it',
    async (window) => {
      await window.part('compare-types').locator('summary').click();
      await window.part('compare-offer').filter({ hasText: 'Allocation samples' }).click();
      await window.part('compare-by').waitFor();
    },
  ],
  ['comparison', (window) => window.settled()],
  [
    'merge',
    async (window) => {
      await press('Control+k')(window);
      await window.page.keyboard.type('merge logs');
      await window.page.keyboard.press('Enter');
      await window.part('merge').waitFor();
    },
  ],
  ['merged', click('merge-apply')],
];

test('axe objects to no state of the window, in either theme', async () => {
  const window = await open(['assets/shop.jfr.gz'], WIDE);
  await window.samplesShown(1306);
  const objections: string[] = [];
  for (const [name, enter] of STATES) {
    await enter(window);
    await window.settled();
    for (const objection of await objectionsInBothThemes(window)) objections.push(`${name}: ${objection}`);
  }
  expect(objections).toEqual([]);
  expect(window.problems).toEqual([]);
});

test('nor to requests: all operations, one of them, its slow ones against the rest, and their spread', async () => {
  const window = await open(['test/golden/jfr/requests-jdk25.jfr.gz'], WIDE);
  await window.samplesShown(288);
  const enter = (key: string) => async (): Promise<void> => {
    await window.part('pane-operations').locator('[data-name=checkout]').click();
    await window.page.keyboard.press(key);
  };
  const states: readonly State[] = [
    ['operations', choose('tree-choice', 'Operations')],
    ['one operation', enter('Enter')],
    ['its slow ones', enter('Shift+Enter')],
    ['spread of a comparison', choose('tree-choice', 'Spread')],
  ];
  for (const [name, go] of states) {
    await go(window);
    await window.settled();
    expect(await objectionsInBothThemes(window), name).toEqual([]);
  }
  expect(window.problems).toEqual([]);
});

test('nor to the start page, and to files that cannot be read or only in part; nothing overlaps there', async () => {
  const start = await open([]);
  expect(await objectionsInBothThemes(start)).toEqual([]);
  await start.part('record-help').click();
  expect(await objectionsInBothThemes(start)).toEqual([]);
  expect(await start.page.evaluate(layoutFaults)).not.toContain('the page scrolls');
  for (const file of [
    'assets/icon.png',
    'test/golden/hpl/damaged/unknown-type-between.hpl',
    '/no/such.hpl',
  ]) {
    const window = await open(['--follow', file], WIDE);
    await window.part('status-chip').waitFor();
    await window.settled();
    expect(
      [...(await objectionsInBothThemes(window)), ...(await window.page.evaluate(layoutFaults))],
      file,
    ).toEqual([]);
  }
});
