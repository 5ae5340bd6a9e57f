import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXPORT_MENU } from '../../shared/export/export-formats.ts';
import { useWindows } from '../support/opened-window.ts';
import { logOf } from '../support/log-writer/write-log.ts';
import { goldenPath } from '../support/read-log.ts';
import { cliOutput } from '../support/run-cli.ts';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow, showExport } from '../support/window.ts';

const { browser, open } = useWindows();

test('a long export tells how far it is, the window answers meanwhile, Esc and Cancel end it with its worker', async () => {
  const path = join(temporaryFolder(), 'hostile.hpl');
  writeFileSync(path, logOf('hostile', 40_000_000));
  const window = await open([path]);
  const { page } = window;
  // The tree alone: the other panes are not needed while the log is read.
  await page.keyboard.press('1');
  await window.part('status-chip').and(page.locator('[data-state=idle], [data-state=live]')).waitFor();
  await window.settled();
  // The profile's.
  const workers = 1;
  await expect.poll(() => page.workers().length).toBe(workers);
  const running = window.part('running-export');
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));

  for (const cancel of [() => page.keyboard.press('Escape'), () => window.part('cancel-export').click()]) {
    await showExport(window.page, 'export-lean');
    await window.part('export-lean').click();
    await running.getByText(/Exporting hostile\.lean\.txt: [1-9]\d? %/).waitFor();
    expect(page.workers().length).toBe(workers + 1);
    // The mirror answers its barrier while a worker is writing.
    await window.showPane('flat');
    await window.showPane('tree');
    expect(await running.count()).toBe(1);
    await cancel();
    await running.waitFor({ state: 'detached' });
    // Chromium gives a busy worker two seconds before it ends it by force.
    await expect.poll(() => page.workers().length).toBe(workers);
  }
  expect(downloads).toEqual([]);
  expect(await window.exported('export-csv')).toMatch(/^"Method",/);
  expect(downloads).toEqual(['hostile.csv']);
  expect(window.problems).toEqual([]);
});

test('the flame graph is a picture, twice as wide as the drawing, and the summary a text', async () => {
  const window = await open([goldenPath('hello')]);
  await window.settled();
  const { page } = window;
  await showExport(page, 'export-png');
  const [download] = await Promise.all([page.waitForEvent('download'), window.part('export-png').click()]);
  expect(download.suggestedFilename()).toBe('hello.png');
  const png = readFileSync(await download.path());
  expect(png.subarray(0, 4).toString('latin1')).toBe('\u0089PNG');
  const svg = await window.exported('export-svg');
  const [, ...size] = / width="([\d.]+)" height="([\d.]+)"/.exec(svg)!.map(Number);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(size.map((each) => 2 * each));
  const text = await window.exported('export-md');
  expect(text).toMatch(/^### hello\.hpl\.gz\n\n\*\*[\d.]+ % of CPU is in /);
  expect(window.problems).toEqual([]);
});

test('when the host has ended, what is in the window is exported, once and again', async () => {
  const { url, pid } = await serve(goldenPath('hello'));
  const window = await LogWindow.open(browser(), url);
  const { page } = window;
  await window.samplesShown(37);
  // Importing a script again ends when all that it imports is there, too. As text, or Vitest would rewrite the import.
  const writersLoaded = `
    Promise.all(${JSON.stringify(writerScripts())}.map((name) => {
      const script = performance.getEntriesByType('resource').find((each) => each.name.endsWith(name));
      return script !== undefined && import(script.name).then(() => true);
    })).then((loaded) => !loaded.includes(false))`;
  const anyWriters = async (): Promise<boolean> =>
    (await Promise.all(page.workers().map((worker) => worker.evaluate<boolean>(writersLoaded)))).includes(
      true,
    );
  await expect.poll(anyWriters).toBe(true);
  process.kill(pid, 'SIGKILL');
  await window.part('connection-banner').waitFor();
  const lean = await cliOutput('export', '--format', 'lean', goldenPath('hello'));
  expect(await window.exported('export-lean')).toBe(lean);
  expect(await window.exported('export-lean')).toBe(lean);
  // The writers of the other formats are loaded, too: each still works now.
  const sizes = new Map<string, number>();
  // A page has a dialog.
  for (const format of EXPORT_MENU.flat().filter((each) => each !== 'html')) {
    sizes.set(format, (await window.exported(`export-${format}`)).length);
  }
  expect(sizes.size).toBeGreaterThanOrEqual(10);
  expect([...sizes].filter(([, size]) => size < 100)).toEqual([]);
  // The profile worker has written them all, and still answers.
  expect(page.workers()).toHaveLength(1);
  await window.showPane('flat');
});

/** The scripts of the worker that are loaded for exports: all that it may import, but for the reader of files. */
function writerScripts(): readonly string[] {
  const folder = join(import.meta.dirname, '../../dist/renderer/assets');
  const worker = readdirSync(folder).find((name) => /^mirror-worker-.*\.js$/.test(name)) ?? '';
  const imports = readFileSync(join(folder, worker), 'utf8').matchAll(/import\(`\.\/([\w-]+\.js)`\)/g);
  return [...new Set([...imports].map(([, name]) => name))].filter((name) => !name.startsWith('read-local'));
}
