import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addToDataset, type FleetSample, madeSamples } from '../support/made-fleet.ts';
import { useWindows } from '../support/opened-window.ts';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testSeed } from '../support/test-seed.ts';
import { LogWindow } from '../support/window.ts';

const { randomFor } = testSeed('dataset-window');
const { browser, open } = useWindows();

test('a dataset opens in the window: it is asked again for hosts, hours or services, and the host that differs is found', async () => {
  const dir = join(temporaryFolder(), 'fleet');
  for (let host = 0; host < 5; host++) {
    const slow = (sample: FleetSample, at: number): FleetSample =>
      host === 4 && at % 2 === 0 ? { ...sample, stack: [20, ...sample.stack] } : sample;
    addToDataset(dir, madeSamples(randomFor(host), 'shop', `web${host}`, 1_000).map(slow), undefined);
  }
  const window = await open([dir, '--where', "service = 'shop'"], { width: 1200, height: 800 });
  await window.samplesShown(5000);
  await expect.poll(() => window.page.title()).toBe("fleet service = 'shop' – Leanscope");
  await window.page.getByRole('radio', { name: 'Spread' }).click();
  const parts = window.part('spread-parts').getByRole('radio');
  await expect.poll(() => parts.allTextContents()).toEqual(['Hosts', 'Hours', 'Pools']);
  await parts.filter({ hasText: 'Hosts' }).click();
  await expect
    .poll(() => window.page.locator('.list-table .row').first().textContent())
    .toMatch(/^Class0\.method20.*web4 \(\+5\d\.\d\d\)$/);
  expect(await parts.allTextContents()).toEqual(['Hosts', 'Hours', 'Pools']);
  await expect.poll(() => window.part('spread-note').textContent()).toMatch(/^5 hosts differ in /);
  expect(await window.page.getByText('hosts', { exact: true }).count()).toBe(1);
  await window.part('choices').click();
  await window.part('choice-per').selectOption('service');
  await window.page.keyboard.press('Escape');
  await expect.poll(() => window.part('spread-note').textContent()).toMatch(/^1 service: at least 4 /);
});

test('hours of one day say it once', async () => {
  const dir = join(temporaryFolder(), 'fleet');
  addToDataset(dir, madeSamples(randomFor(20), 'shop', 'web0', 1_000), 3_600_000_000_000n);
  const condition = ['--where', "date = '2026-11-28'", '--per', 'hour'];
  const window = await open([dir, ...condition], { width: 1200, height: 800 });
  await window.page.getByRole('radio', { name: 'Spread' }).click();
  await expect
    .poll(() => window.part('spread-note').textContent())
    .toMatch(/^2 hours of 2026-11-28: at least 4 /);
  const row = window.page.locator('.list-table .row');
  await row.first().hover();
  await row.first().getByText('Parts', { exact: true }).click();
  await window.page.getByRole('columnheader', { name: 'Hour of 2026-11-28' }).waitFor();
  expect(await row.evaluateAll((all) => all.map((each) => each.getAttribute('data-name')).sort())).toEqual([
    '00:00',
    '01:00',
  ]);
});

test('the password of a database is nowhere in the window, its storage, its address and its messages', async () => {
  vi.stubEnv('CLICKHOUSE_PASSWORD', 'kept-out-of-sight');
  const forms = ['kept-out-of-sight', Buffer.from('reader:kept-out-of-sight').toString('base64')];
  let isRefusing = false;
  const database = createServer((request, response) => {
    const { authorization = '' } = request.headers;
    request
      .resume()
      .on('end', () =>
        isRefusing
          ? response.writeHead(403).end(`no: ${forms[0]} ${authorization}`)
          : response.end('stack\tsamples\nString\tUInt64\na;b\t3\nc\t2\n'),
      );
  });
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    database.close();
  });
  const address = `clickhouse://reader@127.0.0.1:${(database.address() as AddressInfo).port}/db`;
  const served = await serve(address, '--sql', 'SELECT 1');
  const messages: string[] = [];
  const window = await LogWindow.open(browser(), served.url, { width: 1200, height: 800 });
  const { page } = window;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void messages.push(String(payload))),
  );
  await window.samplesShown(5);
  const said = async (): Promise<string> =>
    [
      await page.title(),
      page.url(),
      await page.content(),
      await page.evaluate(() =>
        JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      ),
      ...messages,
      ...window.problems,
      served.stderr(),
    ].join('\n');
  const fine = await said();
  expect(fine).toContain('SELECT 1');
  expect(forms.filter((form) => fine.includes(form))).toEqual([]);
  await page.reload();
  await window.samplesShown(5);
  const again = await said();
  expect(messages.length).toBeGreaterThan(0);
  expect(forms.filter((form) => again.includes(form))).toEqual([]);
  isRefusing = true;
  const refused = await serve(address, '--sql', 'SELECT 1').catch(String);
  expect(refused).toContain('no: … Basic …');
});

test('what a dataset refuses ends the command with its sentence', () => {
  const dir = join(temporaryFolder(), 'fleet');
  addToDataset(dir, madeSamples(randomFor(9), 'shop', 'web1', 100), undefined);
  const args = ['dist/electron/cli.cjs', 'serve', dir, '--where', "host = 'web2'", '--no-open'];
  const env = { ...process.env, XDG_CONFIG_HOME: temporaryFolder() };
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  expect([stderr, status]).toEqual([`${dir}: no sample fulfils the condition host = 'web2'\n`, 1]);
});
