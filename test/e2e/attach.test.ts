import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AttachedJvm } from '../../electron/jvm/attach.ts';
import { FlightRecorder } from '../../electron/jvm/flight-recorder.ts';
import { JvmList } from '../../electron/jvm/jvm-list.ts';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { readInput } from '../support/read-input.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { JDKS, jdkHome, NO_JVM, startJvm } from '../support/test-jvm.ts';
import { testUnless } from '../support/test-unless.ts';
import type { LogWindow } from '../support/window.ts';

const { open } = useWindows();
const newest = JDKS.at(-1)?.major;

async function recorderOf(pid: number): Promise<FlightRecorder> {
  const jvm = new JvmList().read().find((each) => each.pid === pid);
  if (jvm === undefined) throw new Error(`${pid} is not listed`);
  return new FlightRecorder(await AttachedJvm.open(jvm));
}

async function samplesIn(window: LogWindow): Promise<number> {
  const text = (await window.part('sample-count').textContent()) ?? '';
  return Number(text.replaceAll(/\D/g, ''));
}

/** Resolves when the window shows more samples than before. */
async function growth(window: LogWindow, before: number): Promise<void> {
  await window.page.waitForFunction(
    (count) =>
      Number(document.querySelector('[data-testid=sample-count]')?.textContent.replaceAll(/\D/g, '')) > count,
    before,
    { polling: 20 },
  );
}

testUnless(NO_JVM)(
  'a JVM is chosen, watched as it grows, and its recording is saved and opened again',
  async () => {
    const jvm = await startJvm();
    const window = await open(['--attach']);
    const row = window.page.locator(`[data-pid="${jvm.pid}"]`);
    await row.waitFor();
    expect(await objections(window)).toEqual([]);
    await row.focus();
    await window.page.keyboard.press('Enter');
    await growth(window, 0);
    await growth(window, await samplesIn(window));
    expect(await window.part('status-chip').textContent()).toContain(`Busy (${jvm.pid})`);

    await window.part('choices').click();
    await window.part('choice-sample-type').selectOption('sleep');
    await window.page.keyboard.press('Escape');
    await window.page.getByText('Busy.rest').first().waitFor();
    await growth(window, await samplesIn(window));

    // The list over the log: its first row has the focus, and the JVM is shown as open.
    await window.page.keyboard.press('a');
    await window.page.locator('.attach .jvm:focus').waitFor();
    await window.part('attach').getByText('open', { exact: true }).first().waitFor();
    await window.page.keyboard.press('Escape');

    jvm.process.kill('SIGKILL');
    await window.page.locator('[data-state=ended]').waitFor();
    expect(await window.part('detail-banner').textContent()).toBe('The JVM has ended. What was read stays.');
    await window.settled();
    const shown = await samplesIn(window);
    const rows = await window.rows('flat', 10);
    await window.part('export-menu').click();
    const [download] = await Promise.all([
      window.page.waitForEvent('download'),
      window.part('save-recording').click(),
    ]);
    expect(download.suggestedFilename()).toBe(`Busy-${jvm.pid}.jfr`);
    const file = join(temporaryFolder(), 'saved.jfr');
    await download.saveAs(file);
    const read = readInput(readFileSync(file), { 'sample-type': 'sleep' });
    expect([read.decoder.damage, read.aggregator.sampleCount]).toEqual([undefined, shown]);

    const again = await open([file]);
    await again.part('choices').click();
    await again.part('choice-sample-type').selectOption('sleep');
    await again.page.keyboard.press('Escape');
    await again.samplesShown(shown);
    expect(await again.rows('flat', 10)).toEqual(rows);
    expect(await again.page.getByTestId('jvms').count()).toBe(0);
    expect([window.problems, again.problems]).toEqual([[], []]);
  },
);

testUnless(NO_JVM)('a server that is killed leaves the JVM as it was', async () => {
  const { pid } = await startJvm({ home: jdkHome(newest) });
  const recorder = await recorderOf(pid);
  await recorder.start('theirs', { settings: 'default', flushes: true, maxMegabytes: 50 });
  const window = await open(['--attach']);
  const row = window.page.locator(`[data-pid="${pid}"]`);
  await window.part('attach-with').getByText('Thread dumps').click();
  await window.part('sample-share').fill('100');
  await window.part('sample-RUNNABLE').check();
  expect(await objections(window)).toEqual([]);
  await row.click();
  await growth(window, 0);
  await window.part('sampling').click();
  await window.page.getByText('Go on sampling').click();
  await growth(window, await samplesIn(window));

  await window.page.keyboard.press('a');
  await window.part('attach-with').getByText('Flight recording').click();
  await row.click();
  await window.part('record-anyway').click();
  await window.page.waitForFunction(() => document.querySelectorAll('[role=tab]').length === 2);
  await growth(window, 0);
  const names = async (): Promise<readonly string[]> => (await recorder.list()).map(({ name }) => name);
  const during = await names();
  expect(during).toEqual(['theirs', expect.stringMatching(/^leanscope-\d+-/)]);
  const server = Number(during[1].split('-')[1]);
  const dumps = (): readonly string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`leanscope-${server}-`));
  expect(dumps()).toHaveLength(1);
  process.kill(server, 'SIGKILL');
  while ((await names()).length > 1 || dumps().length > 0);
  expect(await names()).toEqual(['theirs']);
});

test('without --attach the page lists no JVMs, and says how to allow it', async () => {
  const window = await open([]);
  expect(await window.part('jvms').count()).toBe(0);
  await window.page.keyboard.press('a');
  // What the host allows comes with its greeting.
  await window.part('attach').getByText('leanscope serve --attach').waitFor();
  expect(await window.part('attach').getByTestId('jvms').count()).toBe(0);
});
