import type { ComparedColumns } from '../../../../shared/engine/values/row-change.ts';
import { expect, test } from 'vitest';
import { flatProfileOf } from '../../../../shared/export/flat.ts';
import { shownKeys, KEEP_ALL, keptRows } from '../../../../shared/engine/views/filter.ts';
import { TimeColumn } from '../../../../shared/profile/time-column.ts';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../../../shared/profile/profile-units.ts';
import { callTreeOf } from '../../../../shared/export/tree.ts';
import type { Recursion } from '../../../../shared/engine/trees/grouping.ts';
import {
  conditionsText,
  type Condition,
  conditionProblem,
  type Conditions,
  ConditionTest,
  expressionOf,
  foundOnly,
  onlyFound,
} from '../../../../shared/engine/views/row-conditions.ts';
import type { SelfValues } from '../../../../shared/engine/values/self-values.ts';
import { valuesWithoutErrors } from '../../../support/values-without-errors.ts';
import { formatTree } from '../../../support/format-tree.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

// Ten samples: the golden tests compare conditions that the reference has, too.
const SHOP = profileFromText(`
  main       main       main       main       main       main       main       main       main       gc
  Shop.main  Shop.main  Shop.main  Shop.main  Shop.main  Shop.main  Shop.main  Shop.main  Shop.main  AGCT.GcActiveErr2
  Cart.add   Cart.add   Cart.add   Cart.add   Map.get    Map.get    Fib.fib    Fib.fib
                                   Map.get                          Fib.fib    Fib.fib
`).profile;

const key = (comparison: 'contains' | 'equals' | 'starts' | 'ends' | 'matches', text: string): Condition => ({
  of: 'key',
  comparison,
  text,
});

/** The methods of the flat profile that pass. */
function methods(
  where: Conditions,
  recursion: Recursion = 'once',
  values: SelfValues = SHOP.selfValues,
): string {
  const flat = flatProfileOf(SHOP, { frames: 'fqmn', recursion, values });
  return shownKeys({ next: flat }, { ...KEEP_ALL, where })
    .map((row) => flat.keys.labels[row])
    .join(' ');
}

test('all conditions of a group must hold, or all of another', () => {
  const light = { of: 'selfCount', comparison: '<', value: 3 } as const;
  expect(methods([])).toBe('AGCT.GcActiveErr2 Cart.add Fib.fib Map.get Shop.main');
  expect(methods([[light]])).toBe('AGCT.GcActiveErr2 Fib.fib Shop.main');
  expect(methods([[light, key('ends', '.fib')]])).toBe('Fib.fib');
  expect(methods([[light, key('ends', '.fib')], [key('equals', 'Map.get')]])).toBe('Fib.fib Map.get');
  expect(methods([[key('starts', 'map')]])).toBe('');
  expect(methods([[key('contains', 'a')], [light]])).toBe(
    'AGCT.GcActiveErr2 Cart.add Fib.fib Map.get Shop.main',
  );
});

test('every comparison of every quantity', () => {
  const totals = (comparison: '=' | '>' | '<' | '>=' | '<='): string =>
    methods([[{ of: 'totalCount', comparison, value: 3 }]]);
  expect(totals('=')).toBe('Map.get');
  expect(totals('>')).toBe('Cart.add Shop.main');
  expect(totals('<')).toBe('AGCT.GcActiveErr2 Fib.fib');
  expect(totals('>=')).toBe('Cart.add Map.get Shop.main');
  expect(totals('<=')).toBe('AGCT.GcActiveErr2 Fib.fib Map.get');
  // A sample is 10 % and 1 ms.
  for (const [of, three] of [
    ['selfCount', 3],
    ['selfShare', 30],
    ['selfTime', 3e6],
    ['selfTimeShare', 30],
  ] as const) {
    expect([of, methods([[{ of, comparison: '>=', value: three }]])]).toEqual([of, 'Cart.add Map.get']);
  }
  expect(methods([[{ of: 'totalShare', comparison: '>', value: 39 }]])).toBe('Cart.add Shop.main');
  expect(methods([[{ of: 'totalTimeShare', comparison: '>', value: 39 }]])).toBe('Cart.add Shop.main');
  expect(methods([[{ of: 'totalTime', comparison: '=', value: 2e6 }]])).toBe('Fib.fib');
});

test('a share equals the whole percent that it is, of any number of samples', () => {
  const missed: string[] = [];
  for (let whole = 1; whole <= 200; whole++) {
    for (let percent = 0; percent <= 100; percent++) {
      const part = (percent * whole) / 100;
      if (!Number.isInteger(part)) continue;
      const columns = columnsOf(part);
      for (const of of ['selfShare', 'totalShare', 'selfTimeShare', 'totalTimeShare'] as const) {
        const passes = (comparison: '=' | '<' | '>'): boolean => {
          const test = new ConditionTest([[{ of, comparison, value: percent }]], [], {
            samples: whole,
            time: whole,
          });
          return test.passes(columns, 0, 0, 'a');
        };
        if (!passes('=') || passes('<') || passes('>')) missed.push(`${of} ${part} of ${whole}`);
      }
    }
  }
  expect(missed).toEqual([]);
});

test('a tree keeps the rows above one that passes, and their numbers', () => {
  const sums = callTreeOf(SHOP, { threads: 'name', frames: 'fqmn' });
  expect(formatTree(sums, keptRows(sums, { ...KEEP_ALL, where: [[key('equals', 'Map.get')]] }))).toEqual([
    '- main 9 (self 0)',
    '  - Shop.main 9 (self 1)',
    '    - Cart.add 4 (self 3)',
    '      - Map.get 1 (self 1)',
    '    - Map.get 2 (self 2)',
  ]);
});

test('regular expressions are for the complete name; one that is invalid says why and is left out', () => {
  expect(methods([[key('matches', 'Map')]])).toBe('');
  expect(methods([[key('matches', 'Map|Cart.*')]])).toBe('Cart.add');
  expect(methods([[key('matches', String.raw`.*\.(main|get)`)]])).toBe('Map.get Shop.main');
  for (const text of ['(', '[a', 'a)|(b', 'a++']) {
    expect(conditionProblem(key('matches', text))).toMatch(/regular expression/i);
    expect(methods([[key('matches', text), key('ends', '.get')]])).toBe('Map.get');
  }
  expect(conditionProblem(key('contains', '('))).toBeUndefined();
});

test('a value must be possible: shares from 0 to 100, no negative counts; times may be negative', () => {
  const problem = (of: Exclude<Condition['of'], 'key'>, value: number): string | undefined =>
    conditionProblem({ of, comparison: '>', value });
  expect(problem('selfShare', 100)).toBeUndefined();
  expect(problem('selfShare', 100.1)).toMatch(/0 to 100/);
  expect(problem('totalTimeShare', -1)).toMatch(/0 to 100/);
  expect(problem('totalCount', -1)).toMatch(/negative/);
  expect(problem('base.totalCount', -1)).toMatch(/negative/);
  expect(problem('next.selfTimeShare', 101)).toMatch(/0 to 100/);
  expect(problem('difference.totalCount', -1)).toBeUndefined();
  expect(problem('difference.selfShare', -101)).toBeUndefined();
  expect(problem('selfTime', -1)).toBeUndefined();
  expect(problem('selfTime', NaN)).toBe('not a number');
  expect(problem('selfCount', Infinity)).toBe('not a number');
});

test('differs from the reference: a recursive method counts once for a sample unless it is asked for', () => {
  const fib: Conditions = [[key('ends', '.fib'), { of: 'totalCount', comparison: '>', value: 2 }]];
  expect(methods(fib)).toBe('');
  expect(methods(fib, 'per-level')).toBe('Fib.fib');
});

test('differs from the reference: shares refer to what is summed, without hidden errors', () => {
  const third: Conditions = [[{ of: 'selfShare', comparison: '>', value: 33 }]];
  expect(methods(third)).toBe('');
  expect(methods(third, 'once', valuesWithoutErrors(SHOP))).toBe('Cart.add Map.get');
});

test('differs from the reference: expressions are those of JavaScript, and conditions can be joined by or', () => {
  // Java has possessive repetition; here it is refused with a message instead of meaning something else.
  expect(conditionProblem(key('matches', 'Map.*+'))).toMatch(/regular expression/i);
  expect(methods([[key('equals', 'Map.get')], [key('equals', 'Cart.add')]])).toBe('Cart.add Map.get');
});

test('differs from the reference: differences of shares are rounded once', () => {
  // 3 of 25 less 1 of 25 are 8 points; as doubles 0.12 - 0.04 is 0.07999999999999999.
  const difference = { base: 25, next: 25, before: 1, after: 3 };
  expect(passesDifference('=', 8, difference)).toBe(true);
  expect(passesDifference('<', 8, difference)).toBe(false);
  // Of different wholes, and of nothing, which has no share.
  expect(passesDifference('=', -5, { base: 4, next: 5, before: 1, after: 1 })).toBe(true);
  expect(passesDifference('=', 40, { base: 0, next: 5, before: 0, after: 2 })).toBe(true);
  expect(passesDifference('=', -50, { base: 4, next: 0, before: 2, after: 0 })).toBe(true);
});

/** Whether the difference of two shares passes: `before` of `base`, and `after` of `next`. */
function passesDifference(
  comparison: '=' | '<',
  value: number,
  { base, next, before, after }: Readonly<Record<'base' | 'next' | 'before' | 'after', number>>,
): boolean {
  const [baseColumns, nextColumns] = [columnsOf(before), columnsOf(after)];
  const sides = {
    base: { columns: baseColumns, whole: { samples: base, time: base } },
    next: { columns: nextColumns, whole: { samples: next, time: next } },
  };
  const passes = (['difference.selfShare', 'difference.totalTimeShare'] as const).map((of) =>
    new ConditionTest([[{ of, comparison, value }]], [], sides.next.whole, sides).passes(
      nextColumns,
      0,
      0,
      'a',
    ),
  );
  expect(passes[0]).toBe(passes[1]);
  return passes[0];
}

/** One row with this in all columns. */
function columnsOf(part: number): ComparedColumns {
  const time = new TimeColumn(1);
  time.set(0, part);
  return { selfCount: [part], totalCount: [part], selfTime: time, totalTime: time };
}

test('while nothing is compared, conditions of a comparison are left out', () => {
  const grew: Condition = { of: 'difference.selfCount', comparison: '>', value: 0 };
  expect(methods([[grew]])).toBe(methods([]));
  expect(methods([[grew, key('equals', 'Map.get')]])).toBe('Map.get');
  // Not a group of its own, of which all rows would pass.
  expect(methods([[key('equals', 'Map.get')], [grew]])).toBe('Map.get');
});

test('of nothing no share holds, as in logs without times', () => {
  const zeros = {
    selfCount: [0],
    totalCount: [0],
    selfTime: new TimeColumn(1),
    totalTime: new TimeColumn(1),
  };
  for (const of of ['selfShare', 'totalTimeShare'] as const) {
    for (const comparison of ['=', '<', '>=', '<=', '>'] as const) {
      const test = new ConditionTest([[{ of, comparison, value: 0 }]], [], { samples: 0, time: 0 });
      expect(test.passes(zeros, 0, 0, 'a')).toBe(false);
    }
  }
});

test('conditions read as a sentence, in the units of the file', () => {
  const conditions: Conditions = [
    [{ of: 'selfCount', comparison: '>=', value: 5 }, key('starts', 'java.')],
    [{ of: 'totalTime', comparison: '>', value: 50_500_000 }],
    [key('matches', 'a|b'), { of: 'selfTimeShare', comparison: '<=', value: 0.5 }],
  ];
  expect(conditionsText(conditions, SAMPLES_AND_TIME)).toBe(
    'Self # ≥ 5 and name starts with java., or Total time > 50.5 ms, or name matches regex a|b and Self time % ≤ 0.5 %',
  );
  expect(conditionsText([[{ of: 'selfCount', comparison: '=', value: 1 }]], SAMPLES_ONLY)).toBe('Self # = 1');
  const compared: Conditions = [
    [
      { of: 'base.selfCount', comparison: '>=', value: 1 },
      { of: 'next.totalTime', comparison: '<', value: 2e6 },
      { of: 'difference.totalTimeShare', comparison: '<', value: -1 },
    ],
  ];
  expect(conditionsText(compared, SAMPLES_AND_TIME)).toBe(
    'Base self # ≥ 1 and New total time < 2 ms and Total time % difference < -1 points',
  );
});

test('a condition finds names as the find field does, in any case, and says its expression', () => {
  const names = ['shop.Cart.add', 'shop.Ring.next'];
  const found = (text: string): readonly boolean[] => {
    const test = new ConditionTest(onlyFound(text), names, { samples: 1, time: 0 });
    return names.map((name, key) => test.passes({} as ComparedColumns, 0, key, name));
  };
  expect([found('CART'), found('/r(i|t)/'), found('nothing')]).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
  expect(onlyFound('')).toEqual([]);
  expect([
    foundOnly(onlyFound('a')),
    foundOnly([]),
    foundOnly([...onlyFound('a'), ...onlyFound('b')]),
  ]).toEqual(['a', undefined, undefined]);
  const [[expression]] = onlyFound('/a(/');
  expect(conditionProblem(expression)).toMatch(/regular expression/);
  expect([expressionOf(expression), expressionOf(onlyFound('a')[0][0])]).toEqual(['/a(/', undefined]);
});
