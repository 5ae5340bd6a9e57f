import type { Figure } from './row.ts';

/** What became of a row, as it is told, recorded and left in the JSON. */
export interface MeasuredRow {
  readonly id: string;
  readonly what: string;
  /** How long measuring took. */
  readonly seconds: number;
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly figures: readonly Figure[] }
  /** Why there is no figure: the row threw, ended or hung. */
  | { readonly problem: string };

/** What a row's process is asked for. */
export interface RowRequest {
  readonly id: string;
  readonly short: boolean;
  /** Where logs are written, and found by the next row. */
  readonly folder: string;
  /** A log of one's own, for the rows that can be asked about any log. */
  readonly file: string | undefined;
}
