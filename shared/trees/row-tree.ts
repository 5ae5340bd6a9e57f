import type { LeanProfile } from '../profile/lean-profile.ts';
import type { KeyTable, RowKind } from './keys.ts';

/**
 * Stable identity of a row, assigned by its tree: it survives growth and renumbering. Code computes with row numbers
 * and stores ids, for example of rows that are open, selected or zoomed.
 */
export type RowId = number;

/**
 * Rows made of call nodes: who called whom, without values. Rows are only appended, and `parent[row] < row`. When a
 * name that arrives late changes the grouping, all rows are renumbered.
 */
export interface RowTree {
  readonly keys: KeyTable;
  readonly length: number;
  /** row -> the row above it; NONE for a root. The array is replaced when it outgrows its capacity. */
  readonly parent: Int32Array;
  /** row -> its key in `keys`; for a thread's row the complement of its label's number, which is negative. */
  readonly key: Int32Array;
  /** How often all rows were renumbered. */
  readonly numbering: number;
  idOf(row: number): RowId;
  /** The row with this id; NONE if it does not exist, or no longer does. */
  rowOf(id: RowId): number;
  label(row: number): string;
  kind(row: number): RowKind;
  /** Root rows, in order of appearance. */
  roots(): number[];
  /** First of a row's children, in no particular order; NONE when it has none. */
  firstChild(row: number): number;
  /** The next child of the same parent; NONE after the last. */
  nextSibling(row: number): number;
}

/** Rows over which self values can be summed: every call node belongs to one of them. */
export interface SummableRows {
  readonly length: number;
  readonly parent: Int32Array;
  /**
   * Writes the rows of the first `length` call nodes in `node` to `into`. The rows must contain these nodes already.
   */
  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void;
}

/**
 * A prefix of a profile's tables, as numbers of rows. Trees are updated to an extent instead of to the end of a growing
 * profile, so that all views of one moment have the same rows.
 */
export interface ProfileExtent {
  readonly frames: number;
  readonly nodes: number;
  readonly selfValues: number;
}

export function extentOf({ frames, nodes, selfValues }: LeanProfile): ProfileExtent {
  return { frames: frames.length, nodes: nodes.length, selfValues: selfValues.length };
}
