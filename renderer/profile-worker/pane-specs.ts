import type { SharePart } from '../../shared/engine/comparison/method-changes.ts';
import type { SpreadParts } from '../../shared/engine/comparison/part-sums.ts';
import type { FlameZoom, MethodRef, RowsOf } from '../../shared/engine/query.ts';
import type { ThreadGrouping } from '../../shared/engine/trees/grouping.ts';
import type { SortOrder } from '../../shared/engine/views/sort-order.ts';
import type { Interval } from '../../shared/engine/views/timeline-columns.ts';
import type { ComputingSamples } from '../../shared/facts/sample-kind.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';

export interface RowsSpec {
  readonly kind: 'rows';
  readonly of: RowsOf;
  /** The method of callers and callees. */
  readonly method?: MethodRef | undefined;
  /** The grouping of threads in a tree. */
  readonly threads?: ThreadGrouping;
  readonly sort: SortOrder;
  /** The tree opens along the hot path; in the call tree, chains of rows that each have only the next one below them are one row. */
  readonly opensHotPath?: boolean;
  /** Rows say when they have their samples. */
  readonly withTimes?: boolean | undefined;
  /** Methods have rates. */
  readonly withRates?: boolean | undefined;
}

export interface FlameSpec {
  readonly kind: 'flame';
  readonly of: Exclude<RowsOf, 'methods'>;
  /** The method of callers and callees. */
  readonly method?: MethodRef | undefined;
  readonly threads: ThreadGrouping;
  /** undefined: everything. */
  readonly zoom: FlameZoom | undefined;
  /** Width in device pixels: frames narrower than one are grouped. */
  readonly pixels: number;
}

/** The lines of one method, to be shown beside its source. */
export interface LinesSpec {
  readonly kind: 'lines';
  readonly of: 'methods';
  readonly method: MethodRef;
}

/** Stacks in the order in which they were sampled. Its rows are those of the call tree with this grouping. */
export interface ChartSpec {
  readonly kind: 'chart';
  readonly of: 'calls';
  readonly threads: ThreadGrouping;
  /** The threads that it shows, as `Scope.threads`; undefined: the one with most samples. */
  readonly only: readonly string[] | undefined;
  /** The part of the time on screen; undefined: all. */
  readonly zoom: Interval | undefined;
  /** All samples are equally wide, instead of as wide as their time. */
  readonly isEqual: boolean;
  /** Width in device pixels. */
  readonly pixels: number;
}

/** The summary of what is in scope, and its findings. `of` is that of what can be selected. */
export interface AnswerSpec {
  readonly kind: 'answer';
  readonly of: 'methods';
}

/** The question which parts of the profile differ in the shares of methods. */
export interface SpreadSpec {
  readonly kind: 'spread';
  readonly of: 'methods';
  readonly parts: SpreadParts;
  /** The parts follow each other in time, in the order of their names. */
  readonly inOrder: boolean;
  readonly by: SharePart;
  /** The method whose shares are told by part; undefined: none is chosen. */
  readonly method: MethodRef | undefined;
  /** Only where it is called as the selected row is. */
  readonly isOfCall: boolean;
  /** See `Counted`: samples are independent of each other. */
  readonly isIndependent: boolean;
  /** The scope is one of the parts. It does not count then, so that the others stay in the list. */
  readonly isOfAll: boolean;
}

/** The question how long requests took, by the values of an attribute. */
export interface OperationsSpec {
  readonly kind: 'operations';
  readonly of: 'calls';
  readonly by: string;
  readonly units: ProfileUnits;
  readonly computing: ComputingSamples;
}

/** The question of a pane to the mirror. */
export type PaneSpec =
  | RowsSpec
  | FlameSpec
  | LinesSpec
  | ChartSpec
  | AnswerSpec
  | SpreadSpec
  | OperationsSpec;
