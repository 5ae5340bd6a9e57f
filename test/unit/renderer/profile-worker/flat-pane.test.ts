import { describe, expect, test } from 'vitest';
import { FLAT, view, wholeLog } from '../../../support/driven-mirror.ts';

describe('the flat list', () => {
  test('is sorted, and narrowed by a search', () => {
    const driven = wholeLog(FLAT);
    const { rows, total, unfiltered } = driven.last('flatRows');
    expect(rows.slice(0, 2).map((row) => `${row.label} ${row.selfCount} ${row.totalCount}`)).toEqual([
      'AGCT.UnknownJavaErr5 421 421',
      'java.util.regex.IntHashSet.contains 334 334',
    ]);
    expect(total).toBe(unfiltered);
    driven.ask(view('inthashset'));
    expect(driven.last('flatRows')).toMatchObject({ total: 1, unfiltered: total });
    expect(driven.last('search')).toMatchObject({ names: 1, samples: 334 });
    driven.ask(view('/[/'));
    expect(driven.last('search').problem).toMatch(/expression/i);
    expect(driven.last('flatRows').total).toBe(total);
  });

  test('a selection is found again after sorting', () => {
    const driven = wholeLog(FLAT);
    driven.ask({ type: 'flatSelect', label: 'java.util.regex.IntHashSet.contains' });
    expect(driven.last('flatRows').selectedAt).toBe(1);
    driven.ask({ type: 'flat', active: true, sort: { by: 'selfCount', descending: false }, hold: false });
    const { selectedAt, total } = driven.last('flatRows');
    expect(selectedAt).toBe(total - 2);
  });
});
