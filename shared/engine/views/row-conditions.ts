import type { ProfileUnits } from '../../profile/profile-units.ts';
import { countText } from '../../text/format-value.ts';
import { NONE } from '../../profile/columns.ts';
import { assert } from '../../assert.ts';
import type { Quantity, QuantityId } from '../columns/column.ts';
import { type ComparedColumns, scaled } from '../values/row-change.ts';
import { ROW_QUANTITIES } from '../columns/columns.ts';
import type { SampleSum } from '../values/self-values.ts';
import { type ParsedExpression, parseExpression } from '../../text/expression.ts';
import { isExpression, isSearching, namesFound, parseSearch } from './search.ts';

/** The two sides of a comparison, and what was added from the first to the second. */
const COMPARED_SIDES = ['base', 'next', 'difference'] as const;
export type ComparedSide = (typeof COMPARED_SIDES)[number];

/**
 * A number of a row; of one side of a comparison, or a difference: that of shares in percentage points. Of a comparison, a
 * row passes without a side if either one has the number. Shares are percent of all that is summed, 0 to 100; times are ns.
 */
export type QuantityName = QuantityId | `${ComparedSide}.${QuantityId}`;

interface QuantityParts {
  /** undefined: of either side. */
  readonly side: ComparedSide | undefined;
  readonly quantity: Quantity;
}

const PARTS: ReadonlyMap<QuantityName, QuantityParts> = new Map(
  [undefined, ...COMPARED_SIDES].flatMap((side) =>
    ROW_QUANTITIES.map((quantity) => [
      side === undefined ? quantity.id : (`${side}.${quantity.id}` as const),
      { side, quantity },
    ]),
  ),
);

export const QUANTITIES: readonly QuantityName[] = [...PARTS.keys()];

/** A stored name may be one of another version: it is read with `QUANTITIES`. */
export function partsOfQuantity(of: QuantityName): QuantityParts {
  const parts = PARTS.get(of);
  assert(parts !== undefined, 'a condition is of a number that rows have');
  return parts;
}

export const NUMBER_COMPARISONS = ['=', '>', '<', '>=', '<='] as const;
export type NumberComparison = (typeof NUMBER_COMPARISONS)[number];

/** `finds`: as the find field, in any case. The others take case into account. `matches`: an expression for the complete key. */
export const KEY_COMPARISONS = ['contains', 'equals', 'starts', 'ends', 'matches', 'finds'] as const;
export type KeyComparison = (typeof KEY_COMPARISONS)[number];

/** One condition for a row (specs: Honest Profiler FilterItem). */
export type Condition =
  | { readonly of: 'key'; readonly comparison: KeyComparison; readonly text: string }
  | { readonly of: QuantityName; readonly comparison: NumberComparison; readonly value: number };

/**
 * Groups of conditions. A row passes if all conditions of any group hold: `a and b, or c` is [[a, b], [c]]. Without
 * groups all rows pass.
 */
export type Conditions = readonly (readonly Condition[])[];

export const NO_CONDITIONS: Conditions = [];

/** The numbers of one side of a comparison, and what its shares refer to. */
interface ConditionSide {
  readonly columns: ComparedColumns;
  readonly whole: SampleSum;
}

/** Both sides of a comparison, over the same rows. */
export type ConditionSides = Readonly<Record<'base' | 'next', ConditionSide>>;

/** Why a condition cannot be used, for users; undefined if it can. */
export function conditionProblem(condition: Condition): string | undefined {
  if (condition.of === 'key') {
    const { comparison, text } = condition;
    if (comparison === 'finds') return parseSearch(text).problem;
    return comparison === 'matches' ? parseKeyExpression(text).problem : undefined;
  }
  const { of, value } = condition;
  if (!Number.isFinite(value)) return 'not a number';
  const { side, quantity } = partsOfQuantity(of);
  if (side === 'difference') return undefined;
  if (quantity.whole !== undefined && (value < 0 || value > 100)) return 'a share is from 0 to 100 %';
  if (quantity.isCount === true && !(value >= 0)) return 'a number of samples is not negative';
  return undefined;
}

/** A condition as a field of a link: `selfCount >= 5`, `key contains Shop`. */
export function conditionField(condition: Condition): string {
  const { of, comparison } = condition;
  return `${of} ${comparison} ${condition.of === 'key' ? condition.text : String(condition.value)}`;
}

/** The condition of such a text, or a sentence that says why it is none. */
export function readCondition(text: string): Condition | string {
  const parts = /^(\S+) (\S+) (.+)$/s.exec(text);
  if (parts === null) return `“${text}” is not of the form: selfCount >= 20.`;
  const [, name, sign, rest] = parts;
  const of = name === 'key' ? name : QUANTITIES.find((each) => each === name);
  if (of === undefined) return `Rows have no number that is called ${name}.`;
  const known = of === 'key' ? KEY_COMPARISONS : NUMBER_COMPARISONS;
  if (!known.some((each) => each === sign))
    return `${name} is compared by ${known.join(', ')}, not by ${sign}.`;
  const condition = (
    of === 'key'
      ? { of, comparison: sign, text: rest }
      : { of, comparison: sign, value: Number(rest.trim() || NaN) }
  ) as Condition;
  const problem = conditionProblem(condition);
  return problem === undefined ? condition : `${text}: ${problem}.`;
}

/** The regular expression that somebody has typed for a condition, as `/…/`; undefined for none. */
export function expressionOf(condition: Condition): string | undefined {
  if (condition.of !== 'key') return undefined;
  const { comparison, text } = condition;
  if (comparison === 'finds') return isExpression(text) ? text : undefined;
  return comparison === 'matches' ? `/${text}/` : undefined;
}

/** Only rows that the find field finds. */
export function onlyFound(text: string): Conditions {
  return text === '' ? NO_CONDITIONS : [[{ of: 'key', comparison: 'finds', text }]];
}

/** The text of the find field whose matches are all that is shown; undefined where other conditions hold, or none. */
export function foundOnly(conditions: Conditions): string | undefined {
  const all = conditions.flat();
  const condition = all.at(0);
  return all.length === 1 && condition?.of === 'key' && condition.comparison === 'finds'
    ? condition.text
    : undefined;
}

/** Rows that a comparison is often asked for: those of one side alone, and those whose share differs by a point or more. */
export const CHANGES = {
  new: [
    [
      { of: 'base.totalCount', comparison: '=', value: 0 },
      { of: 'next.totalCount', comparison: '>', value: 0 },
    ],
  ],
  gone: [
    [
      { of: 'base.totalCount', comparison: '>', value: 0 },
      { of: 'next.totalCount', comparison: '=', value: 0 },
    ],
  ],
  changed: [
    [{ of: 'difference.totalShare', comparison: '>=', value: 1 }],
    [{ of: 'difference.totalShare', comparison: '<=', value: -1 }],
  ],
} as const satisfies Readonly<Record<string, Conditions>>;

type ChangeName = keyof typeof CHANGES;
export const CHANGE_NAMES: readonly ChangeName[] = ['new', 'gone', 'changed'];

/** Whether a condition is of a side of a comparison, or of the difference: while nothing is compared it is left out. */
export function isOfComparison(condition: Condition): boolean {
  return condition.of !== 'key' && partsOfQuantity(condition.of).side !== undefined;
}

type KeyTestOf = (key: string) => boolean;

/** Tests rows. Keys are tested once. Conditions with a problem are left out, and those of a comparison if there is none. `names`: the names of all rows. */
export class ConditionTest {
  readonly #groups: readonly (readonly RowTest[])[];
  /** The whole that shares refer to. */
  readonly #whole: SampleSum;
  readonly #sides: ConditionSides | undefined;
  readonly #names: readonly string[];

  constructor(conditions: Conditions, names: readonly string[], whole: SampleSum, sides?: ConditionSides) {
    this.#names = names;
    this.#whole = whole;
    this.#sides = sides;
    this.#groups = conditions
      .map((group) => group.filter((each) => conditionProblem(each) === undefined))
      .map((group) => group.filter((each) => sides !== undefined || !isOfComparison(each)))
      .filter((group) => group.length > 0)
      .map((group) => group.map((each) => this.#rowTest(each)));
  }

  /** `key`: the number of the row's key, NONE for a thread; `label` is its text. */
  passes(columns: ComparedColumns, row: number, key: number, label: string): boolean {
    return (
      this.#groups.length === 0 ||
      this.#groups.some((group) => group.every((test) => test(columns, row, key, label)))
    );
  }

  #rowTest(condition: Condition): RowTest {
    if (condition.of === 'key') {
      const test = keyTest(condition.comparison, condition.text, this.#names);
      const known: (boolean | undefined)[] = [];
      return (_columns, _row, key, label) => (key === NONE ? test(label) : (known[key] ??= test(label)));
    }
    const { comparison, value } = condition;
    const { side, quantity } = partsOfQuantity(condition.of);
    const compare = COMPARE[comparison];
    // Fractions, not percent: 7 / 25 equals 28 / 100, because each is rounded once; 7 / 25 * 100 is not 28.
    const compared = quantity.whole === undefined ? value : value / 100;
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
function numberOf(quantity: Quantity, { columns, whole }: ConditionSide, row: number): number {
  const part = quantity.amount(columns, row);
  return quantity.whole === undefined ? part : part / quantity.whole(whole);
}

/** A difference of shares is a fraction, rounded once. A side of nothing has no share. */
function differenceOf(quantity: Quantity, { base, next }: ConditionSides, row: number): number {
  const before = quantity.amount(base.columns, row);
  const after = quantity.amount(next.columns, row);
  if (quantity.whole === undefined) return after - before;
  const wholeBefore = quantity.whole(base.whole);
  const wholeAfter = quantity.whole(next.whole);
  if (wholeBefore === 0) return scaled(after, wholeAfter);
  if (wholeAfter === 0) return -scaled(before, wholeBefore);
  return (after * wholeBefore - before * wholeAfter) / (wholeBefore * wholeAfter);
}

type RowTest = (columns: ComparedColumns, row: number, key: number, label: string) => boolean;

const COMPARE: Readonly<Record<NumberComparison, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

function keyTest(comparison: KeyComparison, text: string, names: readonly string[]): KeyTestOf {
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
      const found = parseKeyExpression(text).expression?.among(names);
      return (key) => found?.has(key) === true;
    }
    case 'finds': {
      const search = parseSearch(text);
      const found = new Set(isSearching(search) ? namesFound(names, search) : []);
      return (key) => found.has(key);
    }
  }
}

function parseKeyExpression(text: string): ParsedExpression {
  const parsed = parseExpression(text, 'u');
  // The text itself must be valid: `a)|(b` is, inside a group.
  return parsed.problem === undefined ? parseExpression(`^(?:${text})$`, 'u') : parsed;
}

export const KEY_COMPARISON_TEXT: Readonly<Record<KeyComparison, string>> = {
  contains: 'contains',
  equals: 'equals',
  starts: 'starts with',
  ends: 'ends with',
  matches: 'matches regex',
  finds: 'is found by',
};

export const NUMBER_COMPARISON_TEXT: Readonly<Record<NumberComparison, string>> = {
  '=': '=',
  '>': '>',
  '<': '<',
  '>=': '≥',
  '<=': '≤',
};

export const COMPARED_SIDE_TEXT: Readonly<Record<ComparedSide, string>> = {
  base: 'Base',
  next: 'New',
  difference: 'Difference',
};

/** ns in a millisecond, in which times of conditions are typed and shown. */
export const NS_PER_MS = 1e6;

/**
 * The name of a quantity as columns have it, and its unit; undefined for one that a profile has no numbers for. Of a
 * comparison as in its CSV: `Base self #`, `Self # % difference` in points.
 */
export function quantityText(
  of: QuantityName,
  units: Pick<ProfileUnits, 'value'>,
): { readonly name: string; readonly unit: string } | undefined {
  const { side, quantity } = partsOfQuantity(of);
  const text = quantity.text(units);
  if (side === undefined || text === undefined) return text;
  const { name, unit } = text;
  if (side === 'difference') return { name: `${name} difference`, unit: unit === '%' ? 'points' : unit };
  return { name: `${COMPARED_SIDE_TEXT[side]} ${name[0].toLowerCase()}${name.slice(1)}`, unit };
}

/** `Self # ≥ 5 and name starts with java., or total time > 50 ms`. */
export function conditionsText(conditions: Conditions, units: Pick<ProfileUnits, 'value'>): string {
  return conditions
    .map((group) => group.map((condition) => conditionText(condition, units)).join(' and '))
    .join(', or ');
}

function conditionText(condition: Condition, units: Pick<ProfileUnits, 'value'>): string {
  if (condition.of === 'key') return `name ${KEY_COMPARISON_TEXT[condition.comparison]} ${condition.text}`;
  const { of, comparison, value } = condition;
  const { name, unit } = quantityText(of, units) ?? { name: of, unit: '' };
  const shown = countText(unit === 'ms' ? value / NS_PER_MS : value);
  return `${name} ${NUMBER_COMPARISON_TEXT[comparison]} ${shown}${unit === '' ? '' : ` ${unit}`}`;
}
