import type { ProfileUnits } from '../../profile/profile-units.ts';
import { countText } from '../../text/format-value.ts';
import {
  type ComparedSide,
  type Condition,
  type Conditions,
  type KeyComparison,
  type NumberComparison,
  partsOfQuantity,
  type QuantityName,
} from './row-conditions.ts';

export const KEY_COMPARISON_TEXT: Readonly<Record<KeyComparison, string>> = {
  contains: 'contains',
  equals: 'equals',
  starts: 'starts with',
  ends: 'ends with',
  matches: 'matches regex',
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
