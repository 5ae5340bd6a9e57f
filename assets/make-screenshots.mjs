/**
 * Makes the screenshots of README.md from the samples: `npm run screenshots`, after which they are committed.
 * `npm run screenshots -- --matrix` shows every state instead: see assets/screenshot-matrix.mjs.
 * Needs an installed Chromium or Chrome; CHROME_PATH names another.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { prepare } from '../electron/setup/prepare.mjs';
import { findChromium } from '../test/support/find-chromium.mjs';
import { shootMatrix } from './screenshot-matrix.mjs';

const assets = import.meta.dirname;
const folder = join(assets, 'screenshots');
const viewport = { width: 1280, height: 800 };

const SHOTS = [
  { name: 'window-light', file: 'shop.hpl.gz', colorScheme: 'light' },
  { name: 'window-dark', file: 'shop.jfr.gz', colorScheme: 'dark' },
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

async function shoot(browser, { name, file, colorScheme }, settings) {
  const { url, stop } = await serve([join(assets, file)], settings);
  try {
    const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
    await page.goto(url);
    await page.locator('[data-state=idle]').waitFor();
    await page.waitForFunction(() => window.leanscopeFrames?.().length > 0);
    await page.evaluate(() => window.leanscopeIdle());
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
  } finally {
    stop();
  }
}

const [mode, ...names] = process.argv.slice(2);
prepare();
mkdirSync(folder, { recursive: true });
const settings = mkdtempSync(join(tmpdir(), 'screenshots-'));
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  // As users see it.
  ignoreDefaultArgs: ['--hide-scrollbars'],
});
try {
  if (mode === '--matrix') {
    await shootMatrix(browser, (args) => serve(args, settings), names);
  } else {
    for (const shot of SHOTS) await shoot(browser, shot, settings);
  }
} finally {
  await browser.close();
  rmSync(settings, { recursive: true, force: true });
}
