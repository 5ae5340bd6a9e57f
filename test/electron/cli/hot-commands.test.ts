import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TopData, TreeData } from '../../../shared/answers/schemas.ts';
import type { Summary } from '../../../shared/summary/summary.ts';
import { goldenPath } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Two pools of threads and their stacks, root first, with samples. */
const STACKS = `[http-1 tid=1];java.lang.Thread.run;com.acme.Shop.serve;com.acme.Shop.loop;com.acme.Cart.add;java.util.List.add 50
[http-2 tid=2];java.lang.Thread.run;com.acme.Shop.serve;com.acme.Shop.loop;com.acme.Cart.price 30
[http-2 tid=2];java.lang.Thread.run;com.acme.Shop.serve;com.acme.Shop.loop;com.acme.Cart.price;com.acme.Cart.price 6
[http-2 tid=2];java.lang.Thread.run;com.acme.Shop.serve;com.acme.Shop.loop 4
[gc tid=3];Gc.run 10
`;

async function printed(...argv: readonly string[]): Promise<string> {
  const [command, ...options] = argv;
  const { status, stdout, stderr } = await runCli([command, '-', ...options], { stdin: Buffer.from(STACKS) });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

test('top: the hottest methods by self, with what is not shown', async () => {
  expect(await printed('top', '--limit', '3')).toBe(
    ` Self %  Self samples  Total %  Total samples  Method
50.00 %            50  50.00 %             50  java.util.List.add
36.00 %            36  36.00 %             36  com.acme.Cart.price
10.00 %            10  10.00 %             10  Gc.run
… 4 more methods, of 100 samples in all
`,
  );
});

test.each([
  [
    ['--by', 'total', '-n', '2'],
    'Method',
    ['90 com.acme.Shop.loop', '90 com.acme.Shop.serve'],
    '… 5 more methods, of ',
  ],
  [
    ['--group', 'class'],
    'Class',
    ['50 java.util.List', '86 com.acme.Cart', '10 Gc', '90 com.acme.Shop', '90 java.lang.Thread'],
    '',
  ],
  [['--group', 'package'], 'Package', ['50 java.util', '90 com.acme', '10 (no package)', '90 java.lang'], ''],
  [['--group', 'thread'], 'Thread', ['50 http-1', '40 http-2', '10 gc'], ''],
  [['--group', 'pool', '-n', '1'], 'Pool', ['90 http-*'], '… 1 more pool, of '],
  [['--group', 'class', '--filter', 'acme'], 'Class', ['86 com.acme.Cart', '90 com.acme.Shop'], ''],
] as const)('top %j: rows with the samples that they have once each', async (options, title, rows, more) => {
  const [header, ...lines] = (await printed('top', ...options)).trimEnd().split('\n');
  expect(header.endsWith(title)).toBe(true);
  expect(lines.pop()).toBe(`${more}100 samples in all`);
  // The samples of the total are the last number.
  expect(lines.map((line) => line.split(/ {2,}/).slice(-2).join(' ')).toSorted()).toEqual(rows.toSorted());
});

test('top --group line, of time, in a scope, into a file: numbers are those of the other exports', async () => {
  const log = goldenPath('server-small');
  const out = join(temporaryFolder(), 'top.txt');
  const scope = ['--keep', 'ServerSim.main'];
  const { stdout } = await runCli(['export', log, '--format', 'flat', '--frames', 'line', ...scope]);
  const hottest = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .sort((a, b) => Number(b[3]) - Number(a[3]))[0];
  const run = await runCli([
    'top',
    log,
    '--group',
    'line',
    '--metric',
    'time',
    '-n',
    '1',
    '-o',
    out,
    ...scope,
  ]);
  expect(run).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(readFileSync(out, 'utf8').split('\n')[1].endsWith(hottest[0])).toBe(true);
});

test('tree: the heaviest calls first, frames that are always called by one another in one line', async () => {
  expect(await printed('tree')).toBe(
    ` Total %  Total samples   Self %  Calls
100.00 %            100   0.00 %  All threads
 90.00 %             90   4.00 %    java.lang.Thread.run › 1 frame › com.acme.Shop.loop
 50.00 %             50  50.00 %      com.acme.Cart.add › java.util.List.add
 36.00 %             36  30.00 %      com.acme.Cart.price
  6.00 %              6   6.00 %        com.acme.Cart.price
 10.00 %             10  10.00 %    Gc.run
`,
  );
  const lines = (await printed('tree', '--limit', '3')).trimEnd().split('\n');
  expect(lines.slice(-2).map((line) => line.trim())).toEqual(['… 1 more, 36.00 %', '… 1 more, 10.00 %']);
});

test('tree --threads pool has a root for each pool', async () => {
  const roots = (await printed('tree', '--threads', 'pool'))
    .split('\n')
    .filter((line) => /% {2}\S/.test(line));
  expect(roots.map((line) => line.slice(line.lastIndexOf('%') + 3))).toEqual(['Calls', 'http-*', 'gc']);
});

test.each(['top', 'tree'])('%s: usage, and a scope that leaves nothing', async (command) => {
  expect(await runCli([command])).toMatchObject({ status: 2, stdout: '' });
  expect((await runCli([command, 'a', '--limit', '0'])).stderr).toContain("--limit cannot be '0'");
  expect(await runCli([command, goldenPath('hello'), '--thread', 'mian'])).toMatchObject({
    status: 1,
    stdout: '',
  });
});

test.each(['alloc', 'lock', 'cpu'])(
  'top and tree answer by the metric of the summary, of the sample type %s',
  async (type) => {
    const json = async <Data>(command: string, ...options: readonly string[]): Promise<Data> => {
      const choose = ['--choose', `sample-type=${type}`];
      const { stdout } = await runCli([command, 'assets/shop.jfr.gz', ...choose, '--json', ...options]);
      return JSON.parse(stdout) as Data;
    };
    const { summary } = await json<{ readonly summary: Summary }>('summary');
    const metric = type === 'cpu' ? 'samples' : 'time';
    const top = await json<TopData>('top', '--limit', '1');
    expect([top.metric, top.rows[0].key]).toEqual([metric, summary.methods[0].ref.label]);
    const counted = await json<TopData>('top', '--limit', '1', '--metric', 'samples');
    expect(counted.metric).toBe('samples');
    expect((await json<TreeData>('tree')).metric).toBe(metric);
  },
);
