import { expect, test } from 'vitest';
import { type FactTable, factTable } from '../../../shared/facts/format-facts.ts';
import { type LogFacts, NO_LOG_FACTS } from '../../../shared/facts/log-facts.ts';
import { MOST_MEASURED, MeasuredValues } from '../../../shared/facts/measured-series.ts';
import { MOST_MERGED_MEASURED, mergedFacts } from '../../../shared/merge/merged-facts.ts';
import { partNames } from '../../../shared/merge/part-names.ts';

test('names are as short as they can be apart', () => {
  expect(partNames(['/srv/node1/app.hpl', '/srv/node2/app.hpl', '/srv/batch.hpl'])).toEqual([
    'node1/app.hpl',
    'node2/app.hpl',
    'batch.hpl',
  ]);
  expect(partNames(['/a/x/app.hpl', '/b/x/app.hpl', '/x/app.hpl'])).toEqual([
    'a/x/app.hpl',
    'b/x/app.hpl',
    'x/app.hpl',
  ]);
  expect(partNames(['app.hpl', 'app.hpl'])).toEqual(['app.hpl', 'app.hpl #2']);
  expect(partNames(['a', 'a', 'a #2', 'a', 'a #2'])).toEqual(['a', 'a #3', 'a #2', 'a #4', 'a #2 #2']);
  expect(partNames([String.raw`C:\n1\app.hpl`, String.raw`C:\n2\app.hpl`])).toEqual([
    'n1/app.hpl',
    'n2/app.hpl',
  ]);
});

const log = (change: Partial<LogFacts>): LogFacts => ({
  ...NO_LOG_FACTS,
  format: 'honest-log',
  formatName: 'Honest Profiler log',
  hasSampleTimes: true,
  ...change,
});

function merged(all: readonly LogFacts[], timesAgree = true): LogFacts {
  const parts = all.map((facts, at) => ({ name: `node${at + 1}`, facts, state: undefined }));
  return mergedFacts(parts, { threads: 'groups', timesAgree, spanNs: undefined, lastTime: undefined });
}

test('losses are added, and notes of one log have its name', () => {
  const gaps = { count: 1, totalNs: 5, longestNs: 5, leastNs: 4 };
  const both = merged([
    log({ samples: 3, errorSamples: { '-3': 1 }, notes: ['Both.'], gaps, backwardSteps: 2 }),
    log({
      samples: 4,
      errorSamples: { '-3': 2, '-5': 1 },
      notes: ['Both.', 'One.'],
      gaps: { ...gaps, longestNs: 3 },
    }),
  ]);
  expect(both).toMatchObject({
    samples: 7,
    errorSamples: { '-3': 3, '-5': 1 },
    gaps: { count: 2, totalNs: 10, longestNs: 5, leastNs: 4 },
    backwardSteps: 2,
    hasSampleTimes: true,
  });
  expect(both.notes.slice(1)).toEqual(['Both.', 'node2: One.']);
});

test('there are time ranges only if all logs have times of one kind', () => {
  const without = merged([log({}), log({ hasSampleTimes: false })]);
  expect([without.hasSampleTimes, without.notes]).toEqual([
    false,
    ['There are no time ranges, because node2 does not say when samples were taken.'],
  ]);
  const mixed = merged([log({}), log({})], false);
  expect([mixed.hasSampleTimes, mixed.notes]).toEqual([
    false,
    ['There are no time ranges, because some logs have dates and others only times since they began.'],
  ]);
});

test('however many logs are merged, their measured values are as many as those of one, with all peaks', () => {
  const measuring = (logs: number, values: number): LogFacts =>
    merged(
      Array.from({ length: logs }, (_, at) => {
        const heap = new MeasuredValues('bytes');
        for (let second = 0; second < values; second++)
          heap.add(0n, second * 1e9, second === 7 ? 1_000 + at : second % 5);
        return log({ series: [heap.series('heap-used')!] });
      }),
    );
  const few = measuring(4, MOST_MEASURED).series;
  expect(few.map(({ log: name, at }) => `${name} ${at.length}`)).toEqual(
    [1, 2, 3, 4].map((part) => `node${part} ${MOST_MEASURED}`),
  );
  const { series } = measuring(50, MOST_MEASURED);
  const count = series.reduce((sum, { values }) => sum + values.length, 0);
  expect(count).toBeLessThanOrEqual(MOST_MERGED_MEASURED);
  expect(count).toBeGreaterThan(MOST_MERGED_MEASURED / 4);
  expect(series.map(({ values }) => Math.max(...values))).toEqual(
    Array.from({ length: 50 }, (_, at) => 1_000 + at),
  );
  expect(new Set(series.map(({ log: name }) => name)).size).toBe(50);
});

test('threads of all logs are in one table, with the names that they have in the merged profile', () => {
  const columns = (...names: readonly string[]): FactTable['columns'] =>
    names.map((name) => ({ name, kind: 'text' }));
  const dump = factTable('Threads', columns('Thread', 'Latest state'), [
    ['main', 'RUNNABLE'],
    ['', 'WAITING'],
  ]);
  const jfr = {
    ...factTable('Threads', columns('Group', 'Thread'), [['system', 'main']]),
    leftOut: 3,
  };
  const tables = (threads: 'groups' | 'together'): readonly FactTable[] => {
    const all = [log({ tables: [dump] }), log({}), log({ tables: [jfr] })];
    const parts = all.map((facts, at) => ({ name: `node${at + 1}`, facts, state: undefined }));
    return mergedFacts(parts, {
      threads,
      timesAgree: true,
      spanNs: undefined,
      lastTime: undefined,
    }).tables.slice(1);
  };
  expect(tables('groups')).toEqual([
    {
      title: 'Threads',
      columns: columns('Thread', 'Latest state', 'Group'),
      rows: [
        ['node1: main', 'RUNNABLE', undefined],
        ['', 'WAITING', undefined],
        ['node3: main', undefined, 'system'],
      ],
      leftOut: 3,
    },
  ]);
  expect(tables('together')[0].rows.map(([name]) => name)).toEqual(['main', '', 'main']);
  expect(merged([log({}), log({})]).tables).toHaveLength(1);
});

test('a log that is not recognised yet has no part in the sums, and none is a problem while one can be shown', () => {
  const problem = { text: 'Not a supported profile.', advice: 'copy the file again', reasons: [] };
  const broken = { ...NO_LOG_FACTS, problem };
  expect(merged([log({ samples: 3 }), broken])).toMatchObject({ samples: 3, problem: undefined });
  expect(merged([broken, broken]).problem?.text).toBe('None of these logs can be shown.');
});

test('merged logs have the sample types that all of them have', () => {
  const types = (chosen: string, values: string): LogFacts =>
    log({
      choices: [
        {
          id: 'sample-type',
          name: 'Sample type',
          hint: 'What is counted.',
          kind: 'one',
          chosen,
          options: values.split(' ').map((value) => ({ value, text: value.toUpperCase() })),
        },
      ],
    });
  const shown = (all: readonly LogFacts[]): readonly string[] =>
    merged(all).choices.map((choice) =>
      choice.kind === 'one'
        ? `${choice.id}: ${choice.chosen} of ${choice.options.map(({ value, text }) => `${value} ${text}`).join(', ')}`
        : choice.id,
    );
  const threads = 'threads: groups of groups By log, together Together';
  expect(shown([types('cpu', 'cpu wall lock'), types('cpu', 'lock cpu')])).toEqual([
    threads,
    'sample-type: cpu of cpu CPU, lock LOCK',
  ]);
  expect(shown([types('cpu', 'cpu lock'), types('lock', 'cpu lock')])).toEqual([
    threads,
    'sample-type:  of  As chosen in each log, cpu CPU, lock LOCK',
  ]);
  for (const others of [[], [log({})]]) expect(shown([log({}), ...others])).toEqual([threads]);
  expect(shown([types('cpu', 'cpu lock'), log({})])).toEqual([threads]);
});
