import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { type CollapsedInput, exportCollapsed } from '../../../shared/export/collapsed.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { stackCells, type FrameCells } from '../../support/stack-cells.ts';

const SHOP = `
  main       main       worker     worker    gc
  Shop.main  Shop.main  Shop.main  Pool.run  AGCT.GcActiveErr2
  Cart.add   Cart.add   Cart.add
             Map.put
`;

function collapsed(
  { profile }: ProfileAggregator,
  options: Partial<CollapsedInput> = {},
): { readonly lines: string[]; readonly leftOut: number; readonly withoutFrames: boolean } {
  let text = '';
  const { notPositive, withoutFrames } = exportCollapsed(
    { profile, threads: 'all', frames: 'fqmn', metric: 'samples', filter: KEEP_ALL, ...options },
    (piece) => (text += piece),
  );
  return { lines: text.split('\n').slice(0, -1), leftOut: notPositive, withoutFrames };
}

test('equal stacks are one line, whatever their thread', () => {
  expect(collapsed(profileFromText(SHOP)).lines).toEqual([
    'AGCT.GcActiveErr2 1',
    'Pool.run 1',
    'Shop.main;Cart.add 2',
    'Shop.main;Cart.add;Map.put 1',
  ]);
});

test('with threads, these are the first frames', () => {
  const grouping = { threads: 'name', frames: 'fqmn' } as const;
  expect(collapsed(profileFromText(SHOP), { ...grouping }).lines).toEqual([
    '[gc tid=19629];AGCT.GcActiveErr2 1',
    '[main tid=19043658];Shop.main;Cart.add 1',
    '[main tid=19043658];Shop.main;Cart.add;Map.put 1',
    '[worker tid=1420575439];Pool.run 1',
    '[worker tid=1420575439];Shop.main;Cart.add 1',
  ]);
});

test('threads without a positive id get numbers that no other thread has', () => {
  const aggregator = new ProfileAggregator();
  aggregator.defineMethod(aggregator.method(0, 1), { file: '', className: 'A', methodName: 'run' });
  const add = (idHi: number, idLo: number, name: string): void => {
    const thread = aggregator.thread(idHi, idLo);
    aggregator.nameThread(thread, name);
    aggregator.sample(thread, stackCells([0, 1, 1, 1]), 1, 1);
  };
  add(0, 0, 'main');
  add(0, 1, 'worker');
  add(-1, -1, 'first');
  add(-1, -2, 'second');
  add(0, 3, 'second');
  add(-1, -3, 'a;b');
  add(-1, -4, '');
  expect(collapsed(aggregator, { threads: 'name', frames: 'fqmn' }).lines).toEqual([
    'Unknown Thread(s);A.run 1',
    '[a:b tid=5];A.run 1',
    '[first tid=4];A.run 1',
    '[main tid=2];A.run 1',
    '[second tid=3];A.run 2',
    '[worker tid=1];A.run 1',
  ]);
  expect(collapsed(aggregator, { threads: 'id', frames: 'fqmn' }).lines).toContain('[second tid=5];A.run 1');
});

test('filters keep whole stacks', () => {
  const grouping = { threads: 'name', frames: 'fqmn' } as const;
  const kept = (hideErrors: boolean, ...contains: string[]): string[] =>
    collapsed(profileFromText(SHOP), { ...grouping, filter: { hideErrors, contains } }).lines;
  expect(kept(true)).not.toContain('[gc tid=19629];AGCT.GcActiveErr2 1');
  expect(kept(true)).toHaveLength(4);
  expect(kept(false, 'Shop.main')).toEqual([
    '[main tid=19043658];Shop.main;Cart.add 1',
    '[main tid=19043658];Shop.main;Cart.add;Map.put 1',
    '[worker tid=1420575439];Shop.main;Cart.add 1',
  ]);
  expect(kept(false, 'Map', 'put')).toEqual(['[main tid=19043658];Shop.main;Cart.add;Map.put 1']);
  expect(kept(false, 'Shop', 'Map')).toEqual([]);
  expect(kept(false, 'worker')).toHaveLength(2);
});

test('names that hold separators: replaced, merged where they then are equal, and still sorted', () => {
  const aggregator = new ProfileAggregator();
  const names: string[] = [];
  const add = (...stack: string[]): void => {
    const frames = stack.map((name): FrameCells => {
      if (!names.includes(name)) names.push(name);
      const id = names.indexOf(name);
      aggregator.defineMethod(aggregator.method(0, id), { file: '', className: 'A', methodName: name });
      return [0, id, 1, 1];
    });
    aggregator.sample(aggregator.thread(0, 1), stackCells(...frames.reverse()), frames.length, 1);
  };
  add('x;y', 'leaf');
  add('x:y', 'leaf');
  add('x:y', 'other');
  add('x\r\ny');
  add('x');
  add('x$1');
  add('x', 'y z');
  expect(collapsed(aggregator).lines).toEqual([
    'A.x 1',
    'A.x$1 1',
    'A.x:y;A.leaf 2',
    'A.x:y;A.other 1',
    'A.x;A.y z 1',
    'A.x\\x0d\\x0ay 1',
  ]);
});

test('time is exact, and stacks without a positive one are left out and counted', () => {
  const aggregator = new ProfileAggregator();
  const add = (id: number, ns: number | bigint): void => {
    aggregator.defineMethod(aggregator.method(0, id), { file: '', className: 'A', methodName: `m${id}` });
    aggregator.sample(aggregator.thread(0, 1), stackCells([0, id, 1, 1]), 1, ns);
  };
  add(1, 2n ** 62n);
  add(1, 1);
  add(2, -7);
  add(3, 0);
  add(4, 5);
  expect(collapsed(aggregator, { metric: 'time' })).toMatchObject({
    lines: ['A.m1 4611686018427387905', 'A.m4 5'],
    leftOut: 2,
  });
});

test('a stack with time and no sample has a line by time, and none by samples', () => {
  const aggregator = new ProfileAggregator();
  for (const [id, methodName] of [
    [1, 'run'],
    [2, 'read'],
  ] as const)
    aggregator.defineMethod(aggregator.method(0, id), { file: '', className: 'A', methodName });
  const root = aggregator.root(aggregator.thread(0, 1));
  const run = aggregator.callee(root, 1, 0, 1, 1, 1);
  // The time between two snapshots belongs to what both have in common.
  aggregator.sampleAt(aggregator.callee(run, 2, 0, 2, 1, 1), 700, run);
  expect(collapsed(aggregator, { metric: 'time' })).toMatchObject({ lines: ['A.run 700'], leftOut: 1 });
  expect(collapsed(aggregator).lines).toEqual(['A.run;A.read 1']);
});

test('times below a row that cancel each other are lines', () => {
  const aggregator = new ProfileAggregator();
  for (const [id, methodName] of [
    [1, 'run'],
    [2, 'read'],
    [3, 'save'],
  ] as const)
    aggregator.defineMethod(aggregator.method(0, id), { file: '', className: 'A', methodName });
  const root = aggregator.root(aggregator.thread(0, 1));
  const run = aggregator.callee(root, 1, 0, 1, 1, 1);
  aggregator.samplesAt(aggregator.callee(run, 2, 0, 2, 1, 1), 0, 500);
  aggregator.samplesAt(aggregator.callee(run, 2, 0, 3, 1, 1), 0, -500);
  expect(collapsed(aggregator, { metric: 'time' })).toMatchObject({
    lines: ['A.run;A.read 500'],
    leftOut: 1,
  });
});

test('blanks that readers would drop are escaped', () => {
  const aggregator = new ProfileAggregator();
  const names = [' ', 'run ', ' run'];
  for (const [at, methodName] of names.entries())
    aggregator.defineMethod(aggregator.method(0, at + 1), { file: '', className: '', methodName });
  const stack = names.map((_, at): FrameCells => [0, at + 1, 1, 1]);
  aggregator.sample(aggregator.thread(0, 1), stackCells(...stack), stack.length, 1);
  aggregator.sample(aggregator.thread(0, 1), stackCells(stack[1]), 1, 1);
  expect(collapsed(aggregator).lines).toEqual([' run;run\\x20;  1', 'run\\x20 1']);
});
