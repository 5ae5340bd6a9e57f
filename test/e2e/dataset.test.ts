import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addToDataset, type FleetSample, madeSamples } from '../support/made-fleet.ts';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testSeed } from '../support/test-seed.ts';

const { randomFor } = testSeed('dataset-window');
const { open } = useWindows();

test('a dataset opens in the window: what its threads are is chosen, and the host that differs is found', async () => {
  const dir = join(temporaryFolder(), 'fleet');
  for (let host = 0; host < 5; host++) {
    const slow = (sample: FleetSample, at: number): FleetSample =>
      host === 4 && at % 2 === 0 ? { ...sample, stack: [20, ...sample.stack] } : sample;
    addToDataset(dir, madeSamples(randomFor(host), 'shop', `web${host}`, 1_000).map(slow), undefined);
  }
  const window = await open([dir, '--where', "service = 'shop'"], { width: 1200, height: 800 });
  await window.samplesShown(5000);
  await expect.poll(() => window.page.title()).toBe("fleet service = 'shop' – Leanscope");
  await window.part('choices').click();
  await window.part('choice-per').selectOption('host');
  await window.page.keyboard.press('Escape');
  await window.page.getByRole('radio', { name: 'Spread' }).click();
  await expect
    .poll(() => window.part('spread-parts').getByRole('radio').allTextContents())
    .toContain('Hosts');
  await expect
    .poll(() => window.page.locator('.list-table .row').first().textContent())
    .toMatch(/^Class0\.method20.*web4 \(\+5\d\.\d\d\)$/);
});

test('what a dataset refuses ends the command with its sentence', () => {
  const dir = join(temporaryFolder(), 'fleet');
  addToDataset(dir, madeSamples(randomFor(9), 'shop', 'web1', 100), undefined);
  const args = ['dist/electron/cli.cjs', 'serve', dir, '--where', "host = 'web2'", '--no-open'];
  const env = { ...process.env, XDG_CONFIG_HOME: temporaryFolder() };
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  expect([stderr, status]).toEqual([`${dir}: no sample fulfils the condition host = 'web2'\n`, 1]);
});
