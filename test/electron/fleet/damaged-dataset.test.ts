import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { addToDataset, madeSamples } from '../../support/made-fleet.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testSize } from '../../support/test-size.ts';

const { randomFor } = testSeed('damaged dataset');
/** A Parquet file ends with the length of its directory, and `PAR1`. */
const END_BYTES = 8;

test('a file whose pages are damaged is named, or the rows that it lost are', async () => {
  const dir = temporaryFolder();
  for (const host of ['web1', 'web2', 'web3'])
    addToDataset(dir, madeSamples(randomFor(0), 'shop', host, 300), undefined);
  let named = 0;
  for (let scenario = 0; scenario < testSize(30, 400); scenario++) {
    const random = randomFor(1 + scenario);
    const copy = join(temporaryFolder(), 'fleet');
    cpSync(dir, copy, { recursive: true });
    const files = readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.parquet'),
    );
    const damaged = random.pick(files);
    const bytes = readFileSync(join(copy, damaged));
    const pagesEnd = bytes.length - END_BYTES - bytes.readInt32LE(bytes.length - END_BYTES);
    const from = 4 + random.below(pagesEnd - 4);
    const to = Math.min(from + random.pick([1, 4, 40, 400]), pagesEnd);
    for (let at = from; at < to; at++) bytes[at] = random.below(256);
    writeFileSync(join(copy, damaged), bytes);
    const { status, stdout, stderr } = await runCli(['export', copy, '--format', 'flat']);
    // Nothing tells that a number or a name was another one.
    if (status === 0) continue;
    expect([status, stdout]).toEqual([1, '']);
    const problem = stderr.replaceAll(copy + sep, '').replace(`${copy}: `, '');
    if (problem.startsWith(`the file ${damaged} is damaged (`)) named++;
    else
      expect(problem, damaged).toMatch(
        /^(?:samples name the stack|the stack -?\d+ names the frame|two different (?:stacks|frames) have the id) -?\d+[^\n]*\n$/,
      );
  }
  expect(named).toBeGreaterThan(0);
});
