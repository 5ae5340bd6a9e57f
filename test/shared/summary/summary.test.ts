import { expect, test } from 'vitest';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../../shared/engine/query.ts';
import { withErrorsJoined } from '../../../shared/engine/trees/grouping.ts';
import { findingsOf } from '../../../shared/findings/find.ts';
import type { FindingsAnswer } from '../../../shared/findings/finding.ts';
import { NO_PROJECT } from '../../../shared/findings/finding.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import { type Summary, summaryOf } from '../../../shared/summary/summary.ts';
import { nameOfLabel } from '../../../shared/text/format-frame.ts';
import { timedStacks } from '../../support/timed-stacks.ts';
import {
  answerText,
  burstsApart,
  burstText,
  stepText,
  summaryLines,
} from '../../../shared/summary/summary-text.ts';

/** The summary of stacks. */
async function asked(
  stacks: string,
  query: Partial<ProfileQuery> = {},
): Promise<{ summary: Summary; found: FindingsAnswer }> {
  const aggregator = new ProfileAggregator({ samples: true });
  const reader = new ProfileReader(aggregator, {}, openGunzip);
  await reader.push(Buffer.from(stacks));
  await reader.end();
  const engine = new Engine();
  engine.add('log', aggregator.profile);
  const keys = withErrorsJoined('fqmn');
  const view = engine.view('log', { ...INITIAL_QUERY, keys, ...query });
  const facts = reader.facts();
  return {
    summary: summaryOf(view, { facts, own: [] }),
    found: findingsOf({ ...view.samples.recorded, facts, project: NO_PROJECT }),
  };
}

const rest = Array.from(
  { length: 20 },
  (_, at) => `[main tid=9];com.acme.Main.main;com.acme.Other.part${at} 2`,
).join('\n');
const worker = (at: number, stack: string, samples: number): string =>
  `[http-worker-${at} tid=${at}];java.lang.Thread.run;com.acme.Server.serve;${stack} ${samples}`;
const SHOP = [
  worker(1, 'com.acme.Ranking.top;java.util.Arrays.sort;java.util.TimSort.sort', 30),
  worker(2, 'com.acme.Ranking.top;java.util.Arrays.sort;java.util.TimSort.sort', 20),
  worker(2, 'com.acme.Ranking.top;java.util.Arrays.sort;java.lang.Double.compare', 10),
  worker(1, 'com.acme.Search.find', 6),
  rest,
].join('\n');

test('the answer is the deepest method of the program on the hot path, with its threads', async () => {
  const { summary } = await asked(SHOP);
  expect(answerText(summary)).toBe('56.6 % of samples are in Ranking.top, called by 2 threads http-worker-*');
  expect(summary.answer?.method.ref.label).toBe('com.acme.Ranking.top');
  expect(summary.samples).toBe(106);
});

test('the sentence names a lambda without its address, and a program with one thread without threads', async () => {
  const lambda = 'com.acme.Shop$$Lambda$14/0x0000000800c8d840.run';
  const { summary } = await asked(`main;${lambda} 3`);
  expect(answerText(summary)).toBe('100.0 % of samples are in Shop$$Lambda$14….run');
  expect(answerText(summary)).toContain(nameOfLabel(lambda));
  expect(summary.methods[0].pools).toEqual([]);
});

test('the hot path is folded where shares are almost equal, but not over the answer, and ends where it forks', async () => {
  const { summary } = await asked(SHOP);
  expect(summary.path.map((step) => [stepText(step), step.share.toFixed(3)])).toEqual([
    ['java.lang.Thread.run › com.acme.Server.serve', '0.623'],
    ['com.acme.Ranking.top › java.util.Arrays.sort', '0.566'],
    ['java.util.TimSort.sort', '0.472'],
  ]);
  // The last frame of a step has its own share.
  const { summary: uneven } = await asked(
    'java.lang.Thread.run;java.util.Foo.x;com.acme.M.m 96\njava.lang.Thread.run 4',
  );
  expect(uneven.path[0]).toMatchObject({ share: 1, last: { label: 'java.util.Foo.x', share: 0.96 } });
});

test('a path says what the answer counts on all paths, where another one leads to its method, too', async () => {
  const { summary, found } = await asked(`${SHOP}\n[main tid=9];com.acme.Main.main;com.acme.Ranking.top 9`);
  expect(answerText(summary)).toMatch(/^60\.0 % of samples are in Ranking\.top/);
  expect(summary.path.map((step) => [stepText(step), step.share.toFixed(3)])[1]).toEqual([
    'com.acme.Ranking.top (60.0 % by all paths) › java.util.Arrays.sort',
    '0.522',
  ]);
  expect(summaryLines(summary, found).join('\n')).toMatch(
    /52\.17 % +0\.00 % +com\.acme\.Ranking\.top \(60\.0 % by all paths\) › /,
  );
});

test('so few samples that a considerable share is not seen are said to be few, with that share', async () => {
  const few = async (...stacks: readonly string[]): Promise<string | undefined> =>
    (await asked(stacks.join('\n'))).found.few;
  // Thirty of them are 14.9, 5.008 and 5.0 %.
  expect(await few('main;a.B.c 202')).toBe(
    '202 samples are few: what has less than 15 % of them is not seen, because a finding takes 30',
  );
  expect(await few('main;a.B.c 599')).toContain('less than 5 %');
  expect(await few('main;a.B.c 600')).toBeUndefined();
  expect(await few('main;a.B.c 29')).toBe('29 samples are too few: a finding takes 30');
  expect(await few('main;a.B.c 1')).toBe('1 sample is too few: a finding takes 30');
  // Threads that wait are no part of it.
  expect(await few('main;a.B.c 40', 'main;java.lang.Object.wait 5000')).toContain('less than 75 % of them');
  const { summary, found } = await asked('main;java.lang.Thread.run 202');
  const nothing = { ...found, findings: [] };
  expect(summaryLines(summary, nothing)).toContain(
    `Nothing conspicuous in ${found.checked.length} checks, but ${found.few}.`,
  );
});

test('the hottest methods are by what ended in them, five of them, and no error is one', async () => {
  const errors = `${SHOP}\n[main tid=9];AGCT.UnknownJava5 500`;
  const { summary } = await asked(errors);
  expect(summary.methods.map(({ ref }) => ref.label).slice(0, 3)).toEqual([
    'java.util.TimSort.sort',
    'java.lang.Double.compare',
    'com.acme.Search.find',
  ]);
  expect(summary.methods).toHaveLength(5);
  expect(summary.methods[0].pools).toEqual([{ pool: 'http-worker-*', threads: 2, share: 1 }]);
  expect(summary.lost).toEqual(['no stack 82.5 %']);
  const { summary: hidden } = await asked(errors, { hidesErrors: true });
  expect(hidden.answer?.share).toBeCloseTo(60 / 106);
  expect(hidden.lost).toEqual(summary.lost);
});

test('it follows the scope', async () => {
  const scope = { threads: [], transforms: [{ kind: 'keep', key: 'com.acme.Search.find' }] } as const;
  const { summary } = await asked(SHOP, { scope });
  expect(answerText(summary)).toBe('100.0 % of samples are in Search.find, called by http-worker-*');
  const { summary: nothing } = await asked(SHOP, {
    scope: { threads: [], transforms: [{ kind: 'keep', key: 'com.acme.Nowhere.at' }] },
  });
  expect(nothing).toMatchObject({ answer: undefined, path: [], methods: [], samples: 0 });
});

test('findings are of recorded stacks: a transform that hides a frame does not hide what it tells', async () => {
  const stacks = `${SHOP}\n${worker(3, 'com.acme.Parser.parse;java.util.regex.Pattern.compile', 40)}`;
  const only = { threads: [], transforms: [{ kind: 'only', prefixes: ['com.acme.'] }] } as const;
  const ids = ({ findings }: FindingsAnswer): readonly string[] => findings.map(({ id }) => id);
  expect(ids((await asked(stacks)).found)).toContain('F3');
  expect(ids((await asked(stacks, { scope: only })).found)).toEqual(ids((await asked(stacks)).found));
});

test('a burst has its time, and its share then and at other times', async () => {
  const usual = Array.from({ length: 20 }, (_, at) => `com.acme.Main.main;com.acme.Other.part${at} 1`);
  const report = usual.flatMap((line) => [line, 'com.acme.Main.main;com.acme.Report.run 1']);
  const repeated = (lines: readonly string[], times: number): string =>
    Array.from({ length: times }, () => lines.join('\n')).join('\n');
  const stacks = [repeated(usual, 25), repeated(report, 3), repeated(usual, 20)].join('\n');
  expect(burstsApart((await asked(stacks)).found).bursts).toEqual([]);
  const { bursts } = burstsApart((await asked(timedStacks(stacks, 17))).found);
  expect(bursts.map((burst) => burstText(burst))).toEqual([
    '0:08 to 0:10: com.acme.Report.run 47.2 % instead of 0.0 %',
  ]);
  const { period, show } = bursts[0];
  expect(Number(period?.to) - Number(period?.from)).toBeGreaterThan(1.9e9);
  expect(show).toEqual({ keep: [], select: 'com.acme.Report.run' });
  // While the program starts, it is none.
  const atStart = [repeated(report, 3), repeated(usual, 45)].join('\n');
  expect(burstsApart((await asked(timedStacks(atStart, 17))).found).bursts).toEqual([]);
});
