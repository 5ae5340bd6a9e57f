import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { inCheckout } from '../support/built-program.ts';
import { HOSTILE_NAMES } from '../support/hostile-names.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { cliOutput, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { browser, openServerLog } = useWindows();

/** A command line has no NUL. */
const NAMES_OF_ARGUMENTS = HOSTILE_NAMES.join(' ').replaceAll('\0', '');

interface OpenPage {
  readonly page: Page;
  /** What the page has tried to load besides itself, and its errors. */
  readonly problems: readonly string[];
  readonly settled: () => Promise<void>;
}

/** A page from the disk, without a network. */
async function openPage(path: string, javaScriptEnabled = true): Promise<OpenPage> {
  const context = await browser().newContext({ offline: true, javaScriptEnabled });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const address = pathToFileURL(path).href;
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(address))
      problems.push(request.url());
  });
  await page.goto(address);
  const settled = async (): Promise<void> => page.evaluate(() => window.leanscopeIdle?.());
  if (javaScriptEnabled) {
    await page.waitForFunction(() => window.leanscopeIdle !== undefined);
    await settled();
  }
  return { page, problems, settled };
}

const exported = async (...args: readonly string[]): Promise<string> => {
  const path = join(temporaryFolder(), 'page.html');
  const { status, stderr } = await runCli(['export', ...args, '-o', path]);
  expect([status, stderr]).toEqual([0, '']);
  return path;
};

test('a page opens from the disk without a network, with the samples of its log, and without script with its methods', async () => {
  const path = await exported(goldenPath('server-small'), '--note', 'Slow since Monday.');
  const { page, problems } = await openPage(path);
  await page.getByText('1,553').first().waitFor();
  const about = await page.getByTestId('about-banner').textContent();
  expect(about).toContain('1,553 samples of ');
  expect(about).toContain('Slow since Monday.');
  const first = page.getByTestId('pane-flat').locator('[data-index="0"]');
  await first.waitFor();
  const hottest = (await cliOutput('top', goldenPath('server-small'), '--limit', '1')).split('\n')[1];
  // A narrow pane leaves out the beginning of a long name.
  const name = hottest
    .trim()
    .split(/\s{2,}/)
    .at(-1);
  expect(name?.endsWith((await first.textContent())?.replace(/^…/, '') ?? '-')).toBe(true);
  // What pages leave out is none of what they show.
  expect(await page.getByTestId('summary-method').first().textContent()).toMatch(/^\d+\.\d\s%\w+\.\w+/);
  expect(problems).toEqual([]);

  const plain = await openPage(path, false);
  const text = (await plain.page.locator('noscript').textContent()) ?? '';
  expect(text).toContain('Slow since Monday.');
  expect(text).toContain(name);
  // The same numbers for programs.
  const lean = ['export', '--format', 'lean'];
  expect(await cliOutput(...lean, path)).toBe(await cliOutput(...lean, goldenPath('server-small')));
  expect(statSync(inCheckout('dist/renderer/page.html')).size).toBeLessThanOrEqual(400_000);
});

test('a page of a comparison compares', async () => {
  const path = join(temporaryFolder(), 'changes.html');
  const { status } = await runCli([
    'compare',
    goldenPath('hello'),
    goldenPath('server-small'),
    '--format',
    'html',
    '-o',
    path,
  ]);
  expect(status).toBe(0);
  const { page, problems } = await openPage(path);
  await page.getByTestId('pane-flat').locator('[data-index="0"]').waitFor();
  await expect.poll(() => page.locator('[data-testid=pane-flat]').textContent()).toMatch(/[+\u2212-]\d/);
  expect(problems).toEqual([]);
});

test('hostile names in a page run nothing', async () => {
  const names = Array.from(
    { length: 100_000 },
    (_, at) => `${HOSTILE_NAMES[at % HOSTILE_NAMES.length]} ${at}`,
  );
  const stacks = join(temporaryFolder(), 'hostile.speedscope.json');
  writeFileSync(
    stacks,
    JSON.stringify({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      shared: { frames: names.map((name) => ({ name, file: name })) },
      profiles: [
        {
          type: 'sampled',
          name: HOSTILE_NAMES.join(' '),
          unit: 'none',
          startValue: 0,
          endValue: names.length,
          samples: names.map((_, at) => [at]),
          weights: names.map(() => 1),
        },
      ],
    }),
  );
  const path = await exported(stacks, '--note', NAMES_OF_ARGUMENTS, '--title', NAMES_OF_ARGUMENTS);
  const { page, problems, settled } = await openPage(path);
  await page.keyboard.press('2');
  await settled();
  expect(problems).toEqual([]);
  const text = readFileSync(path, 'utf8');
  // Only the elements of the template.
  expect(text.match(/<script/g)).toHaveLength(4);
  expect(text.match(/<(?:img|svg|iframe)\b/g)).toBe(null);
});

test('the window saves what is in scope as a page, with names replaced', async () => {
  const window = await openServerLog();
  const { page } = window;
  await window.part('export-menu').click();
  await window.part('export-html').click();
  await window.part('page-note').fill('Look at the top.');
  await window.part('page-anonymous').fill('java.util');
  const [download] = await Promise.all([page.waitForEvent('download'), window.part('page-save').click()]);
  expect(download.suggestedFilename()).toMatch(/\.html$/);
  const path = join(temporaryFolder(), 'saved.html');
  await download.saveAs(path);
  const opened = await openPage(path);
  expect(await opened.page.getByTestId('about-banner').textContent()).toContain('Look at the top.');
  expect(opened.problems).toEqual([]);
  const flat = await cliOutput('export', '--format', 'flat', path);
  expect(flat).not.toContain('java.util.');
  expect(flat).toContain('anonymous.p1.C');
  // A page offers neither itself nor what only other tools read.
  await opened.page.getByTestId('export-menu').click();
  expect(await opened.page.getByTestId('export-svg').count()).toBe(1);
  expect(await opened.page.getByTestId('export-html').count()).toBe(0);
  expect(await opened.page.getByTestId('export-pprof').count()).toBe(0);
  expect(window.problems).toEqual([]);
});
