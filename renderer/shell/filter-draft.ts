import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { countText } from '../../shared/text/format-value.ts';
import { NS_PER_MS, quantityText } from '../../shared/views/conditions-text.ts';
import {
  type Condition,
  conditionProblem,
  type Conditions,
  type KeyComparison,
  KEY_COMPARISONS,
  NUMBER_COMPARISONS,
  type NumberComparison,
  type Quantity,
} from '../../shared/views/row-conditions.ts';

/** A condition as it is typed. */
export interface DraftCondition {
  /** Identifies the line while others come and go. */
  readonly id: number;
  /** How it is joined with the one before: `or` begins a group. */
  readonly join: 'and' | 'or';
  readonly of: 'key' | Quantity;
  readonly comparison: KeyComparison | NumberComparison;
  readonly text: string;
}

type Units = Pick<ProfileUnits, 'value'>;

export function newDraft(id: number): DraftCondition {
  return { id, join: 'and', of: 'key', comparison: 'contains', text: '' };
}

/** The same line for another quantity: with the comparison that it had, if the quantity has it. */
export function withQuantity(draft: DraftCondition, of: DraftCondition['of']): DraftCondition {
  const comparisons: readonly DraftCondition['comparison'][] =
    of === 'key' ? KEY_COMPARISONS : NUMBER_COMPARISONS;
  const comparison = comparisons.includes(draft.comparison)
    ? draft.comparison
    : of === 'key'
      ? 'contains'
      : '>=';
  return { ...draft, of, comparison };
}

export function draftsOf(conditions: Conditions, units: Units): readonly DraftCondition[] {
  const drafts: DraftCondition[] = [];
  for (const group of conditions) {
    for (const [at, condition] of group.entries()) {
      const text =
        condition.of === 'key'
          ? condition.text
          : countText(isTime(condition.of, units) ? condition.value / NS_PER_MS : condition.value);
      const { of, comparison } = condition;
      drafts.push({ id: drafts.length, join: at === 0 ? 'or' : 'and', of, comparison, text });
    }
  }
  return drafts;
}

/** The condition that was typed, or why it is none. */
export function parsedDraft(
  { of, comparison, text }: DraftCondition,
  units: Units,
): { readonly condition: Condition; readonly problem: undefined } | { readonly problem: string } {
  let condition: Condition;
  if (of === 'key') {
    if (text === '') return { problem: 'Type a name or a part of one.' };
    condition = { of, comparison: comparison as KeyComparison, text };
  } else {
    const typed = typedNumber(text.trim());
    if (typeof typed === 'string') return { problem: typed };
    // Times are whole ns; 2.01 * 1e6 is a fraction less than 2,010,000.
    const value = isTime(of, units) ? Math.round(typed * NS_PER_MS) : typed;
    condition = { of, comparison: comparison as NumberComparison, value };
  }
  const problem = conditionProblem(condition);
  return problem === undefined ? { condition, problem } : { problem };
}

/** The number, or why it is none. Thousands may have commas, as everywhere in the window. */
function typedNumber(text: string): number | string {
  if (text === '') return 'Type a number.';
  if (/^[+\-\u2212]?(?:\d+|\d{1,3}(?:,\d{3})+|(?=\.\d))(?:\.\d*)?$/.test(text))
    return Number(text.replaceAll(',', '').replace('\u2212', '-'));
  // In many languages the comma is the decimal mark: as thousands, `1,5` would be read as 15.
  return text.includes(',')
    ? 'A comma separates thousands: 1,500. The decimal mark is a point: 1.5.'
    : 'not a number';
}

/** undefined if any of the drafts is no condition. */
export function conditionsOf(drafts: readonly DraftCondition[], units: Units): Conditions | undefined {
  const groups: Condition[][] = [];
  for (const draft of drafts) {
    const parsed = parsedDraft(draft, units);
    if (parsed.problem !== undefined) return undefined;
    const group = draft.join === 'and' ? groups.at(-1) : undefined;
    if (group === undefined) groups.push([parsed.condition]);
    else group.push(parsed.condition);
  }
  return groups;
}

const isTime = (of: DraftCondition['of'], units: Units): boolean =>
  of !== 'key' && quantityText(of, units)?.unit === 'ms';
