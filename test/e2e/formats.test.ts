import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { goldenLog } from '../support/read-log.ts';
import { readModel } from '../support/reference-model.ts';
import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow } from '../support/window.ts';

const { open } = useWindows();

const RECORDING = 'test/golden/jfr/shop-jdk17.jfr.gz';

/** A file read by the host and one read by the window must look the same. */
const OPENED: readonly (readonly [how: string, open: () => Promise<LogWindow>])[] = [
  [
    'by the host',
    async () => {
      return open([RECORDING]);
    },
  ],
  [
    'by the window',
    async () => {
      const window = await open([]);
      const path = join(temporaryFolder(), 'shop.jfr');
      writeFileSync(path, gunzipSync(readFileSync(RECORDING)));
      await window.part('file-input').setInputFiles(path);
      return window;
    },
  ],
];

test.each(OPENED)('a recording read %s: its sample types are chosen from', async (_how, open) => {
  const window = await open();
  await window.samplesShown(802);
  const metrics = async (): Promise<string[]> =>
    (await window.part('metric').getByRole('radio').allTextContents()).map((text) => text.trim());
  expect(await metrics()).toEqual([]);
  expect(await window.part('hide-errors').count()).toBe(0);

  await window.chooseKind('alloc');
  await window.samplesShown(1768);
  await expect.poll(metrics).toEqual(['Allocation samples', 'Allocated']);
  await window.showPane('flat');
  // Bytes by class, until the user chooses otherwise, which is remembered for allocations alone.
  expect((await window.rows('flat', 2)).slice(0, 2)).toEqual(['byte[]', 'int[]']);
  await window.part('metric').getByRole('radio', { name: 'Allocation samples' }).click();
  await window.settled();
  expect((await window.numbers('flat', 'totalCount')).get('byte[]')).toBe('577');

  await window.chooseKind('cpu');
  await window.samplesShown(802);
  expect(window.problems).toEqual([]);
});

test('a period makes times of samples, and taking it away makes samples again', async () => {
  const window = await OPENED[0][1]();
  await window.samplesShown(802);
  await window.part('choices').click();
  const period = window.part('choice-period');
  await period.fill('nonsense');
  await period.press('Enter');
  expect(await period.getAttribute('aria-invalid')).toBe('true');
  expect(await window.page.getByRole('alert').textContent()).toBe('Enter a number above 0, for example 20.');
  await period.fill('20');
  await period.press('Enter');
  await window.page.keyboard.press('Escape');
  await window.part('metric').getByRole('radio', { name: 'Time' }).click();
  await window.samplesShown(802);
  await window.showPane('tree');
  const [first] = await window.rows('tree', 1);
  expect((await window.numbers('tree', 'totalTime')).get(first)).toMatch(/\d m?s$/);

  await window.part('choices').click();
  await period.fill('');
  await period.press('Enter');
  await window.part('metric').getByRole('radio', { name: 'Time' }).waitFor({ state: 'detached' });
  await window.samplesShown(802);
  expect(window.problems).toEqual([]);
});

test('truncated stacks of a log are grouped while it grows, and as they were when that is switched off', async () => {
  const log = goldenLog('control-b');
  const path = join(temporaryFolder(), 'growing.hpl');
  writeFileSync(path, log.subarray(0, 100_000));
  const window = await open(['--follow', path]);
  await window.part('choices').click();
  const choice = window.part('choice-cut');
  expect(await choice.isChecked()).toBe(false);
  await choice.click();
  await window.page.keyboard.press('Escape');
  await window.showPane('tree');
  await window.treeRow('(truncated)').waitFor();
  appendFileSync(path, log.subarray(100_000));
  const { samples } = readModel(log);
  await window.samplesShown(samples.length);
  const truncated = samples.filter(({ stack }) => stack.length === 20).length;
  expect((await window.numbers('tree', 'totalCount')).get('(truncated)')).toBe(String(truncated));

  await window.part('choices').click();
  expect(await choice.isChecked()).toBe(true);
  await choice.click();
  await window.treeRow('(truncated)').waitFor({ state: 'detached' });
  await window.samplesShown(samples.length);
  expect(window.problems).toEqual([]);
});

test('the details list what is in a file beside its samples', async () => {
  const window = await OPENED[0][1]();
  await window.samplesShown(802);
  await window.page.keyboard.press('Alt+Enter');
  const details = window.part('details');
  await details.waitFor();
  expect(await details.locator('tr', { hasText: 'jdk.ExecutionSample' }).textContent()).toBe(
    'jdk.ExecutionSample750',
  );
  await window.page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  expect(window.problems).toEqual([]);
});
