import { expect, test } from 'vitest';
import type { ThreadColumns } from '../../../../shared/engine/values/self-threads.ts';
import { type ThreadListView, threadOrder, threadRows } from '../../../../shared/engine/views/thread-list.ts';

const ORDER = { by: 'weight', metric: 'samples' } as const;
const GROUPED: ThreadListView = { groupsPools: true, open: new Set(), matches: undefined };

/** `main 20; worker-1 5`: name and samples; the time is ten times as much. */
function columns(text: string): ThreadColumns {
  const rows = text.split('; ').map((row) => /^(.*) (\d+)$/.exec(row)!);
  const samples = Float64Array.from(rows, ([, , count]) => Number(count));
  return {
    names: rows.map(([, name]) => name),
    threads: new Int32Array(rows.length).fill(1),
    samples,
    time: samples.map((count) => 100 - count),
  };
}

const FEW = columns('worker-2 5; main 20; worker-10 30; gc-1 7');

function texts(
  of: ThreadColumns,
  view: Partial<ThreadListView> = {},
  order = threadOrder(of, ORDER),
): readonly string[] {
  return threadRows(of, { ...GROUPED, ...view }, order).map(
    ({ label, samples, threads, isPool, isOpen, depth }) =>
      `${'  '.repeat(depth)}${isPool ? (isOpen ? '- ' : '+ ') : ''}${label} ${samples}${threads > 1 ? ` of ${threads}` : ''}`,
  );
}

test('threads of one pool are one row, which opens; one thread alone is no pool', () => {
  expect(texts(FEW)).toEqual(['+ worker-* 35 of 2', 'main 20', 'gc-1 7']);
  expect(texts(FEW, { open: new Set(['pool worker-*']) })).toEqual([
    '- worker-* 35 of 2',
    '  worker-10 30',
    '  worker-2 5',
    'main 20',
    'gc-1 7',
  ]);
  expect(texts(FEW, { groupsPools: false })).toEqual(['worker-10 30', 'main 20', 'gc-1 7', 'worker-2 5']);
});

test('the order: by samples, by time, by name with numbers as numbers', () => {
  const order = (by: 'weight' | 'name', metric: 'samples' | 'time'): string =>
    texts(FEW, { groupsPools: false }, threadOrder(FEW, { by, metric })).join('; ');
  expect(order('weight', 'time')).toBe('worker-2 5; gc-1 7; main 20; worker-10 30');
  expect(order('name', 'samples')).toBe('gc-1 7; main 20; worker-2 5; worker-10 30');
});

test('a search leaves threads that match, and opens their pools', () => {
  expect(texts(FEW, { matches: (name) => name.includes('r-1') })).toEqual(['worker-10 30']);
  expect(texts(FEW, { matches: (name) => name.includes('r') })).toEqual([
    '- worker-* 35 of 2',
    '  worker-10 30',
    '  worker-2 5',
  ]);
  expect(texts(FEW, { matches: () => false })).toEqual([]);
});

test('while the log grows rows keep their places, and new ones follow', () => {
  const order = threadOrder(FEW, ORDER);
  expect(threadOrder(FEW, ORDER, order)).toBe(order);
  const grown = columns('worker-2 5; main 90; worker-10 30; gc-1 7; a 1; b 50');
  const after = threadOrder(grown, ORDER, order);
  expect(texts(grown, {}, after)).toEqual(['+ worker-* 35 of 2', 'main 90', 'gc-1 7', 'b 50', 'a 1']);
});

test('a row has its place among its siblings, whichever rows are in the page', () => {
  const places = (view: Partial<ThreadListView>): readonly string[] =>
    threadRows(FEW, { ...GROUPED, ...view }, threadOrder(FEW, ORDER)).map(
      ({ label, position, siblings }) => `${label} ${position} of ${siblings}`,
    );
  expect(places({ open: new Set(['pool worker-*']) })).toEqual([
    'worker-* 1 of 3',
    'worker-10 1 of 2',
    'worker-2 2 of 2',
    'main 2 of 3',
    'gc-1 3 of 3',
  ]);
  // Of those that a search leaves.
  expect(places({ groupsPools: false, matches: (name) => name.includes('1') })).toEqual([
    'worker-10 1 of 2',
    'gc-1 2 of 2',
  ]);
});
