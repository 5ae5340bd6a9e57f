import { NONE } from '../profile/columns.ts';
import type { RowValues } from '../values/row-sums.ts';

/** Which rows are kept, by their keys; all conditions must hold (specs: Honest Profiler FilterSpecification). */
export interface RowFilter {
  /** Drops AsyncGetCallTrace errors and threads without a name. */
  readonly hideErrors: boolean;
  /** Texts that the key must contain, case-sensitive. */
  readonly contains: readonly string[];
}

export const KEEP_ALL: RowFilter = { hideErrors: false, contains: [] };

export function keepsAll(filter: RowFilter): boolean {
  return !filter.hideErrors && filter.contains.length === 0;
}

export function keepsKey(filter: RowFilter, key: string): boolean {
  if (filter.hideErrors && (key.startsWith('AGCT.') || key.startsWith('Unknown <'))) return false;
  return filter.contains.every((text) => key.includes(text));
}

/**
 * row -> 1 when it is kept: it passes, or something below it does. Values are not recomputed: a row that is kept
 * weighs what it weighs (specs: Honest Profiler Node.copyWithFilter).
 */
export function keptRows(values: RowValues, filter: RowFilter): Uint8Array {
  const { tree } = values;
  const kept = new Uint8Array(tree.length);
  if (keepsAll(filter)) return kept.fill(1);
  const passes = tree.keys.labels.map((label) => keepsKey(filter, label));
  const { parent, key: keys } = tree;
  for (let row = tree.length - 1; row >= 0; row--) {
    const key = keys[row];
    if (key >= 0 ? passes[key] && values.isShown(row) : keepsKey(filter, tree.label(row))) kept[row] = 1;
    if (kept[row] === 1 && parent[row] !== NONE) kept[parent[row]] = 1;
  }
  return kept;
}
