import { expect, test } from 'vitest';
import type { FindingFacts, Finding, FindingsAnswer } from '../../../shared/findings/finding.ts';
import { NO_PROJECT } from '../../../shared/findings/finding.ts';
import { NO_LOG_FACTS } from '../../../shared/facts/log-facts.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { type MeasuredSeries, MeasuredValues } from '../../../shared/facts/measured-series.ts';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../../shared/engine/query.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import { type Choice, SAMPLE_TYPE_CHOICE } from '../../../shared/facts/choice.ts';
import { findingsOf as findingsIn, findingsText } from '../../../shared/findings/find.ts';
import { openGunzip } from '../../../electron/source/read-bytes.ts';

/** The findings of one check in collapsed stacks, of which a file says more than stacks. */
async function findingsOf(
  id: string,
  stacks: string,
  facts: Partial<FindingFacts>,
): Promise<readonly Finding[] | string> {
  const { findings, notAssessed } = await answerOf([id], stacks, facts);
  return notAssessed[0]?.why ?? findings;
}

async function answerOf(
  ids: readonly string[],
  stacks: string,
  facts: Partial<FindingFacts>,
): Promise<FindingsAnswer> {
  const aggregator = new ProfileAggregator({ samples: true });
  const reader = new ProfileReader(aggregator, {}, openGunzip);
  await reader.push(Buffer.from(stacks));
  await reader.end();
  if (reader.problem !== undefined) throw new Error(reader.problem.text);
  const engine = new Engine();
  engine.add('log', aggregator.profile);
  const view = engine.view('log', INITIAL_QUERY);
  const all = { ...NO_LOG_FACTS, ...reader.facts(), ...facts };
  return findingsIn({ ...view.samples.recorded, facts: all, project: NO_PROJECT, only: ids });
}

const series = (
  id: MeasuredSeries['id'],
  kind: MeasuredSeries['kind'],
  at: number[],
  values: number[],
): MeasuredSeries => ({
  id,
  kind,
  first: '0',
  at,
  values,
});

test('F23: one thread works, though the machine has processors to spare', async () => {
  const load = (share: number): Partial<FindingFacts> => ({
    series: [series('cpu-jvm', 'share', [0, 1000], [share, share])],
  });
  const one = '[worker-1 tid=1];com.acme.Shop.work 980\n[worker-2 tid=2];com.acme.Shop.work 20\n';
  const two = '[worker-1 tid=1];com.acme.Shop.work 850\n[worker-2 tid=2];com.acme.Shop.work 150\n';
  expect(await findingsOf('F23', one, load(0.25))).toMatchObject([{ level: 'info', subject: 'worker-1' }]);
  expect(await findingsOf('F23', two, load(0.25))).toEqual([]);
  expect(await findingsOf('F23', one, load(0.9))).toEqual([]);
  expect(await findingsOf('F23', one, {})).toBe('the load of the processors is not recorded');
});

test('F25: pauses of the collector in the worst minute, and long ones', async () => {
  const pauses = (ms: number, count: number, every: number): Partial<FindingFacts> => ({
    spanNs: 600e9,
    series: [
      series(
        'gc-pause',
        'pauses',
        Array.from({ length: count }, (_, at) => at * every),
        Array.from({ length: count }, () => ms),
      ),
    ],
  });
  const stacks = 'com.acme.Main.main;com.acme.Shop.work 100\n';
  expect(await findingsOf('F25', stacks, pauses(200, 120, 1000))).toMatchObject([
    { level: 'warn', samples: 120 },
  ]);
  expect(await findingsOf('F25', stacks, pauses(70, 120, 1000))).toMatchObject([{ level: 'info' }]);
  expect(await findingsOf('F25', stacks, pauses(40, 120, 1000))).toEqual([]);
  expect(await findingsOf('F25', stacks, pauses(1500, 1, 1000))).toMatchObject([{ level: 'warn' }]);
  expect(await findingsOf('F25', stacks, {})).toBe('pauses of the garbage collector are not recorded');
});

/** Waits of one thread, a millisecond each, as events of speedscope. */
function waits(...stacks: readonly (readonly [frames: readonly string[], count: number])[]): string {
  const names = [...new Set(stacks.flatMap(([frames]) => frames))];
  const events: unknown[] = [];
  let at = 0;
  for (const [frames, count] of stacks)
    for (const end = at + count; at < end; at++) {
      const numbers = frames.map((name) => names.indexOf(name));
      for (const frame of numbers) events.push({ type: 'O', frame, at });
      for (const frame of numbers.toReversed()) events.push({ type: 'C', frame, at: at + 1 });
    }
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames: names.map((name) => ({ name })) },
    profiles: [{ type: 'evented', name: 'main', unit: 'milliseconds', startValue: 0, endValue: at, events }],
  });
}

test('F25: the longest pause is one, also where a recording has more than are kept apart', async () => {
  const values = new MeasuredValues('pauses');
  for (let at = 0; at < 5000; at++) values.add(0n, at * 20e6, at === 77 ? 9 : 4);
  const paused = values.series('gc-pause')!;
  expect(paused.values.length).toBeLessThan(1000);
  expect(Math.max(...paused.values)).toBeGreaterThan(20);
  const [found] = await findingsOf('F25', 'com.acme.Main.main 100\n', { spanNs: 100e9, series: [paused] });
  expect(found).toMatchObject({ samples: 5000 });
  expect((found as Finding).of).toContain('the longest pause took 9.00 ms');
});

test('F24: threads wait for a lock, and not for work', async () => {
  const lock: Partial<FindingFacts> = {
    units: {
      counted: { one: 'wait', many: 'waits', isDependent: true },
      value: { name: 'Blocked', unit: 'ns' },
    },
    choices: [{ id: 'sample-type', name: 'Sample type', hint: '', kind: 'one', options: [], chosen: 'lock' }],
  };
  const PARK = 'jdk.internal.misc.Unsafe.park';
  const acquire = [
    'com.acme.Shop.sell',
    'java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire',
    PARK,
  ];
  const idle = [
    'java.util.concurrent.ThreadPoolExecutor.getTask',
    'java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await',
    PARK,
  ];
  const monitor = ['com.acme.Shop.sell', 'com.acme.Stock.take'];
  expect(await findingsOf('F24', waits([acquire, 300], [idle, 701]), lock)).toMatchObject([
    { level: 'warn', samples: 300, share: { value: 0.3 }, where: [{ key: 'com.acme.Shop.sell' }] },
  ]);
  expect(await findingsOf('F24', waits([monitor, 80], [idle, 920]), lock)).toMatchObject([{ level: 'info' }]);
  expect(await findingsOf('F24', waits([monitor, 20], [idle, 980]), lock)).toEqual([]);
  expect(await findingsOf('F24', waits([idle, 1000]), lock)).toEqual([]);
});

const ALLOCATIONS: ProfileUnits = {
  counted: { one: 'allocation sample', many: 'allocation samples', isSampled: true },
  value: { name: 'Allocated', unit: 'bytes' },
};

test('F26: one method of your own allocates much', async () => {
  const of = (site: number, rest: number): string =>
    `com.acme.Shop.load;java.util.Arrays.copyOf ${site}\n${Array.from({ length: 10 }, (_, at) => `com.acme.Main.main;com.acme.Other.part${at} ${rest / 10}`).join('\n')}\n`;
  // Without bytes in the file, the number of allocations stands for them.
  const facts = {
    units: { ...ALLOCATIONS, value: undefined, counted: { one: 'byte', many: 'bytes', isSampled: true } },
  };
  expect(await findingsOf('F26', of(600, 400), facts)).toMatchObject([
    { level: 'warn', subject: 'com.acme.Shop.load' },
  ]);
  expect(await findingsOf('F26', of(300, 700), facts)).toMatchObject([{ level: 'info' }]);
  expect(await findingsOf('F26', of(150, 850), facts)).toEqual([]);
});

test('F24, F26: locks and allocations are asked of their own samples', async () => {
  const stacks = 'com.acme.Main.main;com.acme.Shop.work 100\n';
  expect(await findingsOf('F26', stacks, {})).toBe('these are not allocations');
  expect(await findingsOf('F24', stacks, {})).toBe('these are not waits for locks');
  expect(await findingsOf('F3', stacks, { units: ALLOCATIONS })).toBe(
    'these are not samples of running threads',
  );
  const options = ['cpu', 'lock'].map((value) => ({ value, text: value }));
  const types: Choice = {
    id: SAMPLE_TYPE_CHOICE,
    name: '',
    hint: '',
    kind: 'one',
    options,
    chosen: 'cpu',
  };
  const found = await answerOf(['F24', 'F26'], stacks, { choices: [types] });
  expect(found.notAssessed).toEqual([
    {
      id: 'F24',
      title: 'Threads wait for a lock',
      why: 'these are not waits for locks',
      choose: 'lock',
    },
    { id: 'F26', title: 'One method allocates much of the memory', why: 'these are not allocations' },
  ]);
  expect(findingsText(found, { warn: 1, info: 0 })).toBe(
    '1 warning and 0 notes of 0 checks.\n' +
      'Not assessed: F24: these are not waits for locks: --choose sample-type=lock.\n' +
      'Not assessed: F26: these are not allocations.\n',
  );
});
