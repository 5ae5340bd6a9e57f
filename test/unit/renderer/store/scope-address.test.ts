import { describe, expect, test } from 'vitest';
import { withLinkedScopes } from '../../../../renderer/store/linked-scopes.ts';
import { fragmentOf, readFragment, type ScopeLink } from '../../../../renderer/store/scope-address.ts';
import { newLogView } from '../../../../renderer/store/window-state.ts';
import { EMPTY_SCOPE, MACHINE_NAMES, type Scope, type Transform } from '../../../../shared/scope/scope.ts';
import { FRAME_GROUPINGS } from '../../../../shared/trees/grouping.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('scope-address');

const ALL: Scope = {
  threads: ['main', '/^(?!(?:gc)$)/'],
  transforms: [
    { kind: 'keep', key: 'Shop.<init>' },
    { kind: 'drop', key: 'java.lang.Object.wait' },
    { kind: 'focus', key: 'Shop$$Lambda/0x7f.run:12' },
    { kind: 'merge', key: 'a=b&c#d%e f' },
    { kind: 'only', prefixes: ['com.acme.', 'org.acme.'] },
    { kind: 'collapse', prefix: 'java.util.' },
    { kind: 'collapse-recursion', of: 'direct' },
    { kind: 'fold', names: ['lambda', 'proxy'] },
  ],
};

function link(...logs: readonly (readonly [string, Scope])[]): ScopeLink {
  return { frames: 'fqmn', logs: logs.map(([name, scope]) => ({ name, scope })) };
}

test('an address can be read by people', () => {
  expect(fragmentOf(link(['server.hpl', ALL])).split('&')).toEqual([
    '#log=server.hpl',
    'thread=main',
    'thread=/%5E(?!(?:gc)$)/',
    'keep=Shop.%3Cinit%3E',
    'drop=java.lang.Object.wait',
    'focus=Shop$$Lambda/0x7f.run:12',
    'merge=a%3Db%26c%23d%25e%20f',
    'only=com.acme.',
    'or=org.acme.',
    'collapse=java.util.',
    'collapse-recursion=direct',
    'fold=lambda,proxy',
  ]);
  expect(fragmentOf({ ...link(['a', { ...EMPTY_SCOPE, threads: ['main'] }]), frames: 'line' })).toBe(
    '#frames=line&log=a&thread=main',
  );
});

test('logs without a scope are left out, but not before one of the same name', () => {
  const main: Scope = { ...EMPTY_SCOPE, threads: ['main'] };
  expect(fragmentOf(link(['a', EMPTY_SCOPE], ['b', EMPTY_SCOPE]))).toBe('');
  expect(fragmentOf(link(['a', EMPTY_SCOPE], ['b', EMPTY_SCOPE], ['a', main], ['a', EMPTY_SCOPE]))).toBe(
    '#log=a&log=a&thread=main',
  );
});

describe('on random scopes and addresses', () => {
  const characters = ['aZ.$<>/:;', ',?@&=#%+', ' |()*[]', '\\', '^"\n', '日', '😀', '__proto__'];
  const text = (random: SeededRandom): string =>
    Array.from({ length: 1 + random.below(12) }, () => random.pick(characters)).join('');

  test('what is written is read again', () => {
    for (let scenario = 0; scenario < 500; scenario++) {
      const random = randomFor(scenario);
      const some = <Item>(make: () => Item, least = 0): Item[] =>
        Array.from({ length: least + random.below(4) }, make);
      const transform = (): Transform =>
        random.pick<() => Transform>([
          () => ({ kind: random.pick(['keep', 'drop', 'focus', 'merge'] as const), key: text(random) }),
          () => ({ kind: 'only', prefixes: some(() => text(random), 1) }),
          () => ({ kind: 'collapse', prefix: text(random) }),
          () => ({ kind: 'collapse-recursion', of: random.pick(['direct', 'all'] as const) }),
          () => ({ kind: 'fold', names: MACHINE_NAMES.slice(random.below(3)) }),
        ])();
      const written: ScopeLink = {
        frames: random.pick(FRAME_GROUPINGS),
        logs: some(
          () => ({
            name: text(random),
            scope: { threads: ['main', ...some(() => `t${text(random)}`)], transforms: some(transform) },
          }),
          1,
        ),
      };
      const fragment = fragmentOf(written);
      expect(fragment, `SEED=${seed} scenario ${scenario}`).toMatch(/^#[!$&-;=?@_~a-zA-Z0-9%]*$/);
      expect(readFragment(fragment), `SEED=${seed} scenario ${scenario}`).toEqual(written);
    }
  });

  test('no address throws', () => {
    const pieces = [
      'log=',
      'thread=',
      'drop=',
      'only=',
      'or=',
      'fold=',
      'frames=',
      '&',
      '=',
      '%',
      '%E0%A4',
      '/(/',
      '/(a+)+$/',
      'x',
      '#',
    ];
    for (let scenario = 0; scenario < 2_000; scenario++) {
      const random = randomFor(10_000 + scenario);
      const fragment = Array.from({ length: random.below(20) }, () =>
        random.pick([...pieces, ...characters]),
      ).join('');
      const { logs } = readFragment(fragment);
      for (const { scope } of logs) expect(scope.threads, fragment).not.toContain('/(a+)+$/');
    }
  });
});

test('what is invalid or unknown is left out', () => {
  const read = readFragment(
    '#drop=before&frames=shoes&log=a&thread=/(/&thread=/(a+)+$/&thread=&fold=shoes&fold=proxy,shoes&or=x' +
      '&collapse-recursion=no&__proto__=x&keep=%E0%A4%A&drop=ok&only',
  );
  expect(read).toEqual(
    link([
      'a',
      {
        threads: [],
        transforms: [
          { kind: 'fold', names: ['proxy'] },
          { kind: 'drop', key: 'ok' },
        ],
      },
    ]),
  );
  expect(readFragment(`#log=a&drop=${'x'.repeat(100_000)}`).logs).toEqual([]);
});

test('scopes wait for logs of their names, the first for the first; a log that is open keeps its own', () => {
  const view = (key: string, name: string): ReturnType<typeof newLogView> =>
    newLogView(key, undefined, name, '');
  const scopes = ['one', 'two', 'three'].map((thread): Scope => ({ ...EMPTY_SCOPE, threads: [thread] }));
  const waiting = [
    { name: 'a', scope: scopes[0] },
    { name: 'b', scope: scopes[1] },
    { name: 'a', scope: scopes[2] },
  ];
  const first = withLinkedScopes([view('1', 'a'), view('2', 'c')], { waiting, seen: new Set(['2']) });
  expect(first.logs.map(({ scope }) => scope.threads.join())).toEqual(['one', '']);
  expect(first.links.waiting.map(({ name }) => name)).toEqual(['b', 'a']);
  expect(first.logs[0].scopesBack).toEqual([EMPTY_SCOPE]);
  const second = withLinkedScopes([...first.logs, view('3', 'a')], first.links);
  expect(second.logs.map(({ scope }) => scope.threads.join())).toEqual(['one', '', 'three']);
  expect(withLinkedScopes(second.logs, second.links).logs).toBe(second.logs);
});
