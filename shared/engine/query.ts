import type { LeanProfile } from '../profile/lean-profile.ts';
import { hasFoldedNames } from '../scope/scope-frames.ts';
import { type Baseline, EMPTY_SCOPE, type Scope } from '../scope/scope.ts';
import type { FrameGrouping, FrameKeys, ThreadGrouping } from './trees/grouping.ts';
import type { RowId, StackEnd } from './trees/row-tree.ts';
import type { CompareBy } from './values/row-change.ts';
import type { Metric } from './values/metric.ts';
import type { SiblingOrder } from './views/flame-layout.ts';
import type { FileLines } from './views/line-sums.ts';
import { type Conditions, NO_CONDITIONS } from './views/row-conditions.ts';

/**
 * A question about a profile: which samples, in which groups, by which metric, compared with what. It is plain data, so that
 * it crosses to a worker as it is.
 */
export interface ProfileQuery {
  /** Grouping by which transforms of the scope name frames. */
  readonly frames: FrameGrouping;
  /** Grouping of rows: `frames`, but for split methods. */
  readonly keys: FrameKeys;
  readonly metric: Metric;
  /** See `parseSearch`; empty: nothing is searched. */
  readonly search: string;
  /** Samples with an error on their stack are left out of all sums. */
  readonly hidesErrors: boolean;
  readonly scope: Scope;
  /** The attribute by which threads are grouped: see `attributeOf`; undefined: by none. */
  readonly attribute?: string | undefined;
  /** undefined: nothing is compared. */
  readonly comparison?: ComparisonView | undefined;
  /** The call tree and the methods show only what is below a zoom of the flame graph; undefined: everything in scope. */
  readonly narrowing?: Narrowing | undefined;
  /** The conditions of the rows and frames that panes show. */
  readonly where: Conditions;
  /** The order of siblings in flame graphs. */
  readonly siblings: SiblingOrder;
}

export const INITIAL_QUERY: ProfileQuery = {
  frames: 'fqmn',
  keys: 'fqmn',
  metric: 'samples',
  search: '',
  hidesErrors: false,
  scope: EMPTY_SCOPE,
  where: NO_CONDITIONS,
  siblings: 'name',
};

/**
 * The query without folds of names that none of these profiles has: a comparison of files folds by default, and profiles
 * without such names need no copy. O(methods).
 */
export function withoutIdleFolds(query: ProfileQuery, profiles: readonly LeanProfile[]): ProfileQuery {
  const { scope } = query;
  const transforms = scope.transforms.filter(
    (transform) =>
      transform.kind !== 'fold' ||
      profiles.some(({ methods }) => hasFoldedNames(methods.names, transform.names)),
  );
  return transforms.length === scope.transforms.length
    ? query
    : { ...query, scope: { ...scope, transforms } };
}

/** A baseline of the samples in scope, and how both are compared. */
export interface ComparisonView {
  readonly baseline: Baseline;
  readonly by: CompareBy;
  /** Chance may explain differences: the counts are those of samples. */
  readonly isSampled: boolean;
  /** The samples are not independent of each other. */
  readonly isDependent?: boolean;
}

/**
 * The things that rows stand for: call nodes below threads; methods wherever they were called from; the callers or the callees of
 * one method; bottom-up, the methods in which samples ended with their callers.
 */
export type RowsOf = 'calls' | 'methods' | 'bottom-up' | 'callers' | 'callees';

/** Rows that are a tree. */
export type TreeOf = Exclude<RowsOf, 'methods'>;

/** A method, by a row that stands for it. */
export interface MethodRef {
  /** The kind of rows that `id` is one of. */
  readonly of: RowsOf;
  readonly id: RowId;
  /** As rows were grouped then. */
  readonly label: string;
}

/** The name of a row in a zoom: a stack end in the bottom-up graph, because its rows have other ids in another window. */
export type ZoomedRow = RowId | StackEnd;

/** A part of a flame graph: a row, or some of its children. */
export interface FlameZoom {
  /** ALL_ROWS: the roots are its children. */
  readonly row: ZoomedRow;
  /** A block of narrow frames: its first child and its last, as siblings are ordered. undefined: the row with all that is below. */
  readonly run: { readonly first: ZoomedRow; readonly last: ZoomedRow } | undefined;
}

/** Whether a zoom is one of the bottom-up graph. */
export function isBottomUpZoom({ row, run }: FlameZoom): boolean {
  return typeof (run?.first ?? row) === 'object';
}

/** Whether two zooms are of the same rows. */
export function isSameZoom(a: FlameZoom | undefined, b: FlameZoom | undefined): boolean {
  return (
    isSameRow(a?.row, b?.row) &&
    isSameRow(a?.run?.first, b?.run?.first) &&
    isSameRow(a?.run?.last, b?.run?.last)
  );
}

function isSameRow(a: ZoomedRow | undefined, b: ZoomedRow | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return a.end === b.end && a.caller === b.caller;
}

/** A zoom as a field of a link: `17`, or `17,20,31` for a block of narrow frames below 17. Bottom-up: `90:17`, or `90:17,91:20,95:31`. */
export function zoomText({ row, run }: FlameZoom): string {
  return (run === undefined ? [row] : [row, run.first, run.last]).map(rowText).join(',');
}

function rowText(row: ZoomedRow): string {
  return typeof row === 'number' ? String(row) : `${row.end}:${row.caller}`;
}

/** The zoom that such a text says; undefined: it says none. */
export function readZoom(text: string): FlameZoom | undefined {
  const isKnown =
    /^(?:-1|\d{1,10})(?:,\d{1,10},\d{1,10})?$/.test(text) ||
    /^(?:-1(?=,)|\d{1,10}:\d{1,10})(?:,\d{1,10}:\d{1,10},\d{1,10}:\d{1,10})?$/.test(text);
  if (!isKnown) return undefined;
  const [row, first, last] = text.split(',').map(rowFrom);
  return { row, run: text.includes(',') ? { first, last } : undefined };
}

function rowFrom(text: string): ZoomedRow {
  const [end, caller] = text.split(':').map(Number);
  return text.includes(':') ? { end, caller } : end;
}

/** A zoom outside the flame graph, top-down or bottom-up: the other panes show only what is below it. */
interface Narrowing {
  /** Threads of the flame graph. */
  readonly threads: ThreadGrouping;
  readonly zoom: FlameZoom;
}

/** The samples of a method by line. */
export interface MethodLines {
  /** As the profile names them. */
  readonly className: string;
  readonly methodName: string;
  /** The one with most samples first; never empty. */
  readonly files: readonly FileLines[];
}
