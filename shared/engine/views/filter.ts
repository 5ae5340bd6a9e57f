import { NONE } from '../../profile/columns.ts';
import { ConditionTest, type Conditions, type ConditionSides, NO_CONDITIONS } from './row-conditions.ts';
import { compareKeys, isNamelessThreadKey, type KeyTable } from '../trees/keys.ts';
import type { FlatProfile } from './flat-profile.ts';
import type { RowTree } from '../trees/row-tree.ts';
import { type RowValues, ShownRows } from '../values/row-sums.ts';
import type { SampleSum } from '../values/self-values.ts';

/** The conditions of rows that are kept, by their keys; all must hold (specs: Honest Profiler FilterSpecification). */
export interface RowFilter {
  /** Drops AsyncGetCallTrace errors and threads without a name. */
  readonly hideErrors: boolean;
  /** Texts that the key must contain, case-sensitive. */
  readonly contains: readonly string[];
  /** The conditions for the key and the numbers of a row. */
  readonly where?: Conditions;
}

export const KEEP_ALL: RowFilter = { hideErrors: false, contains: [] };

export function keepsAll(filter: RowFilter): boolean {
  return !filter.hideErrors && filter.contains.length === 0 && (filter.where ?? []).length === 0;
}

/**
 * Honest Profiler hides keys that begin with the error class. Keys by method id begin with the id, so it hides none of
 * them. Canonical text must be the same.
 */
function hidesKey({ hideErrors }: RowFilter, { isError, grouping }: KeyTable, key: number): boolean {
  return hideErrors && isError[key] && grouping !== 'method-id';
}

function keepsKey(filter: RowFilter, keys: KeyTable, key: number): boolean {
  return !hidesKey(filter, keys, key) && containsAll(filter, keys.labels[key]);
}

function keepsThread(filter: RowFilter, label: string): boolean {
  return !(filter.hideErrors && isNamelessThreadKey(label)) && containsAll(filter, label);
}

/** True when the filter hides the row and everything below it. */
export function isHidden(filter: RowFilter, tree: RowTree, row: number): boolean {
  if (!filter.hideErrors) return false;
  const key = tree.key[row];
  return key >= 0 ? hidesKey(filter, tree.keys, key) : isNamelessThreadKey(tree.label(row));
}

export function containsAll(filter: RowFilter, label: string): boolean {
  return filter.contains.every((text) => label.includes(text));
}

/**
 * row -> 1 if it is kept: it passes the filter, or a row below it does. The values of kept rows do not change (specs:
 * Honest Profiler Node.copyWithFilter). To leave samples out of the sums, see `ValuesWithoutErrors`. `sides`: for
 * conditions of a comparison, one of whose sides has these values.
 */
export function keptRows(
  values: RowValues,
  filter: RowFilter,
  whole: SampleSum = wholeOf(values),
  sides?: ConditionSides,
): Uint8Array {
  const { tree } = values;
  const kept = new Uint8Array(tree.length);
  if (keepsAll(filter)) return kept.fill(1);
  const threads = tree.roots().filter((root) => tree.key[root] < 0);
  const names = [...tree.keys.labels, ...Array.from(threads, (root) => tree.label(root))];
  const test = new ConditionTest(filter.where ?? NO_CONDITIONS, names, whole, sides);
  const passes = tree.keys.labels.map((_, key) => keepsKey(filter, tree.keys, key));
  const { parent, key: keys } = tree;
  for (let row = tree.length - 1; row >= 0; row--) {
    const key = keys[row];
    const passesName = key >= 0 ? passes[key] && values.isShown(row) : keepsThread(filter, tree.label(row));
    if (passesName && test.passes(values, row, key < 0 ? NONE : key, tree.label(row))) kept[row] = 1;
    if (kept[row] === 1 && parent[row] !== NONE) kept[parent[row]] = 1;
  }
  return kept;
}

/** The sum over all threads. */
export function wholeOf({ tree, totalCount, totalTime }: RowValues): SampleSum {
  let samples = 0;
  let time = 0;
  for (const root of tree.roots()) {
    samples += totalCount[root];
    time += totalTime.ns[root];
  }
  return { samples, time };
}

/** row -> 1 if it is kept: see `keptRows`. Rows of a comparison are also kept by the values of the baseline. */
export function keptOnEitherSide(values: RowValues, filter: RowFilter): Uint8Array {
  if (values.compared === undefined) return keptRows(values, filter);
  return keptOfBoth({ base: values.compared.base, next: values }, filter);
}

/** The rows with an entry 1 in `kept`, with their values. Later growth is not in it. */
export function rowsKept(values: RowValues, kept: Uint8Array): RowValues {
  return new ShownRows(values, (row) => kept[row] === 1 && values.isShown(row));
}

/** row -> 1 if it is kept by the values of either side. */
export function keptOfBoth(
  { base, next }: Readonly<Record<'base' | 'next', RowValues>>,
  filter: RowFilter,
): Uint8Array {
  const sides = {
    base: { columns: base, whole: wholeOf(base) },
    next: { columns: next, whole: wholeOf(next) },
  };
  const kept = keptRows(next, filter, sides.next.whole, sides);
  const inBase = keptRows(base, filter, sides.base.whole, sides);
  for (let row = 0; row < inBase.length; row++) kept[row] |= inBase[row];
  return kept;
}

// ---- Methods ----

/** A flat profile, and the one that it is compared with. */
interface FlatSides {
  readonly base?: FlatProfile | undefined;
  readonly next: FlatProfile;
}

/**
 * key -> 1 for methods that pass a filter by the values of either side and match a search themselves or by a line, and for
 * all of their lines. `matching`: key -> 1 when it matches; undefined: nothing is searched.
 */
export function keptMethods({ base, next }: FlatSides, filter: RowFilter, matching?: Uint8Array): Uint8Array {
  const sides = base === undefined ? [next] : [next, base];
  const ofBoth = base && {
    base: { columns: base, whole: base.whole },
    next: { columns: next, whole: next.whole },
  };
  const { labels, methodOf } = next.keys;
  const { where = NO_CONDITIONS } = filter;
  const tests = sides.map((side) => new ConditionTest(where, labels, side.whole, ofBoth));
  const isFound = new Uint8Array(next.length).fill(matching === undefined ? 1 : 0);
  for (let key = 0; matching !== undefined && key < matching.length; key++)
    if (matching[key] === 1 && sides.some((side) => side.isShown(key))) isFound[methodOf[key]] = 1;
  const kept = new Uint8Array(next.length);
  for (let key = 0; key < kept.length; key++) {
    if (methodOf[key] !== key || isFound[key] === 0 || !keepsKey(filter, next.keys, key)) continue;
    const passes = (side: FlatProfile, at: number): boolean =>
      side.isShown(key) && tests[at].passes(side, key, key, labels[key]);
    if (sides.some(passes)) kept[key] = 1;
  }
  for (let key = 0; key < kept.length; key++) kept[key] = kept[methodOf[key]];
  return kept;
}

/** The keys that have samples or time on a side, and pass the filter, sorted by label. */
export function shownKeys(sides: FlatSides, filter: RowFilter): number[] {
  const { base, next } = sides;
  const { labels } = next.keys;
  const kept = keptMethods(sides, filter);
  return Array.from(labels, (_, key) => key)
    .filter((key) => kept[key] === 1 && (next.isShown(key) || base?.isShown(key) === true))
    .sort((a, b) => compareKeys(labels[a], labels[b]));
}
