import { expect, test } from 'vitest';
import { frameLocation } from '../../../../renderer/profile-worker/panes/copied-text.ts';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../../../shared/profile/profile-units.ts';
import { Driven, FLAT, rowsOf, TREE, view, wholeLog } from '../../../support/driven-mirror.ts';
import { FollowedLog } from '../../../support/followed-log.ts';
import { frame, log as bytesOf, thread, trace } from '../../../support/log-bytes.ts';
import { stackCells } from '../../../support/stack-cells.ts';

/** One sample is outside the scope. */
const ALL = { of: 'all', samples: 5, time: 20 } as const;

test('a frame is where Java prints it: file where it is known, line where the grouping has one', () => {
  const aggregator = new ProfileAggregator();
  const main = aggregator.thread(0, 1);
  const define = (id: number, className: string, methodName: string, file: string): void =>
    aggregator.defineMethod(aggregator.method(0, id), { file, className, methodName });
  define(1, 'shop.Cart', 'add', 'Cart.java');
  define(2, 'shop.Gen', 'run', 'UnknownFile');
  define(3, '', 'memcpy', '');
  for (const id of [1, 2, 3, 4]) aggregator.sample(main, stackCells([0, id, 42, 7]), 1, 5);
  const { profile } = aggregator;
  expect([0, 1, 2, 3].map((each) => frameLocation(profile, each, true))).toEqual([
    'shop.Cart.add(Cart.java:42)',
    'shop.Gen.run',
    'memcpy',
    undefined,
  ]);
  expect(frameLocation(profile, 0, false)).toBe('shop.Cart.add(Cart.java)');
  // The root of a thread.
  expect(frameLocation(profile, -1, true)).toBeUndefined();
});

test('a subtree is copied as columns, indented, in the order in which it is shown', () => {
  const log = new FollowedLog();
  const sample = (...methods: readonly number[]): ReturnType<typeof trace> =>
    trace(1, 5, ...methods.map((method) => frame(method, 0, 1)));
  log.append(bytesOf(thread(1, 'main'), sample(11), sample(12, 11), sample(13, 11), sample(13, 11)), true);
  const driven = new Driven(TREE);
  driven.ask({ type: 'delta', message: log.delta(Infinity) });
  const [root] = driven.rows();
  const copy = {
    type: 'copy',
    pane: 'tree',
    row: root.id,
    what: 'subtree',
    units: SAMPLES_ONLY,
    whole: ALL,
  } as const;
  driven.ask(copy);
  expect(driven.last('copied')).toEqual({
    type: 'copied',
    note: undefined,
    text: [
      'Total % of all  Self % of all  Total samples  Self samples  Method',
      '       80.00 %         0.00 %              4             0  main',
      '       80.00 %        20.00 %              4             1    <UNIDENTIFIED : Method Id = 11>',
      '       40.00 %        40.00 %              2             2      <UNIDENTIFIED : Method Id = 13>',
      '       20.00 %        20.00 %              1             1      <UNIDENTIFIED : Method Id = 12>',
    ].join('\n'),
  });
  driven.ask({ ...copy, units: SAMPLES_AND_TIME });
  expect(driven.last('copied').text).toMatch(/Total time {2}Self time {2}Method\n/);
});

test('of a large subtree the heaviest rows are copied, each below its caller, and that is said', () => {
  const driven = wholeLog(TREE, FLAT, view('', 'line'));
  const [root] = driven.rows();
  driven.ask({ type: 'copy', pane: 'tree', row: root.id, what: 'subtree', units: SAMPLES_ONLY, whole: ALL });
  const { text, note } = driven.last('copied');
  const lines = text.split('\n');
  expect(note).toBe('Only the 2,000 heaviest rows were copied.');
  expect(lines.at(-1)).toBe(note);
  // A header, the rows, the note.
  expect(lines.length).toBe(2_002);
  const column = lines[0].indexOf('Method');
  const depths = lines.slice(1, -1).map((line) => line.slice(column).search(/\S/) / 2);
  depths.forEach((depth, at) => expect(depth).toBeLessThanOrEqual((depths[at - 1] ?? -1) + 1));

  driven.ask(rowsOf('flat', 0, 100_000));
  const method = driven
    .shown('flat')
    .rows.find(({ label }) => label.startsWith('java.util.regex.IntHashSet.contains'))!;
  driven.ask({
    type: 'copy',
    pane: 'flat',
    row: method.id,
    what: 'location',
    units: SAMPLES_ONLY,
    whole: ALL,
  });
  expect(driven.last('copied').text).toMatch(
    /^java\.util\.regex\.IntHashSet\.contains\(IntHashSet\.java:\d+\)$/,
  );
});
