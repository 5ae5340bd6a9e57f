import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { frame, log, method, thread, trace } from '../../support/log-bytes.ts';
import { goldenPath } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';

let folder = '';
let one = '';
let two = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leanscope-merge-'));
  for (const node of ['node1', 'node2']) mkdirSync(join(folder, node));
  one = join(folder, 'node1/app.hpl');
  two = join(folder, 'node2/app.hpl');
  // Another method has the id that `work` has in the other log, and another thread that of `main`.
  const work = (id: number): Uint8Array => method(id, 'Shop.java', 'LShop;', 'work');
  writeFileSync(
    one,
    log(thread(7, 'main'), trace(7, 100, frame(16, 3, 12)), work(16), trace(7, 101, frame(16, 3, 12))),
  );
  writeFileSync(
    two,
    log(
      thread(7, 'worker-1'),
      trace(7, 100.5, frame(16, 3, 40)),
      method(16, 'Idle.java', 'LIdle;', 'park'),
      thread(8, 'main'),
      trace(8, 103, frame(24, 3, 12)),
      work(24),
    ),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

async function exported(...argv: readonly string[]): Promise<string[]> {
  const { status, stdout, stderr } = await runCli(['export', one, two, ...argv]);
  expect([status, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replaceAll('\t', ' '));
}

test('logs of one system are one profile, apart by file or together', async () => {
  const counts = (lines: readonly string[]): string[] =>
    lines.map((line) => line.split(' ').slice(0, -2).join(' '));
  expect(counts(await exported('--merge-files', 'groups', '--format', 'flat'))).toEqual([
    'Idle.park 1 1',
    'Shop.work 3 3',
  ]);
  expect(counts(await exported('--merge-files', 'groups', '--format', 'tree', '--threads', 'group'))).toEqual(
    ['0 node1/app.hpl 0 2', '1 Shop.work 2 2', '0 node2/app.hpl 0 2', '1 Idle.park 1 1', '1 Shop.work 1 1'],
  );
  expect(counts(await exported('--merge-files', 'together', '--format', 'tree'))).toEqual([
    '0 main 0 3',
    '1 Shop.work 3 3',
    '0 worker-1 0 1',
    '1 Idle.park 1 1',
  ]);
  const ofTwo = await exported(
    ...['--merge-files', 'groups', '--thread', '/^node2/', '--format', 'collapsed', '--threads', 'name'],
  );
  expect(ofTwo).toEqual([
    '[node2/app.hpl: main tid=8];Shop.work 1',
    '[node2/app.hpl: worker-1 tid=7];Idle.park 1',
  ]);
  // The time axis is that of the clocks: the second log begins half a second after the first.
  expect(
    await exported('--merge-files', 'groups', '--from', '0.4', '--to', '1.5', '--format', 'collapsed'),
  ).toEqual(['Idle.park 1', 'Shop.work 1']);
  // In a format in which an id is one thread, threads of the same id stay apart.
  const hprof = await exported('--merge-files', 'groups', '--format', 'hprof-text');
  expect(hprof.filter((line) => line.startsWith('THREAD START'))).toHaveLength(3);
  expect(
    new Set(hprof.flatMap((line) => /THREAD START \(.*?id = (\d+)/.exec(line)?.[1] ?? [])),
  ).toHaveProperty('size', 3);
});

test('the summary has the sums and a line for each log', async () => {
  const { status, stdout } = await runCli(['summary', one, two, '--merge-files', 'groups']);
  expect(status).toBe(0);
  expect(stdout).toContain('samples  4\n');
  expect(stdout).toContain('time     3.0 s from 1970-01-01T00:01:40.000Z\n');
  expect(stdout).toMatch(
    /Logs\n +Log +Samples +Threads +Bytes\n +node1\/app\.hpl +2 +1 .*\n +node2\/app\.hpl +2 +2 /,
  );
  const json = await runCli(['summary', two, one, '--merge-files', 'together', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    samples: 4,
    threads: 3,
    firstTime: '100000000000',
    files: [two, one],
  });
});

test('what cannot be merged is refused with the reason', async () => {
  const refused = async (...argv: readonly string[]): Promise<[number, string]> => {
    const { status, stderr } = await runCli(argv);
    return [status, stderr];
  };
  expect(await refused('summary', one, '--merge-files', 'groups')).toEqual([
    2,
    'leanscope: --merge-files needs at least two FILEs; see leanscope summary --help\n',
  ]);
  const dump = 'test/golden/thread-dump/jstack-1.txt';
  const [status, text] = await refused('export', one, dump, '--merge-files', 'groups', '--format', 'flat');
  expect([status, text]).toEqual([
    1,
    'These logs cannot be merged: app.hpl counts samples and time in ns, and jstack-1.txt samples only; choose the same kind of samples in each log, and merge them again\n',
  ]);
  const missing = await refused('summary', one, join(folder, 'none.hpl'), '--merge-files', 'groups');
  expect(missing[1]).toContain('none.hpl: ');
  expect((await runCli(['summary', one, goldenPath('hello'), '--merge-files', 'groups'])).status).toBe(0);
});
