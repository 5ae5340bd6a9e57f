import type { Figure } from './row.ts';

/** Result of a row, as printed, recorded and written to the JSON. */
export interface MeasuredRow {
  readonly id: string;
  readonly what: string;
  /** Duration of the measurement. */
  readonly seconds: number;
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly figures: readonly Figure[] }
  /** Why there is no figure: the row threw, ended or hung. */
  | { readonly problem: string };

/** Input of a row's process. */
export interface RowRequest {
  readonly id: string;
  readonly short: boolean;
  /** Folder of the logs, shared by all rows. */
  readonly folder: string;
  /** The user's log, for the rows that accept any log. */
  readonly file: string | undefined;
}
