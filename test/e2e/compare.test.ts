import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenLog, goldenPath } from '../support/read-log.ts';
import { leanscope } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const RECORDING = 'test/golden/jfr/shop-jdk17.jfr.gz';
const LOG = goldenLog('server-small');
const { open } = useWindows();

const csvOf = async (...args: readonly string[]): Promise<string> =>
  (await leanscope('compare', ...args, '--format', 'csv')).stdout;

/** What the address says of the log that is compared. */
function fields(window: LogWindow): URLSearchParams {
  return new URLSearchParams(new URL(window.page.url()).hash.slice(1));
}

test('a log is compared with another tab: panes, export, undo, and a link; and with another sample type', async () => {
  const window = await open([RECORDING, goldenPath('control-a'), goldenPath('server-small')]);
  await window.samplesShown(1553);
  await window.part('tab').nth(2).click({ button: 'right' });
  await window.page.getByRole('menuitem', { name: 'Compare with control-a' }).click();
  await window.settled();
  const csv = await csvOf(goldenPath('control-a'), goldenPath('server-small'));
  expect(await window.exported('export-compared-csv')).toBe(csv);
  const columns = await window.part('pane-flat').locator('[data-column]').allTextContents();
  expect(columns.join(' ')).toMatch(/Self ±.*base %.*new %/i);
  expect(fields(window).get('base')).toMatch(/^control-a/);
  await window.page.keyboard.press('Control+z');
  await window.settled();
  expect(await window.part('scope-chip').count()).toBe(0);
  await window.page.keyboard.press('Control+Shift+Z');
  await window.settled();
  await window.page.reload();
  await window.samplesShown(1553);
  await window.part('compare-by').waitFor();
  await window.settled();
  expect(await window.exported('export-compared-csv')).toBe(csv);
  expect(await objections(window)).toEqual([]);
  await window.part('tab').nth(0).click();
  await window.page.keyboard.press('c');
  await window.part('compare').waitFor();
  expect(await objections(window)).toEqual([]);
  await window.part('compare-offer').filter({ hasText: 'Locks and parking' }).click();
  await window.part('tab').nth(3).waitFor();
  await window.part('compare-by').waitFor();
  await window.settled();
  expect(await window.part('tab').nth(3).textContent()).toContain(': Locks and parking');
  expect(await window.exported('export-compared-csv')).toBe(
    await csvOf(RECORDING, RECORDING, '--choose-base', 'sample-type=lock', '--metric', 'samples'),
  );
  expect(window.problems).toEqual([]);
});

test('after a mark in a log that grows, what comes is compared with what was', async () => {
  const path = join(temporaryFolder(), 'live.hpl');
  writeFileSync(path, LOG.subarray(0, 600_000));
  const window = await open([path]);
  await window.part('timeline-from').waitFor();
  await window.settled();
  await window.page.keyboard.press('m');
  await window.settled();
  expect(await window.part('timeline-baseline').count()).toBe(1);
  const rows = window.part('pane-flat').locator('[role=option]');
  const before = await rows.count();
  expect(before).toBeGreaterThan(5);
  appendFileSync(path, LOG.subarray(600_000));
  await window.samplesShown(1553);
  await window.settled();
  const at = fields(window).get('from')!;
  expect(fields(window).get('base-to')).toBe(at);
  const csv = await csvOf(path, path, '--to-base', at, '--from', at);
  expect(await window.exported('export-compared-csv')).toBe(csv);
  expect(window.problems).toEqual([]);
});
