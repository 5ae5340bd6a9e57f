import { profileInScope } from '../../support/profile-in-scope.ts';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NO_LOG_FACTS } from '../../../shared/facts/log-facts.ts';
import type { MeasuredSeries } from '../../../shared/facts/measured-series.ts';
import { type JsonInput, writeJson } from '../../../shared/export/json.ts';
import { exportSpeedscope } from '../../../shared/export/speedscope.ts';
import { collectText } from '../../../shared/export/text-sink.ts';
import { checkProfile } from '../../support/check-profile.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../../shared/profile/profile-units.ts';
import { type JsonProfile, profileFromJson } from '../../support/json-profile.ts';
import { schemaViolations } from '../../support/json-schema.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { leanOf } from '../../support/profile-tables.ts';
import { GOLDEN_LOGS, goldenLog, goldenPath, readLog } from '../../support/read-log.ts';
import { randomLog } from '../../support/random-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { keysOf, randomScope } from '../../support/random-scope.ts';
import { readModel } from '../../support/reference-model.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('json');
const SCHEMA = JSON.parse(
  /## Schema\s+```json\n([^`]*)```/.exec(readFileSync('docs/json.md', 'utf8'))![1],
) as object;
const OPTIONS: Omit<JsonInput, 'profile'> = {
  title: 'test',
  units: SAMPLES_AND_TIME,
  facts: undefined,
  outside: undefined,
};

function jsonOf(profile: LeanProfile, options: Partial<JsonInput> = {}): JsonProfile {
  const text = collectText((sink) => writeJson({ profile, ...OPTIONS, ...options }, sink));
  const json = JSON.parse(text) as JsonProfile;
  expect(schemaViolations(SCHEMA, json)).toEqual([]);
  return json;
}

test('tables that refer to each other by row', () => {
  const { profile } = profileFromText(`
    main        main        gc
    Shop.main   Shop.main   AGCT.GcActiveErr2
    Cart.add    Cart.add:12
  `);
  const { threads, methods, frames, nodes, selfValues, ...head } = jsonOf(profile);
  expect(head).toEqual({
    schema: 'leanscope-profile',
    version: 1,
    name: 'test',
    units: {
      counted: { one: 'sample', many: 'samples', isSampled: true },
      value: { name: 'Time', unit: 'ns' },
    },
    facts: null,
    scope: null,
  });
  expect(threads.map(({ name, root }) => `${name} ${root}`)).toEqual(['main 0', 'gc 4']);
  expect(methods.map((each) => `${each.class}.${each.method}`)).toEqual([
    'Shop.main',
    'Cart.add',
    'AGCT.GcActiveErr2',
  ]);
  expect(frames).toEqual([
    { method: 1, line: -100, bci: 0 },
    { method: 0, line: -100, bci: 0 },
    { method: 1, line: 12, bci: 0 },
    { method: 2, line: -100, bci: 0 },
  ]);
  expect(nodes).toEqual({ length: 6, parent: [-1, 0, 1, 1, -1, 4], frame: [-1, 1, 0, 2, -1, 3] });
  expect(selfValues).toEqual({
    length: 3,
    node: [2, 3, 5],
    samples: [1, 1, 1],
    value: ['1000000', '1000000', '1000000'],
  });
});

test('time of a stack where no sample ended is written; a row without both is not', () => {
  const aggregator = profileFromText(`
    main       main       gc
    Shop.main  Shop.main  Gc.run
               Cart.add`);
  const { profile } = aggregator;
  // As a series of snapshots has it whose stacks have nothing below Shop.main in common.
  const [shop, cart, gc] = profile.selfValues.node;
  aggregator.samplesAt(shop, -1, 0);
  for (const node of [cart, gc]) aggregator.samplesAt(node, -1, -1_000_000);
  const { nodes, selfValues, threads } = jsonOf(profile);
  expect(selfValues).toEqual({ length: 1, node: [1], samples: [0], value: ['1000000'] });
  expect([nodes.length, threads.length]).toEqual([3, 2]);
  const speedscope = collectText((sink) =>
    exportSpeedscope(profile, { units: SAMPLES_AND_TIME, name: 'test' }, sink),
  );
  const { profiles } = JSON.parse(speedscope) as { profiles: unknown[] };
  expect(profiles).toMatchObject([
    { name: 'main', endValue: 1_000_000, samples: [[0]], weights: [1_000_000], counts: [0] },
    { name: 'gc', samples: [] },
  ]);
});

test('a file without times has no values', () => {
  const { profile } = profileFromText(`
    main
    Shop.main`);
  expect(jsonOf(profile, { units: SAMPLES_ONLY }).selfValues.value).toBeNull();
});

test.each(GOLDEN_LOGS.filter((name) => name !== 'server-20mb'))(
  '%s: read back, it is the profile',
  (name) => {
    const { profile } = readLog(goldenLog(name));
    const back = profileFromJson(jsonOf(profile));
    expect(checkProfile(back)).toEqual([]);
    expect(leanOf(back) === leanOf(profile)).toBe(true);
    expect(back.threads.name).toEqual(profile.threads.name.slice(0, profile.threads.length));
  },
);

test('100 random profiles and scopes, read back: names, times beyond 2^53, what is outside', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const bytes = randomLog(random, { traces: 60, maxDepth: 12, methods: 6 });
    const model = readModel(bytes);
    expect(keysOf(model, 'fqmn').length, where).toBeGreaterThan(0);
    const { profile } = readLog(bytes);
    const scope = randomScope(random, model, 'fqmn');
    const inScope = profileInScope(profile, scope, 'fqmn');
    const json = jsonOf(inScope.profile, { outside: inScope.outside });
    expect(json.scope!.samples + json.scope!.outside, where).toBe(model.samples.length);
    const back = profileFromJson(json);
    // A transform may leave samples at the root of a thread.
    const problems = checkProfile(back).filter((problem) => !problem.endsWith('a node, no root'));
    expect(problems, where).toEqual([]);
    expect(leanOf(back), where).toBe(leanOf(inScope.profile));
  }
});

test('only what samples need is written', () => {
  const { profile } = profileFromText(`
    main        main        gc
    Shop.main   Shop.main   Gc.run
    Cart.add    Cart.pay
  `);
  const { profile: some, outside } = profileInScope(
    profile,
    { threads: ['main'], transforms: [{ kind: 'drop', key: 'Cart.pay' }] },
    'fqmn',
  );
  const json = jsonOf(some, { outside });
  expect(json.threads.map(({ name }) => name)).toEqual(['main']);
  expect(json.methods.map(({ method }) => method)).toEqual(['main', 'add']);
  expect(json.nodes.length).toBe(3);
  expect(json.scope).toEqual({ samples: 1, outside: 2, range: null });
});

test('the command writes the facts of the file, and the scope', async () => {
  const { status, stdout } = await runCli([
    'export',
    goldenPath('hello'),
    '--format',
    'json',
    '--keep',
    'DeepRecursion.even',
  ]);
  expect(status).toBe(0);
  const json = JSON.parse(stdout) as JsonProfile;
  expect(schemaViolations(SCHEMA, json)).toEqual([]);
  expect(json.name).toBe('hello.hpl.gz');
  expect(json.scope).toEqual({ samples: 4, outside: 33, range: null });
  const summary = await runCli(['summary', goldenPath('hello'), '--json']);
  const expected = JSON.parse(summary.stdout) as Record<string, unknown>;
  for (const fact of ['format', 'bytes', 'samples', 'errorSamples', 'truncated', 'damage', 'tables'])
    expect(json.facts![fact], fact).toEqual(expected[fact]);
});

test('what a recording has measured over time is in it', () => {
  const { profile } = profileFromText(`
    main
    Shop.main`);
  const heap: MeasuredSeries = {
    id: 'heap-used',
    kind: 'bytes',
    first: '1795174022011079152',
    at: [-0.5, 1001],
    values: [5e6, 7e6],
  };
  const pauses: MeasuredSeries = { ...heap, id: 'gc-pause', kind: 'pauses', log: 'a.jfr' };
  const column = { name: 'Value', kind: 'text' } as const;
  const table = { title: 'JVM', columns: [column], rows: [['17']], leftOut: 0 };
  const commandLine = { ...table, title: 'Command line', isPrivate: true as const };
  const tables = [table, commandLine];
  const json = jsonOf(profile, { facts: { ...NO_LOG_FACTS, tables, series: [heap, pauses] } });
  // Command lines may hold passwords, and exports are passed on.
  expect(json.facts!.tables).toEqual([table]);
  expect(schemaViolations(SCHEMA, json)).toEqual([]);
  expect(json.facts!.series).toEqual([{ ...heap, log: null }, pauses]);
});

test('the checker of the schema finds what is wrong', () => {
  const json = jsonOf(
    profileFromText(`
    main
    Shop.main`).profile,
  );
  const wrong = {
    ...json,
    version: 2,
    name: undefined,
    threads: [{ id: 'x', name: 5, root: -1 }],
    units: { counted: {}, value: { name: 'n', unit: 'kg' } },
  };
  expect(schemaViolations(SCHEMA, wrong).sort()).toEqual([
    '$.name: is no string',
    '$.threads[0].id: does not match ^-?[0-9]+$',
    '$.threads[0].name: is no string or null',
    '$.threads[0].root: is below 0',
    '$.units.counted: has no many',
    '$.units.counted: has no one',
    '$.units.value.unit: is none of ["ns","bytes"]',
    '$.version: is not 1',
  ]);
});
