import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { commonKeys, isKeyed } from '../../shared/scope/transforms.ts';
import { isSelecting, type Scope, type Transform } from '../../shared/scope/scope.ts';
import { NodeSource, type ScopeSource, TreeSource } from '../../shared/scope/scope-source.ts';
import { ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import { allBut, exactly } from '../../shared/scope/thread-pattern.ts';
import { ValuesInScope } from '../../shared/scope/values-in-scope.ts';
import { CallTree } from '../../shared/engine/trees/call-tree.ts';
import type { FrameGrouping } from '../../shared/engine/trees/grouping.ts';
import { frameKey, threadKey } from '../../shared/engine/trees/keys.ts';
import { extentOf } from '../../shared/engine/trees/row-tree.ts';
import { type SelfValues, sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { randomLog } from '../support/random-log.ts';
import { readLog } from '../support/read-log.ts';
import { recordedLogs } from '../support/recorded-logs.ts';
import { type Model, readModel } from '../support/reference-model.ts';
import { scopedStacks, stackText } from '../support/scoped-stacks.ts';
import { keysOf, KINDS, randomScope, randomTransform, threadNames } from '../support/random-scope.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('scope');
const GROUPINGS = ['fqmn', 'line', 'bci', 'method-id'] as const;
/** Bytes. */
const LARGE_LOG = 1_000_000;
const LOGS = recordedLogs();
const PROFILES = testSize(150, 5_000);

test(`on ${PROFILES} random profiles a scope leaves what a count over raw samples leaves`, () => {
  for (let scenario = 0; scenario < PROFILES; scenario++) {
    const random = randomFor(scenario);
    const bytes = randomLog(random, { traces: 60, maxDepth: 20, methods: 8 });
    expectScoped(bytes, random, `SEED=${seed} scenario ${scenario}`);
  }
});

test('transforms of several groupings leave what a count over raw samples leaves', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(4_000 + scenario);
    const bytes = randomLog(random, { traces: 40, maxDepth: 16, methods: 6 });
    const model = readModel(bytes);
    const { profile } = readLog(bytes);
    const scope = scopeOfGroupings(random, model);
    const shown = random.pick(GROUPINGS);
    // What keys are made of does not depend on the frames on screen.
    const where = `SEED=${seed} scenario ${scenario} ${shown} ${JSON.stringify(scope)}`;
    expectSame(profile, model, scope, shown, where);
    const selecting = { ...scope, transforms: scope.transforms.filter(isSelecting) };
    expectSelected(profile, model, selecting, shown, where);
  }
});

/** Transforms of keys by method, by line and by BCI. */
function scopeOfGroupings(random: SeededRandom, model: Model): Scope {
  const transforms = Array.from({ length: 1 + random.below(4) }, (): Transform => {
    const keys = random.pick(GROUPINGS);
    const transform = randomTransform(random.pick(KINDS), random, keysOf(model, keys));
    return isKeyed(transform) ? { ...transform, keys } : transform;
  });
  return { threads: [], transforms };
}

test.each(LOGS)(
  '$name: threads, each transform and chains of them leave what a count over raw samples leaves',
  { timeout: 600_000 },
  (recorded) => {
    const bytes = recorded.bytes();
    const random = randomFor(1_000 + LOGS.indexOf(recorded));
    const model = readModel(bytes);
    const { profile } = readLog(bytes);
    const keys = keysOf(model, 'fqmn');
    const thread = random.pick([...threadNames(profile).values()]);
    const scopes: Scope[] = [
      ...KINDS.map((kind) => ({ threads: [], transforms: [randomTransform(kind, random, keys)] })),
      { threads: [exactly(thread)], transforms: [] },
      { threads: [allBut([thread])], transforms: [] },
    ];
    for (const scope of scopes)
      expectSame(profile, model, scope, 'fqmn', `SEED=${seed} ${JSON.stringify(scope)}`);
    // A scope of a large log is counted for seconds.
    for (const shown of bytes.length < LARGE_LOG ? GROUPINGS : [random.pick(GROUPINGS)]) {
      const threads = random.below(2) === 0 ? [] : [exactly(thread)];
      const scope = { ...scopeOfGroupings(random, model), threads };
      expectSame(profile, model, scope, shown, `SEED=${seed} ${shown} ${JSON.stringify(scope)}`);
    }
  },
);

test('a profile that grows under a scope equals one that is read at once', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(2_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const bytes = randomLog(random, { traces: 60, maxDepth: 12, methods: 6 });
    const grouping = random.pick(GROUPINGS);
    const scope = randomScope(random, readModel(bytes), grouping);
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    const { profile } = aggregator;
    const isByRows = random.below(2) === 0;
    let scoped = newScoped(profile, scope, grouping, isByRows);
    const selecting = { ...scope, transforms: scope.transforms.filter(isSelecting) };
    const selected = new ValuesInScope(profile, selecting, grouping);
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + random.below(bytes.length / 4);
      decoder.append(bytes.subarray(at, end));
      decoder.emitOpen(end >= bytes.length);
      at = end;
      if (scoped.update() === 'outdated') {
        scoped = newScoped(profile, scope, grouping, isByRows);
        expect(scoped.update(), where).toBe('grown');
      }
      selected.update(profile.selfValues, extentOf(profile));
    }
    const atOnce = scopedOf(readLog(bytes).profile, scope, grouping, isByRows);
    expect(stacksOf(scoped.profile, grouping), where).toEqual(stacksOf(atOnce.profile, grouping));
    expect(scoped.outside, where).toEqual(atOnce.outside);
    const selectedAtOnce = scopedOf(profile, selecting, grouping, false);
    expect(stacksOf(profile, grouping, selected.values), where).toEqual(
      stacksOf(selectedAtOnce.profile, grouping),
    );
    expect(selected.outside, where).toEqual(selectedAtOnce.outside);
  }
});

test('nodes keep their identity through any scope', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(3_000 + scenario);
    const bytes = randomLog(random, { traces: 40, maxDepth: 12, methods: 6 });
    const model = readModel(bytes);
    const { profile } = readLog(bytes);
    const scoped = scopedOf(profile, randomScope(random, model, 'fqmn'), 'fqmn', random.below(2) === 0);
    const ids = new Set<number>();
    for (let node = 0; node < scoped.profile.nodes.length; node++) {
      const id = scoped.idOfNode(node);
      ids.add(id);
      expect(scoped.nodeOf(id), `SEED=${seed} scenario ${scenario}`).toBe(node);
    }
    expect(ids.size).toBe(scoped.profile.nodes.length);
  }
});

function expectScoped(bytes: Uint8Array, random: SeededRandom, where: string): void {
  const model = readModel(bytes);
  const { profile } = readLog(bytes);
  const grouping = random.pick(GROUPINGS);
  const scope = randomScope(random, model, grouping);
  expectSame(profile, model, scope, grouping, `${where} ${grouping} ${JSON.stringify(scope)}`);
  const selecting = { ...scope, transforms: scope.transforms.filter(isSelecting) };
  expectSelected(profile, model, selecting, grouping, `${where} ${grouping} ${JSON.stringify(selecting)}`);
}

/** A scope that changes no stack is a mask of the self values, too. */
function expectSelected(
  profile: LeanProfile,
  model: Model,
  scope: Scope,
  grouping: FrameGrouping,
  where: string,
): void {
  const names = threadNames(profile);
  const expected = scopedStacks(model, scope, grouping, (id) => names.get(id) ?? '?');
  const inScope = new ValuesInScope(profile, scope, grouping);
  inScope.update(profile.selfValues, extentOf(profile));
  expect(stacksOf(profile, grouping, inScope.values), where).toEqual(expected.stacks);
  expect(inScope.outside.samples, where).toBe(expected.outside);
}

function expectSame(
  profile: LeanProfile,
  model: Model,
  scope: Scope,
  grouping: FrameGrouping,
  where: string,
): void {
  const names = threadNames(profile);
  const expected = scopedStacks(model, scope, grouping, (id) => names.get(id) ?? '?');
  for (const isByRows of [false, true]) {
    const scoped = scopedOf(profile, scope, grouping, isByRows);
    expect(stacksOf(scoped.profile, grouping), where).toEqual(expected.stacks);
    expect(scoped.outside.samples, where).toBe(expected.outside);
    const inside = sumSelfValues(scoped.profile.selfValues);
    expect(inside.samples + scoped.outside.samples, where).toBe(model.samples.length);
  }
}

function scopedOf(
  profile: LeanProfile,
  scope: Scope,
  grouping: FrameGrouping,
  isByRows: boolean,
): ScopedProfile {
  const scoped = newScoped(profile, scope, grouping, isByRows);
  expect(scoped.update()).toBe('grown');
  return scoped;
}

function newScoped(
  profile: LeanProfile,
  scope: Scope,
  grouping: FrameGrouping,
  isByRows: boolean,
): ScopedProfile {
  const frames = isByRows ? commonKeys(grouping, scope.transforms, grouping) : undefined;
  const source: ScopeSource =
    frames === undefined
      ? new NodeSource(profile)
      : new TreeSource(profile, new CallTree(profile, { threads: 'id', frames }));
  return new ScopedProfile(source, scope, grouping);
}

function stacksOf(
  profile: LeanProfile,
  grouping: FrameGrouping,
  selfValues: SelfValues = profile.selfValues,
): ReadonlyMap<string, string> {
  const { nodes } = profile;
  const sums = new Map<string, [number, bigint]>();
  const keyOf = Array.from({ length: profile.frames.length }, (_, frame) =>
    frameKey(profile, frame, grouping),
  );
  for (let self = 0; self < selfValues.length; self++) {
    const keys: string[] = [];
    let node = selfValues.node[self];
    for (; !nodes.isRoot(node); node = nodes.parent[node]) keys.push(keyOf[nodes.frame[node]]);
    const path = stackText(threadKey(profile, ~nodes.frame[node], 'name'), keys.reverse());
    const sum = sums.get(path) ?? [0, 0n];
    sums.set(path, [sum[0] + selfValues.count[self], sum[1] + selfValues.time.exact(self)]);
  }
  return new Map(
    Array.from(sums, ([path, [samples, ns]]): [string, string] => [path, `${samples} ${ns}`]).filter(
      ([, text]) => !text.startsWith('0 '),
    ),
  );
}
