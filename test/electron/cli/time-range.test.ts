import { expect, test } from 'vitest';
import { goldenPath } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { frame, log, method, oldTraceStart, thread, trace } from '../../support/log-bytes.ts';

/** Four samples; the third was taken before the second. A sample lasts until the next one in the file. */
const LOG = log(
  thread(1, 'main'),
  thread(2, 'gc'),
  method(7, 'App.java', 'LApp;', 'work'),
  method(8, 'App.java', 'LApp;', 'rest'),
  trace(1, 1_600_000_000.5, frame(7, 1, 10)),
  trace(1, 1_600_000_010.5, frame(8, 1, 20)),
  trace(1, 1_600_000_005.5, frame(7, 1, 10)),
  trace(2, 1_600_000_020.5, frame(7, 1, 10)),
);

async function run(...argv: string[]): Promise<readonly [status: number, text: string]> {
  const { status, stdout, stderr } = await runCli(argv, { stdin: LOG });
  return [status, status === 0 ? stdout : stderr];
}

async function collapsed(...options: string[]): Promise<string> {
  const [status, text] = await run('export', '-', '--format', 'collapsed', ...options);
  expect([status, text]).toEqual([0, text]);
  return text;
}

const WHOLE = 'App.rest 1\nApp.work 3\n';

test.each([
  [['--from', '0'], WHOLE],
  [['--to', '20'], 'App.rest 1\nApp.work 2\n'],
  [['--to', '20.000000001'], WHOLE],
  [['--from', '5', '--to', '10s'], 'App.work 1\n'],
  [['--from', '0:05', '--to', '0:10'], 'App.work 1\n'],
  [['--from', '5000ms', '--to', '0.5m'], 'App.rest 1\nApp.work 2\n'],
  [['--from', '1h'], ''],
  [['--from', '2020-09-13T12:26:45.5Z', '--to', '2020-09-13T14:26:50.5+02:00'], 'App.work 1\n'],
  [['--from', '1600000005500000001ns'], 'App.rest 1\nApp.work 1\n'],
  [['--from', '1600000005500000000ns', '--to', '1600000010500000000ns'], 'App.work 1\n'],
  [['--from', '5', '--thread', 'gc', '--metric', 'time'], 'App.work 15000000000\n'],
  [['--from', '5', '--drop', 'App.rest'], 'App.work 2\n'],
  [['--latest', '10s'], 'App.rest 1\nApp.work 1\n'],
  [['--latest', '1ms'], 'App.work 1\n'],
])('%j', async (options, expected) => {
  expect(await collapsed(...options)).toBe(expected);
});

test('the form in which a summary prints bursts is one of those that the help names', async () => {
  expect((await run('help', 'top'))[1]).toContain('7:41 since');
});

test('complete formats have only the samples in the range', async () => {
  const [, lean] = await run('export', '-', '--format', 'lean', '--from', '10');
  expect(lean).toBe(`T\t1\t0\t1\t0\t-5000000000
N\t1\t8\t20\t1\t1\t1\t-5000000000\t-5000000000
T\t2\t0\t1\t0\t15000000000
N\t1\t7\t10\t1\t1\t1\t15000000000\t15000000000
`);
});

test('a picture, a table for spreadsheets and JSON say which range they are of', async () => {
  const of = async (format: string, ...range: string[]): Promise<string> => {
    const [status, text] = await run('export', '-', '--format', format, ...range);
    expect([status, text]).toEqual([0, text]);
    return text;
  };
  const range = ['--from', '5', '--to', '9.75'];
  expect(await of('svg', ...range)).toContain('>Time since the first sample: 0:05 to 0:09.75</text>');
  expect(await of('svg')).not.toContain('Time since the first sample');
  const [header, row] = (await of('csv', ...range)).split('\r\n');
  expect(header).toMatch(/,"Total time %","From ns","To ns"$/);
  expect(row).toMatch(/^"App.work",1,1,.*,1600000005500000000,1600000010250000000$/);
  expect((await of('csv', '--from', '5')).split('\r\n')[1]).toMatch(/,1600000005500000000,$/);
  expect(await of('csv')).not.toContain('From ns');
  const scopeOf = async (...options: string[]): Promise<unknown> =>
    (JSON.parse(await of('json', ...options)) as { readonly scope: unknown }).scope;
  expect(await scopeOf(...range)).toEqual({
    samples: 1,
    outside: 3,
    range: { from: '1600000005500000000', to: '1600000010250000000' },
  });
  expect(await scopeOf('--to', '10', '--thread', 'main')).toEqual({
    samples: 2,
    outside: 2,
    range: { from: null, to: '1600000010500000000' },
  });
  expect(await scopeOf('--thread', 'main')).toEqual({ samples: 3, outside: 1, range: null });
});

test('the timeline has a line for each part of the time, with the samples that begin in it', async () => {
  expect(await run('export', '-', '--format', 'timeline', '--buckets', '4')).toEqual([
    0,
    `1600000000500000000\t1\t10000000000
1600000005500000000\t1\t15000000000
1600000010500000000\t1\t-5000000000
1600000015500000000\t1\t15000000000
`,
  ]);
  const ofRest = ['--keep', 'App.rest', '--from', '5', '--to', '15', '--buckets', '2'];
  expect(await run('export', '-', '--format', 'timeline', ...ofRest)).toEqual([
    0,
    `1600000005500000000\t0\t0
1600000010500000000\t1\t-5000000000
`,
  ]);
});

test('the timeline has columns for what else is known over time: errors and gaps of a log', async () => {
  const rowsOf = async (file: string, ...options: string[]): Promise<readonly (readonly string[])[]> => {
    const { stdout } = await runCli(['export', file, '--format', 'timeline', ...options]);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
  };
  const sum = (rows: readonly (readonly string[])[], column: number): number =>
    rows.reduce((all, row) => all + Number(row[column]), 0);
  const log = goldenPath('server-small');
  const [header, ...rows] = await rowsOf(log, '--measured', '--buckets', '40');
  expect(header).toEqual(['start', 'samples', 'value', 'errors', 'gap']);
  expect(rows.map((row) => row.slice(0, 3))).toEqual(await rowsOf(log, '--buckets', '40'));
  const { stdout } = await runCli(['summary', log, '--json']);
  const { errorSamples, gaps } = JSON.parse(stdout) as {
    errorSamples: Readonly<Record<string, number>>;
    gaps: { totalNs: number };
  };
  expect(sum(rows, 3)).toBe(Object.values(errorSamples).reduce((all, each) => all + each, 0));
  expect(sum(rows, 4)).toBeCloseTo(gaps.totalNs, -3);
});

test('a summary counts what is outside the range', async () => {
  const [, json] = await run('summary', '-', '--json', '--from', '5', '--thread', 'main');
  expect((JSON.parse(json) as { scope: unknown }).scope).toEqual({ samples: 2, outside: 2 });
});

test.each([
  [['--from', 'noon'], /--from cannot be 'noon': it is a time as 12\.5, 90s/],
  [['--from', '2020-09-13T12:26:45'], /--from cannot be/],
  [['--latest', '0'], /--latest cannot be '0': it is an amount of time as 30s/],
  [['--from', '5', '--to', '5'], /--from must be before --to/],
  [['--buckets', '5'], /--buckets is for --format timeline/],
])('refused with exit status 2: %j', async (options, message) => {
  const [status, text] = await run('export', '-', '--format', 'flat', ...options);
  expect(status).toBe(2);
  expect(text).toMatch(message);
});

test('a file that does not say when its samples were taken is refused with exit status 2', async () => {
  const refused = [
    { stdin: Buffer.from('main;App.work 3\n'), options: ['--format', 'flat', '--from', '1'] },
    { stdin: Buffer.from('main;App.work 3\n'), options: ['--format', 'timeline'] },
    {
      stdin: log(thread(1, 'main'), oldTraceStart(1, 1), frame(7, 1, 10)),
      options: ['--format', 'timeline'],
    },
  ];
  for (const { stdin, options } of refused) {
    const { status, stdout, stderr } = await runCli(['export', '-', ...options], { stdin });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('it does not say when each sample was taken (');
  }
});
