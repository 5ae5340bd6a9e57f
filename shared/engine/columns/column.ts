import type { ProfileUnits } from '../../profile/profile-units.ts';
import type { ComparedColumns, ComparedPart, ComparedTo, ComparedWhole } from '../values/row-change.ts';
import type { Metric } from '../values/metric.ts';
import type { SampleSum } from '../values/self-values.ts';

export type ColumnId = string;

/** `label`, or the id of a column with a `sort`. */
export type SortColumn = string;

/** The whole of percentages: all samples, or the samples in scope. */
export type ShareReference = 'all' | 'scope';

/** The numbers of a row. Times are nanoseconds, signed. */
export interface Values {
  readonly selfCount: number;
  readonly totalCount: number;
  readonly selfTime: number;
  readonly totalTime: number;
}

export const NO_VALUES: Values = { selfCount: 0, totalCount: 0, selfTime: 0, totalTime: 0 };

/** A row, or what is left of it beside its name. */
export interface CellValues extends Values {
  /** The values of the baseline of a comparison. */
  readonly baseSelfCount?: number;
  readonly baseTotalCount?: number;
  readonly baseSelfTime?: number;
  readonly baseTotalTime?: number;
  /** Samples per second of late. */
  readonly selfRate?: number;
  readonly totalRate?: number;
}

/** The numbers that a table has. */
export interface TableFacts {
  readonly units: ProfileUnits;
  readonly metric: Metric;
  /** The number of samples that all percentages refer to. */
  readonly samples: number;
  /** Errors are hidden. */
  readonly hidesSome: boolean;
  readonly of: ShareReference;
  /** Rows have rates. */
  readonly hasRates: boolean;
  /** It is known when rows have their samples. */
  readonly hasTimes: boolean;
  /** undefined: nothing is compared. */
  readonly compared: ComparedWhole | undefined;
}

/** The title of a column, and how wide its numbers are. */
export interface Heading {
  /** Tells it from all others. */
  readonly title: string;
  /** Stands in the header where the whole title does not fit. */
  readonly shortTitle?: string | undefined;
  /** Its quantity and unit, for the tooltip. */
  readonly hint: string;
  /** The width of its numbers. The window knows the width of a drawing. */
  readonly digits: number;
  /** undefined: rows cannot be sorted by it. */
  readonly sort: SortColumn | undefined;
}

/** The unit of a table's numbers, and the whole of its shares. */
export interface Measure {
  readonly metric: Metric;
  readonly units: ProfileUnits;
  /** The whole that percentages refer to. */
  readonly whole: { readonly samples: number; readonly totalTime: number };
  /** The largest values of all rows: these get a bar of full length. */
  readonly largest: Values;
  /** undefined: nothing is compared. */
  readonly compared?: ComparedWhole | undefined;
}

/** The colour of a change: for a larger value, a smaller one, or one that chance explains. */
export type ChangeTone = 'grew' | 'shrank' | 'chance';

/** A number of a table. */
export interface Cell {
  /** Empty for zero, so that non-zero values stand out. */
  readonly text: string;
  /** The exact value, where `text` is rounded; for a share of samples what it is of and how exact it is. */
  readonly exact?: string | undefined;
  /** Length of the bar beside a share, 0 to 1. */
  readonly bar?: number | undefined;
  /** The tone of a change. */
  readonly tone?: ChangeTone | undefined;
}

/** Rows with the numbers by which they can be sorted. */
export interface SortableRows extends ComparedColumns {
  label(row: number): string;
  /** Whether the row is behind all others, in every order; undefined: none is. */
  readonly isLast?: ((row: number) => boolean) | undefined;
  /** Samples per second of late; undefined where they are not measured. */
  readonly rates?:
    | ((row: number) => { readonly self: number; readonly total: number } | undefined)
    | undefined;
  readonly compared?: ComparedTo | undefined;
}

/** An order of rows. */
interface ColumnOrder {
  /** The values that decide where the numbers are equal, and where there are none. */
  readonly metric: Metric;
  /** row -> its number; undefined: the value itself. */
  readonly number?: (rows: SortableRows) => ((row: number) => number) | undefined;
}

/** The id of a quantity. It is none of `key` and of the sides of a comparison. */
export type QuantityId = `${ComparedPart}${string}`;

/** A number by which rows are filtered, and which is a column of the table for spreadsheets. */
export interface Quantity {
  readonly id: QuantityId;
  /** Its place among all quantities. */
  readonly place: number;
  /** undefined: the profile has no numbers for it. Times are typed in ms. */
  readonly text: (
    units: Pick<ProfileUnits, 'value'>,
  ) => { readonly name: string; readonly unit: string } | undefined;
  /** Samples or ns; for a share, the part of the whole. */
  readonly amount: (columns: ComparedColumns, row: number) => number;
  /** The whole of a share; undefined: the quantity is no share. */
  readonly whole?: (all: SampleSum) => number;
  /** It cannot be negative. */
  readonly isCount?: boolean;
  /** The title and the cell of the table for spreadsheets, of a profile that has numbers for it. */
  readonly csvTitle: (units: ProfileUnits) => string;
  readonly csvCell: (columns: ComparedColumns, row: number, all: SampleSum) => string;
}

/** A column of numbers: all that the window, filters and exports know of it. */
export interface Column {
  readonly id: ColumnId;
  /** Columns that belong together; so long a list is easier to read in parts. */
  readonly group: 'samples' | 'value' | 'rates' | 'times' | 'compared';
  readonly part?: ComparedPart;
  /** The drawing in its cells; undefined: they have only text. */
  readonly draws?: 'bar' | 'times' | 'change';
  /** Where it is when it is shown: by default behind all others. */
  readonly shownAt?: (others: readonly ColumnId[]) => number;
  /** undefined: the table has no numbers for it. */
  readonly heading: (table: TableFacts) => Heading | undefined;
  readonly cell: (row: CellValues, measure: Measure) => Cell;
  /** The unit behind a copied number, which is in the title on screen. */
  readonly unit?: (measure: Measure) => string;
  readonly sort?: ColumnOrder;
  readonly quantity?: Quantity;
}
