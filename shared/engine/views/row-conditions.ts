import { NONE } from '../../profile/columns.ts';
import type { TimeColumn } from '../../profile/time-column.ts';
import { scaled } from '../values/compared-to.ts';
import type { SampleSum } from '../values/self-values.ts';
import { type ParsedExpression, parseExpression } from '../../text/expression.ts';

/** A number of a row. Shares are percent of all that is summed, 0 to 100; times are ns. */
export const ROW_QUANTITIES = [
  'selfCount',
  'totalCount',
  'selfShare',
  'totalShare',
  'selfTime',
  'totalTime',
  'selfTimeShare',
  'totalTimeShare',
] as const;
export type RowQuantity = (typeof ROW_QUANTITIES)[number];

/** The two sides of a comparison, and what was added from the first to the second. */
export const COMPARED_SIDES = ['base', 'next', 'difference'] as const;
export type ComparedSide = (typeof COMPARED_SIDES)[number];

/** A number of one side, or a difference: that of shares in percentage points. */
export type ComparedQuantity = `${ComparedSide}.${RowQuantity}`;
export const COMPARED_QUANTITIES: readonly ComparedQuantity[] = COMPARED_SIDES.flatMap((side) =>
  ROW_QUANTITIES.map((quantity) => `${side}.${quantity}` as const),
);

/** Of a comparison, a row passes by a RowQuantity if either side has it. */
export type Quantity = RowQuantity | ComparedQuantity;
export const QUANTITIES: readonly Quantity[] = [...ROW_QUANTITIES, ...COMPARED_QUANTITIES];

export interface QuantityParts {
  /** undefined: of either side. */
  readonly side: ComparedSide | undefined;
  readonly quantity: RowQuantity;
}

const PARTS = Object.fromEntries(
  [undefined, ...COMPARED_SIDES].flatMap((side) =>
    ROW_QUANTITIES.map((quantity) => [
      side === undefined ? quantity : `${side}.${quantity}`,
      { side, quantity },
    ]),
  ),
) as Readonly<Record<Quantity, QuantityParts>>;

export function partsOfQuantity(of: Quantity): QuantityParts {
  return PARTS[of];
}

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

/** The numbers of one side of a comparison, and what its shares refer to. */
export interface ConditionSide {
  readonly columns: NumberColumns;
  readonly whole: SampleSum;
}

/** Both sides of a comparison, over the same rows. */
export type ConditionSides = Readonly<Record<'base' | 'next', ConditionSide>>;

/** Why a condition cannot be used, for users; undefined if it can. */
export function conditionProblem(condition: Condition): string | undefined {
  if (condition.of === 'key') {
    return condition.comparison === 'matches' ? parseKeyExpression(condition.text).problem : undefined;
  }
  const { of, value } = condition;
  if (!Number.isFinite(value)) return 'not a number';
  const { side, quantity } = partsOfQuantity(of);
  if (side === 'difference') return undefined;
  if (isShare(quantity) && (value < 0 || value > 100)) return 'a share is from 0 to 100 %';
  if (quantity.endsWith('Count') && !(value >= 0)) return 'a number of samples is not negative';
  return undefined;
}

/** Whether a condition is of a side of a comparison, or of the difference: while nothing is compared it is left out. */
export function isOfComparison(condition: Condition): boolean {
  return condition.of !== 'key' && partsOfQuantity(condition.of).side !== undefined;
}

type KeyTestOf = (key: string) => boolean;

/** Tests rows. Keys are tested once. Conditions with a problem are left out, and those of a comparison if there is none. */
export class ConditionTest {
  readonly #groups: readonly (readonly RowTest[])[];
  /** What shares refer to. */
  readonly #whole: SampleSum;
  readonly #sides: ConditionSides | undefined;

  constructor(conditions: Conditions, whole: SampleSum, sides?: ConditionSides) {
    this.#whole = whole;
    this.#sides = sides;
    this.#groups = conditions
      .map((group) => group.filter((each) => conditionProblem(each) === undefined))
      .map((group) => group.filter((each) => sides !== undefined || !isOfComparison(each)))
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
    const { comparison, value } = condition;
    const { side, quantity } = partsOfQuantity(condition.of);
    const compare = COMPARE[comparison];
    // Fractions, not percent: 7 / 25 equals 28 / 100, because each is rounded once; 7 / 25 * 100 is not 28.
    const compared = isShare(quantity) ? value / 100 : value;
    const whole = this.#whole;
    const sides = this.#sides;
    if (side === undefined || sides === undefined)
      return (columns, row) => compare(numberOf(quantity, { columns, whole }, row), compared);
    if (side === 'difference')
      return (_columns, row) => compare(differenceOf(quantity, sides, row), compared);
    return (_columns, row) => compare(numberOf(quantity, sides[side], row), compared);
  }
}

/** A share is a fraction; without a whole it is no number, and no comparison holds. */
function numberOf(quantity: RowQuantity, { columns, whole }: ConditionSide, row: number): number {
  const part = amountOf(quantity, columns, row);
  return isShare(quantity) ? part / wholeOf(quantity, whole) : part;
}

/** Of shares as a fraction, rounded once. Of nothing a side has no share. */
function differenceOf(quantity: RowQuantity, { base, next }: ConditionSides, row: number): number {
  const before = amountOf(quantity, base.columns, row);
  const after = amountOf(quantity, next.columns, row);
  if (!isShare(quantity)) return after - before;
  const wholeBefore = wholeOf(quantity, base.whole);
  const wholeAfter = wholeOf(quantity, next.whole);
  if (wholeBefore === 0) return scaled(after, wholeAfter);
  if (wholeAfter === 0) return -scaled(before, wholeBefore);
  return (after * wholeBefore - before * wholeAfter) / (wholeBefore * wholeAfter);
}

const isShare = (quantity: RowQuantity): boolean => quantity.endsWith('Share');

/** Samples or ns: of a share, what it is a part of the whole. */
function amountOf(quantity: RowQuantity, columns: NumberColumns, row: number): number {
  switch (quantity) {
    case 'selfCount':
    case 'selfShare':
      return columns.selfCount[row];
    case 'totalCount':
    case 'totalShare':
      return columns.totalCount[row];
    case 'selfTime':
    case 'selfTimeShare':
      return columns.selfTime.ns[row];
    case 'totalTime':
    case 'totalTimeShare':
      return columns.totalTime.ns[row];
  }
}

function wholeOf(quantity: RowQuantity, { samples, time }: SampleSum): number {
  return quantity === 'selfShare' || quantity === 'totalShare' ? samples : time;
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
