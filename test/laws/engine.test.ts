import { profileInScope, withoutErrors } from '../support/profile-in-scope.ts';
import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { Engine } from '../../shared/engine/engine.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../shared/engine/query.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import {
  FRAME_GROUPINGS,
  THREAD_GROUPINGS,
  type TreeGrouping,
  withErrorsJoined,
} from '../../shared/engine/trees/grouping.ts';
import { sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { leanText } from '../support/mirrored-copy.ts';
import { readLog } from '../support/read-log.ts';
import { METRICS } from '../../shared/engine/values/metric.ts';
import { ALL_ROWS } from '../../shared/engine/views/flame-columns.ts';
import { formatFlat, formatTree } from '../support/format-tree.ts';
import { randomLog } from '../support/random-log.ts';
import { randomScope } from '../support/random-scope.ts';
import { readModel } from '../support/reference-model.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('engine');

const SCENARIOS = testSize(60, 3_000);
const BUDGETS = [0, 20_000, 1e9];

test(`${SCENARIOS} engines that were asked before answer as one that is asked for the first time`, () => {
  let compared = 0;
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(scenario);
    const logs = [0, 1].map(() => randomLog(random, { traces: 30, maxDepth: 12, methods: 6 }));
    const models = logs.map((log) => readModel(log));
    const growing = logs.map(() => {
      const aggregator = new ProfileAggregator({ samples: true });
      return { aggregator, decoder: new HonestLogDecoder(aggregator), at: 0 };
    });
    const asked = new Engine(random.pick(BUDGETS));
    const names = ['', 'other'];
    names.forEach((name, log) => asked.add(name, growing[log].aggregator.profile));
    const kept: ProfileQuery[] = [INITIAL_QUERY];
    for (let state = 0; state < 8; state++) {
      for (const [log, each] of growing.entries()) {
        if (random.below(3) === 0 && state > 0) continue;
        const end = state === 7 ? logs[log].length : each.at + random.below(logs[log].length - each.at + 1);
        each.decoder.append(logs[log].subarray(each.at, end));
        each.decoder.emitOpen(end === logs[log].length);
        each.at = end;
        asked.grew(names[log]);
      }
      // Now and then one that was asked before.
      const query = random.below(3) === 0 ? random.pick(kept) : randomQuery(random, models[0]);
      kept.push(query);
      const threads = random.pick(['name', 'id'] as const);
      asked.begin();
      const fresh = new Engine();
      names.forEach((name, log) => fresh.add(name, growing[log].aggregator.profile));
      const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: query.keys };
      const first = answers(fresh.view('', query, threads), grouping);
      const where = `SEED=${seed} scenario ${scenario} state ${state} ${JSON.stringify(query)}`;
      expect(answers(asked.view('', query, threads), grouping), where).toEqual(first);
      compared += first.calls.length;
    }
  }
  expect(compared).toBeGreaterThan(1_000);
});

test(`what ${SCENARIOS} files hold of a log is what the samples in scope add up to`, () => {
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(scenario);
    const log = randomLog(random, { traces: 30, maxDepth: 12, methods: 6 });
    const { profile } = readLog(log, undefined, { samples: true });
    const { comparison: _, narrowing, ...query } = randomQuery(random, readModel(log));
    const where = `SEED=${seed} scenario ${scenario} ${JSON.stringify(query)}`;
    const engine = new Engine();
    engine.add('', profile);
    const narrow = query.hidesErrors ? withoutErrors(profile) : undefined;
    const inScope = profileInScope(profile, query.scope, query.frames, narrow);
    const { alone } = engine.view('', query, 'name', true);
    expect(leanText(alone.profile), where).toBe(leanText(inScope.profile));
    expect(alone.outside, where).toEqual(inScope.outside);
    // Below a zoom, and beyond it.
    const below = engine.view('', { ...query, narrowing }, 'name', true);
    const [all, left] = [alone.values, below.alone.values].map(sumSelfValues);
    const { samples } = below.beyondZoom;
    expect(left.samples + samples, where).toBe(all.samples);
    expect(below.alone.outside.samples, where).toBe(alone.outside.samples + samples);
  }
});

/** What panes show of a view, as text. */
function answers(view: ProfileView, grouping: TreeGrouping): Record<string, readonly unknown[]> {
  const { keys } = view.query;
  const compared = view.comparedFlat(keys);
  const calls = view.rows('calls', grouping, undefined);
  const base = calls.compared?.base;
  return {
    calls: formatTree(calls),
    whole: formatTree(view.allRows('calls', grouping)),
    base: base === undefined ? [] : formatTree({ ...base, tree: calls.tree, isShown: () => true }),
    'bottom-up': formatTree(view.rows('bottom-up', grouping, undefined)),
    flat: formatFlat(view.flat(keys)),
    'flat of the base': compared === undefined ? [] : formatFlat(compared),
    sums: [view.outside, view.hidden, view.beyondZoom, view.sides],
    found: [view.found(keys)],
    threads: [view.samples.threads()],
    marks: Object.values(view.samples.marks(undefined)),
  };
}

function randomQuery(random: SeededRandom, model: ReturnType<typeof readModel>): ProfileQuery {
  const frames = random.pick(FRAME_GROUPINGS);
  const scope: Scope = random.below(3) === 0 ? INITIAL_QUERY.scope : randomScope(random, model, frames);
  const range = random.below(3) > 0 ? undefined : ({ kind: 'latest', ns: 1 + random.below(1e9) } as const);
  const by = random.pick(['share', 'amount', 'rate'] as const);
  const baseline = random.pick([
    { log: 'other' },
    { log: 'nobody' },
    { threads: ['main'] },
    { range: { kind: 'latest', ns: 1e6 } as const },
  ]);
  return {
    frames,
    keys: random.pick([frames, withErrorsJoined(frames)]),
    metric: random.pick(METRICS),
    search: random.pick(['', '', 'a', 'main']),
    hidesErrors: random.below(2) === 0,
    scope: { ...scope, range },
    comparison: random.below(2) === 0 ? undefined : { baseline, by, isSampled: true },
    narrowing:
      random.below(3) > 0
        ? undefined
        : {
            threads: random.pick(THREAD_GROUPINGS),
            zoom: { row: random.below(4) === 0 ? ALL_ROWS : random.below(40), run: undefined },
          },
    where: [],
    siblings: random.pick(['weight', 'name'] as const),
  };
}
