import { describe, expect, test } from 'vitest';
import { EMPTY_SCOPE } from '../../../shared/scope/scope.ts';
import type { Conditions } from '../../../shared/engine/views/row-conditions.ts';
import { FLAT, FLAT_SPEC, rowsOf, select, view, wholeLog } from '../../support/driven-mirror.ts';

describe('the flat list', () => {
  test('is sorted, and narrowed by a search', () => {
    const driven = wholeLog(FLAT);
    const { rows, total } = driven.shown('flat');
    expect(rows.slice(0, 2).map((row) => `${row.label} ${row.selfCount} ${row.totalCount}`)).toEqual([
      'AGCT.UnknownJavaErr5 421 421',
      'java.util.regex.IntHashSet.contains 334 334',
    ]);
    expect(total).toBeGreaterThan(100);
    driven.ask(view('inthashset'));
    expect(driven.shown('flat')).toMatchObject({ total: 1 });
    expect(driven.last('search')).toMatchObject({ names: 1, samples: 334 });
    driven.ask(view('/[/'));
    expect(driven.last('search').problem).toMatch(/expression/i);
    expect(driven.shown('flat').total).toBe(total);
  });

  test('is filtered by names and numbers, together with a search and in order', () => {
    const driven = wholeLog(FLAT);
    const where: Conditions = [
      [
        { of: 'selfCount', comparison: '>=', value: 50 },
        { of: 'key', comparison: 'starts', text: 'java.util.' },
      ],
    ];
    driven.ask(view('', 'fqmn', false, EMPTY_SCOPE, where));
    expect(driven.shown('flat').rows.map((row) => `${row.label} ${row.selfCount}`)).toEqual([
      'java.util.regex.IntHashSet.contains 334',
      'java.util.regex.Pattern$GroupTail.match 113',
      'java.util.regex.Pattern$BmpCharPropertyGreedy.match 103',
      'java.util.regex.Pattern$Loop.match 98',
      'java.util.regex.Pattern$BmpCharProperty.match 66',
    ]);
    driven.ask(view('loop', 'fqmn', false, EMPTY_SCOPE, where));
    expect(driven.shown('flat').rows.map(({ label }) => label)).toEqual([
      'java.util.regex.Pattern$Loop.match',
    ]);
    // Names are those of the rows on screen: by line they end with it.
    const ofLine: Conditions = [[{ of: 'key', comparison: 'matches', text: '.*Loop\\.match:\\d+' }]];
    driven.ask(view('', 'fqmn', false, EMPTY_SCOPE, ofLine));
    expect(driven.shown('flat').total).toBe(0);
    driven.ask(view('', 'line', false, EMPTY_SCOPE, ofLine), rowsOf('flat', 0, 1_000));
    const lines = driven.shown('flat').rows.map(({ label }) => label);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((label) => !/Loop\.match:\d+$/.test(label))).toEqual([]);
  });

  test('a selection is found again after sorting', () => {
    const driven = wholeLog(FLAT);
    const { total } = driven.shown('flat');
    driven.ask(rowsOf('flat', 0, total));
    const wanted = driven
      .shown('flat')
      .rows.find(({ label }) => label === 'java.util.regex.IntHashSet.contains')!;
    driven.ask(select('methods', wanted));
    expect(driven.selected('flat').at).toBe(1);
    const ascending = { ...FLAT_SPEC, sort: { by: 'selfCount', descending: false } } as const;
    driven.ask({ type: 'pane', pane: 'flat', spec: ascending });
    expect(driven.selected('flat').at).toBe(total - 2);
  });
});
