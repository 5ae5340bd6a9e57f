/**
 * Every state of the window in several sizes and both themes, for looking at: `npm run screenshots -- --matrix [TEXT…]`,
 * all states or those whose name has one of the texts. SIZES=700,1440 and THEMES=dark make fewer. Writes
 * test/output/matrix/STATE-WIDTH-THEME.png and prints what test/support/layout-faults.mjs finds.
 */
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { layoutFaults } from '../test/support/layout-faults.mjs';

const assets = import.meta.dirname;
const output = join(assets, '../test/output/matrix');
const golden = (name) => join(assets, '../test/golden/hpl', name);

/** CSS pixels. The first is also 1440 × 900 zoomed to 200 %, more or less. */
const SIZES = [
  { width: 700, height: 450 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];

const idle = (page) => page.evaluate(() => window.leanscopeIdle?.());
const press =
  (...keys) =>
  async (page) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await idle(page);
    }
  };
const click = (testId) => (page) => page.getByTestId(testId).first().click();
const both =
  (...steps) =>
  async (page) => {
    for (const step of steps) await step(page);
  };
const escape = press('Escape');
const rowOf = (page, pane, at = 4) => page.getByTestId(`pane-${pane}`).locator('[data-row-id]').nth(at);
const menuOf = (pane) => async (page) => {
  // Of a small window only one pane is there.
  if ((await page.getByTestId(`pane-${pane}`).count()) === 0)
    await page.keyboard.press({ flat: '2', tree: '1', flame: '3' }[pane]);
  await idle(page);
  await rowOf(page, pane).click({ button: 'right' });
};
const beside = (pane) => async (page) => {
  await menuOf(pane)(page);
  await page.getByRole('menuitem', { name: 'Transform', exact: true }).click();
};
const tabMenu = async (page) => {
  const tabs = page.getByTestId('tab');
  await ((await tabs.count()) > 0 ? tabs.last() : page.getByTestId('status-chip')).click({ button: 'right' });
};
const search = async (page) => {
  await page.keyboard.press('Control+f');
  await page.keyboard.type('Pattern');
  await page.waitForTimeout(300);
  await idle(page);
};
const scopes = async (page) => {
  await press('2')(page);
  await rowOf(page, 'flat', 5).click();
  await press('Delete')(page);
  await rowOf(page, 'flat', 6).click();
  await press('Alt+Shift+c', 'Alt+r')(page);
  await rowOf(page, 'flat', 0).click();
  await press('Delete', '4')(page);
};
const select = async (page) => {
  await press('2')(page);
  await rowOf(page, 'flat', 3).click();
  await press('4')(page);
};

const sample = () => [join(assets, 'shop.hpl.gz')];
const recording = () => [join(assets, 'shop.jfr.gz')];
const server = () => [golden('server-small.hpl.gz')];
const two = () => [golden('control-a.hpl.gz'), golden('control-b.hpl.gz')];
const live = (folder) => {
  const log = gunzipSync(readFileSync(golden('server-small.hpl.gz')));
  const path = join(folder, 'live.hpl');
  writeFileSync(path, log.subarray(0, 600_000));
  return [path];
};
const grow = async (page, folder) => {
  const log = gunzipSync(readFileSync(golden('server-small.hpl.gz')));
  appendFileSync(join(folder, 'live.hpl'), log.subarray(600_000));
  await page.waitForTimeout(1_500);
};
const written = (name, text) => (folder) => {
  writeFileSync(join(folder, name), text);
  return [join(folder, name)];
};
const longNames = (folder) => {
  mkdirSync(join(folder, 'a'));
  const name = `${'checkout-service-'.repeat(6)}2026-11-23.hpl.gz`;
  copyFileSync(golden('server-small.hpl.gz'), join(folder, 'a', name));
  copyFileSync(golden('control-a.hpl.gz'), join(folder, 'control-a.hpl.gz'));
  return [join(folder, 'a', name), join(folder, 'control-a.hpl.gz')];
};

/**
 * `files`: what is opened. `once`: what leads to the state. `each`: what is open only until the window is resized, and
 * `after`, which closes it.
 */
const STATES = {
  'start-empty': { files: () => [] },
  'start-jvms': { files: () => ['--attach'] },
  'start-recent': {
    files: sample,
    once: async (page) => {
      await page.getByTestId('sample-count').waitFor();
      await press('Control+w')(page);
      await page.waitForTimeout(300);
    },
  },
  sample: { files: sample },
  'sample-selected': { files: sample, once: select },
  'sample-timeline-off': { files: sample, once: press('1') },
  recording: { files: recording },
  'recording-choices': { files: recording, each: click('choices'), after: escape },
  server: { files: server },
  'server-threads': {
    files: server,
    once: async (page) => {
      await click('view')(page);
      await page.getByTestId('thread-grouping').selectOption('name');
      await escape(page);
      await idle(page);
    },
  },
  'only-tree': { files: server, once: press('1') },
  'only-methods': { files: server, once: press('2') },
  'only-flame': { files: server, once: press('3') },
  live: { files: live, once: grow },
  frozen: { files: live, once: async (page, folder) => {
      await press('Alt+z')(page);
      await grow(page, folder);
    } },
  'live-mark': { files: live, once: async (page, folder) => {
      await press('Alt+m')(page);
      await grow(page, folder);
    } },
  hot: { files: live, once: grow, each: press('Alt+Shift+h'), after: escape },
  damaged: { files: () => [golden('damaged/unknown-type-between.hpl')] },
  'damaged-health': { files: () => [golden('damaged/unknown-type-between.hpl')], each: press('Alt+Enter'), after: escape },
  'file-empty': { files: () => [golden('damaged/empty.hpl')] },
  'file-no-samples': { files: () => [golden('damaged/only-threadmeta.hpl')] },
  'file-text': { files: written('diary.txt', 'Dear diary,\n'.repeat(40)) },
  'file-binary': { files: () => [join(assets, 'icon.png')] },
  waiting: { files: (folder) => [join(folder, 'not/yet.hpl')] },
  scope: { files: server, once: scopes },
  'scope-nothing': {
    files: server,
    once: async (page) => {
      await press('2')(page);
      await rowOf(page, 'flat', 0).click();
      await press('Alt+Shift+f')(page);
      await rowOf(page, 'flat', 0).click();
      await press('Delete', '4')(page);
    },
  },
  search: { files: server, once: search },
  'search-none': {
    files: server,
    once: async (page) => {
      await page.keyboard.press('Control+f');
      await page.keyboard.type('xyzzy');
      await page.waitForTimeout(300);
    },
  },
  'search-wrong': {
    files: server,
    once: async (page) => {
      await page.keyboard.press('Control+f');
      await page.keyboard.type('match:a');
      await page.waitForTimeout(300);
    },
  },
  sandwich: { files: server, once: both(select, press('5')) },
  'sandwich-nothing': { files: server, once: press('5') },
  'bottom-up': {
    files: server,
    once: async (page) => {
      await press('1')(page);
      await page.getByTestId('tree-choice').getByRole('radio').nth(1).click();
      await press('4')(page);
    },
  },
  heatmap: { files: server, once: press('7') },
  'heatmap-without-times': { files: written('shop.collapsed', 'main;Shop.run;Cart.add 3\n'), once: press('7') },
  chart: { files: server, once: press('8') },
  'chart-threads': { files: recording, once: press('8') },
  lanes: { files: server, once: click('timeline-lanes-button') },
  'lanes-recording': { files: recording, once: click('timeline-lanes-button') },
  compared: {
    files: two,
    once: async (page) => {
      await page.getByTestId('tab').last().click();
      await idle(page);
      await tabMenu(page);
      await page.getByRole('menuitem', { name: 'Compare…' }).click();
      await page.getByTestId('compare-offer').first().click();
      await idle(page);
    },
  },
  merged: {
    files: two,
    once: async (page) => {
      await tabMenu(page);
      await page.getByRole('menuitem', { name: 'Merge logs…' }).click();
      await page.waitForTimeout(300);
      await page.keyboard.press('Enter');
      await page.waitForTimeout(800);
      await idle(page);
    },
  },
  source: { files: server, once: both(select, press('6')) },
  'source-nothing': { files: server, once: press('6') },
  health: { files: server, each: press('Alt+Enter'), after: escape },
  threads: { files: server, each: press('Alt+j'), after: escape },
  'threads-recording': { files: recording, each: press('Alt+j'), after: escape },
  view: { files: server, each: click('view'), after: escape },
  'view-recording': { files: recording, each: click('view'), after: escape },
  'menu-export': { files: server, each: click('export-menu'), after: escape },
  'menu-row': { files: server, each: menuOf('flat'), after: escape },
  'menu-transform': { files: server, each: beside('flat'), after: both(escape, escape) },
  'menu-tree-row': { files: server, each: menuOf('tree'), after: escape },
  'menu-columns': {
    files: server,
    each: async (page) => {
      if ((await page.getByTestId('pane-flat').count()) === 0) await press('2')(page);
      await page.getByTestId('choose-columns').first().click();
    },
    after: escape,
  },
  'menu-tab': { files: two, each: tabMenu, after: escape },
  'menu-log': { files: server, each: tabMenu, after: escape },
  'dialog-merge': {
    files: two,
    each: async (page) => {
      await tabMenu(page);
      await page.getByRole('menuitem', { name: 'Merge logs…' }).click();
    },
    after: escape,
  },
  'dialog-attach': { files: () => [golden('server-small.hpl.gz'), '--attach'], each: press('Alt+a'), after: escape },
  'dialog-not-allowed': { files: server, each: press('Alt+a'), after: escape },
  'dialog-filter': { files: server, each: both(press('2'), press('Control+Shift+F')), after: escape },
  'dialog-palette': { files: two, each: press('Control+k'), after: escape },
  'dialog-keys': { files: server, each: press('?'), after: escape },
  'dialog-rename': { files: two, each: press('F2'), after: escape },
  'dialog-sources': {
    files: server,
    once: both(select, press('6')),
    each: click('open-sources'),
    after: escape,
  },
  'dialog-range': {
    files: server,
    each: async (page) => {
      await page.getByRole('button', { name: 'Range…' }).click();
    },
    after: escape,
  },
  notice: {
    files: server,
    once: async (page) => {
      await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    },
    each: press('2', 'ArrowDown', 'Control+c'),
  },
  'names-long': { files: longNames },
  range: {
    files: server,
    once: async (page) => {
      const { x, y, width, height } = await page.getByTestId('timeline-plot').boundingBox();
      await page.mouse.move(x + width * 0.3, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 });
      await page.mouse.up();
      await idle(page);
    },
  },
  zoomed: {
    files: server,
    once: async (page) => {
      const frame = await page.evaluate(() => window.leanscopeFrames().find(({ depth }) => depth === 12));
      await page.mouse.click(frame.x + frame.width / 2, frame.y + frame.height / 2);
      await idle(page);
      await press('3', 'Space')(page);
    },
  },
  'tooltip-frame': {
    files: server,
    each: async (page) => {
      const frame = await page.evaluate(() => window.leanscopeFrames().find(({ depth }) => depth === 4));
      await page.mouse.move(frame.x + frame.width / 2, frame.y + frame.height / 2);
      await page.waitForTimeout(700);
    },
  },
};

/** `serve(args)` starts a server: `{ url, stop }`. */
export async function shootMatrix(browser, serve, names) {
  const sizes = (process.env.SIZES ?? '700,1280,1440,2560').split(',').map(Number);
  const themes = (process.env.THEMES ?? 'light,dark').split(',');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const faults = new Map();
  for (const [name, state] of Object.entries(STATES)) {
    if (names.length > 0 && !names.some((each) => name.includes(each))) continue;
    const folder = join(output, `${name}.files`);
    mkdirSync(folder);
    const { url, stop } = await serve(state.files(folder));
    const page = await browser.newPage({
      viewport: SIZES.at(-2),
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(5_000);
    const note = (where, what) => faults.set(what, [...(faults.get(what) ?? []), where]);
    page.on('pageerror', (error) => note(name, error.message));
    try {
      await page.goto(url);
      await page.waitForFunction(() => window.leanscopeIdle !== undefined);
      await page.waitForTimeout(400);
      await idle(page);
      await state.once?.(page, folder);
      for (const size of SIZES) {
        if (!sizes.includes(size.width)) continue;
        await page.setViewportSize(size);
        await idle(page);
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme });
          await idle(page);
          await state.each?.(page);
          await idle(page);
          const file = `${name}-${size.width}-${colorScheme}`;
          await page.screenshot({ path: join(output, `${file}.png`) });
          for (const fault of await page.evaluate(layoutFaults)) note(file, fault);
          await state.after?.(page);
        }
      }
    } catch (error) {
      note(name, `could not be shown: ${error.message.split('\n').slice(0, 3).join(' ')}`);
    } finally {
      await page.close();
      stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  for (const [what, where] of faults) console.log(`${what}\n    ${where.join(' ')}`);
}
