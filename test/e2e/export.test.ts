import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBuiltProgram } from '../support/built-program.ts';
import { launchChromium } from '../support/chromium.ts';
import { logOf } from '../support/log-writer/write-log.ts';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow } from '../support/window.ts';

useBuiltProgram();

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

test('a long export tells how far it is, the window answers meanwhile, Esc and Cancel end it with its worker', async () => {
  const path = join(temporaryFolder(), 'hostile.hpl');
  writeFileSync(path, logOf('hostile', 40_000_000));
  const { url } = await serve(path);
  const window = await LogWindow.open(browser, url);
  const { page } = window;
  await window.part('status-chip').and(page.locator('[data-state=idle], [data-state=live]')).waitFor();
  await window.settled();
  const workers = page.workers().length;
  const running = window.part('running-export');
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));

  for (const cancel of [() => page.keyboard.press('Escape'), () => window.part('cancel-export').click()]) {
    await window.part('export-menu').click();
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
    await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBe(workers);
  }
  expect(downloads).toEqual([]);
  expect(await window.exported('export-csv')).toMatch(/^"Method",/);
  expect(downloads).toEqual(['hostile.csv']);
  expect(window.problems).toEqual([]);
});
