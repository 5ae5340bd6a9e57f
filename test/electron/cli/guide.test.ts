import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUIDE } from '../../../electron/cli/guide.ts';
import { TOOLS } from '../../../electron/cli/mcp/tools.ts';
import { readArguments } from '../../../electron/cli/options/options.ts';
import { commandHelp } from '../../../electron/cli/options/commands.ts';
import { isNamedCommand } from '../../../electron/runtime/command-names.ts';
import { assistant } from '../../support/assistant.ts';
import { has, keyOf, leafOf, madeLog, type MadeSample, madeSamples } from '../../support/made-samples.ts';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BASE = madeSamples(1, 4000, 10);
const NEW = madeSamples(2, 5000, 35);

function files(): { readonly base: string; readonly next: string } {
  const folder = temporaryFolder();
  const [base, next] = [join(folder, 'base.hpl'), join(folder, 'new.hpl')];
  writeFileSync(base, madeLog(BASE));
  writeFileSync(next, madeLog(NEW));
  return { base, next };
}

function counted(samples: readonly MadeSample[], nameOf: (sample: MadeSample) => string) {
  const counts = new Map<string, number>();
  for (const sample of samples) counts.set(nameOf(sample), (counts.get(nameOf(sample)) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** The next frame inside of the outermost call of a method, or of a call. */
const calleeOf = ({ frames }: MadeSample, key: string): string | undefined => {
  const at = frames.findIndex((each) => keyOf(each) === key);
  return at + 1 < frames.length ? keyOf(frames[at + 1]) : undefined;
};

const PRICE = 'com.acme.Cart.price';
const FIND = 'com.acme.Search.find';
const COMPILE = 'java.util.regex.Pattern.compile';

test('twelve questions of the guide, asked as tools, have the answers that counting gives', async () => {
  const { base, next } = files();
  const { call } = await assistant({ files: [base, next] });

  // 1: how many samples, how long?
  const opened = await call('open', { path: base });
  const span = BASE.at(-1)!.at - BASE[0].at;
  expect(opened.data).toMatchObject({ profile: 'base.hpl', samples: BASE.length, threads: 4 });
  expect(opened.data.spanSeconds).toBeCloseTo(span, 6);
  const { profile } = opened.data;

  // 2: what is probably wrong?
  const compiling = BASE.filter((sample) => has(sample, COMPILE)).length / BASE.length;
  const findings = await call('findings', { profile });
  const regex = findings.data.findings.find(({ id }) => id === 'F3');
  expect(regex!.share.value).toBeCloseTo(compiling, 9);
  expect(regex!.where[0].key).toBe(PRICE);
  expect(findings.text).toContain('Next call for F3: tree {"profile":"base.hpl"');

  // 3: where does time end?
  const [[hottest, most]] = counted(BASE, leafOf);
  const top = await call('top', { profile });
  expect(top.data.rows[0]).toMatchObject({ key: hottest, self: most });
  expect(top.data.whole.samples).toBe(BASE.length);

  // 4: which of our code is responsible?
  const own = ['com.acme.Cart.price', 'com.acme.Search.find', 'com.acme.Page.write', 'com.acme.Tax.of'];
  const totals = own.map((key) => [key, BASE.filter((sample) => has(sample, key)).length] as const);
  const [, second] = [['com.acme.Shop.serve', BASE.length], ...totals.toSorted(([, a], [, b]) => b - a)];
  const ours = await call('top', { profile, by: 'total', filter: 'com.acme.' });
  expect(ours.data.rows.slice(0, 2)).toMatchObject([
    { key: 'com.acme.Shop.serve', total: BASE.length },
    { key: second[0], total: second[1] },
  ]);

  // 5: which threads work?
  const pools = await call('top', { profile, group: 'pool' });
  const inHttp = BASE.filter(({ thread }) => thread !== 'batch').length;
  expect(pools.data.rows).toMatchObject([
    { key: 'http-*', total: inHttp },
    { key: 'batch', total: BASE.length - inHttp },
  ]);

  // 6 and 7: who calls it, and which line?
  const priced = BASE.filter((sample) => has(sample, PRICE));
  const method = await call('method', { profile, key: COMPILE });
  expect(method.data.callers.rows).toEqual([
    { key: PRICE, samples: priced.filter((sample) => has(sample, COMPILE)).length, share: 1 },
  ]);
  const lines = counted(priced, ({ frames }) => String(frames.find((each) => keyOf(each) === PRICE)!.line));
  const price = await call('method', { profile, key: PRICE });
  expect(price.data.lines.rows.map(({ line, total }) => [String(line), total])).toEqual(lines);

  // 8: when was it worst?
  const timeline = await call('timeline', { profile, parts: 24 });
  expect(timeline.data.bursts).toHaveLength(1);
  const [burst] = timeline.data.bursts;
  const [from, to] = [parseFloat(burst.from), parseFloat(burst.to)];
  // Parts are a little shorter than 2.5 s, because the last sample is before 60 s.
  expect([from >= 27.4, from <= 30, to >= 34.9, to <= 37.6]).toEqual([true, true, true, true]);

  // 9: what was hot then?
  const then = await call('top', { profile, scope: [`from=${burst.from}`, `to=${burst.to}`] });
  const inBurst = BASE.filter(({ at }) => at - BASE[0].at >= from && at - BASE[0].at < to);
  const [[hotThen, mostThen]] = counted(inBurst, leafOf);
  expect(then.data.whole.samples).toBe(inBurst.length);
  expect(then.data.rows[0]).toMatchObject({ key: hotThen, self: mostThen });

  // 10: what has one and not the other, in some threads?
  const without = BASE.filter(
    (sample) => sample.thread !== 'batch' && has(sample, PRICE) && !has(sample, COMPILE),
  );
  const narrowed = await call('top', {
    profile,
    scope: ['thread=http-*', `keep=${PRICE}`, `drop=${COMPILE}`],
  });
  expect(narrowed.data.whole.samples).toBe(without.length);

  // 11: what does it spend on what it calls?
  const found = BASE.filter((sample) => has(sample, FIND));
  const callees = counted(
    found.filter((sample) => calleeOf(sample, FIND) !== undefined),
    (sample) => calleeOf(sample, FIND)!,
  );
  const tree = await call('tree', { profile, of: 'callees', method: FIND });
  expect(tree.data.rows[0]).toMatchObject({ depth: 0, key: FIND, total: found.length });
  const below = tree.data.rows.flatMap((row) =>
    'key' in row && row.depth === 1 ? [[row.key, row.total]] : [],
  );
  expect(below).toEqual(callees);

  // 12: what changed?
  const other = await call('open', { path: next });
  const compared = await call('compare', { base: profile, new: other.data.profile });
  const share = (samples: readonly MadeSample[], key: string): number =>
    samples.filter((sample) => leafOf(sample) === key).length / samples.length;
  const change = compared.data.changes.find(({ key, of }) => key === 'com.acme.Tax.of' && of === 'self');
  expect(change).toMatchObject({ certainty: 'real' });
  expect(change!.difference).toBeCloseTo(share(NEW, 'com.acme.Tax.of') - share(BASE, 'com.acme.Tax.of'), 5);
});

test('the commands of the guide give the answers of the tools', async () => {
  const { base, next } = files();
  const { call } = await assistant({ files: [base, next] });
  const { data } = await call('open', { path: base });
  const { profile } = data;
  await call('open', { path: next });
  const pairs = [
    ['top', { by: 'total', filter: 'com.acme.' }, ['top', base, '--by', 'total', '--filter', 'com.acme.']],
    ['top', { group: 'pool' }, ['top', base, '--group', 'pool']],
    ['method', { key: PRICE }, ['method', PRICE, base]],
    ['timeline', {}, ['timeline', base]],
    [
      'tree',
      { of: 'callees', method: FIND },
      ['tree', '--of', 'callees', '--method', FIND, base, '--limit', '60'],
    ],
  ] as const;
  for (const [tool, args, argv] of pairs) {
    const answer = withoutLimit((await call(tool, { profile, ...args })).data);
    const { schema, version, file, ...printed } = parsed(await cliOutput(...argv, '--json'));
    expect([schema, version, file]).toEqual([`leanscope-${tool}`, 1, base]);
    expect(printed, tool).toEqual(answer);
  }
  const answer = withoutLimit((await call('compare', { base: profile, new: 'new.hpl' })).data);
  const run = await runCli(['compare', base, next, '--limit', '20', '--json']);
  expect(parsed(run.stdout)).toEqual({ schema: 'leanscope-compare', version: 1, ...answer });
});

const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>;

/** What an assistant gets besides the answer is how many rows there were at most. */
function withoutLimit(data: object): object {
  const { limit, ...answer } = data as { readonly limit: number };
  expect(limit).toBeGreaterThan(0);
  return answer;
}

test('the guide has at most 1,500 words, and names all tools and commands that exist', async () => {
  expect(GUIDE.split(/\s+/).length).toBeLessThanOrEqual(1500);
  for (const { name } of TOOLS) expect(GUIDE).toContain(name);
  expect(await cliOutput('guide')).toBe(GUIDE);
  const rows = [...GUIDE.matchAll(/^\|[^|]+\| ([a-z]+)[^|]*\| ([a-z]+)( [^|]*)?\|$/gm)].filter(
    ([, , command]) => isNamedCommand(command),
  );
  expect(rows.length).toBe(12);
  for (const [, tool, command, rest = ''] of rows) {
    expect(TOOLS.map(({ name }) => name)).toContain(tool);
    if (!isNamedCommand(command)) continue;
    const argv = rest.replaceAll('…', '1s').trim().split(' ').filter(Boolean);
    expect(() => readArguments(argv, commandHelp(command).options), `${command} ${rest}`).not.toThrow();
  }
});
