import { NONE } from '../profile/columns.ts';
import type { TimeColumn } from '../profile/time-column.ts';
import type { SampleSum } from '../values/self-values.ts';
import { type ParsedExpression, parseExpression } from '../text/expression.ts';

/** A number of a row. Shares are percent of all that is summed, 0 to 100; times are ns. */
export const QUANTITIES = [
  'selfCount',
  'totalCount',
  'selfShare',
  'totalShare',
  'selfTime',
  'totalTime',
  'selfTimeShare',
  'totalTimeShare',
] as const;
export type Quantity = (typeof QUANTITIES)[number];

export const NUMBER_COMPARISONS = ['=', '>', '<', '>=', '<='] as const;
export type NumberComparison = (typeof NUMBER_COMPARISONS)[number];

/** `matches`: a regular expression for the complete key. All take case into account. */
export const KEY_COMPARISONS = ['contains', 'equals', 'starts', 'ends', 'matches'] as const;
export type KeyComparison = (typeof KEY_COMPARISONS)[number];

/** One condition for a row (specs: Honest Profiler FilterItem). */
export type Condition =
  | { readonly of: 'key'; readonly comparison: KeyComparison; readonly text: string }
  | { readonly of: Quantity; readonly comparison: NumberComparison; readonly value: number };

/**
 * Groups of conditions. A row passes if all conditions of any group hold: `a and b, or c` is [[a, b], [c]]. Without
 * groups all rows pass.
 */
export type Conditions = readonly (readonly Condition[])[];

export const NO_CONDITIONS: Conditions = [];

/** The numbers of rows, as trees and flat profiles have them. */
export interface NumberColumns {
  readonly selfCount: ArrayLike<number>;
  readonly totalCount: ArrayLike<number>;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
}

/** Why a condition cannot be used, for users; undefined if it can. */
export function conditionProblem(condition: Condition): string | undefined {
  if (condition.of === 'key') {
    return condition.comparison === 'matches' ? parseKeyExpression(condition.text).problem : undefined;
  }
  const { of, value } = condition;
  if (!Number.isFinite(value)) return 'not a number';
  if ((of.endsWith('Share') && value < 0) || (of.endsWith('Share') && value > 100))
    return 'a share is from 0 to 100 %';
  if (of.endsWith('Count') && !(value >= 0)) return 'a number of samples is not negative';
  return undefined;
}

type KeyTestOf = (key: string) => boolean;

/** Tests rows. Keys are tested once. Conditions with a problem are left out. */
export class ConditionTest {
  readonly #groups: readonly (readonly RowTest[])[];
  /** What shares refer to. */
  readonly #whole: SampleSum;

  constructor(conditions: Conditions, whole: SampleSum) {
    this.#whole = whole;
    this.#groups = conditions
      .map((group) => group.filter((each) => conditionProblem(each) === undefined))
      .filter((group) => group.length > 0)
      .map((group) => group.map((each) => this.#rowTest(each)));
  }

  /** `key`: the number of the row's key, NONE for a thread; `label` is its text. */
  passes(columns: NumberColumns, row: number, key: number, label: string): boolean {
    return (
      this.#groups.length === 0 ||
      this.#groups.some((group) => group.every((test) => test(columns, row, key, label)))
    );
  }

  #rowTest(condition: Condition): RowTest {
    if (condition.of === 'key') {
      const test = keyTest(condition.comparison, condition.text);
      const known: (boolean | undefined)[] = [];
      return (_columns, _row, key, label) => (key === NONE ? test(label) : (known[key] ??= test(label)));
    }
    const { of, comparison, value } = condition;
    const compare = COMPARE[comparison];
    // Fractions, not percent: 7 / 25 equals 28 / 100, because each is rounded once; 7 / 25 * 100 is not 28.
    const compared = of.endsWith('Share') ? value / 100 : value;
    return (columns, row) => compare(this.#number(of, columns, row), compared);
  }

  /** A share as a fraction of the whole. */
  #number(of: Quantity, columns: NumberColumns, row: number): number {
    const { samples, time } = this.#whole;
    switch (of) {
      case 'selfCount':
      case 'totalCount':
        return columns[of][row];
      case 'selfTime':
      case 'totalTime':
        return columns[of].ns[row];
      // Without a whole this is no number, and no comparison holds.
      case 'selfShare':
        return columns.selfCount[row] / samples;
      case 'totalShare':
        return columns.totalCount[row] / samples;
      case 'selfTimeShare':
        return columns.selfTime.ns[row] / time;
      case 'totalTimeShare':
        return columns.totalTime.ns[row] / time;
    }
  }
}

type RowTest = (columns: NumberColumns, row: number, key: number, label: string) => boolean;

const COMPARE: Readonly<Record<NumberComparison, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

function keyTest(comparison: KeyComparison, text: string): KeyTestOf {
  switch (comparison) {
    case 'contains':
      return (key) => key.includes(text);
    case 'equals':
      return (key) => key === text;
    case 'starts':
      return (key) => key.startsWith(text);
    case 'ends':
      return (key) => key.endsWith(text);
    case 'matches': {
      const { expression } = parseKeyExpression(text);
      return (key) => expression?.test(key) === true;
    }
  }
}

function parseKeyExpression(text: string): ParsedExpression {
  const parsed = parseExpression(text, 'u');
  // The text itself must be valid: `a)|(b` is, inside a group.
  return parsed.problem === undefined ? parseExpression(`^(?:${text})$`, 'u') : parsed;
}
