import type { MethodLines } from '../../shared/engine/query.ts';
import { expect, test } from 'vitest';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { ShownProfile } from '../support/shown-profile.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { EMPTY_SCOPE, MACHINE_NAMES, type Scope } from '../../shared/scope/scope.ts';
import type { Values } from '../../shared/engine/columns/column.ts';
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
    const view = new ShownProfile(readLog(bytes).profile).at({ scope });
    const folded = foldedKeysOf(model, 'fqmn', MACHINE_NAMES).values();
    for (const key of new Set([...keysOf(model, 'fqmn'), ...folded]))
      counted += expectLines(view, model, scope, key, `SEED=${seed} scenario ${scenario}`);
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
    const shown = new ShownProfile(aggregator.profile);
    let view = shown.at({ scope });
    for (let at = 0; at < bytes.length; at += 400) {
      decoder.append(bytes.slice(at, at + 400));
      decoder.emitOpen(at + 400 >= bytes.length);
      view = shown.at({ scope });
      linesOf(view, key);
    }
    expectLines(view, model, scope, key, where);
  }
});

test('lines of methods of a recorded log', () => {
  const bytes = goldenLog('server-small');
  const model = readModel(bytes);
  const view = new ShownProfile(readLog(bytes).profile).at();
  let counted = 0;
  for (const key of keysOf(model, 'fqmn').slice(0, 4))
    counted += expectLines(view, model, EMPTY_SCOPE, key, key);
  expect(counted).toBeGreaterThan(1);
});

function linesOf(view: ProfileView, key: string): MethodLines | undefined {
  return view.lines({ of: 'bottom-up', id: 0, label: key });
}

/** Returns 1 if the method has samples in scope. */
function expectLines(view: ProfileView, model: Model, scope: Scope, key: string, where: string): number {
  const names = threadNames(view.source);
  const isMade = key.endsWith('*');
  // A method without a name and an error have no source; what a transform makes is no method.
  if (isMade || key.startsWith('<UNIDENTIFIED') || key.startsWith('AGCT.')) return 0;
  const expected = scopedLines(model, scope, key, (id) => names.get(id) ?? '');
  const actual = new Map<string, string>();
  for (const { file, whole, withoutLine, lines } of linesOf(view, key)?.files ?? []) {
    actual.set(`${file}:*`, valuesText(whole));
    if (withoutLine.totalCount > 0) actual.set(`${file}:0`, valuesText(withoutLine));
    for (const line of lines) actual.set(`${file}:${line.line}`, valuesText(line));
  }
  expect([...actual].sort(), `${where} ${key} ${JSON.stringify(scope)}`).toEqual([...expected].sort());
  return expected.size > 0 ? 1 : 0;
}

function valuesText({ selfCount, totalCount, selfTime, totalTime }: Values): string {
  return `${selfCount} ${totalCount} ${selfTime + 0} ${totalTime + 0}`;
}
