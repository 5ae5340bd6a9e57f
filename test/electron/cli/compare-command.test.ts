import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pointsText } from '../../../shared/text/format-value.ts';
import { goldenLog, goldenPath } from '../../support/read-log.ts';
import { frame, log, method, thread, trace } from '../../support/log-bytes.ts';
import { type CliRun, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Collapsed stacks, root first, with samples. */
const BASE = `App.main;App.load;Lib.parse 300
App.main;App.draw 600
App.main;Old.gone 100
`;
const NEW = `App.main;App.load;Lib.parse 900
App.main;App.draw 1020
App.main;New.come 80
`;

let folder = '';
let base = '';
let next = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leanscope-compare-'));
  base = fileOf('base.collapsed', BASE);
  next = fileOf('new.collapsed', NEW);
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function compared(...options: string[]): Promise<string> {
  const run = await runCli(['compare', base, next, ...options]);
  expect([run.status, run.stderr]).toEqual([0, '']);
  return run.stdout;
}

test('flat: both sides of each key, zeros where a side has none', async () => {
  expect((await compared('--format', 'flat')).replaceAll('\t', ' ')).toBe(
    `App.draw 600 600 0 0 1020 1020 0 0
App.load 0 300 0 0 0 900 0 0
App.main 0 1000 0 0 0 2000 0 0
Lib.parse 300 300 0 0 900 900 0 0
New.come 0 0 0 0 80 80 0 0
Old.gone 100 100 0 0 0 0 0 0
`,
  );
  expect((await compared('--format', 'flat', '--normalize', 'share', '--filter', 'parse')).trim()).toBe(
    ['Lib.parse', '0.3', '0.3', '0', '0', '0.45', '0.45', '0', '0'].join('\t'),
  );
});

test('tree: rows are united under the same parent, and the scope is that of both', async () => {
  const tree = await compared(
    '--format',
    'tree',
    '--threads',
    'all',
    '--collapse',
    'App.',
    '--drop',
    'Old.gone',
  );
  expect(tree.replaceAll('\t', ' ')).toBe(
    `0 All Threads 0 900 0 0 0 2000 0 0
1 App.* 600 900 0 0 1020 2000 0 0
2 Lib.parse 300 300 0 0 900 900 0 0
2 New.come 0 0 0 0 80 80 0 0
`,
  );
});

test('csv: counts, shares and their differences, the largest first', async () => {
  const [header, ...rows] = (await compared('--format', 'csv')).split('\r\n');
  expect(header).toBe(
    '"Method","Base self #","New self #","Self # difference","Base self %","New self %","Self difference points","Self change","Base total #","New total #","Total # difference","Base total %","New total %","Total difference points","Total change"',
  );
  expect(rows.slice(0, 3)).toEqual([
    '"App.load",0,0,0,0.0000,0.0000,0.0000,chance,300,900,600,30.0000,45.0000,15.0000,real',
    '"Lib.parse",300,900,600,30.0000,45.0000,15.0000,real,300,900,600,30.0000,45.0000,15.0000,real',
    '"Old.gone",100,0,-100,10.0000,0.0000,-10.0000,real,100,0,-100,10.0000,0.0000,-10.0000,real',
  ]);
});

test('report: the totals, and what changed more than chance explains', async () => {
  const lines = (await compared()).split('\n');
  expect(lines.slice(0, 5)).toEqual([
    'Profile comparison',
    '',
    '  Samples  Profile  File',
    '    1,000     base  base.collapsed',
    '    2,000      new  new.collapsed',
  ]);
  const self = lines.indexOf('Self: the method itself');
  expect(lines.slice(self + 1, self + 6)).toEqual([
    '  Base share  New share  Points     95 % interval  Base samples  New samples  Only in  Method',
    '     30.00 %    45.00 %  +15.00  +11.31 to +18.57           300          900           Lib.parse',
    '     10.00 %     0.00 %  −10.00   −12.07 to −8.23           100            0     base  Old.gone',
    '     60.00 %    51.00 %   −9.00   −12.76 to −5.18           600        1,020           App.draw',
    '      0.00 %     4.00 %   +4.00    +3.07 to +4.98             0           80      new  New.come',
  ]);
});

test('an interval that begins just above 0 has a sign', () => {
  expect([0.000_01, -0.000_01, 0, 0.015].map(pointsText)).toEqual(['+0.00', '\u22120.00', '0.00', '+1.50']);
});

test('two parts of one load: nothing is listed', async () => {
  const run = await runCli(['compare', fileOf('a.collapsed', 'A.a 50\nB.b 50\n'), '-'], {
    stdin: Buffer.from('A.a 55\nB.b 45\n'),
  });
  expect(run.stdout).toContain('No method changed.');
  expect(run.stdout).toContain('base  a.collapsed');
  expect(run.stdout).toContain('new  standard input');
});

test('a class with a name that the JVM made up is one class in both, unless --fold none', async () => {
  const [one, two] = ['0x7f12', '0x7f99'].map((address) =>
    fileOf(`lambda-${address}.collapsed`, `App.main;App$$Lambda/${address}.run 50\n`),
  );
  const hint = 'as App$$Lambda/0x7f99.run: --fold all joins such methods.';
  expect((await runCli(['compare', one, two, '--fold', 'none'])).stdout).toContain(hint);
  expect((await runCli(['compare', one, two, '--fold', 'proxy'])).stdout).toContain(hint);
  for (const options of [[], ['--fold', 'all'], ['--fold', 'lambda']]) {
    const folded = await runCli(['compare', one, two, ...options]);
    expect(folded.stdout).not.toContain('--fold');
    expect(folded.stdout).not.toContain('Outside the scope');
    expect(folded.stdout).toContain('No method changed.');
  }
  expect(await compared()).not.toContain('--fold');
});

/** One program, run twice: what the JVM and libraries make up has other addresses and numbers in each run. */
const RUNS: Readonly<Record<string, readonly [string, string]>> = {
  'a lambda, JDK 8': ['App$$Lambda$1/1234567.run', 'App$$Lambda$2/7654321.run'],
  'a lambda, JDK 17': [
    'App$$Lambda$92+0x00007f5ba0009000.2013559698.call',
    'App$$Lambda$93+0x00007f12a0009000.99.call',
  ],
  'a lambda, JDK 25': ['App$$Lambda.0x00007f5ba0009000.call', 'App$$Lambda.0x00007f12a0001000.call'],
  'a lambda, OpenJ9': ['App$$Lambda$14/000000009800F0A0.call', 'App$$Lambda$15/00000000A800F0A0.call'],
  'the method of a lambda': ['App.lambda$main$0', 'App.lambda$main$3'],
  'a method handle': [
    'java.lang.invoke.LambdaForm$MH.0x00007faf28001000.invoke',
    'java.lang.invoke.LambdaForm$MH.0x00007faf28002000.invoke',
  ],
  'a proxy': ['jdk.proxy2.$Proxy17.get', 'jdk.proxy3.$Proxy9.get'],
  'an accessor': [
    'jdk.internal.reflect.GeneratedMethodAccessor9.invoke',
    'jdk.internal.reflect.GeneratedMethodAccessor12.invoke',
  ],
  'a generated class': ['a.Dao$$SpringCGLIB$$0.find', 'a.Dao$$SpringCGLIB$$1.find'],
  'a hidden class': ['a.Script/0x00007f12a0001000.run', 'a.Script/0x00007f12a0002000.run'],
};

test.each(Object.entries(RUNS))(
  '%s: two runs of one program pass the gate',
  async (name, [first, second]) => {
    const [one, two] = [first, second].map((key, run) =>
      fileOf(
        `run ${run} ${name.replaceAll(/\W/g, '-')}.collapsed`,
        `App.main;${key};App.work 500\nApp.main 500\n`,
      ),
    );
    const gate = (...options: string[]): Promise<CliRun> =>
      runCli(['compare', one, two, '--fail-above', '2', ...options]);
    const { status, stderr } = await gate();
    expect([status, stderr]).toEqual([0, '']);
    expect((await gate('--fold', 'none')).status).toBe(4);
  },
);

test('svg: signs and colours, what vanished and what is new, and nothing that runs', async () => {
  const svg = await compared('--format', 'svg');
  const frameOf = (label: string): string =>
    /<g><title>[^]*?<\/g>/g[Symbol.match](svg)!.find((each) => each.includes(`<title>${label}&#10;`))!;
  expect(frameOf('Lib.parse')).toContain('>+ Lib.parse</text>');
  expect(frameOf('Lib.parse')).toContain(
    'base 30.00 %, 300 samples&#10;new 45.00 %, 900 samples&#10;+15.00 points&#10;95 % interval of samples: +11.31 to +18.57 points',
  );
  expect(frameOf('App.draw')).toContain('>\u2212 App.draw</text>');
  expect(frameOf('App.main')).toContain('>App.main</text>');
  expect(frameOf('App.main')).toContain('chance explains the difference');
  expect(frameOf('Old.gone')).toContain('fill="url(#hatch');
  expect(frameOf('Old.gone')).toContain('only in the base');
  expect(frameOf('New.come')).toContain('stroke=');
  expect(frameOf('New.come')).toContain('only in the new profile');
  // By share both profiles have half of the width; by samples the new one has two thirds.
  const widthOf = (label: string, text: string): number => {
    const shape = new RegExp(`<title>${label}&#10;[^]*?width="([\\d.]+)"`).exec(text);
    return Number(shape![1]);
  };
  expect(widthOf('Old.gone', svg) / widthOf('App.main', svg)).toBeCloseTo(0.05, 2);
  const bySamples = await compared('--format', 'svg', '--normalize', 'none');
  expect(widthOf('Old.gone', bySamples) / widthOf('App.main', bySamples)).toBeCloseTo(100 / 3000, 2);
  const zoomed = await compared('--format', 'svg', '--root', 'App.load', '--theme', 'dark', '--icicle');
  expect(zoomed).toContain('All threads \u203a App.main \u203a App.load');
  expect(zoomed).not.toContain('App.draw');
});

test('html and Markdown: names cannot become markup', async () => {
  const evil = `A.<script>alert(1)</script>|\`x\`;B.onload="x" 20\n`;
  const [one, two] = [fileOf('<b>.collapsed', evil), fileOf('two.collapsed', 'C.c 20\n')];
  const html = await runCli(['compare', one, two, '--format', 'report-html']);
  expect(html.status).toBe(0);
  expect(html.stdout).not.toMatch(/<script|<b>|<\?xml|\son\w+=/);
  expect(html.stdout).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(html.stdout).toContain('A.&#60;script&#62;');
  expect(html.stdout).toContain('<svg ');
  const markdown = await runCli(['compare', one, two, '--format', 'report-md']);
  const row = markdown.stdout.split('\n').find((line) => line.includes('<script>'))!;
  expect(row).toContain('| `` A.<script>alert(1)</script>\\|`x` `` |');
});

test('--fail-above: exit status 4, what grew, by how much, and how sure', async () => {
  const gate = (...options: string[]): Promise<CliRun> =>
    runCli(['compare', base, next, '-o', join(folder, 'out.txt'), ...options]);
  expect(await gate('--fail-above', '10')).toEqual({
    status: 4,
    stdout: '',
    stderr: `new.collapsed: the total share of App.load grew by 15.00 points: 30.00 % to 45.00 %, 95 % interval +11.31 to +18.57
new.collapsed: the self share of Lib.parse grew by 15.00 points: 30.00 % to 45.00 %, 95 % interval +11.31 to +18.57
new.collapsed: the total share of Lib.parse grew by 15.00 points: 30.00 % to 45.00 %, 95 % interval +11.31 to +18.57
`,
  });
  expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toContain('Lib.parse');
  expect((await gate('--fail-above=10', '--key', 'App.')).stderr.split('\n').length).toBe(2);
  expect((await gate('--fail-above', '15')).status).toBe(0);
  expect((await gate('--fail-above', '1', '--key', 'Old.')).status).toBe(0);
  // 50 % more, but of ten samples.
  const few = await runCli([
    'compare',
    fileOf('f1', 'A.a 4\nB.b 6\n'),
    fileOf('f2', 'A.a 6\nB.b 4\n'),
    '--fail-above',
    '5',
  ]);
  expect([few.status, few.stderr]).toEqual([0, '']);
});

test('--fail-above with nothing to judge: exit status 1, whichever side it is, and the comparison is written', async () => {
  const empty = fileOf('empty.collapsed', 'App.main;App.load 0\n');
  const out = join(folder, 'nothing.txt');
  const gate = async (...argv: string[]): Promise<readonly [number, string]> => {
    const { status, stderr } = await runCli(['compare', ...argv, '-o', out, '--fail-above', '5']);
    return [status, stderr];
  };
  const unscoped = 'so that --fail-above cannot be judged; check the recording\n';
  expect(await gate(empty, next)).toEqual([1, `${empty}: no samples, ${unscoped}`]);
  expect(await gate(base, empty)).toEqual([1, `${empty}: no samples, ${unscoped}`]);
  expect(readFileSync(out, 'utf8')).toContain('One of the profiles has no samples');
  // Without the gate it is a comparison like others.
  expect((await runCli(['compare', base, empty])).status).toBe(0);
});

test('a damaged side is compared as far as it could be read: exit status 3', async () => {
  const bytes = goldenLog('hello');
  const broken = fileOf('broken.hpl', Buffer.concat([bytes, Buffer.from([99, 1, 2, 3])]));
  const run = await runCli(['compare', goldenPath('hello'), broken]);
  expect(run.status).toBe(3);
  expect(run.stderr).toContain('broken.hpl: record type at byte 25905');
  expect(run.stdout).toContain('No method changed.');
});

test('one file, two of its sample types', async () => {
  const jfr = 'test/golden/jfr/shop-jdk17.jfr.gz';
  const run = await runCli([
    'compare',
    jfr,
    jfr,
    '--choose-base',
    'sample-type=cpu',
    '--choose-new',
    'sample-type=lock',
  ]);
  expect(run.status).toBe(0);
  expect(run.stdout).toContain(`base  ${jfr} (cpu)`);
  expect(run.stdout).toContain(`new  ${jfr} (lock)`);
});

test('two ranges of one file: together they are the file, and each is what export has of it', async () => {
  const log = goldenPath('server-small');
  const run = await runCli([
    'compare',
    log,
    log,
    '--format',
    'flat',
    '--fold',
    'none',
    '--to-base',
    '1',
    '--from',
    '1',
  ]);
  expect([run.status, run.stderr]).toEqual([0, '']);
  const rowsOf = async (...options: string[]): Promise<Map<string, string>> => {
    const { stdout } = await runCli(['export', log, '--format', 'flat', ...options]);
    return new Map(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.split('\t')[0], line.slice(line.indexOf('\t') + 1)]),
    );
  };
  const [before, after] = [await rowsOf('--to', '1'), await rowsOf('--from', '1')];
  expect(Math.min(before.size, after.size)).toBeGreaterThan(10);
  const expected = [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((key) => [key, before.get(key) ?? '0\t0\t0\t0', after.get(key) ?? '0\t0\t0\t0'].join('\t'));
  expect(run.stdout.trimEnd().split('\n')).toEqual(expected);
  const report = await runCli(['compare', log, log, '--count-all', '--to-base', '1', '--from', '1']);
  expect(report.stdout).toContain(`${log} (to 1)`);
  expect(report.stdout).toContain(`${log} (from 1)`);
  expect(report.stdout).toContain('Outside the scope: ');
  const csvOf = async (...range: string[]): Promise<readonly string[]> =>
    (await runCli(['compare', log, log, '--count-all', '--format', 'csv', ...range])).stdout.split('\r\n');
  const [header, row] = await csvOf('--to-base', '1', '--from', '1');
  expect(header).toMatch(/,"Total change","Base from ns","Base to ns","New from ns","New to ns"$/);
  // One range begins where the other one ends.
  expect(row).toMatch(/,,(\d{19}),\1,$/);
  expect((await csvOf())[0]).toMatch(/,"Total change"$/);
  expect(report.stdout).not.toContain('left out');
  // Without a range of its own the new side is the rest, as in the window.
  const rest = await runCli(['compare', log, log, '--count-all', '--to-base', '1']);
  expect(rest.stdout).toContain('The samples of the base are left out of the new profile: ');
  const numbers = (lines: readonly string[]): string[] =>
    lines.map((line) => line.split(',').slice(0, 21).join());
  expect(numbers(await csvOf('--to-base', '1'))).toEqual(
    numbers(await csvOf('--to-base', '1', '--from', '1')),
  );
  const nothing = await runCli(['compare', log, log, '--count-all', '--to-base', '9999']);
  expect(nothing).toMatchObject({
    status: 1,
    stderr: `${log}: all its samples are on the other side of the comparison, which it leaves out\n`,
  });
});

test('two sets of threads of one file: each is what export has of it', async () => {
  const file = fileOf(
    'threads.hpl',
    log(
      ...[
        [1, 'io-1'],
        [2, 'io-2'],
        [3, 'cpu'],
      ].map(([id, name]) => thread(id as number, name as string)),
      method(7, 'App.java', 'LApp;', 'work'),
      method(8, 'App.java', 'LApp;', 'rest'),
      ...[
        [1, 7],
        [1, 7],
        [2, 8],
        [3, 7],
        [3, 8],
        [3, 8],
      ].map(([id, of], at) => trace(id, 10 + at, frame(of, 1, 1))),
    ),
  );
  const counts = async (...options: string[]): Promise<string> => {
    const { stdout } = await runCli(['compare', file, file, '--format', 'csv', ...options]);
    return stdout
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',').slice(0, 3).join(' '))
      .sort()
      .join(', ');
  };
  expect(await counts('--thread-base', 'io-*', '--thread', 'cpu')).toBe('"App.rest" 1 2, "App.work" 2 1');
  expect(await counts('--thread-base', 'io-1', '--thread-base', 'cpu')).toBe(
    '"App.rest" 2 3, "App.work" 3 3',
  );
  const { stdout } = await runCli(['compare', file, file, '--thread-base', '/^io/', '--thread', 'cpu']);
  expect(stdout).toContain(`base  ${file} (thread /^io/)`);
  expect(stdout).toContain(`new  ${file} (thread cpu)`);
  expect(stdout).toContain('Outside the scope: 3 samples of the base, 3 samples of the new profile.');
  const shared = 'The baseline is a part of what is compared with it';
  expect(stdout).not.toContain(shared);
  for (const next of ['/./', 'io-*']) {
    const overlapping = await runCli(['compare', file, file, '--thread-base', '/^io/', '--thread', next]);
    expect(overlapping.stdout).toContain(shared);
  }
});

test.each([
  [['a', 'b', '--thread-base', '/(/'], "--thread-base cannot be '/(/': Invalid regular expression"],
  [['a'], 'compare needs two files, BASE and NEW, not 1: a'],
  [[], 'compare needs two files, BASE and NEW'],
  [['-', '-'], 'only one of BASE and NEW can be standard input'],
  [['a', 'b', '--format', 'lean'], "--format cannot be 'lean'"],
  [['a', 'b', '--fail-above', '-1'], "--fail-above cannot be '-1'"],
  [['a', 'b', '--fail-above', '101'], "--fail-above cannot be '101'"],
  [['a', 'b', '--key', 'com.'], '--key is for --fail-above'],
  [['a', 'b', '--root', 'x'], '--root is for --format svg'],
  [['a', 'b', '--from-base', 'x'], "--from-base cannot be 'x'"],
  [
    ['test/golden/collapsed/shop-jdk17.lock.reference.collapsed', 'b', '--to', '1'],
    '--from, --to and --latest cannot be used',
  ],
])('%j is a usage error', async (argv, message) => {
  const { status, stdout, stderr } = await runCli(['compare', ...argv]);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`leanscope: ${message}`);
});

test('values of other units are not compared', async () => {
  const run = await runCli(['compare', goldenPath('hello'), base, '--metric', 'time']);
  expect(run).toMatchObject({
    status: 1,
    stderr: `${base}: cannot be compared by --metric time: the base has ns, this has only counts; use --metric samples\n`,
  });
});

test('--rows: methods of one side alone, or whose share differs by a point or more', async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const base = write('a.collapsed', 'a.Old.x 50\na.Same.y 50\na.Less.z 100\n');
  const next = write('b.collapsed', 'a.New.x 50\na.Same.y 50\na.Less.z 60\na.Other.v 40\n');
  const rows = async (which: string, format: string): Promise<readonly string[]> => {
    const { stdout } = await runCli(['compare', base, next, '--rows', which, '--format', format]);
    return [...new Set(stdout.match(/a\.\w+\.[a-z]/g))].sort();
  };
  for (const format of ['flat', 'tree', 'csv', 'svg', 'report-md']) {
    expect([format, await rows('new', format)]).toEqual([format, ['a.New.x', 'a.Other.v']]);
    expect([format, await rows('gone', format)]).toEqual([format, ['a.Old.x']]);
    expect([format, await rows('changed', format)]).toEqual([
      format,
      ['a.Less.z', 'a.New.x', 'a.Old.x', 'a.Other.v'],
    ]);
  }
  const { status, stderr } = await runCli(['compare', base, next, '--rows', 'new', '--format', 'html']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('--rows is for --format report')]);
});
