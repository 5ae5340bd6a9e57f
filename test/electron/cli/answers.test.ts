import { expect, test } from 'vitest';
import { jsonSchema } from '../../../electron/cli/json-schemas.ts';
import { goldenPath } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';

/** Stacks, root first, with samples. */
const STACKS = `[http-1 tid=1];run;Shop.serve;Cart.add;List.add 50
[http-2 tid=2];run;Shop.serve;Cart.price 30
[http-2 tid=2];run;Shop.serve;Cart.price;Cart.price;Tax.of 6
[http-2 tid=2];run;Shop.serve 4
[gc tid=3];Gc.run 10
`;

async function asked(command: 'top' | 'tree' | 'method' | 'timeline', ...argv: readonly string[]) {
  const run = await runCli([command, ...argv, '--json'], { stdin: Buffer.from(STACKS) });
  expect(run.stderr).toBe('');
  return jsonSchema(command).strict().parse(JSON.parse(run.stdout));
}

test('top --json: each row with its interval, and what is left out', async () => {
  const { rows, whole, coverage, leftOut } = await asked('top', '-', '--limit', '2');
  expect({ whole, coverage, leftOut }).toEqual({
    whole: { samples: 100, value: null },
    coverage: 0.8,
    leftOut: { rows: 5, of: 'methods' },
  });
  expect(rows).toMatchObject([
    { key: 'List.add', self: 50, total: 50, selfShare: 0.5, mayRankAfterNext: false },
    { key: 'Cart.price', self: 30, total: 36, mayRankAfterNext: false },
  ]);
});

test('tree --json: a row has what ended in it, the rows below it, and what is left out there', async () => {
  const { rows } = await asked('tree', '-', '--limit', '3');
  const all = rows as { depth: number; total?: number; self?: number; weight?: number }[];
  expect(all.some(({ weight }) => weight !== undefined)).toBe(true);
  for (const [at, { depth, total, self = 0 }] of all.entries()) {
    if (total === undefined) continue;
    const end = all.findIndex((row, later) => later > at && row.depth <= depth);
    const below = all.slice(at + 1, end < 0 ? undefined : end).filter((row) => row.depth === depth + 1);
    expect(below.reduce((sum, row) => sum + (row.total ?? row.weight ?? 0), self)).toBe(total);
  }
});

test.each([
  ['callers', { key: 'Cart.price', total: 36 }],
  ['callees', { key: 'Cart.price', total: 36, self: 30 }],
])('tree --of %s begins at the method', async (of, first) => {
  const { rows } = await asked('tree', '-', '--of', of, '--method', 'Cart.price');
  expect((rows as unknown[])[0]).toMatchObject(first);
});

test('method: callers, callees, pools and whole stacks, a recursive method counted once', async () => {
  const answer = await asked('method', 'Cart.price', '-');
  expect(answer).toMatchObject({
    key: 'Cart.price',
    self: 30,
    total: 36,
    totalShare: 0.36,
    callers: { rows: [{ key: 'Shop.serve', samples: 36, share: 1 }] },
    callees: { rows: [{ key: 'Cart.price', samples: 6 }] },
    pools: { rows: [{ samples: 36, share: 1 }] },
    when: null,
  });
  const { stacks } = answer as { stacks: unknown[] };
  expect(stacks).toEqual([
    { frames: ['run', 'Shop.serve', 'Cart.price'], samples: 30, share: 0.833333 },
    { frames: ['run', 'Shop.serve', 'Cart.price', 'Cart.price', 'Tax.of'], samples: 6, share: 0.166667 },
  ]);
});

test('method: a key that is not there is an error with those that are like it', async () => {
  const run = await runCli(['method', 'Cart.prise', '-'], { stdin: Buffer.from(STACKS) });
  expect(run).toEqual({
    status: 1,
    stdout: '',
    stderr:
      "standard input: no sample in scope has the method 'Cart.prise' on its stack; did you mean 'Cart.price' or 'Cart.add'?\n",
  });
});

test('timeline: the parts are those of the exported timeline, and rows sum to them', async () => {
  const log = goldenPath('server-small');
  const { stdout } = await runCli(['export', log, '--format', 'timeline', '--buckets', '24']);
  const expected = stdout
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split('\t')[1]));
  const answer = (await asked('timeline', log, '--by', 'thread', '--limit', '200', '--count-all')) as {
    total: number[];
    rows: { parts: number[] }[];
  };
  expect(answer.total).toEqual(expected);
  const sums = answer.total.map((_, part) => answer.rows.reduce((sum, { parts }) => sum + parts[part], 0));
  expect(sums).toEqual(expected);
});

test('timeline: a burst is a range that selects its samples', async () => {
  const log = 'assets/shop.jfr.gz';
  const { bursts, whole } = (await asked('timeline', log)) as {
    bursts: { from: string; to: string; samples: number }[];
    whole: number;
  };
  expect(bursts.length).toBeGreaterThan(0);
  for (const { from, to, samples } of bursts) {
    const inside = await asked('top', log, '--from', from, '--to', to, '--limit', '1');
    expect((inside.whole as { samples: number }).samples).toBe(samples);
    expect(samples).toBeLessThan(whole);
  }
});

test('timeline without a burst says where those of single methods are', async () => {
  const { stdout } = await runCli(['timeline', goldenPath('hello')]);
  expect(stdout).toContain('beyond chance. For bursts of single methods, see the summary.\n');
});

test('timeline of a format without times says so', async () => {
  const run = await runCli(['timeline', '-'], { stdin: Buffer.from(STACKS) });
  expect([run.status, run.stderr]).toEqual([
    2,
    expect.stringContaining(
      'timeline cannot be used with standard input: it does not say when each sample was taken',
    ),
  ]);
});
