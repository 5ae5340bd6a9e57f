import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { TimeColumn } from '../../profile/time-column.ts';
import type { KeyTable } from '../trees/keys.ts';
import { MarkedStacks, type StacksOfKeys } from '../values/marked-stacks.ts';
import type { SampleSum, SelfValues } from '../values/self-values.ts';
import { parseExpression } from '../../text/expression.ts';
import type { RowValues } from '../values/row-sums.ts';

/** A search whose text is valid. */
export interface ValidSearch {
  readonly text: string;
  readonly problem: undefined;
  /** The first matches in labels[from …]: where each begins and where it ends, -1 and -1 for none. */
  ranges(labels: readonly string[], from?: number): Int32Array;
}

/** A parsed search: `ranges`, or why the text is invalid. */
export type Search = ValidSearch | { readonly text: string; readonly problem: string };

/** Whether a text is a regular expression: `/…/`. */
export function isExpression(text: string): boolean {
  return text.length > 2 && text.startsWith('/') && text.endsWith('/');
}

/** Parses a search: `/…/` is a regular expression, any other text a substring. Both ignore case. '' matches nothing. */
export function parseSearch(text: string): Search {
  if (isExpression(text)) {
    const { expression, problem } = parseExpression(text.slice(1, -1), 'iu');
    return problem === undefined ? { text, problem, ranges: expression.ranges } : { text, problem };
  }
  const wanted = text.toLowerCase();
  const ranges = (labels: readonly string[], from = 0): Int32Array => {
    const found = new Int32Array(2 * (labels.length - from)).fill(-1);
    for (let at = from; wanted !== '' && at < labels.length; at++) {
      const start = labels[at].toLowerCase().indexOf(wanted);
      if (start >= 0) found.set([start, start + text.length], 2 * (at - from));
    }
    return found;
  };
  return { text, problem: undefined, ranges };
}

/** True if the search is neither empty nor invalid. */
export function isSearching(search: Search): search is ValidSearch {
  return search.text !== '' && search.problem === undefined;
}

/** key -> 1 if its label matches. */
export function matchingKeys(keys: KeyTable, search: Search): Uint8Array {
  if (!isSearching(search)) return new Uint8Array(keys.length);
  const ranges = search.ranges(keys.labels);
  return Uint8Array.from({ length: keys.length }, (_, key) => (ranges[2 * key] < 0 ? 0 : 1));
}

/** The names that match. */
export function namesFound(names: readonly string[], search: ValidSearch): readonly string[] {
  const ranges = search.ranges(names);
  return names.filter((_, at) => ranges[2 * at] >= 0);
}

/**
 * The matches of a search in one grouping: keys, and the samples with a match on their stack. Updated while the profile
 * grows: each label is compared once and each stack visited once, because labels and paths do not change. For another
 * KeyTable create another SearchMatches.
 */
export class SearchMatches {
  readonly search: ValidSearch;
  /** key -> 1 if its label matches. */
  matching = new Uint8Array(0);
  /** Number of names that match. */
  names = 0;

  readonly #keys: KeyTable;
  #length = 0;
  /** 2 * key -> where its match begins, and behind it where it ends; -1 without a match. */
  #ranges = new Int32Array(0);
  readonly #stacks = new MarkedStacks();

  constructor(keys: KeyTable, search: ValidSearch) {
    this.#keys = keys;
    this.search = search;
  }

  /** Compares the labels of new keys. */
  update(): void {
    const { labels, length, methodOf } = this.#keys;
    if (length > this.matching.length) {
      const capacity = nextCapacity(this.matching.length, length);
      this.matching = grown(this.matching, capacity, this.#length);
      this.#ranges = grown(this.#ranges, 2 * capacity, 2 * this.#length);
    }
    if (length > this.#length) this.#ranges.set(this.search.ranges(labels, this.#length), 2 * this.#length);
    for (; this.#length < length; this.#length++) {
      if (this.#ranges[2 * this.#length] < 0) continue;
      this.matching[this.#length] = 1;
      // The lines of a split method are not counted beside it.
      const method = methodOf[this.#length];
      if (method === this.#length || this.matching[method] === 0) this.names++;
    }
  }

  /** The part of a label that matches, [start, end); undefined for none, and for an empty one. */
  rangeOf(key: number): readonly [start: number, end: number] | undefined {
    const [start, end] = this.#ranges.subarray(2 * key, 2 * key + 2);
    return start < end ? [start, end] : undefined;
  }

  /** The number and time of the samples with a match anywhere on their stack. `stacks`: of the keys that are searched. */
  samplesOf(values: SelfValues, stacks: StacksOfKeys): SampleSum {
    const isMarked = this.#stacks.ofValues(values, this.matching, stacks);
    const time = new TimeColumn(1);
    let samples = 0;
    for (let self = 0; self < values.length; self++) {
      if (isMarked[self] === 0) continue;
      samples += values.count[self];
      time.addFrom(0, values.time, self);
    }
    return { samples, time: time.ns[0] };
  }

  /** Call node in `nodes` -> 1 if there is a match on its path; 0 for NONE. */
  ofNodes(nodes: Int32Array, stacks: StacksOfKeys): Uint8Array {
    return this.#stacks.ofNodes(nodes, this.matching, stacks);
  }
}

/** row -> 1 if a row below it matches. One pass from the last row to the first. */
export function rowsAboveMatches(values: RowValues, matching: Uint8Array): Uint8Array {
  const { tree } = values;
  const above = new Uint8Array(tree.length);
  const { parent, key } = tree;
  for (let row = tree.length - 1; row >= 0; row--) {
    const up = parent[row];
    if (up === NONE || !values.isShown(row)) continue;
    if (above[row] === 1 || matching[key[row]] === 1) above[up] = 1;
  }
  return above;
}

/** A row that matches, and its position among all that match: heaviest first, from 1. */
export interface Match {
  readonly row: number;
  readonly position: number;
  readonly total: number;
}

/**
 * The next (direction 1) or previous (-1) row that matches, in order of weight, heaviest first. Rows of equal weight are
 * in the order of their numbers. After the last row comes the first. If `from` does not match, the next row is the
 * heaviest and the previous one the lightest. Undefined if no row matches. One pass over the rows.
 */
export function nextByWeight(
  { length, isMatch, weight }: MatchableRows,
  from: number,
  direction: 1 | -1,
): Match | undefined {
  const isBefore = (a: number, b: number): boolean =>
    weight[a] > weight[b] || (weight[a] === weight[b] && a < b);
  const start = from >= 0 && from < length && isMatch(from) ? from : NONE;
  let total = 0;
  let before = 0;
  let first = NONE;
  let last = NONE;
  let next = NONE;
  let previous = NONE;
  for (let row = 0; row < length; row++) {
    if (!isMatch(row)) continue;
    total++;
    if (first === NONE || isBefore(row, first)) first = row;
    if (last === NONE || isBefore(last, row)) last = row;
    if (start === NONE || row === start) continue;
    if (isBefore(row, start)) {
      before++;
      if (previous === NONE || isBefore(previous, row)) previous = row;
    } else if (next === NONE || isBefore(row, next)) next = row;
  }
  if (total === 0) return undefined;
  if (direction === 1) {
    return next === NONE ? { row: first, position: 1, total } : { row: next, position: before + 2, total };
  }
  return previous === NONE
    ? { row: last, position: total, total }
    : { row: previous, position: before, total };
}

/** Rows by number, some of which match. */
interface MatchableRows {
  readonly length: number;
  readonly isMatch: (row: number) => boolean;
  readonly weight: ArrayLike<number>;
}
