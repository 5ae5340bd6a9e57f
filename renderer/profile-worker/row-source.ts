import type { ProfileQuery } from '../../shared/engine/query.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import type { RowTimes } from '../../shared/engine/views/row-times.ts';
import type { Match } from '../../shared/engine/views/find-row.ts';
import type {
  CopiedPart,
  Expansion,
  Row,
  RowId,
  RowsSpec,
  Selection,
  Values,
  WholeOfShares,
} from './pane-messages.ts';

/** Rows on display, top to bottom, by the numbers that their source gives them. */
export interface DisplayedRows {
  readonly rows: Int32Array;
  readonly depths: Int32Array;
  /** Of a tree: the place of each row among its siblings, from 1 on, and how many these are. */
  readonly places?: Int32Array;
  readonly siblings?: Int32Array;
  /** How many rows would have to move from the order that is held to the one that was asked for. */
  readonly displaced: number;
}

/** A row to select, and the first row of the path to it, both by the source's numbers. */
export interface Target {
  readonly row: number;
  readonly start: number;
}

export const NO_SEARCH = 'Type part of a name into the search field first.';

/** For the clipboard. */
export interface Copy {
  readonly text: string;
  /** What was left out of it, for the user; undefined where nothing was. */
  readonly note: string | undefined;
}

/** Why a search found nothing, for the user. */
export interface NoMatch {
  readonly problem: string;
}

/**
 * What a pane of rows shows: rows of a call tree that are open, or methods. The pane knows places on display, selection
 * and scrolling; the source knows what the rows are. Its numbers are valid until the next `refresh`.
 */
export interface RowSource<Spec extends RowsSpec = RowsSpec> {
  readonly displayed: DisplayedRows;
  /** The largest of each value; in a tree, an upper bound for self values. As of the last `refresh`. */
  readonly largest: Values;
  /** True when rows on display before and after have the same meaning, so that one of them can stay in its place. */
  refresh(query: ProfileQuery, spec: Spec, hold: boolean): boolean;
  /** Computes the displayed rows after a row was opened or closed. */
  display(hold: boolean): void;
  idOf(row: number): RowId;
  /** undefined for a row that is not there (any more). */
  rowOf(id: RowId): number | undefined;
  /** The row that stands for what is selected, in whatever pane it was selected. */
  rowFor(selection: Selection): number | undefined;
  describe(row: number, depth: number): Row;
  /** When rows have their samples; undefined where that is not known, and for rows without a column of it. */
  timesOf?(rows: ArrayLike<number>): RowTimes | undefined;
  /** Opens what hides a row. */
  openAbove(row: number): void;
  /** NONE for a row at the top. */
  parentOf(row: number): number;
  isOpen(row: number): boolean;
  /** Opens or closes; returns what is to be selected then. `row` may be undefined for 'hot': from the heaviest on. */
  expand(row: number | undefined, how: Expansion): Target | undefined;
  reset(closed: boolean): void;
  copy(row: number, what: CopiedPart, units: ProfileUnits, whole: WholeOfShares): Copy;
  /** The next or previous match after a row; the first one where that does not match or is undefined. */
  find(from: number | undefined, direction: 1 | -1, method: RowId | undefined): Match | NoMatch;
}
