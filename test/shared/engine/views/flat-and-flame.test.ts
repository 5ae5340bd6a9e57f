import { expect, test } from 'vitest';
import { flatProfileOf } from '../../../../shared/export/flat.ts';
import { callTreeOf } from '../../../../shared/export/tree.ts';
import type { RowSums } from '../../../../shared/engine/values/row-sums.ts';
import { ALL_ROWS, flameCounts, flameRows } from '../../../../shared/engine/views/flame-columns.ts';
import { type FlameOptions, layoutFlame } from '../../../../shared/engine/views/flame-layout.ts';
import { withErrorsJoined } from '../../../../shared/engine/trees/grouping.ts';
import { zoomedRoot } from '../../../../shared/engine/zoomed-root.ts';
import { formatFlame, formatFlat } from '../../../support/format-tree.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

const RECURSIVE = `
  main      main      main
  Fib.main  Fib.main  Fib.main
  Fib.fib   Fib.fib   Fib.fib
  Fib.fib   Fib.add   Fib.fib
  Fib.fib             Fib.add
`;

test('a method that calls itself counts once per sample', () => {
  const { profile } = profileFromText(RECURSIVE);
  expect(formatFlat(flatProfileOf(profile, { frames: 'fqmn', recursion: 'once' }))).toEqual([
    'Fib.add 2 (self 2)',
    'Fib.fib 3 (self 1)',
    'Fib.main 3 (self 0)',
  ]);
  expect(formatFlat(flatProfileOf(profile, { frames: 'fqmn', recursion: 'per-level' }))).toEqual([
    'Fib.add 2 (self 2)',
    'Fib.fib 6 (self 1)',
    'Fib.main 3 (self 0)',
  ]);
});

const OPTIONS: FlameOptions = {
  metric: 'samples',
  siblings: 'name',
  zoom: undefined,
  pixels: 600,
  matching: undefined,
  kept: undefined,
};

const WIDE = `
  main      main      main      main      main      main
  Cart.add  Cart.add  Cart.add  Cart.pay  Cart.see  Cart.die
  Map.put   Map.put   Map.get   Net.send
`;

function rowNamed({ tree }: RowSums, label: string): number {
  return Array.from({ length: tree.length }, (_, row) => row).find((row) => tree.label(row) === label)!;
}

test('siblings stand from left to right by name, children below their parents', () => {
  const sums = callTreeOf(profileFromText(WIDE).profile, { threads: 'all', frames: 'fqmn' });
  expect(formatFlame(layoutFlame(sums, OPTIONS))).toEqual([
    '[All threads                                   ]',
    '[Cart.add              ][Cart.d][Cart.p][Cart.s]',
    '[Map.ge][Map.put       ]        [Net.se]',
  ]);
});

test('siblings stand by weight where places may change, those without a stack last', () => {
  const { profile } = profileFromText(`
    main               main              main             main     main     main     main
    AGCT.GcActiveErr2  AGCT.GcActiveErr2  AGCT.DeoptErr9  Shop.a   Shop.b   Shop.b   Shop.a
                                                          Map.get  Map.put  Map.put  Map.put
  `);
  const sums = callTreeOf(profile, { threads: 'all', frames: withErrorsJoined('fqmn') });
  const drawn = (siblings: FlameOptions['siblings']): readonly string[] =>
    flameRows(layoutFlame(sums, { ...OPTIONS, siblings })).map(
      ({ label, totalCount }) => `${label} ${totalCount}`,
    );
  const above = ['All threads 7', 'Shop.a 2', 'Shop.b 2', 'No stack 3'];
  expect(drawn('name')).toEqual([...above, 'Map.get 1', 'Map.put 1', 'Map.put 2']);
  profile.selfValues.add(profile.selfValues.length - 1, 4, 0);
  sums.update();
  expect(drawn('weight')).toEqual([
    'All threads 11',
    'Shop.a 6',
    'Shop.b 2',
    'No stack 3',
    'Map.put 5',
    'Map.get 1',
    'Map.put 2',
  ]);
  expect(drawn('name').slice(4)).toEqual(['Map.get 1', 'Map.put 5', 'Map.put 2']);
});

test('siblings narrower than a pixel are a block in their place, which says how high each column is', () => {
  const sums = callTreeOf(profileFromText(WIDE).profile, { threads: 'all', frames: 'fqmn' });
  const layout = layoutFlame(sums, { ...OPTIONS, pixels: 4 });
  expect(formatFlame(layout)).toEqual([
    '[All threads                                   ]',
    '[Cart.add              ][4 narrow frames       ]',
    '[1 narr][Map.put       ]',
  ]);
  expect(flameCounts(layout)).toEqual({ weight: 6, frames: 3, grouped: 5, groupedWeight: 4 });
  expect(layout.levels).toBe(3);
  const block = flameRows(layout).findIndex(({ label }) => label === '4 narrow frames');
  // Cart.die lies in column 2, Cart.pay with its callee in 2 and 3, Cart.see in 3.
  expect([...layout.columnTop.subarray(layout.columnStart[block], layout.columnStart[block + 1])]).toEqual([
    3, 3,
  ]);
});

test('a block between two frames keeps its place', () => {
  const stacks = `${'main  '.repeat(9)}\n${'S.a   '.repeat(4)}S.b   ${'S.c   '.repeat(4)}`;
  const sums = callTreeOf(profileFromText(stacks).profile, { threads: 'all', frames: 'fqmn' });
  expect(formatFlame(layoutFlame(sums, { ...OPTIONS, pixels: 4 }))[1]).toBe(
    '[S.a                           ][1 narr][S.c                           ]',
  );
});

test('zoom makes a frame the root', () => {
  const sums = callTreeOf(profileFromText(WIDE).profile, { threads: 'all', frames: 'fqmn' });
  const zoom = { row: rowNamed(sums, 'Cart.add'), run: undefined };
  expect(formatFlame(layoutFlame(sums, { ...OPTIONS, zoom }))).toEqual([
    '[Cart.add              ]',
    '[Map.ge][Map.put       ]',
  ]);
});

test('zoom into a block shows its frames, also in the root', () => {
  const sums = callTreeOf(profileFromText(WIDE).profile, { threads: 'all', frames: 'fqmn' });
  const run = ['Cart.die', 'Cart.pay', 'Cart.see'].map((name) => rowNamed(sums, name));
  const layout = layoutFlame(sums, { ...OPTIONS, zoom: { row: 0, run } });
  expect(formatFlame(layout)).toEqual([
    '[4 narrow frames       ]',
    '[Cart.d][Cart.p][Cart.s]',
    '        [Net.se]',
  ]);
  const threads = profileFromText('a    b    c    d\nS.m  S.m  S.m  S.m').profile;
  const byThread = callTreeOf(threads, { threads: 'name', frames: 'fqmn' });
  const ofRoots = ['b', 'c'].map((name) => rowNamed(byThread, name));
  expect(formatFlame(layoutFlame(byThread, { ...OPTIONS, zoom: { row: ALL_ROWS, run: ofRoots } }))).toEqual([
    '[4 narrow frame]',
    '[b     ][c     ]',
    '[S.m   ][S.m   ]',
  ]);
});

test('a block whose frames are all still narrow when it is zoomed falls into blocks that can be zoomed', () => {
  const names = Array.from({ length: 4096 }, (_, at) => `S.m${1000 + at}`);
  const stacks = `${names.map(() => 'main').join('  ')}\n${names.join('  ')}`;
  const sums = callTreeOf(profileFromText(stacks).profile, { threads: 'all', frames: 'fqmn' });
  let zoom: FlameOptions['zoom'];
  for (let step = 0; step < 4; step++) {
    const layout = layoutFlame(sums, { ...OPTIONS, pixels: 10, zoom });
    const block = flameRows(layout).findIndex(({ kind, parent }) => kind === 'block' && parent === 0);
    if (block < 0) break;
    const run = { first: layout.id[block], last: layout.lastId[block] };
    zoom = zoomedRoot(sums, { row: 0, run }, [], 'name');
  }
  const kinds = new Set(
    flameRows(layoutFlame(sums, { ...OPTIONS, pixels: 10, zoom }))
      .slice(1)
      .map(({ kind }) => kind),
  );
  expect([...kinds]).toEqual(['frame']);
});

test('a block says whether something in it matches, and in which columns', () => {
  const sums = callTreeOf(profileFromText(WIDE).profile, { threads: 'all', frames: 'fqmn' });
  const matching = Uint8Array.from(sums.tree.keys.labels, (label) => Number(label === 'Net.send'));
  const layout = layoutFlame(sums, { ...OPTIONS, pixels: 5, matching });
  const rows = flameRows(layout);
  expect(rows.filter(({ match }) => match).map(({ label }) => label)).toEqual(['4 narrow frames']);
  const block = rows.findIndex(({ match }) => match);
  // Cart.pay is the fifth sixth of the root: part of columns 3 and 4 of 5.
  expect([...layout.columnMatch.subarray(layout.columnStart[block], layout.columnStart[block + 1])]).toEqual([
    0, 1, 1,
  ]);
});

test('nothing has no rows', () => {
  const sums = callTreeOf(profileFromText('main').profile, { threads: 'all', frames: 'fqmn' });
  const layout = layoutFlame(sums, OPTIONS);
  expect([layout.length, layout.levels]).toEqual([0, 0]);
});
