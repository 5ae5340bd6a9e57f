import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { comparisonOf } from '../support/comparison-of.ts';
import { methodChanges } from '../../shared/engine/comparison/method-changes.ts';
import { exportComparedFlat, exportComparedTree } from '../../shared/export/compare-text.ts';
import { writeFlat } from '../../shared/export/flat.ts';
import { collectText, type TextSink } from '../../shared/export/text-sink.ts';
import { writeTree } from '../../shared/export/tree.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { THREAD_DUMP } from '../../shared/formats/thread-dump/format.ts';
import { checkProfile } from '../support/check-profile.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { SelfTable } from '../../shared/profile/self-table.ts';
import { EMPTY_SCOPE } from '../../shared/scope/scope.ts';
import { NodeSource, type ScopeSource, TreeSource } from '../../shared/scope/scope-source.ts';
import { askedProfile } from '../support/asked-profile.ts';
import { ProfileUnion } from '../../shared/engine/comparison/profile-union.ts';
import { CallTree } from '../../shared/engine/trees/call-tree.ts';
import { Chains } from '../../shared/engine/trees/chains.ts';
import { FRAME_GROUPINGS, THREAD_GROUPINGS } from '../../shared/engine/trees/grouping.ts';
import { ChainSums } from '../../shared/engine/values/value-columns.ts';
import { type SelfValues, sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { FlatProfile } from '../../shared/engine/views/flat-profile.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import { decodeInput } from '../support/read-input.ts';
import { randomLog } from '../support/random-log.ts';
import { randomScope } from '../support/random-scope.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import { readModel } from '../support/reference-model.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('compare');
const ZEROS = '0\t0\t0\t0';

/** Lines of canonical text as a map from the path of keys to the last `numbers` cells. */
function byPath(text: string, hasDepth: boolean, numbers: number): Map<string, string> {
  const rows = new Map<string, string>();
  const path: string[] = [];
  // Random names may contain tabs; numbers may be negative.
  const line = new RegExp(`^(.*)\\t((?:-?\\d+\\t){${numbers - 1}}-?\\d+)$`, 's');
  for (const each of text.split('\n').slice(0, -1)) {
    const [, head, values] = line.exec(each)!;
    const tab = head.indexOf('\t');
    const depth = hasDepth ? Number(head.slice(0, tab)) : 0;
    path.splice(depth, path.length, hasDepth ? head.slice(tab + 1) : head);
    rows.set(JSON.stringify(path), values);
  }
  return rows;
}

/** Two texts side by side, joined by plain maps. */
function joined(base: Map<string, string>, next: Map<string, string>): Map<string, string> {
  const paths = new Set([...base.keys(), ...next.keys()]);
  return new Map(
    Array.from(paths, (path) => [path, `${base.get(path) ?? ZEROS}\t${next.get(path) ?? ZEROS}`]),
  );
}

/** A union of two sides, the base first. */
function unionOf(sources: readonly ScopeSource[]): ProfileUnion {
  const union = new ProfileUnion({ threads: 'together', keepsIds: true });
  for (const [at, source] of sources.entries()) union.add(`${at}`, source);
  return union;
}

const PAIRS = testSize(150, 5_000);

test(`on ${PAIRS} random pairs and scopes the two sides are what each profile has alone`, () => {
  for (let scenario = 0; scenario < PAIRS; scenario++) {
    const random = randomFor(scenario);
    const grouping = {
      frames: random.pick(FRAME_GROUPINGS),
      threads: random.pick(THREAD_GROUPINGS),
    };
    const log = (): Uint8Array =>
      randomLog(random, { traces: 40, maxDepth: 12, methods: random.pick([3, 8]) });
    const [first, second] = [log(), log()];
    const model = readModel(first);
    const { frames } = grouping;
    const scope = frames === 'method-id' ? undefined : randomScope(random, model, frames);
    const profiles = [first, second].map((bytes) => readLog(bytes).profile);
    const [base, next] = profiles.map((profile) => askedProfile(profile, scope ?? EMPTY_SCOPE, frames));
    const comparison = comparisonOf(profiles[0], profiles[1], grouping, scope);
    const where = `SEED=${seed} scenario ${scenario} ${JSON.stringify({ grouping, scope })}`;
    expect(comparison.whole.base.samples, where).toBe(sumSelfValues(base.values).samples);
    expect(comparison.whole.next.samples, where).toBe(sumSelfValues(next.values).samples);
    expect(comparison.outside, where).toMatchObject({
      base: { samples: base.outside.samples },
      next: { samples: next.outside.samples },
    });
    if (frames !== 'method-id' && grouping.threads !== 'id') {
      // A scope leaves threads without samples out.
      const isAllowed = /(a node, no root|one root per thread)$/;
      const problems = checkProfile(comparison.profile, true).filter((each) => !isAllowed.test(each));
      expect(problems, where).toEqual([]);
    }

    const recursion = random.pick(['once', 'per-level'] as const);
    const flatOf = ({ profile }: { profile: LeanProfile }): Map<string, string> =>
      byPath(
        collectText((sink) => writeFlat({ profile, frames, recursion, filter: KEEP_ALL }, sink)),
        false,
        4,
      );
    const OPTIONS = { filter: KEEP_ALL, shareOf: undefined };
    const flat = collectText((sink) => exportComparedFlat(comparison.methods(recursion), OPTIONS, sink));
    expect(byPath(flat, false, 8), where).toEqual(joined(flatOf(base), flatOf(next)));
    const treeOf = ({ profile }: { profile: LeanProfile }): Map<string, string> =>
      byPath(
        collectText((sink) => writeTree({ profile, ...grouping, filter: KEEP_ALL }, sink)),
        true,
        4,
      );
    const tree = collectText((sink) => exportComparedTree(comparison.calls(), OPTIONS, sink));
    const withSamples = (rows: Map<string, string>): Map<string, string> =>
      // A thread without samples is shown where nothing is left out of that profile.
      new Map([...rows].filter(([, numbers]) => /[^0\t]/.test(numbers)));
    expect(withSamples(byPath(tree, true, 8)), where).toEqual(
      withSamples(joined(treeOf(base), treeOf(next))),
    );
  }
});

test('a comparison of profiles that grow equals one of profiles that are read at once', () => {
  let grown = 0;
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(1_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const grouping = { frames: random.pick(FRAME_GROUPINGS), threads: random.pick(THREAD_GROUPINGS) };
    const isByRows = random.below(2) === 0;
    const logs = [0, 1].map(() => randomLog(random, { traces: 40, maxDepth: 12, methods: 6 }));
    const sides = logs.map((bytes) => {
      const aggregator = new ProfileAggregator();
      return { bytes, at: 0, decoder: new HonestLogDecoder(aggregator), profile: aggregator.profile };
    });
    const sourceOf = (profile: LeanProfile): ScopeSource =>
      isByRows
        ? new TreeSource(profile, new CallTree(profile, { ...grouping, threads: 'id' }))
        : new NodeSource(profile);
    const newJoined = (): ProfileUnion => unionOf(sides.map(({ profile }) => sourceOf(profile)));
    let comparison = newJoined();
    while (sides.some(({ at, bytes }) => at < bytes.length)) {
      const side = random.pick(sides.filter(({ at, bytes }) => at < bytes.length));
      const end = Math.min(side.bytes.length, side.at + 1 + random.below(side.bytes.length / 3));
      side.decoder.append(side.bytes.subarray(side.at, end));
      side.decoder.emitOpen(end === side.bytes.length);
      side.at = end;
      if (comparison.update() === 'grown') grown++;
      else {
        comparison = newJoined();
        expect(comparison.update(), where).toBe('grown');
      }
    }
    const atOnce = newJoined();
    atOnce.update();
    const flatOf = (profile: LeanProfile, values: SelfValues): string =>
      collectText((sink: TextSink) => writeTree({ profile, ...grouping, filter: KEEP_ALL, values }, sink));
    for (const at of [0, 1])
      expect(flatOf(comparison.profile, comparison.valuesOf(at)), where).toBe(
        flatOf(atOnce.profile, atOnce.valuesOf(at)),
      );
    expect(flatOf(comparison.profile, comparison.profile.selfValues), where).toBe(
      flatOf(atOnce.profile, atOnce.profile.selfValues),
    );
  }
  expect(grown).toBeGreaterThan(100);
});

test('time that belongs to a stack where no sample ended is compared, too', () => {
  const dump = (second: number, leaf: string): string =>
    `2026-11-23 03:00:0${second}\nFull thread dump OpenJDK (21):\n\n"main" #1 prio=5 tid=0x01 nid=21 runnable\n` +
    `   java.lang.Thread.State: RUNNABLE\n\tat a.T.${leaf}(T.java:1)\n\tat a.T.run(T.java:1)\n\n`;
  const input = new TextEncoder().encode(dump(0, 'parse') + dump(2, 'write'));
  const { profile } = decodeInput(THREAD_DUMP, input);
  const union = unionOf([new NodeSource(profile), new NodeSource(profile)]);
  union.update();
  for (const part of [0, 1])
    expect(sumSelfValues(union.valuesOf(part))).toEqual({ samples: 2, time: 2_000_000_000 });
});

test('noise: of a thousand pairs of random halves of one log at most 5 % of the methods are called different', () => {
  const { profile } = readLog(goldenLog('server-small'));
  const { profile: more } = readLog(goldenLog('control-b'));
  for (const source of [profile, more]) {
    const random = randomFor(2_000);
    const grouping = { frames: 'fqmn', threads: 'all' } as const;
    const rows = (): ScopeSource => new TreeSource(source, new CallTree(source, grouping));
    const comparison = unionOf([rows(), rows()]);
    const isComplete = source.selfValues.isComplete;
    expect(comparison.update()).toBe('grown');
    const chains = new Chains(comparison.profile);
    chains.update();
    /** Of each pair, the share of the methods that are called different. */
    const shares: number[] = [];
    let methods = 0;
    for (let pair = 0; pair < 500; pair++) {
      const halves = [new SelfTable(isComplete), new SelfTable(isComplete)] as const;
      divide(source, random, halves);
      comparison.update([{ values: halves[0] }, { values: halves[1] }]);
      const flatOf = (values: SelfValues): FlatProfile => {
        const sums = new ChainSums(chains);
        sums.update(values);
        const flat = new FlatProfile(comparison.profile, 'fqmn', 'once');
        flat.update(values, () => sums);
        return flat;
      };
      const values = {
        base: comparison.valuesOf(0),
        next: comparison.valuesOf(1),
      };
      const changes = methodChanges(
        { base: flatOf(values.base), next: flatOf(values.next) },
        {
          base: sumSelfValues(values.base),
          next: sumSelfValues(values.next),
        },
        { metric: 'samples', isSampled: true },
      );
      // A method without samples of its own cannot differ in them, and would only dilute the share.
      const counted = changes.filter(({ base, next }) => base.samples + next.samples >= 5);
      methods += counted.length;
      shares.push(counted.filter(({ certainty }) => certainty === 'real').length / counted.length);
    }
    expect(methods).toBeGreaterThan(500);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    // It is some 2.8 % and 2.6 %, with standard errors of 0.2 and 0.4 points: no seed comes near.
    expect(mean, `SEED=${seed}`).toBeLessThanOrEqual(0.05);
  }
});

/** Puts each sample into one of two tables by chance. */
function divide(
  { selfValues }: LeanProfile,
  random: SeededRandom,
  halves: readonly [SelfTable, SelfTable],
): void {
  for (let row = 0; row < selfValues.length; row++)
    for (let sample = 0; sample < selfValues.count[row]; sample++) {
      const half = halves[random.below(2)];
      half.add(half.rowOf(selfValues.node[row]), 1, 0);
    }
}
