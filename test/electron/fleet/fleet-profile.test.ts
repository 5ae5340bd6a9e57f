import { expect, test } from 'vitest';
import { fleetBytes } from '../../../electron/fleet/fleet-source.ts';
import { sumSelfValues } from '../../../shared/engine/values/self-values.ts';
import { LEANSCOPE_PAGE } from '../../../shared/formats/leanscope-page/format.ts';
import { checkProfile } from '../../support/check-profile.ts';
import { addToDataset, type FleetSample, madeSamples } from '../../support/made-fleet.ts';
import { decodeInput, type ReadInput } from '../../support/read-input.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testSize } from '../../support/test-size.ts';

const { randomFor } = testSeed('fleet-profile');
const MINUTE_NS = 60_000_000_000n;
const ASKED = { where: undefined, per: 'thread', sql: undefined, order: 'leaf' } as const;

/** The answer of a dataset, as the window reads it. */
async function answerOf(dir: string): Promise<ReadInput> {
  const { bytes } = await fleetBytes(dir, ASKED, {}, true);
  return decodeInput(LEANSCOPE_PAGE, bytes, {}, undefined, true);
}

test('samples of short intervals have times, spread within them; those of long ones and of too few have none', async () => {
  for (let scenario = 0; scenario < testSize(3, 30); scenario++) {
    const random = randomFor(100 + scenario);
    const dir = temporaryFolder();
    const samples = ['web1', 'web2'].flatMap((host) => madeSamples(random, 'shop', host, 200));
    for (const host of ['web1', 'web2'])
      addToDataset(
        dir,
        samples.filter((sample) => sample.host === host),
        MINUTE_NS,
      );
    const { decoder, profile } = await answerOf(dir);
    expect(decoder.facts().hasSampleTimes).toBe(true);
    expect(checkProfile(profile)).toEqual([]);
    const table = profile.samples;
    type Minutes = Record<string, readonly [number, bigint]>;
    const count = (minutes: Minutes, time: bigint, ns: bigint): void => {
      const minute = String(time / MINUTE_NS);
      const [number, sum] = minutes[minute] ?? [0, 0n];
      minutes[minute] = [number + 1, sum + ns];
    };
    const [found, expected]: [Minutes, Minutes] = [{}, {}];
    let before = 0n;
    for (let row = 0; row < (table?.length ?? 0); row++) {
      const time = (table?.origin ?? 0n) + (table?.at.exact(row) ?? 0n);
      expect(time).toBeGreaterThanOrEqual(before);
      before = time;
      count(found, time, table?.value.exact(row) ?? 0n);
    }
    for (const { time, ns } of samples) count(expected, time, BigInt(ns));
    expect(found).toEqual(expected);
    const hours = temporaryFolder();
    addToDataset(hours, samples, MINUTE_NS * 60n);
    const { decoder: ofHours } = await answerOf(hours);
    expect(ofHours.facts().hasSampleTimes).toBe(false);
    expect(ofHours.facts().firstTime).toBeGreaterThan(0n);
  }
});

test('rows of a query may have times: of a clock, in ns, and none', async () => {
  const dir = temporaryFolder();
  addToDataset(dir, madeSamples(randomFor(300), 'shop', 'web1', 5), undefined);
  const rows = [
    "SELECT 'a.A.run' AS stack, 3 AS samples, 10 AS value, TIMESTAMP '2026-11-28 10:00:01' AS time",
    "SELECT 'b.B.run', 2, 5, TIMESTAMP '2026-11-28 10:00:00'",
    "SELECT 'b.B.run', 1, 1, NULL",
  ];
  const ask = async (sql: string): Promise<ReadInput> => {
    const { bytes } = await fleetBytes(dir, { ...ASKED, sql }, {}, true);
    return decodeInput(LEANSCOPE_PAGE, bytes, {}, undefined, true);
  };
  const timesOf = ({ profile: { samples: table } }: ReadInput): readonly (readonly [string, number])[] =>
    Array.from({ length: table?.length ?? 0 }, (_, row) => [
      new Date(Number((table?.timeOf(row) ?? 0n) / 1_000_000n)).toISOString().slice(11, 19),
      table === undefined ? 0 : table.value.column.ns[row & table.value.mask],
    ]);
  const expected = [
    ['10:00:01', 4],
    ['10:00:01', 3],
    ['10:00:01', 3],
    ['10:00:00', 3],
    ['10:00:00', 2],
  ];
  const read = await ask(rows.join(' UNION ALL '));
  expect(checkProfile(read.profile)).toEqual([]);
  expect(timesOf(read)).toEqual(expected);
  expect(sumSelfValues(read.profile.selfValues)).toEqual({ samples: 6, time: 16 });
  expect(read.decoder.facts()).toMatchObject({ hasSampleTimes: true, spanNs: 1e9 });
  const inNs = rows.map((row) => row.replace(/TIMESTAMP '[^']*'/, (text) => `epoch_ns(${text})`));
  expect(timesOf(await ask(inNs.join(' UNION ALL ')))).toEqual(expected);
  await expect(ask("SELECT 'a' AS stack, 1 AS samples, 'noon' AS time")).rejects.toThrow(
    'a row has the time noon: it is a timestamp, or a number of ns since 1970',
  );
});

test('samples of an interval are spread over it, of stacks with one sample too, whatever the order of rows', async () => {
  const random = randomFor(200);
  const samples = madeSamples(random, 'shop', 'web1', 20_000).map((sample): FleetSample => ({
    ...sample,
    stack: [...sample.stack, random.below(12), random.below(12)],
  }));
  const ways = [samples, samples.toReversed()].map((each) => {
    const dir = temporaryFolder();
    addToDataset(dir, each, MINUTE_NS);
    return dir;
  });
  const [times, again] = await Promise.all(
    ways.map(async (dir) => {
      const { samples: table } = (await answerOf(dir)).profile;
      return Array.from({ length: table?.length ?? 0 }, (_, row) => table?.timeOf(row) ?? 0n);
    }),
  );
  expect(again).toEqual(times);
  const ofTenths = Array.from({ length: 10 }, () => 0);
  for (const time of times) ofTenths[Number(((time % MINUTE_NS) * 10n) / MINUTE_NS)]++;
  for (const count of ofTenths) expect(Math.abs(count - 2_000)).toBeLessThan(400);
});
