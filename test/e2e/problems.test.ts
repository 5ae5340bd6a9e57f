import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objections, objectionsInBothThemes } from '../support/axe-objections.ts';
import { describe, expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow } from '../support/window.ts';

const { browser, open, openRead } = useWindows();

describe('input that is no whole log', () => {
  test('a file of another kind is refused with what it looks like', async () => {
    const window = await open(['package.json']);
    await window.page
      .getByText(/looks like a JSON file/)
      .first()
      .waitFor();
    const column = window.page.locator('.empty-column');
    expect((await column.boundingBox())!.width).toBe(560);
    expect(await column.textContent()).toMatch(/package\.json/);
    expect(await column.getByRole('button').allTextContents()).toEqual(['Open another file…']);
    // The list of reasons is collapsed, and names the main format first.
    const reasons = column.locator('li');
    expect(await reasons.first().isVisible()).toBe(false);
    await window.part('why').locator('summary').click();
    expect(await reasons.first().isVisible()).toBe(true);
    expect(await reasons.first().textContent()).toMatch(/^Honest Profiler log/);
    // What needs samples is disabled without them, and nothing is counted in a file that was not read.
    for (const part of ['search-field', 'freeze', 'export-menu'])
      expect(await window.part(part).isDisabled(), part).toBe(true);
    expect(await window.part('sample-count').count()).toBe(0);
    expect(await objections(window)).toEqual([]);
    expect(window.problems).toEqual([]);
  });

  test('a log that does not exist yet is waited for', async () => {
    const path = join(temporaryFolder(), 'later.hpl');
    const window = await open(['--follow', path]);
    await window.until(() => document.querySelector('[data-state=waiting]') !== null);
    await window.page.getByText(`Waiting for ${path}. It opens when the file appears.`).waitFor();
    writeFileSync(path, (await import('../support/read-log.ts')).goldenLog('hello'));
    await window.samplesShown(37);
  });

  test('D17: a directory is refused, in the page as well', async () => {
    const folder = join(temporaryFolder(), 'a-folder.hpl');
    mkdirSync(folder);
    const window = await open([folder]);
    const told = window.page.getByText(/directory/).first();
    await told.waitFor();
    // Tried again without success, and with it.
    const retry = window.part('empty-action').first();
    expect(await window.page.locator('.empty-column').first().getByRole('button').count()).toBe(1);
    await retry.press('Enter');
    await told.waitFor();
    rmSync(folder, { recursive: true });
    copyFileSync(goldenPath('hello'), folder);
    // The button has the focus, and may be gone: the host looks for a file by itself, too.
    await window.page.keyboard.press('Enter');
    await window.samplesShown(37);
  });

  test('D17: for a link or a part of a page that is dropped, the browser does not leave the page', async () => {
    const window = await open([goldenPath('hello')]);
    await window.samplesShown(37);
    const prevented = await window.page.evaluate(() => {
      const field = document.body.appendChild(document.createElement('input'));
      const dropped = (type: string, on: Element, kind: string, data: string): string => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData(kind, data);
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        on.dispatchEvent(event);
        return `${type}: ${event.defaultPrevented ? 'prevented' : 'left to the browser'}`;
      };
      const page = ['dragover', 'drop'].flatMap((type) => [
        dropped(type, document.body, 'text/uri-list', 'http://127.0.0.1/'),
        dropped(type, document.body, 'text/html', '<a href="http://127.0.0.1/">x</a>'),
      ]);
      return { page, field: dropped('drop', field, 'text/plain', 'Cart') };
    });
    expect(prevented).toEqual({
      page: ['dragover: prevented', 'dragover: prevented', 'drop: prevented', 'drop: prevented'],
      field: 'drop: left to the browser',
    });
    await window.samplesShown(37);
  });
});

test('when the host has ended, details and keys still open', async () => {
  const { url, pid } = await serve(goldenPath('hello'));
  const window = await LogWindow.open(browser(), url);
  await window.samplesShown(37);
  process.kill(pid, 'SIGKILL');
  await window.part('connection-banner').waitFor();
  await window.part('status-chip').click();
  await window.part('log-facts').waitFor();
  await window.page.keyboard.press('Escape');
  await window.page.keyboard.press('?');
  await window.page.getByRole('dialog').waitFor();
});

describe('for everybody', () => {
  test('nothing that axe objects to, in both themes, in the panes and in the panels of the top row', async () => {
    const window = await open(['assets/shop.hpl.gz', 'assets/shop.jfr.gz']);
    await window.part('tab').first().click();
    await window.samplesShown(5012);
    for (const pane of ['tree', 'flat', 'flame', 'all'] as const) {
      await window.showPane(pane);
      expect(await objectionsInBothThemes(window), pane).toEqual([]);
    }
    await window.part('hide-errors').click();
    for (const panel of ['view', 'status-chip', 'threads']) {
      await window.part(panel).click();
      expect(await objectionsInBothThemes(window), panel).toEqual([]);
      await window.page.keyboard.press('Escape');
    }
    await window.part('tab').nth(1).click();
    await window.samplesShown(1306);
    await window.part('choices').click();
    await window.part('choice-period').fill('abc');
    expect(await objectionsInBothThemes(window), 'choices').toEqual([]);
  });

  test('nothing that axe objects to, in both themes, in any state of a file in a small window', async () => {
    const missing = join(temporaryFolder(), 'later.hpl');
    const files = [
      'test/golden/hpl/damaged/unknown-type-between.hpl',
      'test/golden/hpl/damaged/empty.hpl',
      'package.json',
      missing,
      goldenPath('server-small'),
    ];
    const { url, pid } = await serve('--follow', ...files);
    const window = await LogWindow.open(browser(), url, { width: 700, height: 450 });
    for (const [at, file] of files.entries()) {
      await window.part('tab').nth(at).click();
      await window.page.locator('[data-testid=status-chip]:not([data-state=reading])').waitFor();
      await window.settled();
      expect(await objectionsInBothThemes(window), file).toEqual([]);
    }
    // The last one has samples; its details scroll.
    await window.samplesShown(1553);
    await window.page.keyboard.press('Alt+Enter');
    expect(await objectionsInBothThemes(window), 'details').toEqual([]);
    await window.page.keyboard.press('Escape');
    await window.search('Pattern');
    expect(await objectionsInBothThemes(window), 'search').toEqual([]);
    process.kill(pid, 'SIGKILL');
    await window.part('connection-banner').waitFor();
    expect(await objectionsInBothThemes(window), 'not connected').toEqual([]);
  });

  test('the start page and the keys', async () => {
    const window = await open([]);
    await window.part('start-page').waitFor();
    expect(await objections(window)).toEqual([]);
    await window.page.keyboard.press('?');
    await window.page.getByRole('dialog').waitFor();
    expect(await objections(window)).toEqual([]);
    await window.page.keyboard.press('Escape');
    expect(await window.page.getByRole('dialog').count()).toBe(0);
  });

  test('nothing is cut off in the smallest window', async () => {
    const window = await openRead(goldenPath('threads'), 1617, { width: 650, height: 400 });
    for (const pane of ['tree', 'flat', 'flame', 'all'] as const) {
      await window.showPane(pane);
      const overflow = await window.page.evaluate(
        () =>
          document.documentElement.scrollWidth > innerWidth ||
          document.documentElement.scrollHeight > innerHeight,
      );
      expect(overflow, pane).toBe(false);
    }
    expect(window.problems).toEqual([]);
  });
});
