import type { LeanProfile } from '../profile/lean-profile.ts';
import type { KeyTable, RowKind } from './keys.ts';

/**
 * Identity of a row: given by its tree, and kept while the tree grows and when it is numbered anew. Row numbers are for
 * computing, ids are for remembering: what is open, selected, zoomed.
 */
export type RowId = number;

/**
 * Rows made of call nodes: who called whom, without values. Rows are only appended, `parent[row] < row`, until a name
 * that came late changes the grouping; then they are numbered anew.
 */
export interface RowTree {
  readonly keys: KeyTable;
  readonly length: number;
  /** row -> the row above it; NONE for a root. Replaced when it grows beyond its capacity. */
  readonly parent: Int32Array;
  /** row -> its key in `keys`; negative for a row that is no method: the complement of a number of a thread label. */
  readonly key: Int32Array;
  /** Counts how often rows were numbered anew. */
  readonly numbering: number;
  idOf(row: number): RowId;
  /** The row with this id; NONE when there is none (any more). */
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
  /** Writes the rows of the first `length` call nodes in `node` to `into`. The rows must have taken these nodes in. */
  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void;
}

/**
 * How much of a profile is looked at: so many rows of its tables. Trees are brought up to an extent and not to the end
 * of a profile that grows, so that all views of one moment have the same rows.
 */
export interface ProfileExtent {
  readonly frames: number;
  readonly nodes: number;
  readonly selfValues: number;
}

export function extentOf({ frames, nodes, selfValues }: LeanProfile): ProfileExtent {
  return { frames: frames.length, nodes: nodes.length, selfValues: selfValues.length };
}
