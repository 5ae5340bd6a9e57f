/**
 * Makes the pictures of README.md and docs/user from the samples: `npm run screenshots` makes all, and
 * `npm run screenshots -- heatmap compare` those with such a name. They are committed.
 * `npm run screenshots -- --matrix` shows every state instead: see assets/screenshot-matrix.mjs.
 * Needs an installed Chromium or Chrome; CHROME_PATH names another.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { prepare } from '../electron/setup/prepare.mjs';
import { findChromium } from '../test/support/find-chromium.mjs';
import { shootMatrix } from './screenshot-matrix.mjs';

const assets = import.meta.dirname;
const folder = join(assets, 'screenshots');
const LOG = join(assets, 'shop.hpl.gz');
const RECORDING = join(assets, 'shop.jfr.gz');
const REQUESTS = join(assets, '../test/golden/jfr/requests-jdk25.jfr.gz');
/** Bytes of the log when it is opened, and when the picture is made. */
const GROWS_FROM = 600_000;
const GROWS_TO = 1_600_000;
const LARGE = { width: 1280, height: 800 };
const SMALL = { width: 1000, height: 600 };

const idle = (page) => page.evaluate(() => window.leanscopeIdle());

async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await idle(page);
  }
}

/** Clicks the row of a method in the list of methods. */
async function selectMethod(page, name) {
  await page.getByTestId('pane-flat').getByRole('row').filter({ hasText: name }).first().click();
  await idle(page);
}

/** Drags over a part of the timeline, from 0 to 1. */
async function dragRange(page, from, to) {
  const { x, y, width, height } = await page.getByTestId('timeline-plot').boundingBox();
  await page.mouse.move(x + width * from, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * to, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(2, 2);
  await idle(page);
}

/** A part of the log, whose rest `grow` appends while the window shows it. */
function growingLog() {
  const path = join(made, 'live.hpl');
  writeFileSync(path, gunzipSync(readFileSync(LOG)).subarray(0, GROWS_FROM));
  return path;
}

async function grow() {
  const log = gunzipSync(readFileSync(LOG)).subarray(0, GROWS_TO);
  for (let at = GROWS_FROM; at < log.length; at += 40_000) {
    appendFileSync(join(made, 'live.hpl'), log.subarray(at, at + 40_000));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * `files`: what is opened. `steps`: what leads to the picture. `size`: the window in CSS pixels; the guide has small ones.
 */
const SHOTS = [
  { name: 'window-light', files: () => [RECORDING], size: LARGE },
  { name: 'window-dark', files: () => [RECORDING], colorScheme: 'dark', size: LARGE },
  {
    name: 'callers',
    files: () => [RECORDING],
    steps: async (page) => {
      await selectMethod(page, 'mergeHi');
      await press(page, '5');
    },
  },
  {
    name: 'scope',
    files: () => [RECORDING],
    steps: async (page) => {
      await selectMethod(page, 'mergeHi');
      await press(page, 'Alt+Shift+K', 'Alt+Shift+S');
    },
  },
  {
    name: 'live',
    files: () => [growingLog()],
    steps: async (page) => {
      await grow();
      await page.waitForTimeout(500);
    },
  },
  {
    name: 'compare',
    files: () => [LOG],
    steps: async (page) => {
      await dragRange(page, 0.02, 0.35);
      await press(page, 'Alt+m');
    },
  },
  {
    name: 'lanes',
    files: () => [RECORDING],
    steps: async (page) => {
      await page.getByTestId('timeline-lanes-button').click();
      await idle(page);
    },
  },
  { name: 'heatmap', files: () => [LOG], steps: (page) => press(page, '7') },
  { name: 'chart', files: () => [RECORDING], steps: (page) => press(page, '8', '3') },
  {
    name: 'operations',
    files: () => [REQUESTS],
    steps: async (page) => {
      await press(page, '1');
      await page.getByTestId('tree-choice').getByRole('radio', { name: 'Operations' }).click();
      await page.getByTestId('pane-operations').locator('[data-name=checkout]').click();
    },
  },
  {
    name: 'export',
    files: () => [LOG],
    steps: (page) => page.getByTestId('export-menu').click(),
  },
];

/** The window on files, until the server is stopped. The recent files are nobody's. */
async function serve(args, settings) {
  const server = spawn(
    process.execPath,
    [join(assets, '../dist/electron/cli.cjs'), 'serve', '--no-open', ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, XDG_CONFIG_HOME: settings },
    },
  );
  const url = await new Promise((resolve, reject) => {
    let output = '';
    server.stdout.on('data', (text) => {
      output += text;
      const address = /http:\/\/\S+(?=\n)/.exec(output)?.[0];
      if (address !== undefined) resolve(address);
    });
    server.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
  return { url, stop: () => server.kill() };
}

async function shoot(browser, { name, files, steps, colorScheme = 'light', size = SMALL }, settings) {
  const { url, stop } = await serve(files(), settings);
  try {
    const page = await browser.newPage({ viewport: size, colorScheme, reducedMotion: 'reduce' });
    await page.goto(url);
    await page.waitForFunction(() => window.leanscopeFrames?.().length > 0);
    await idle(page);
    await steps?.(page);
    await idle(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
  } finally {
    stop();
  }
}

const names = process.argv.slice(2);
const isMatrix = names[0] === '--matrix';
prepare();
mkdirSync(folder, { recursive: true });
const settings = mkdtempSync(join(tmpdir(), 'screenshots-'));
const made = mkdtempSync(join(tmpdir(), 'screenshots-'));
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  // As users see it.
  ignoreDefaultArgs: ['--hide-scrollbars'],
});
try {
  if (isMatrix) {
    await shootMatrix(browser, (args) => serve(args, settings), names.slice(1));
  } else {
    for (const shot of SHOTS)
      if (names.length === 0 || names.some((each) => shot.name.includes(each)))
        await shoot(browser, shot, settings);
  }
} finally {
  await browser.close();
  rmSync(settings, { recursive: true, force: true });
  rmSync(made, { recursive: true, force: true });
}
