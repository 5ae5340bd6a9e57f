import { describe, expect, test } from 'vitest';
import type { Move } from '../../../../renderer/profile-worker/pane-messages.ts';
import { FollowedLog } from '../../../support/followed-log.ts';
import { frame, log as bytesOf, thread, trace, traceStart } from '../../../support/log-bytes.ts';
import {
  Driven,
  expand,
  find,
  flame,
  LOG,
  move,
  rowTexts,
  FLAT,
  rowsOf,
  select,
  TREE,
  tree,
  view,
  wholeLog,
} from '../../../support/driven-mirror.ts';

describe('the tree', () => {
  test('opens with its threads open, heaviest first', () => {
    expect(rowTexts(wholeLog(TREE).rows(), 6)).toEqual([
      '- main 420',
      '    AGCT.UnknownJavaErr5 136',
      '  + java.util.regex.Pattern$BranchConn.match 113',
      '  + java.util.regex.Pattern$GroupHead.match 47',
      '  + ServerSim.main 28',
      '  + java.util.regex.Pattern$Branch.match 26',
    ]);
  });

  test('tells the place of each row among its siblings, whichever part of them is on screen', () => {
    const driven = wholeLog(TREE);
    for (const at of [2, 4]) driven.ask(expand(driven.rows()[at].id, 'expand'));
    driven.ask(rowsOf('tree', 0, 5_000));
    const whole = driven.rows();
    const open: { count: number }[] = [];
    const levels = whole.map(({ depth }) => {
      open.splice(depth + 1);
      const level = (open[depth] ??= { count: 0 });
      return { level, place: ++level.count };
    });
    const expected = levels.map(({ level, place }) => `${place} of ${level.count}`);
    const told = (rows: typeof whole): string[] => rows.map((row) => `${row.place} of ${row.siblings}`);
    expect(whole.filter(({ depth }) => depth === 2).length).toBeGreaterThan(1);
    expect(told(whole)).toEqual(expected);
    driven.ask(rowsOf('tree', 3, 4));
    expect(told(driven.rows())).toEqual(expected.slice(3, 7));
    // A list has no siblings.
    driven.ask(FLAT, rowsOf('flat', 0, 5));
    expect(driven.shown('flat').rows.map(({ place, siblings }) => place ?? siblings)).toEqual(
      Array(5).fill(undefined),
    );
  });

  test('tells the thread of each row where threads are apart', () => {
    const rows = wholeLog(TREE).rows();
    let thread = '';
    for (const row of rows) {
      if (row.kind === 'thread') thread = row.label;
      expect(row.thread).toBe(thread);
    }
    expect(new Set(rows.map((row) => row.thread)).size).toBeGreaterThan(1);
    const together = wholeLog(tree({ threads: 'all' })).rows();
    expect(new Set(together.map((row) => row.thread))).toEqual(new Set([undefined]));
  });

  test('and flame graph show the same state, also when one is opened after the log has grown and before it is shown', () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE);
    const third = Math.floor(LOG.length / 3);
    const grow = (to: number, isEnd: boolean): void => {
      log.append(LOG.subarray(0, to).subarray(-third), isEnd);
      driven.mirror.handle({ type: 'delta', message: log.delta() });
    };
    grow(third, false);
    driven.ask();
    for (const [to, isEnd] of [
      [2 * third, false],
      [3 * third, true],
    ] as const) {
      const { samples } = driven.last('summary').summary;
      grow(to, isEnd);
      driven.mirror.handle(flame());
      expect(driven.last('flame').layout.totalCount[0]).toBe(driven.last('summary').summary.samples);
      expect(driven.last('summary').summary.samples).toBe(samples);
      driven.mirror.handle({ type: 'pane', pane: 'flame', spec: undefined });
      driven.ask();
      expect(driven.last('summary').summary.samples).toBeGreaterThan(samples);
    }
    driven.ask(flame());
    expect(driven.last('flame').layout.totalCount[0]).toBe(driven.last('summary').summary.samples);
  });

  test('of all threads, asked for after the log has grown, is sorted at once, and grows with the next refresh', () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE, flame({ threads: 'name' }));
    const half = Math.floor(LOG.length / 2);
    log.append(LOG.subarray(0, half));
    driven.ask({ type: 'delta', message: log.delta() });
    log.append(LOG.subarray(half), true);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    driven.mirror.handle(tree({ threads: 'all', sort: { by: 'label', descending: false } }));
    expect(driven.rows()[0].totalCount).toBe(driven.last('summary').summary.samples);
    const labels = driven.rows().flatMap(({ depth, label }) => (depth === 1 ? [label] : []));
    expect(labels).toEqual([...labels].sort());
    expect(labels.length).toBeGreaterThan(1);
    const { samples } = wholeLog(TREE).last('summary').summary;
    expect(driven.rows()[0].totalCount).toBeLessThan(samples);
    driven.ask();
    expect(driven.rows()[0].totalCount).toBe(samples);
  });

  test('says so when not everything below a row is opened', () => {
    const log = new FollowedLog();
    // A caller with as many callees, each with one of its own, as make more rows than are opened.
    const [start, leaf, caller] = [traceStart(3, 1, 5), frame(1, 0, 1), frame(2, 0, 1)];
    const callee = frame(0, 0, 1);
    const calls = Array.from({ length: 100_001 }, (_, at) => {
      new DataView(callee.buffer).setInt32(callee.length - 4, 10 + at);
      return bytesOf(start, leaf, callee, caller);
    });
    log.append(bytesOf(...calls), true);
    const driven = new Driven(tree({ threads: 'all' }));
    driven.ask({ type: 'delta', message: log.delta(Infinity) });
    const [root] = driven.rows();
    driven.ask(expand(root.id, 'all'));
    expect(driven.last('notice').text).toMatch(/^Only the first 100,000 rows were expanded/);
  });

  test('opens the hot path from the heaviest thread on when no row is selected', () => {
    const log = new FollowedLog();
    const cold = trace(1, 5, frame(1, 0, 1), frame(10, 0, 1));
    const hot = trace(2, 5, frame(3, 0, 1), frame(20, 0, 1));
    log.append(bytesOf(thread(1, 'cold'), thread(2, 'hot'), cold, hot, hot), true);
    const driven = new Driven(TREE);
    driven.ask({ type: 'delta', message: log.delta(Infinity) });
    driven.ask({ type: 'reset', pane: 'tree', to: 'closed' }, expand(undefined, 'hot'));
    const { at } = driven.selected('tree');
    expect(rowTexts(driven.rows(), 4)).toEqual([
      '- hot 2',
      '  - <UNIDENTIFIED : Method Id = 20> 2',
      '      <UNIDENTIFIED : Method Id = 3> 2',
      '+ cold 1',
    ]);
    expect(at).toBe(2);
  });

  const method = (id: number): ReturnType<typeof frame> => frame(id, 0, 1);
  const hotPathOf = (...samples: readonly (readonly number[])[]): string | undefined => {
    const log = new FollowedLog();
    // An empty stack is an error.
    const records = samples.map((ids) =>
      ids.length === 0 ? traceStart(-5, 1, 5) : trace(1, 5, ...ids.toReversed().map(method)),
    );
    log.append(bytesOf(thread(1, 'main'), ...records), true);
    const driven = new Driven(TREE);
    driven.ask({ type: 'delta', message: log.delta(Infinity) });
    driven.ask({ type: 'reset', pane: 'tree', to: 'closed' }, expand(undefined, 'hot'));
    const { row, at } = driven.selected('tree');
    const isOpen = driven.rows()[at].expanded ? ', opened' : '';
    return `${/\d+$/.exec(row.label.replace('>', ''))?.[0] ?? row.label} ${row.totalCount}${isOpen}`;
  };
  const times = (count: number, ...ids: readonly number[]): number[][] =>
    Array.from({ length: count }, () => [...ids]);

  /** One stack that ends at each of its frames: totals from the first frame on. */
  const narrowing = (...totals: readonly number[]): number[][] =>
    totals.flatMap((total, at) =>
      times(total - (totals[at + 1] ?? 0), ...Array.from({ length: at + 1 }, (_, depth) => depth + 1)),
    );

  test.each([
    ['a leaf', [...times(3, 1, 2, 3), ...times(1, 1)], '3 3'],
    ['a fork: no child has more than half', [...times(3, 1, 2, 3), ...times(3, 1, 2, 4)], '2 6, opened'],
    ['more than half is no fork', [...times(4, 1, 2, 3), ...times(3, 1, 2, 4)], '3 4'],
    ['a leaf beside more errors, which are not counted', [...times(5), ...times(4, 1, 2)], '2 4'],
    ['a fork beside errors', [...times(5), ...times(2, 1), ...times(2, 2)], 'main 9, opened'],
    ['errors, where there is nothing else', times(5), 'main 5, opened'],
    [
      'less than 1 % of everything',
      [...times(140, 50), ...narrowing(160, 85, 45, 24, 13, 7, 4, 3, 2)],
      '8 3, opened',
    ],
  ])('the hot path ends at %s', (_what, samples, end) => {
    expect(hotPathOf(...samples)).toBe(end);
  });

  test('keeps what is open, selected and on screen while the log grows piece by piece', () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE);
    const half = LOG.length >> 1;
    log.append(LOG.subarray(0, half));
    driven.ask({ type: 'delta', message: log.delta() });
    const opened = driven.rows().findLast((row) => row.expandable && row.depth === 1)!;
    driven.ask(expand(opened.id, 'expand'), select('calls', opened));
    driven.ask(rowsOf('tree', driven.selected('tree').at - 3, 20, 1));
    const place = driven.selected('tree').at - driven.shown('tree').from;
    let from = driven.shown('tree').from;

    for (let at = half; at < LOG.length; at += 50_000) {
      log.append(LOG.subarray(at, at + 50_000), at + 50_000 >= LOG.length);
      driven.ask({ type: 'delta', message: log.delta() });
      const message = driven.shown('tree');
      const { id, at: selectedAt } = driven.selected('tree');
      expect(selectedAt - message.from).toBe(place);
      expect(message.from).toBe(from + message.shift);
      expect(id).toBe(opened.id);
      from = message.from;
    }
    driven.ask({ type: 'sort', pane: 'tree' }, rowsOf('tree', 0, 10_000, 2));
    const grown = driven.rows();
    expect(grown.find((row) => row.id === opened.id)?.expanded).toBe(true);

    const whole = wholeLog(TREE);
    whole.ask(expand(opened.id, 'expand'), rowsOf('tree', 0, 10_000, 1));
    expect(rowTexts(grown, 10_000)).toEqual(rowTexts(whole.rows(), 10_000));
  });

  test('holds the order of rows while asked to, and sorts when let go', () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE);
    log.append(LOG.subarray(0, 300_000));
    driven.ask({ type: 'delta', message: log.delta() }, { type: 'hold', pane: 'tree' });
    const before = driven.rows().map((row) => row.id);
    log.append(LOG.subarray(300_000), true);
    driven.ask({ type: 'delta', message: log.delta() }, rowsOf('tree', 0, 10_000, 1));
    const held = driven.rows().map((row) => row.id);
    expect(held.filter((id) => before.includes(id))).toEqual(before);

    // Rows that have to move at least, from one order of siblings to the other.
    expect(driven.shown('tree').displaced).toBeGreaterThan(0);
    driven.ask({ type: 'hold', pane: undefined }, view());
    expect(driven.shown('tree').displaced).toBe(0);
    const counts = driven
      .rows()
      .filter((row) => row.depth === 0)
      .map((row) => row.totalCount);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
  });

  test('keeps the selection when frames are grouped otherwise', () => {
    const driven = wholeLog(TREE);
    const match = driven.rows().find((row) => row.label.endsWith('BranchConn.match'))!;
    driven.ask(select('calls', match), view('', 'line'));
    expect(driven.selected('tree').row.label).toMatch(/BranchConn\.match:\d+$/);
    driven.ask(view('', 'fqmn'));
    expect(driven.selected('tree').id).toBe(match.id);
  });

  test('the part of a name that matches comes with its row', () => {
    const driven = wholeLog(FLAT, view('/pattern\\$(?=branch)/'));
    const { rows } = driven.shown('flat');
    const marked = rows.map(({ label, markedFrom, markedTo }) => label.slice(markedFrom, markedTo));
    expect(marked.length).toBeGreaterThan(1);
    expect(new Set(marked)).toEqual(new Set(['Pattern$']));
    driven.ask(view('/x*/'));
    expect(driven.shown('flat').rows.map(({ match, markedFrom }) => [match, markedFrom])[0]).toEqual([
      true,
      undefined,
    ]);
  });

  test('finds matches in closed rows, heaviest first and back again, and opens what hides them', () => {
    const driven = wholeLog(TREE, view('Comparator$$Lambda$33'));
    const next = (
      direction: 1 | -1,
    ): { readonly id: number; readonly weight: number; readonly text: string } => {
      driven.ask(find(direction));
      const { reveals, match } = driven.last('selected');
      const reveal = reveals.at(0);
      if (reveal !== undefined && 'at' in reveal) driven.ask(rowsOf('tree', reveal.at, 1));
      const { at, row } = driven.selected('tree');
      expect(reveal).toEqual({ kind: 'rows', pane: 'tree', at, start: at });
      expect(row.match).toBe(true);
      return { id: row.id, weight: row.totalCount, text: `${match?.position} of ${match?.total}` };
    };
    const first = next(1);
    const total = driven.last('selected').match!.total;
    expect(total).toBeGreaterThan(5);
    const found = [first, ...Array.from({ length: total - 1 }, () => next(1))];
    expect(found.map(({ text }) => text)).toEqual(found.map((_, at) => `${at + 1} of ${total}`));
    expect(new Set(found.map(({ id }) => id)).size).toBe(total);
    const weights = found.map(({ weight }) => weight);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(32);
    expect(next(1)).toEqual(first);
    expect(next(-1)).toEqual(found.at(-1));
    expect(next(-1)).toEqual(found.at(-2));
  });

  test('finds the calls of one method, whatever is searched, and says why it finds nothing', () => {
    const driven = wholeLog(TREE, FLAT);
    const notices = (): string[] =>
      driven.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
    driven.ask(find(1));
    expect(notices().splice(0)).toEqual([expect.stringMatching(/^Type part of a name/)]);
    const method = driven.shown('flat').rows.find(({ label }) => label.endsWith('Pattern$Branch.match'))!;
    driven.ask(view('no such name'), find(1));
    expect(notices().at(-1)).toBe('No method matches.');
    driven.ask(rowsOf('tree', 0, 100_000), find(1, method.id));
    expect(driven.selected('tree').row.label).toBe(method.label);

    const error = 'AGCT.UnknownJavaErr5';
    driven.ask(view(error, 'fqmn', true), find(1));
    expect(notices().at(-1)).toBe('Every match is an error, and errors are hidden.');
    driven.ask(view(error), find(1));
    expect(driven.selected('tree').row.label).toBe(error);
  });

  test('the hot path ends where it forks, above what is light, and goes by no error', () => {
    const log = new FollowedLog();
    // 11 → 12 → { 13, 14 } of 5 each: a fork below 12.
    const sample = (...methods: readonly number[]): ReturnType<typeof trace> =>
      trace(1, 5, ...methods.map((method) => frame(method, 0, 1)));
    const samples = Array.from({ length: 5 }, () => [sample(13, 12, 11), sample(14, 12, 11)]).flat();
    log.append(bytesOf(thread(1, 'main'), ...samples), true);
    const driven = new Driven(TREE);
    driven.ask(
      { type: 'delta', message: log.delta(Infinity) },
      { type: 'reset', pane: 'tree', to: 'closed' },
    );
    driven.ask(expand(undefined, 'hot'));
    expect(driven.selected('tree').row.label).toBe('<UNIDENTIFIED : Method Id = 12>');
    // Both ways can be seen, and the thread where it started.
    expect(driven.rows().map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 3]);
    expect(driven.last('selected').reveals).toEqual([{ kind: 'rows', pane: 'tree', at: 2, start: 0 }]);

    const errors = new FollowedLog();
    errors.append(
      bytesOf(
        thread(1, 'main'),
        ...Array.from({ length: 6 }, () => traceStart(-5, 1, 5)),
        ...samples.slice(0, 3),
      ),
      true,
    );
    const mostlyErrors = new Driven(TREE);
    mostlyErrors.ask({ type: 'delta', message: errors.delta(Infinity) }, expand(undefined, 'hot'));
    // Two of the three samples that are no errors end in 13.
    expect(rowTexts(mostlyErrors.rows(), 9)).toEqual([
      '- main 9',
      '    AGCT.UnknownJavaErr5 6',
      '  - <UNIDENTIFIED : Method Id = 11> 3',
      '    - <UNIDENTIFIED : Method Id = 12> 3',
      '        <UNIDENTIFIED : Method Id = 13> 2',
      '        <UNIDENTIFIED : Method Id = 14> 1',
    ]);
    expect(mostlyErrors.selected('tree').row.label).toBe('<UNIDENTIFIED : Method Id = 13>');
  });

  test('is sorted anew when frames are grouped otherwise, though a row is selected', () => {
    const driven = wholeLog(TREE);
    driven.ask(select('calls', driven.rows()[2]), view('', 'line'));
    const { rows, displaced } = driven.shown('tree');
    const weights = rows.filter(({ depth }) => depth === 1).map(({ totalCount }) => totalCount);
    expect(displaced).toBe(0);
    expect(new Set(weights).size).toBeGreaterThan(3);
    const main = rows.findIndex(({ depth }, at) => depth === 0 && at > 0);
    const below = rows.slice(1, main).map(({ totalCount }) => totalCount);
    expect(below).toEqual([...below].sort((a, b) => b - a));
  });

  test('moves by keys as a tree does', () => {
    const driven = wholeLog(TREE);
    const go = (to: Move): string => {
      driven.ask(move('tree', to, 10));
      return driven.selected('tree').row.label;
    };
    expect(go('down')).toBe('main');
    expect(go('down')).toBe('AGCT.UnknownJavaErr5');
    expect(go('down')).toBe('java.util.regex.Pattern$BranchConn.match');
    expect(go('childOrExpand')).toBe('java.util.regex.Pattern$BranchConn.match');
    const child = go('childOrExpand');
    expect(child).not.toBe('java.util.regex.Pattern$BranchConn.match');
    expect(go('parentOrCollapse')).toBe('java.util.regex.Pattern$BranchConn.match');
    expect(go('first')).toBe('main');
    // A key may come before the window has heard of the one before it: the mirror knows what is selected.
    driven.ask(move('tree', 'down'), move('tree', 'down'));
    driven.ask(expand(undefined, 'collapse'));
    expect(driven.rows()[2]).toMatchObject({
      label: 'java.util.regex.Pattern$BranchConn.match',
      expanded: false,
    });
    expect(go('first')).toBe('main');
    expect(go('parentOrCollapse')).toBe('main');
    expect(driven.rows()[0].expanded).toBe(false);
  });
});

describe('the tree along the hot path', () => {
  /** Seven frames, below them one of two, and a leaf. */
  const path = (end: number): Uint8Array =>
    trace(1, 5, ...[10 + end, end, 7, 6, 5, 4, 3, 2, 1].map((method) => frame(method, 0, 1)));
  const times = (count: number, each: Uint8Array): readonly Uint8Array[] =>
    Array<Uint8Array>(count).fill(each);

  test('chains are folded; it keeps still while the log grows; what the user has opened and closed stays so', () => {
    const log = new FollowedLog();
    log.append(bytesOf(thread(1, 'main'), ...times(700, path(8)), ...times(500, path(9))), true);
    const driven = new Driven(tree({ opensHotPath: true }), view());
    driven.ask({ type: 'delta', message: log.delta() });
    const shown = (): readonly string[] =>
      driven
        .shown('tree')
        .rows.map(({ depth, folded, label, totalCount }) =>
          [
            depth,
            folded === undefined ? label.replace(/.*= (\d+)>/, '$1') : `${folded} folded`,
            totalCount,
          ].join(' '),
        );
    expect(shown()).toEqual(['0 main 1200', '1 6 folded 1200', '2 7 1200', '3 8 700', '4 18 700', '3 9 500']);
    log.append(bytesOf(...times(900, path(9))), true);
    driven.ask({ type: 'delta', message: log.delta() });
    expect(shown()).toEqual([
      '0 main 2100',
      '1 6 folded 2100',
      '2 7 2100',
      '3 9 1400',
      '3 8 700',
      '4 18 700',
    ]);
    driven.ask(expand(driven.shown('tree').rows[1].id, 'expand'));
    const depths = (): readonly number[] => driven.shown('tree').rows.map(({ depth }) => depth);
    expect(depths()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9]);
    driven.ask(expand(driven.shown('tree').rows[6].id, 'collapse'));
    // In another scope the hot path is another one.
    driven.ask(view('', 'fqmn', true), view());
    expect(depths()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

test('a tree is expanded to 5 %: rows with a twentieth of all are open, and no others', () => {
  const driven = wholeLog(tree({ threads: 'all' }));
  const [all] = driven.rows();
  driven.ask(expand(all.id, 'heavy'), rowsOf('tree', 0, 100_000));
  const rows = driven.rows();
  const whole = all.totalCount;
  expect(rows.length).toBeGreaterThan(20);
  for (const [at, row] of rows.entries()) {
    const isOpen = (rows.at(at + 1)?.depth ?? 0) > row.depth;
    expect(isOpen, row.label).toBe(
      row.expandable && (row.totalCount >= whole / 20 || row.folded !== undefined),
    );
  }
});
