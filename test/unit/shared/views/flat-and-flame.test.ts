import { expect, test } from 'vitest';
import { flatProfileOf } from '../../../../shared/export/flat.ts';
import { callTreeOf } from '../../../../shared/export/tree.ts';
import { type FlameOptions, layoutFlame } from '../../../../shared/views/flame-layout.ts';
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
  zoom: undefined,
  minShare: 0,
  maxFrames: 100,
  matching: undefined,
  kept: undefined,
};

const WIDE = `
  main      main      main      main      main      main
  Cart.add  Cart.add  Cart.add  Cart.pay  Cart.see  Cart.die
  Map.put   Map.put   Map.get   Net.send
`;

test('siblings stand from left to right by name, children below their parents', () => {
  const sums = callTreeOf(profileFromText(WIDE).profile, { threads: 'all', frames: 'fqmn' });
  expect(formatFlame(layoutFlame(sums, OPTIONS))).toEqual([
    '[All Threads                                   ]',
    '[Cart.add              ][Cart.d][Cart.p][Cart.s]',
    '[Map.ge][Map.put       ]        [Net.se]',
  ]);
});

test('what is too small is one block per parent, as wide as all of it', () => {
  const sums = callTreeOf(profileFromText(WIDE).profile, { threads: 'all', frames: 'fqmn' });
  const layout = layoutFlame(sums, { ...OPTIONS, minShare: 0.3 });
  expect(formatFlame(layout)).toEqual([
    '[All Threads                                   ]',
    '[Cart.add              ][4 smaller frames      ]',
    '[Map.put       ][1 smal]',
  ]);
  expect([layout.smaller, layout.smallerWeight]).toEqual([5, 4]);
});

test('zoom makes a frame the root', () => {
  const sums = callTreeOf(profileFromText(WIDE).profile, { threads: 'all', frames: 'fqmn' });
  const zoom = Array.from({ length: sums.tree.length }, (_, row) => row).find(
    (row) => sums.tree.label(row) === 'Cart.add',
  );
  expect(formatFlame(layoutFlame(sums, { ...OPTIONS, zoom }))).toEqual([
    '[Cart.add              ]',
    '[Map.ge][Map.put       ]',
  ]);
});

test('nothing has no rows', () => {
  const sums = callTreeOf(profileFromText('main').profile, { threads: 'all', frames: 'fqmn' });
  expect(layoutFlame(sums, OPTIONS)).toEqual({ rows: [], smaller: 0, smallerWeight: 0, deepest: 0 });
});
