import { describe, expect, test } from 'vitest';
import {
  decideLink,
  linkedScope,
  typedExpressions,
  withLink,
} from '../../../../renderer/store/links/linked-scopes.ts';
import { fragmentOf, readFragment, type ScopeLink } from '../../../../renderer/store/links/scope-address.ts';
import { sessionOf, settled } from '../../../../renderer/store/links/session.ts';
import { INITIAL_STATE, type LogView, newLogView } from '../../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../../renderer/store/state/window-store.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';
import { EMPTY_SCOPE, MACHINE_NAMES, type Scope, type Transform } from '../../../../shared/scope/scope.ts';
import { FRAME_GROUPINGS, THREAD_GROUPINGS } from '../../../../shared/engine/trees/grouping.ts';
import {
  type Condition,
  conditionProblem,
  NUMBER_COMPARISONS,
  QUANTITIES,
} from '../../../../shared/engine/views/row-conditions.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { withLinkedScopes } from '../../../support/linked-scopes.ts';
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
    { kind: 'collapse-class', className: 'com.acme.Order' },
    { kind: 'collapse-recursion', of: 'direct' },
    { kind: 'fold', names: ['lambda', 'proxy'] },
  ],
};

const RANGES: readonly Pick<Scope, 'range'>[] = [
  {},
  { range: { kind: 'between', from: '1795174022011079152', to: undefined } },
  { range: { kind: 'between', from: '-5', to: '1795174022011079153' } },
  { range: { kind: 'latest', ns: 30e9 } },
];

test('a time range is in the address as the command line takes it', () => {
  const fragments = RANGES.map((range) => fragmentOf(link(['a', { ...EMPTY_SCOPE, ...range }])));
  expect(fragments).toEqual([
    '',
    '#log=a&from=1795174022011079152ns',
    '#log=a&from=-5ns&to=1795174022011079153ns',
    '#log=a&latest=30000000000ns',
  ]);
  expect(readFragment('#log=a&from=noon&to=5&latest=-1ns').logs[0].scope).toEqual(EMPTY_SCOPE);
});

test('requests are in the address as the command line takes them', () => {
  const contexts = {
    where: ['operation=a b'],
    took: { from: 1.25e8, to: 2e9 },
    began: { to: 5e9 },
    slower: 99,
  };
  const [first] = link(['a', { ...EMPTY_SCOPE, contexts }]).logs;
  const made = { ...first, baseline: { contexts: { where: [], took: {} } } };
  const fragment = fragmentOf({ frames: 'fqmn', threads: undefined, logs: [made] });
  expect(fragment).toBe('#log=a&context=operation%3Da%20b&took=125ms..2s&began=..5s&slower=99&took-base=..');
  expect(readFragment(fragment).logs[0]).toEqual(made);
  expect(readFragment('#log=a&took=2s..1s&began=noon').logs[0].scope).toEqual(EMPTY_SCOPE);
});

test('what is compared with is in the address, and read from it', () => {
  const [first] = link(['a', EMPTY_SCOPE]).logs;
  const baselines = [
    { range: { kind: 'between', from: undefined, to: '7' } },
    { range: { kind: 'latest', ns: 5 }, threads: ['main', '/x/'] },
    { threads: ['main'] },
  ] as const;
  const fragments = baselines.map((baseline) =>
    fragmentOf({ frames: 'fqmn', threads: undefined, logs: [{ ...first, baseline }] }),
  );
  expect(fragments).toEqual([
    '#log=a&to-base=7ns',
    '#log=a&latest-base=5ns&thread-base=main&thread-base=/x/',
    '#log=a&thread-base=main',
  ]);
  expect(fragments.map((fragment) => readFragment(fragment).logs[0].baseline)).toEqual(baselines);
  // Their names in older links.
  const older = fragments.map((fragment) => fragment.replaceAll(/(to|latest|thread)-base/g, 'base-$1'));
  expect(older[0]).toBe('#log=a&base-to=7ns');
  expect(older.map((fragment) => readFragment(fragment).logs[0].baseline)).toEqual(baselines);
  expect(readFragment('#log=a&base-from=noon&base-thread=/(/').logs[0].baseline).toBeUndefined();
});

test('the part of the time on screen and the threads of the chart are in the address, and read from it', () => {
  const [first] = link(['a', EMPTY_SCOPE]).logs;
  const views = [
    { chartThreads: ['main', '/x/'], timeZoom: { from: 120, to: 340 } },
    { chartThreads: [] },
    { timeZoom: { from: 0, to: 5_000_000_000 } },
    { search: '/a|b&c/' },
  ] as const;
  const fragments = views.map((view) =>
    fragmentOf({ frames: 'fqmn', threads: undefined, logs: [{ ...first, ...view }] }),
  );
  expect(fragments).toEqual([
    '#log=a&chart-thread=main&chart-thread=/x/&time-zoom=120,340',
    '#log=a&chart-threads=all',
    '#log=a&time-zoom=0,5000000000',
    '#log=a&search=/a%7Cb%26c/',
  ]);
  const readBack = fragments.map((fragment) => readFragment(fragment).logs[0]);
  expect(readBack).toMatchObject(views);
  const wrong =
    '#log=a&time-zoom=9,3&time-zoom=1,x&search=/(/&chart-thread=/(/&chart-threads=no&chart-zoom=1,2';
  expect(readFragment(wrong).logs).toEqual([first]);
  const restored = withLink(newLogView('host:1', undefined, 'a', '/'), readBack[0]);
  expect([restored.panes.chart.only, restored.timelineZoom]).toEqual([
    views[0].chartThreads,
    views[0].timeZoom,
  ]);
  const onScreen = (flame: 'calls' | 'chart'): string => {
    const logs = [linkedScope(restored, { flame }, [restored])];
    return fragmentOf({ frames: 'fqmn', threads: undefined, logs });
  };
  expect([onScreen('chart'), onScreen('calls')]).toEqual([fragments[0], '#log=a&time-zoom=120,340']);
});

function link(...logs: readonly (readonly [string, Scope])[]): ScopeLink {
  return {
    frames: 'fqmn',
    threads: undefined,
    logs: logs.map(([name, scope]) => ({ name, scope, where: [], split: [], zoom: undefined })),
  };
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
    'collapse-class=com.acme.Order',
    'collapse-recursion=direct',
    'fold=lambda,proxy',
  ]);
  expect(fragmentOf({ ...link(['a', { ...EMPTY_SCOPE, threads: ['main'] }]), frames: 'line' })).toBe(
    '#frames=line&log=a&thread=main',
  );
  const [log] = link(['a', EMPTY_SCOPE]).logs;
  const shown: ScopeLink = {
    frames: 'fqmn',
    threads: 'pool',
    logs: [
      {
        ...log,
        split: [
          { key: 'Shop.main', by: 'line' },
          { key: 'Shop.add', by: 'bci' },
        ],
        where: [
          [
            { of: 'key', comparison: 'contains', text: 'Shop x' },
            { of: 'selfCount', comparison: '>=', value: 5 },
            { of: 'difference.totalTimeShare', comparison: '<', value: -1.5 },
          ],
          [{ of: 'totalShare', comparison: '<', value: 2.5 }],
        ],
        zoom: { row: 7, run: { first: 8, last: 12 } },
      },
    ],
  };
  expect(fragmentOf(shown).split('&')).toEqual([
    '#threads=pool',
    'log=a',
    'lines=Shop.main',
    'bcis=Shop.add',
    'rows=key%20contains%20Shop%20x',
    'and=selfCount%20%3E%3D%205',
    'and=difference.totalTimeShare%20%3C%20-1.5',
    'rows=totalShare%20%3C%202.5',
    'zoom=7,8,12',
  ]);
  expect(readFragment(fragmentOf(shown))).toEqual(shown);
});

test.each([
  ['90:17', { row: { end: 90, caller: 17 }, run: undefined }],
  [
    '90:17,90:5,95:5',
    { row: { end: 90, caller: 17 }, run: { first: { end: 90, caller: 5 }, last: { end: 95, caller: 5 } } },
  ],
  ['-1,90:90,95:95', { row: -1, run: { first: { end: 90, caller: 90 }, last: { end: 95, caller: 95 } } }],
] as const)('a zoom of the bottom-up graph: zoom=%s', (text, zoom) => {
  const [log] = link(['a', EMPTY_SCOPE]).logs;
  const shown = { ...link(), threads: 'all', logs: [{ ...log, zoom }] } as const;
  expect(fragmentOf(shown)).toBe(`#threads=all&log=a&zoom=${text}`);
  expect(readFragment(fragmentOf(shown))).toEqual(shown);
});

test('samples without a stack that are left out are in the address, and read from it', () => {
  const [log] = link(['a', EMPTY_SCOPE]).logs;
  const shown = { ...link(), logs: [{ ...log, hidesErrors: true }] };
  expect(fragmentOf(shown)).toBe('#log=a&hide-errors=yes');
  expect(readFragment('#log=a&hide-errors=yes')).toEqual(shown);
  expect(readFragment('#log=a&hide-errors=no').logs).toEqual([log]);
  const opened = withLinkedScopes([newLogView('1', undefined, 'a', '')], {
    waiting: shown.logs,
    seen: new Set(),
  });
  expect(opened.logs[0].hidesErrors).toBe(true);
});

test('a transform says what its keys are made of where that is not how frames are grouped', () => {
  const transforms: readonly Transform[] = [
    { kind: 'drop', key: 'Shop.wait:12', keys: 'line' },
    { kind: 'fold', names: ['proxy'] },
    { kind: 'merge', key: 'Shop.run', keys: 'fqmn' },
    { kind: 'only', prefixes: ['com.', 'org.'], keys: 'fqmn' },
    { kind: 'keep', key: 'Shop.add:12', keys: 'line' },
  ];
  const shown = { ...link(['a', { ...EMPTY_SCOPE, transforms }]), frames: 'line' } as const;
  const fragment = fragmentOf(shown);
  expect(fragment.split('&')).toEqual([
    '#frames=line',
    'log=a',
    'drop=Shop.wait:12',
    'fold=proxy',
    'keys=fqmn',
    'merge=Shop.run',
    'only=com.',
    'or=org.',
    'keys=line',
    'keep=Shop.add:12',
  ]);
  expect(readFragment(fragment)).toEqual(shown);
  // As addresses were: all keys are those of the frames.
  expect(readFragment('#log=a&drop=Shop.wait:12&frames=line').logs[0].scope.transforms).toEqual([
    { kind: 'drop', key: 'Shop.wait:12', keys: 'line' },
  ]);
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
          () => ({
            kind: random.pick(['keep', 'drop', 'focus', 'merge'] as const),
            key: text(random),
            keys: random.pick(FRAME_GROUPINGS),
          }),
          () => ({
            kind: 'only',
            prefixes: some(() => text(random), 1),
            keys: random.pick(FRAME_GROUPINGS),
          }),
          () => ({ kind: 'collapse-class', className: text(random) }),
          () => ({ kind: 'collapse', prefix: text(random), keys: random.pick(FRAME_GROUPINGS) }),
          () => ({
            kind: 'collapse-recursion',
            of: random.pick(['direct', 'all'] as const),
            keys: random.pick(FRAME_GROUPINGS),
          }),
          () => ({ kind: 'fold', names: MACHINE_NAMES.slice(random.below(3)) }),
        ])();
      const condition = (): Condition =>
        random.pick<() => Condition>([
          () => ({ of: 'key', comparison: random.pick(['contains', 'equals'] as const), text: text(random) }),
          () => ({ of: random.pick(QUANTITIES), comparison: random.pick(NUMBER_COMPARISONS), value: 3 / 7 }),
        ])();
      const written: ScopeLink = {
        frames: random.pick(FRAME_GROUPINGS),
        threads: random.pick(THREAD_GROUPINGS),
        logs: some(
          () => ({
            name: text(random),
            scope: {
              ...random.pick(RANGES),
              threads: ['main', ...some(() => `t${text(random)}`)],
              transforms: some(transform),
            },
            where: some(() => some(() => condition(), 1)),
            split: some(() => text(random))
              .filter((key, at, all) => all.indexOf(key) === at)
              .map((key) => ({ key, by: random.pick(['line', 'bci'] as const) })),
            zoom: { row: random.below(5) - 1, run: random.pick([undefined, { first: 2, last: 7 }]) },
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
      'threads=',
      'lines=',
      'rows=key matches ',
      'and=selfCount < ',
      'zoom=',
      '&',
      '=',
      '%',
      '%E0%A4',
      '/(/',
      'x',
      '#',
    ];
    for (let scenario = 0; scenario < 2_000; scenario++) {
      const random = randomFor(10_000 + scenario);
      const fragment = Array.from({ length: random.below(20) }, () =>
        random.pick([...pieces, ...characters]),
      ).join('');
      const { logs } = readFragment(fragment);
      for (const { where } of logs)
        for (const condition of where.flat()) expect(conditionProblem(condition), fragment).toBeUndefined();
    }
  });
});

test('an address has at most fifty expressions, and any number of names', () => {
  const fields = Array.from({ length: 60 }, (_, at) => [
    `thread=worker-${at}`,
    `thread=/pool-${at}/`,
    `rows=key matches A${at}`,
    `rows=key contains B${at}`,
  ]).flat();
  const [log] = readFragment(`#log=a&${fields.join('&')}`).logs;
  const { threads } = log.scope;
  expect([threads.filter((name) => name.startsWith('w')).length, threads.length]).toEqual([60, 85]);
  expect(log.where.length).toBe(85);
});

test('an address has at most a hundred transforms, of all logs together', () => {
  const fields = Array.from({ length: 80 }, (_, at) => `drop=Shop.a${at}`).join('&');
  const { logs } = readFragment(`#log=a&${fields}&log=b&${fields}`);
  expect(logs.map(({ scope }) => scope.transforms.length)).toEqual([80, 20]);
});

test('an address has at most eight logs that merge others', () => {
  const merges = Array.from({ length: 20 }, (_, at) => `log=m${at}&merged=groups&part=a&part=b`);
  const { logs } = readFragment(`#log=a&${merges.join('&')}`);
  expect([logs.length, logs.filter(({ merge }) => merge !== undefined).length]).toEqual([21, 8]);
});

test('what is invalid or unknown is left out', () => {
  const read = readFragment(
    '#drop=before&frames=shoes&log=a&thread=/(/&thread=&fold=shoes&fold=proxy,shoes&fold=proxy&or=x' +
      '&collapse-recursion=no&__proto__=x&keep=%E0%A4%A&drop=ok&only' +
      '&zoom=1,2&zoom=-2&zoom=1e3&zoom=1:&zoom=1:2:3&zoom=-1:4&zoom=1:2,3,4&zoom=1,2:3,4:5&rows=key shoes x&rows=selfCount > &rows=totalShare = 101&rows=key matches (&rows=base.selfShare = 101&rows=old.selfCount = 1&threads=all',
  );
  expect(read).toEqual(
    link([
      'a',
      {
        threads: [],
        transforms: [
          { kind: 'fold', names: ['proxy'] },
          { kind: 'drop', key: 'ok', keys: 'fqmn' },
        ],
      },
    ]),
  );
  expect(readFragment(`#log=a&drop=${'x'.repeat(100_000)}`).logs).toEqual([]);
});

test('what is merged is in the address, and merged again when its logs are open', () => {
  const merge = { threads: 'together', parts: ['node1/app.hpl', 'batch.hpl'] } as const;
  const [scope] = link(['cluster', { ...EMPTY_SCOPE, threads: ['main'] }]).logs;
  const fragment = fragmentOf({ frames: 'fqmn', threads: undefined, logs: [{ ...scope, merge }] });
  expect(fragment).toBe('#log=cluster&merged=together&part=node1/app.hpl&part=batch.hpl&thread=main');
  const [read] = readFragment(fragment).logs;
  expect(read.merge).toEqual(merge);
  for (const invalid of ['merged=together&part=a', 'merged=apart&part=a&part=b', 'part=a&part=b'])
    expect(readFragment(`#log=x&${invalid}`).logs[0].merge).toBeUndefined();

  const view = (id: number, folder: string, name: string): LogView =>
    newLogView(`host:${id}`, id as LogId, name, folder);
  const logs = [view(1, '/srv/node2', 'app.hpl'), view(2, '/srv/node1', 'app.hpl')];
  let session = sessionOf([read]);
  const mergedNow = (open: readonly LogView[]): unknown => {
    const next = settled(session, { ...INITIAL_STATE, logs: open });
    return next.logs.slice(open.length).map((log) => [log.name, log.merge]);
  };
  expect(mergedNow(logs)).toEqual([]);
  const all = [...logs, view(3, 'C:\\logs', 'batch.hpl')];
  const made = { parts: ['host:2', 'host:3'], names: ['app.hpl', 'batch.hpl'], threads: 'together' };
  expect([mergedNow(all), mergedNow(all)]).toEqual([[['cluster', made]], []]);
  // Logs with long names are named after their parts.
  session = sessionOf([{ ...read, name: 'a'.repeat(201) }]);
  expect(mergedNow(all)).toEqual([['app.hpl + batch.hpl', made]]);
});

test('what a link merges is found under another name, and its logs are not merged again', () => {
  const open = (id: number, name: string, names?: readonly string[]): LogView => ({
    ...newLogView(`host:${id}`, id as LogId, name, '/srv/node1'),
    ...(names === undefined ? {} : { merge: { parts: ['host:1', 'host:2'], names, threads: 'together' } }),
  });
  const parts = ['node1/a.hpl', 'b.hpl'];
  const [scope] = link([' clu\u0001ster ', { ...EMPTY_SCOPE, threads: ['main'] }]).logs;
  const waiting = [{ ...scope, merge: { threads: 'together', parts } }] as const;
  const singles = [open(1, 'a.hpl'), open(2, 'b.hpl')];
  const before = withLinkedScopes(singles, { waiting, seen: new Set() });
  expect(before.links.waiting).toEqual(waiting);
  const joined = settled(sessionOf(waiting), { ...INITIAL_STATE, logs: singles });
  expect(joined.logs.map(({ name }) => name)).toEqual(['a.hpl', 'b.hpl', 'clu\\x01ster']);

  const others = [
    open(3, 'x', ['a.hpl', 'c.hpl']),
    open(4, 'y', ['b.hpl', 'a.hpl']),
    open(5, 'z', ['a.hpl']),
  ];
  const merged = open(6, 'clu\\x01ster', ['a.hpl', 'b.hpl']);
  const after = withLinkedScopes([...before.logs, ...others, merged], before.links);
  expect(after.links.waiting).toEqual([]);
  expect(after.logs.map((log) => log.scope.threads.join())).toEqual(['', '', '', '', '', 'main']);
  // A log that has the name gets the scope, also behind one that merges the same.
  const named = open(7, scope.name, ['a.hpl', 'b.hpl']);
  const both = withLinkedScopes([...singles, merged, named], { waiting, seen: new Set() });
  expect(both.logs.map((log) => log.scope.threads.join())).toEqual(['', '', '', 'main']);
  const merge = { ...merged.merge!, threads: 'groups' } as const;
  const apart = withLinkedScopes([...singles, { ...merged, merge }], { waiting, seen: new Set() });
  expect(apart.links.waiting).toEqual(waiting);
});

test('scopes wait for logs of their names, the first for the first; a log that is open keeps its own', () => {
  const view = (key: string, name: string): ReturnType<typeof newLogView> =>
    newLogView(key, undefined, name, '');
  const scopes = ['one', 'two', 'three'].map((thread): Scope => ({ ...EMPTY_SCOPE, threads: [thread] }));
  const waiting = link(['a', scopes[0]], ['b', scopes[1]], ['a', scopes[2]]).logs;
  const first = withLinkedScopes([view('1', 'a'), view('2', 'c')], { waiting, seen: new Set(['2']) });
  expect(first.logs.map(({ scope }) => scope.threads.join())).toEqual(['one', '']);
  expect(first.links.waiting.map(({ name }) => name)).toEqual(['b', 'a']);
  expect(first.logs[0].scopesBack).toEqual([
    { scope: EMPTY_SCOPE, where: [], split: [], hidesErrors: true, keepsZoom: false },
  ]);
  const second = withLinkedScopes([...first.logs, view('3', 'a')], first.links);
  expect(second.logs.map(({ scope }) => scope.threads.join())).toEqual(['one', '', 'three']);
  expect(withLinkedScopes(second.logs, second.links).logs).toBe(second.logs);
});

test('expressions of a link wait for consent, and those of the window itself do not', () => {
  const fragment =
    '#log=a&thread=/(a%2B)%2B$/&thread=main&base-thread=/b/&base-latest=5ns&drop=Shop.wait' +
    '&rows=key matches x.*&rows=selfCount > 5&chart-thread=/c/&search=/(d+)+$/' +
    '&context=operation=checkout&context=customer=/(e%2B)%2B$/&context-base=customer=/f/';
  const waiting = readFragment(fragment).logs;
  const logs = [newLogView('1', undefined, 'a', '')];
  const [held] = withLinkedScopes(logs, { waiting, seen: new Set() }).logs;
  expect(held.unapplied).toEqual(waiting[0]);
  expect(typedExpressions(waiting[0])).toEqual([
    '/(d+)+$/',
    '/(a+)+$/',
    '/b/',
    '/c/',
    'customer=/(e+)+$/',
    'customer=/f/',
    '/x.*/',
  ]);
  expect([held.searchText, held.scope.threads, held.where, held.baseline, held.panes.chart.only]).toEqual([
    '',
    [],
    [],
    { range: { kind: 'latest', ns: 5 } },
    undefined,
  ]);
  expect([held.scope.transforms.length, held.scope.contexts]).toEqual([1, undefined]);
  // The address keeps them for a reload, at which they are asked for again.
  expect(linkedScope(held, { flame: 'chart' }, [held])).toEqual(waiting[0]);

  useWindow.setState({ ...INITIAL_STATE, logs: [held], active: '1' });
  decideLink(true);
  const [applied] = useWindow.getState().logs;
  const [own] = withLinkedScopes(logs, { isOwn: true, waiting, seen: new Set() }).logs;
  expect({ ...applied, scopesBack: [] }).toEqual({ ...own, scopesBack: [] });
  expect([own.scope.threads, own.searchText]).toEqual([['/(a+)+$/', 'main'], '/(d+)+$/']);
  // A text is none, and is looked for at once.
  const plain = readFragment('#log=a&search=Cart.add').logs;
  const [found] = withLinkedScopes(logs, { waiting: plain, seen: new Set() }).logs;
  expect([found.searchText, found.unapplied]).toEqual(['Cart.add', undefined]);

  useWindow.setState({ ...INITIAL_STATE, logs: [held], active: '1' });
  decideLink(false);
  expect(useWindow.getState().logs[0]).toEqual({ ...held, unapplied: undefined });

  const contexts = ['operation=checkout', 'customer=/^$/', `path=${String.raw`/^\/a\.b$/`}`, 'tag=/.*/'];
  const requests = contexts.map((each) => `&context=${encodeURIComponent(each)}`).join('');
  const made = readFragment(`#log=a&thread=/%5E(?!(?:gc)$)/&rows=key contains x${requests}`).logs;
  const [shown] = withLinkedScopes(logs, { waiting: made, seen: new Set() }).logs;
  expect([shown.unapplied, shown.scope.contexts?.where]).toEqual([undefined, contexts]);
});
