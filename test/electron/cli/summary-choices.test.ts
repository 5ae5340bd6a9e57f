import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const choiceOf = async (name: string, content: string | Uint8Array): Promise<string | undefined> => {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return /^choose .*$/m.exec((await runCli(['summary', file])).stdout)?.[0];
};

test('options whose values are mere numbers are named', async () => {
  const profile = { type: 'sampled', weights: [1], samples: [[0]] };
  const speedscope = {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames: [{ name: 'main' }] },
    profiles: [
      { ...profile, name: 'CPU', unit: 'milliseconds' },
      { ...profile, name: 'Heap', unit: 'bytes' },
    ],
  };
  expect(await choiceOf('two.speedscope.json', JSON.stringify(speedscope))).toBe(
    'choose   profile=1  (Profile: 1 = CPU, 2 = Heap)',
  );
  const stacks = new TextEncoder().encode('Shop.main;Cart.add 3\nShop.main 1\n');
  const archive = zipSync({ 'monday.collapsed': stacks, 'tuesday.collapsed': stacks });
  expect(await choiceOf('two.zip', archive)).toContain('monday.collapsed');
});

test('other options are their values', async () => {
  expect(await choiceOf('a.collapsed', 'Shop.main;Cart.add 3\n')).toBe(
    'choose   unit=samples  (Weights are: samples, bytes, nanoseconds)',
  );
});
