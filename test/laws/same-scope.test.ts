import { expect, test } from 'vitest';
import { scopeOfArgument } from '../../electron/cli/mcp/session.ts';
import { COMMANDS } from '../../electron/cli/options/commands.ts';
import { readArguments } from '../../electron/cli/options/options.ts';
import { scopeOf } from '../../electron/cli/options/scope-options.ts';
import { fragmentOf, readFragment } from '../../renderer/store/links/scope-address.ts';
import type { SaidScope } from '../../shared/scope/scope-fields.ts';
import {
  type Baseline,
  EMPTY_SCOPE,
  type NsSpan,
  type Scope,
  type Transform,
} from '../../shared/scope/scope.ts';
import { exactly, wholePool } from '../../shared/scope/thread-pattern.ts';
import { rangeMeant } from '../../shared/scope/time-range.ts';
import { kindOf } from '../../shared/scope/transforms.ts';
import { KINDS, randomTransform } from '../support/random-scope.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('same scope');
const SCOPES = testSize(500, 20_000);

const KEYS = ['com.acme.Shop.run', 'a=b&c#d%e f', '日本', '-x', '--keep=y', '*', "'", ' '];
const THREADS = ['main', 'http-worker-1', 'http-worker-*', '/[*]/', '日本 & co', '-1', '/', '//'];
const CONTEXTS = ['operation=checkout', 'trace=/a|b=c/', 'k==', 'Trace.id= '];

test(`${SCOPES} scopes are the same from a link, from options of the command line, and from texts of an assistant`, () => {
  for (let scenario = 0; scenario < SCOPES; scenario++) {
    const random = randomFor(scenario);
    const scope = { ...EMPTY_SCOPE, ...randomParts(random), transforms: randomTransforms(random) };
    const baseline = random.below(2) === 0 ? undefined : randomBaseline(random);
    const log = { name: 'a', scope, baseline, where: [], split: [], zoom: undefined };
    const fragment = fragmentOf({ frames: 'fqmn', threads: undefined, logs: [log] });
    const where = `SEED=${seed} scenario ${scenario} ${fragment}`;
    const [read] = fragment === '' ? [log] : readFragment(fragment).logs;
    expect([read.scope, read.baseline], where).toEqual([scope, baseline]);

    // All prefixes of --only are those of one transform.
    const texts = [...new URLSearchParams(fragment.slice(1).replaceAll('+', '%2B'))]
      .filter(([name]) => name !== 'log')
      .map(([name, value]) => `${name === 'or' ? 'only' : name}=${value}`);
    const argv = texts.map((text) => `--${text}`);
    const { inOrder } = readArguments(argv, COMMANDS.compare.options);
    expect([scopeMeant(scopeOf(inOrder)), partsMeant(scopeOf(inOrder, '-base'))], where).toEqual([
      scope,
      baseline ?? {},
    ]);
    const ofScope = texts.filter((text) => !text.split('=')[0].endsWith('-base'));
    expect(scopeMeant(scopeOfArgument(ofScope)), where).toEqual(scope);
  }
});

/** Keys of the command line are those of its frames. */
function scopeMeant({ transforms = [], ...said }: SaidScope): Scope {
  const keyed = transforms.map((each) =>
    ['leave-out', 'collapse-class', 'fold'].includes(each.kind) ? each : { ...each, keys: 'fqmn' },
  );
  return { ...EMPTY_SCOPE, ...partsMeant(said), transforms: keyed as readonly Transform[] };
}

function partsMeant({ range, ...parts }: SaidScope): Partial<Scope> {
  const meant = rangeMeant(range, undefined);
  return { ...parts, ...(meant && { range: meant }) };
}

function randomBaseline(random: SeededRandom): Baseline | undefined {
  const parts = randomParts(random);
  return Object.keys(parts).length === 0 ? undefined : parts;
}

function randomParts(random: SeededRandom): Partial<Scope> {
  const some = <Item>(items: readonly Item[]): readonly Item[] =>
    Array.from({ length: 1 + random.below(2) }, () => random.pick(items));
  const maybe = <Part extends object>(part: Part): Part | object => (random.below(2) === 0 ? part : {});
  const time = (): string => String(random.below(1000) - 500);
  const span = (): NsSpan => {
    const from = random.below(1000) * 10 ** random.below(12);
    return random.pick([{}, { from }, { to: from + 1 }, { from, to: from + 1 + random.below(1e9) }]);
  };
  return {
    ...maybe({
      range: random.pick([
        { kind: 'between', from: time(), to: undefined },
        { kind: 'between', from: undefined, to: time() },
        { kind: 'between', from: time(), to: '1795174022011079152' },
        { kind: 'latest', ns: 1 + random.below(1e9) },
      ] as const),
    }),
    ...maybe({
      contexts: random.pick([
        { where: some(CONTEXTS) },
        { where: random.pick([[], CONTEXTS]), slower: random.pick([99, 99.9, 50, 0.000001]) },
        { where: [], took: span() },
        { where: some(CONTEXTS), took: span(), began: span(), slower: 99 },
      ]),
    }),
    ...maybe({ threads: some(THREADS).map(random.pick([exactly, wholePool])) }),
  };
}

function randomTransforms(random: SeededRandom): readonly Transform[] {
  const made = Array.from({ length: random.below(4) }, () =>
    randomTransform(random.pick(KINDS), random, KEYS),
  );
  const first = made.find(({ kind }) => kind === 'only');
  // An empty value is no field.
  const isSaid = (transform: Transform): boolean =>
    kindOf(transform)
      .values(transform)
      .every((value) => value !== '');
  const kept = made.filter((each) => isSaid(each) && (each.kind !== 'only' || each === first));
  return scopeMeant({ transforms: kept }).transforms;
}
