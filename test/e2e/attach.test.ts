import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AttachedJvm } from '../../electron/jvm/attach.ts';
import { FlightRecorder } from '../../electron/recording/flight-recorder.ts';
import { JvmList } from '../../electron/jvm/jvm-list.ts';
import { objections } from '../support/axe-objections.ts';
import { startFakeJava } from '../support/fake-java.ts';
import { useWindows } from '../support/opened-window.ts';
import { readInput } from '../support/read-input.ts';
import { cliOutput } from '../support/run-cli.ts';
import { serveBy } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { JDKS, jdkHome, NO_JVM, startJvm } from '../support/test-jvm.ts';
import { testUnless } from '../support/test-unless.ts';
import { LogWindow } from '../support/window.ts';

const { open, browser } = useWindows();
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
  await window.until(
    (count) =>
      Number(document.querySelector('[data-testid=sample-count]')?.textContent.replaceAll(/\D/g, '')) > count,
    before,
  );
}

/** Samples of both sides of a comparison, the new one first. */
async function comparedSums(window: LogWindow): Promise<readonly number[]> {
  const [, ...rows] = (await window.exported('export-compared-csv')).trimEnd().split('\r\n');
  const numbers = rows.map((row) =>
    row
      .slice(row.lastIndexOf('"') + 2)
      .split(',')
      .map(Number),
  );
  return [1, 0].map((column) => numbers.reduce((sum, row) => sum + row[column], 0));
}

/** Shows another sample type of a recording that has ended, with this many samples. */
async function chooseType(window: LogWindow, type: string, samples: number): Promise<void> {
  await window.chooseKind(type);
  await window.samplesShown(samples);
}

/** All stacks with their samples, and all rows of the call tree. */
interface WholeProfile {
  readonly collapsed: readonly string[];
  readonly tree: readonly string[];
}

async function wholeProfile(window: LogWindow): Promise<WholeProfile> {
  return {
    collapsed: sortedLines(await window.exported('export-collapsed')),
    tree: sortedLines(await window.exported('export-tree')),
  };
}

async function exportedFile(file: string, type: string): Promise<WholeProfile> {
  // The window shows sleeps by their time, and allocations by bytes.
  const metric = type === 'cpu' ? 'samples' : 'time';
  const exported = async (format: string): Promise<readonly string[]> => {
    const by = format === 'collapsed' ? ['--metric', metric] : [];
    const options = ['--format', format, '--threads', 'all', '--choose', `sample-type=${type}`, ...by];
    return sortedLines(await cliOutput('export', file, ...options));
  };
  return { collapsed: await exported('collapsed'), tree: await exported('tree') };
}

/** Siblings with equal samples are in the order in which they were read, which flushes change. */
function sortedLines(text: string): readonly string[] {
  return text.trimEnd().split('\n').sort();
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

    await window.chooseKind('sleep');
    await window.page.getByText('Busy.rest').filter({ visible: true }).first().waitFor();
    await growth(window, await samplesIn(window));

    // Two of its sample types, while both grow. The recording goes on without the second tab.
    await window.page.keyboard.press('Alt+c');
    await window.part('compare-types').locator('summary').click();
    await window.part('compare-offer').filter({ hasText: 'Execution samples' }).click();
    await window.part('compare-by').waitFor();
    expect(await window.part('tab').nth(1).textContent()).toContain(': Execution samples');
    const [waits, running] = await comparedSums(window);
    await expect
      .poll(async () => (await comparedSums(window)).map((sum, side) => sum > [waits, running][side]), {
        timeout: 50_000,
        // The JVM writes once a second.
        interval: 500,
      })
      .toEqual([true, true]);
    await window.part('tab').nth(0).click({ button: 'right' });
    await window.choose('Close more', 'Close others');
    await window.page.keyboard.press('Control+z');
    await window.part('compare-by').waitFor({ state: 'detached' });
    await growth(window, await samplesIn(window));

    // The list over the log: a row has the focus, also when its JVM ends, and the JVM is shown as open.
    const other = await startJvm({ main: 'Known' });
    await window.page.keyboard.press('Alt+a');
    await window.page.locator('[data-testid=attach] .jvm:focus').waitFor();
    const otherRow = window.page.locator(`[data-testid=attach] [data-pid="${other.pid}"]`);
    await otherRow.focus();
    await other.end();
    await otherRow.waitFor({ state: 'detached' });
    await window.page.locator('[data-testid=attach] .jvm:focus').waitFor();
    await window.part('attach').getByText('open', { exact: true }).first().waitFor();
    await window.page.keyboard.press('Escape');

    jvm.process.kill('SIGKILL');
    await window.page.locator('[data-state=ended]').waitFor();
    expect(await window.part('detail-banner').textContent()).toBe('The JVM has ended. What was read stays.');
    await window.settled();
    const shown = await samplesIn(window);
    const live = await wholeProfile(window);
    await window.part('export-menu').click();
    const [download] = await Promise.all([
      window.page.waitForEvent('download'),
      window.part('save-recording').click(),
    ]);
    expect(download.suggestedFilename()).toBe(`Busy-${jvm.pid}.jfr`);
    const file = join(temporaryFolder(), 'saved.jfr');
    await download.saveAs(file);

    // The recording as it was read while it grew, the saved file in the window, and the saved file without a window.
    const again = await open([file]);
    for (const type of ['sleep', 'alloc', 'cpu']) {
      const read = readInput(readFileSync(file), { 'sample-type': type });
      const samples = read.aggregator.sampleCount;
      expect(read.decoder.damage).toBeUndefined();
      if (type === 'sleep') expect(samples).toBe(shown);
      else await chooseType(window, type, samples);
      await chooseType(again, type, samples);
      const whole = type === 'sleep' ? live : await wholeProfile(window);
      expect(whole.tree.length).toBeGreaterThan(4);
      expect(await wholeProfile(again)).toEqual(whole);
      expect(await exportedFile(file, type)).toEqual(whole);
    }
    expect(await again.page.getByTestId('jvms').count()).toBe(0);
    expect([window.problems, again.problems]).toEqual([[], []]);
  },
);

testUnless(NO_JVM)(
  'a recording is stopped and stays; closed unsaved, it asks, and is among the recent files',
  async () => {
    const { pid } = await startJvm({ home: jdkHome(newest) });
    const recorder = await recorderOf(pid);
    const window = await open(['--attach']);
    await window.page.locator(`[data-pid="${pid}"]`).click();
    await growth(window, 0);
    await window.part('stop').click();
    await window.page.locator('[data-state=ended]').waitFor();
    expect(await window.part('detail-banner').textContent()).toBe(
      'The recording was stopped. What was read stays.',
    );
    expect(await recorder.list()).toEqual([]);
    // It is saved where it was stopped.
    await window.part('save-unsaved').waitFor();
    expect(await window.part('stop').count()).toBe(0);
    expect(await window.part('recent').count()).toBe(0);
    await window.settled();
    const samples = await samplesIn(window);

    await window.page.keyboard.press('Control+w');
    await window.part('closing').waitFor();
    expect(await objections(window)).toEqual([]);
    await window.page.keyboard.press('Escape');
    await window.part('closing').waitFor({ state: 'detached' });
    expect(await samplesIn(window)).toBe(samples);

    await window.page.keyboard.press('Control+w');
    await window.part('discard').click();
    await window.page.getByText(new RegExp(`^Busy-${pid}-[\\d-]+\\.jfr$`)).click();
    await window.samplesShown(samples);
    expect(window.problems).toEqual([]);
  },
);

testUnless(NO_JVM)('the next server that records the JVM stops what a killed one left', async () => {
  const { pid } = await startJvm({ home: jdkHome(newest) });
  const recorder = await recorderOf(pid);
  await recorder.start('theirs', { settings: 'default', flushes: true, maxMegabytes: 50 });
  const window = await open(['--attach']);
  const row = window.page.locator(`[data-pid="${pid}"]`);
  await window.part('attach-with').getByText('Thread dumps').click();
  expect(await objections(window)).toEqual([]);
  await row.click();
  await growth(window, 0);
  await window.page.getByText('Pause sampling').click();
  await window.page.getByText('Go on sampling').click();
  await growth(window, await samplesIn(window));

  await window.page.keyboard.press('Alt+a');
  await window.part('attach-with').getByText('Record with JFR').click();
  await row.click();
  await window.part('record-anyway').click();
  await window.until(() => document.querySelectorAll('[role=tab]').length === 2);
  await growth(window, 0);
  const names = async (): Promise<readonly string[]> => (await recorder.list()).map(({ name }) => name);
  const during = await names();
  expect(during).toEqual(['theirs', expect.stringMatching(/^leanscope-\d+-/)]);
  const server = Number(during[1].split('-')[1]);
  const dumps = (): readonly string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`leanscope-${server}-`));
  expect(dumps()).toHaveLength(1);
  expect(readFileSync(join(tmpdir(), dumps()[0]), 'utf8')).toMatch(/ interval=20\.000 share=0\.010000$/m);
  process.kill(server, 'SIGKILL');
  await window.page.close();
  const next = await open(['--attach']);
  await next.part('attach-with').getByText('Record with JFR').click();
  await next.page.locator(`[data-pid="${pid}"]`).click();
  await next.part('record-anyway').click();
  await growth(next, 0);
  const after = await names();
  expect(after).toEqual(['theirs', expect.stringMatching(/^leanscope-\d+-/)]);
  expect(after[1]).not.toBe(during[1]);
  // Temporary files go with the next ones of their folder.
  await next.page.keyboard.press('Alt+a');
  await next.part('attach-with').getByText('Thread dumps').click();
  await next.page.locator(`[data-pid="${pid}"]`).click();
  await expect.poll(dumps, { interval: 50 }).toEqual([]);
});

testUnless(NO_JVM)('what is recorded is chosen, and a recording of somebody else is followed', async () => {
  const { pid } = await startJvm({ program: ['one', 'a b'] });
  for (let other = 0; other < 8; other++) await startFakeJava([`-Dnumber=${other}`, 'com.acme.Shop']);
  const window = await open(['--attach']);
  const row = window.page.locator(`[data-pid="${pid}"]`);
  await row.waitFor();
  expect(await row.getAttribute('title')).toMatch(/^-cp \S+ .*Busy one a b$/);

  // More than eight have a filter.
  const rows = window.part('jvm');
  await window.part('jvm-filter').fill('com.acme number=3');
  await window.page.getByText(/^1 of \d+$/).waitFor();
  expect(await rows.count()).toBe(1);
  expect(await rows.first().textContent()).toContain('it is not a HotSpot JVM');
  await window.part('jvm-filter').fill(`busy ${pid}`);
  await row.waitFor();
  expect(await objections(window)).toEqual([]);

  await window.part('record-settings').getByText('Low overhead').click();
  for (const type of ['cpu-time', 'allocations', 'locks']) await window.part(`record-${type}`).uncheck();
  // A recording of nothing would show nothing.
  expect(await window.part('record-cpu').isDisabled()).toBe(true);
  await row.click();
  await growth(window, 0);
  const recorder = await recorderOf(pid);
  const [own] = await recorder.list();
  const jvm = new JvmList().read().find((each) => each.pid === pid)!;
  const settings = await (await AttachedJvm.open(jvm)).jcmd(`JFR.check name=${own.name} verbose=true`);
  const settingOf = (event: string): string | undefined =>
    new RegExp(`\\(jdk\\.${event}\\)\\s+\\[(.*)\\]`).exec(settings)?.[1];
  expect(settingOf('ExecutionSample')).toBe('period=20 ms,enabled=true');
  for (const event of ['ObjectAllocationSample', 'JavaMonitorEnter', 'ThreadPark', 'ThreadSleep'])
    expect(settingOf(event), event).toContain('enabled=false');

  await window.page.keyboard.press('Control+w');
  await window.part('discard').click();
  await row.waitFor();
  await expect.poll(() => recorder.list(), { interval: 50 }).toEqual([]);
  await recorder.start('theirs', { settings: 'profile', flushes: true, maxMegabytes: 50 });
  await row.click();
  expect(await window.part('follow-recording').textContent()).toBe('Follow “theirs”');
  const said = await window.page.getByRole('group', { name: 'Recordings of this JVM' }).textContent();
  expect(said).toContain('Following shows all that it has recorded to the disk');
  expect(said).toContain('all recordings have the events of all settings together');
  expect(await objections(window)).toEqual([]);
  await window.part('follow-recording').click();
  await growth(window, 0);
  await window.page.keyboard.press('Control+w');
  await row.waitFor();
  expect((await recorder.list()).map(({ name }) => name)).toEqual(['theirs']);
  expect(window.problems).toEqual([]);
});

testUnless(NO_JVM)('leanscope attach shows a JVM, and Ctrl+C leaves it as it was', async () => {
  const { pid } = await startJvm({ home: jdkHome(newest) });
  const recorder = await recorderOf(pid);
  const served = await serveBy('attach', String(pid), '--settings', 'default');
  const window = await LogWindow.open(browser(), served.url);
  await growth(window, 0);
  expect(await window.part('status-chip').textContent()).toContain(`Busy (${pid})`);
  expect((await recorder.list()).map(({ name }) => name)).toEqual([
    expect.stringMatching(`^leanscope-${served.pid}-`),
  ]);
  // Nothing else may be attached to from this page.
  await window.page.keyboard.press('Alt+a');
  await window.part('attach').getByText('leanscope serve --attach').waitFor();
  process.kill(served.pid, 'SIGINT');
  expect([await served.ended, served.stderr()]).toEqual([0, '']);
  expect(await recorder.list()).toEqual([]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`leanscope-${served.pid}-`))).toEqual([]);
});

test('without --attach the page lists no JVMs, and says how to allow it', async () => {
  const window = await open([]);
  expect(await window.part('jvms').count()).toBe(0);
  await window.page.keyboard.press('Alt+a');
  // What the host allows comes with its greeting.
  await window.part('attach').getByText('leanscope serve --attach').waitFor();
  expect(await window.part('attach').getByTestId('jvms').count()).toBe(0);
});
