import { expect, test } from 'vitest';
import type { MethodLines } from '../../renderer/profile-worker/pane-messages.ts';
import { MirroredViews } from '../../renderer/profile-worker/mirrored-views.ts';
import { INITIAL_VIEW } from '../../renderer/profile-worker/shared-view.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { EMPTY_SCOPE, MACHINE_NAMES, type Scope } from '../../shared/scope/scope.ts';
import type { LineValues } from '../../shared/views/line-sums.ts';
import { randomLog } from '../support/random-log.ts';
import { keysOf, randomScope, threadNames } from '../support/random-scope.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import { type Model, readModel } from '../support/reference-model.ts';
import { scopedLines } from '../support/scoped-lines.ts';
import { foldedKeysOf } from '../support/scoped-stacks.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('method lines');

const PROFILES = testSize(150, 5_000);

test(`on ${PROFILES} random profiles and scopes, lines are those of a count over raw samples`, () => {
  let counted = 0;
  for (let scenario = 0; scenario < PROFILES; scenario++) {
    const random = randomFor(scenario);
    const bytes = randomLog(random, { traces: 60, maxDepth: 20, methods: 6 });
    const model = readModel(bytes);
    const scope = random.below(4) === 0 ? EMPTY_SCOPE : randomScope(random, model, 'fqmn');
    const views = viewsOf(readLog(bytes).profile, scope);
    const folded = foldedKeysOf(model, 'fqmn', MACHINE_NAMES).values();
    for (const key of new Set([...keysOf(model, 'fqmn'), ...folded]))
      counted += expectLines(views, model, scope, key, `SEED=${seed} scenario ${scenario}`);
  }
  // Most methods of random logs have a name.
  expect(counted).toBeGreaterThan(300);
});

test('lines of a profile that grows under a scope are those of one that is read at once', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(1_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const bytes = randomLog(random, { traces: 50, maxDepth: 10, methods: 5 });
    const model = readModel(bytes);
    const scope = randomScope(random, model, 'fqmn');
    const picked = random.pick([...keysOf(model, 'fqmn'), 'none']);
    // Asked for again, a method whose name was folded is found under its new name.
    const key = scope.transforms.some(({ kind }) => kind === 'fold')
      ? (foldedKeysOf(model, 'fqmn', MACHINE_NAMES).get(picked) ?? picked)
      : picked;
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    const views = viewsOf(aggregator.profile, scope);
    for (let at = 0; at < bytes.length; at += 400) {
      decoder.append(bytes.slice(at, at + 400));
      decoder.emitOpen(at + 400 >= bytes.length);
      views.advance();
      linesOf(views, key);
    }
    expectLines(views, model, scope, key, where);
  }
});

test('lines of methods of a recorded log', () => {
  const bytes = goldenLog('server-small');
  const model = readModel(bytes);
  const views = viewsOf(readLog(bytes).profile, EMPTY_SCOPE);
  let counted = 0;
  for (const key of keysOf(model, 'fqmn').slice(0, 4))
    counted += expectLines(views, model, EMPTY_SCOPE, key, key);
  expect(counted).toBeGreaterThan(1);
});

function viewsOf(profile: LeanProfile, scope: Scope): MirroredViews {
  const views = new MirroredViews(profile);
  views.look = { ...INITIAL_VIEW, scope };
  views.advance();
  return views;
}

function linesOf(views: MirroredViews, key: string): MethodLines | undefined {
  return views.lines({ of: 'bottom-up', id: 0, label: key });
}

/** Returns 1 if the method has samples in scope. */
function expectLines(views: MirroredViews, model: Model, scope: Scope, key: string, where: string): number {
  const names = threadNames(views.source);
  const isMade = key.endsWith('*');
  // A method without a name and an error have no source; what a transform makes is no method.
  if (isMade || key.startsWith('<UNIDENTIFIED') || key.startsWith('AGCT.')) return 0;
  const expected = scopedLines(model, scope, key, (id) => names.get(id) ?? '');
  const actual = new Map<string, string>();
  for (const { file, whole, withoutLine, lines } of linesOf(views, key)?.files ?? []) {
    actual.set(`${file}:*`, valuesText(whole));
    if (withoutLine.totalCount > 0) actual.set(`${file}:0`, valuesText(withoutLine));
    for (const line of lines) actual.set(`${file}:${line.line}`, valuesText(line));
  }
  expect([...actual].sort(), `${where} ${key} ${JSON.stringify(scope)}`).toEqual([...expected].sort());
  return expected.size > 0 ? 1 : 0;
}

function valuesText({ selfCount, totalCount, selfTime, totalTime }: LineValues): string {
  return `${selfCount} ${totalCount} ${selfTime + 0} ${totalTime + 0}`;
}
