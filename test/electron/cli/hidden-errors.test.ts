import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { frame, log, method, thread, trace, traceStart } from '../../support/log-bytes.ts';
import { cliOutput } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'leanscope-hidden-errors-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** One sample of Shop.run and three of errors, of which each has 1 s. */
const path = join(folder, 'errors.hpl');
writeFileSync(
  path,
  log(
    thread(7, 'main'),
    method(1, 'Shop.java', 'LShop;', 'run'),
    trace(7, 1, frame(1, 1, 1)),
    traceStart(-2, 7, 2),
    traceStart(-2, 7, 3),
    traceStart(-3, 7, 4),
  ),
);

const exported = async (...options: string[]): Promise<string[]> => {
  const text = await cliOutput('export', path, '--hide-errors', ...options);
  return text.trimEnd().split(/\r?\n/);
};

test('shares are of the samples that are no errors', async () => {
  const [, row] = await exported('--format', 'csv');
  expect(row).toBe('"Shop.run",1,1,100.0000,100.0000,1000000000,1000000000,100.0000,100.0000');
  expect(await exported('--format', 'bottom-up')).toEqual([
    '0\tShop.run\t1\t1\t1000000000\t1000000000',
    '1\tAll Threads\t0\t1\t0\t1000000000',
  ]);
  expect((await exported('--format', 'svg')).join('\n')).toMatch(/\b1 sample\b/);
});

test('an error that a transform has merged into a frame with others is left out, too', async () => {
  for (const prefix of ['AGCT', 'A', ''])
    expect(await exported('--format', 'collapsed', '--collapse', prefix), prefix).toEqual([
      prefix === '' ? '* 1' : 'Shop.run 1',
    ]);
  // The rows that Honest Profiler hides begin with `AGCT.`.
  expect(await exported('--format', 'flat', '--collapse', 'AGCT.')).toEqual([
    'Shop.run\t1\t1\t1000000000\t1000000000',
  ]);
});

test('canonical text has the sums of Honest Profiler', async () => {
  expect(await exported('--format', 'tree')).toEqual([
    '0\tmain\t0\t4\t0\t4000000000',
    '1\tShop.run\t1\t1\t1000000000\t1000000000',
  ]);
});

test('a comparison is of the samples that are no errors', async () => {
  const text = await cliOutput('compare', path, path, '--hide-errors');
  expect(text).toMatch(/\n +1 +1\.00 s +base/);
});
