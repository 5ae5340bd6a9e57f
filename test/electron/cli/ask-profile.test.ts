import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { frame, log, method, thread, trace } from '../../support/log-bytes.ts';
import { runCli } from '../../support/run-cli.ts';

let folder = '';
let file = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leanscope-scope-'));
  file = join(folder, 'app.hpl');
  writeFileSync(
    file,
    log(
      thread(1, 'http-worker-1'),
      thread(2, 'main'),
      method(7, 'App.java', 'Lcom/acme/App;', 'work'),
      method(8, 'App.java', 'Lcom/acme/App;', 'rest'),
      trace(1, 10, frame(7, 1, 1)),
      trace(1, 12, frame(7, 1, 1)),
      trace(2, 14, frame(8, 1, 1), frame(7, 1, 1)),
    ),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Options of a scope that leaves no sample, and what is said about it. */
const EMPTY: readonly (readonly [options: readonly string[], reason: string])[] = [
  [['--thread', 'http-worker'], "no thread is named http-worker; did you mean 'http-worker-1'?"],
  [['--thread', 'xyz-*'], 'no thread is named xyz-*'],
  [['--thread', '/^xyz/', '--thread', 'gc'], 'no thread is named /^xyz/ or gc'],
  [
    ['--keep', 'com.acme.Ap.work'],
    "no sample has the frame com.acme.Ap.work on its stack (--keep); did you mean 'com.acme.App.work' or 'com.acme.App.rest'?",
  ],
  [
    ['--collapse', 'com.acme.', '--focus', 'com.acme.App.work'],
    "no sample has the frame com.acme.App.work on its stack (--focus); did you mean 'com.acme.*'?",
  ],
  [['--drop', 'com.acme.App.work'], 'every sample has the frame com.acme.App.work on its stack (--drop)'],
  [['--thread', 'http-worker-1', '--keep', 'com.acme.App.rest'], 'no sample has the frame com.acme.App.rest'],
  [['--from', '99m'], 'no sample was taken in the range from 1:39:00; the samples are from 0 s to 4.0 s'],
  [['--to', '1', '--thread', 'main'], 'no sample is of the thread main in the range'],
];

test.each(EMPTY)(
  '%j: what it leaves out is said, and no report passes for one of something',
  async (options, reason) => {
    const runs = [
      ...['methods', 'flat', 'csv', 'tree', 'svg'].map((format) => ['export', file, '--format', format]),
      ['summary', file],
      ['summary', file, '--json'],
      ...['report', 'report-md', 'report-html'].map((format) => ['compare', file, file, '--format', format]),
      ['compare', file, file, '--fail-above', '2'],
    ];
    for (const run of runs) {
      const { status, stderr } = await runCli([...run, ...options]);
      expect([run, status, stderr]).toEqual([run, 1, expect.stringContaining(`${file}: ${reason}`)]);
    }
  },
);

test.each(EMPTY)(
  '%j: stacks for other programs are written as they are, and it is said',
  async (options, reason) => {
    for (const format of ['collapsed', 'lean']) {
      const { status, stdout, stderr } = await runCli(['export', file, '--format', format, ...options]);
      expect([status, stdout]).toEqual([0, '']);
      expect(stderr).toContain(`${file}: ${reason}`);
    }
  },
);

test('a file that exists is not replaced by an empty table', async () => {
  const out = join(folder, 'before.txt');
  writeFileSync(out, 'before');
  const run = await runCli(['export', file, '--format', 'methods', '--thread', 'gc', '-o', out]);
  expect([run.status, readFileSync(out, 'utf8')]).toEqual([1, 'before']);
});

test('one side that is emptied is named; without a scope an empty profile is said by the report', async () => {
  const other = join(folder, 'other.collapsed');
  const nothing = join(folder, 'nothing.collapsed');
  writeFileSync(other, 'com.acme.App.other 5\n');
  writeFileSync(nothing, 'com.acme.App.other 0\n');
  const one = await runCli(['compare', file, other, '--keep', 'com.acme.App.work']);
  expect([one.status, one.stderr.split('; ')[0]]).toEqual([
    1,
    `${other}: no sample has the frame com.acme.App.work on its stack (--keep)`,
  ]);
  const unscoped = await runCli(['compare', file, nothing]);
  expect([unscoped.status, unscoped.stderr]).toEqual([0, '']);
  expect(unscoped.stdout).toContain('One of the profiles has no samples');
});
