/** A value of an answer: 64-bit integers are bigints or, where they are safe, numbers; a list of them is one array. */
export type Cell = string | number | bigint | boolean | null | BigInt64Array | readonly Cell[];

/** The answer to a query, in batches of columns: `batch[column][row]`. */
export interface FleetAnswer {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** A database that answers SQL about samples, stacks and frames. */
export interface FleetEngine {
  /** The names of the three tables in its SQL, with what an engine needs for a subquery of another table. */
  readonly tables: { readonly samples: string; readonly stacks: string; readonly frames: string };
  /** `IN` before a subquery; where tables are spread over several servers another word. */
  readonly inWord: string;
  /** The hour of a sample in its SQL, in UTC: `2026-11-28 10:00`. */
  readonly hour: string;
  /** A text in its SQL. */
  text(content: string): string;
  /** Keeps the answer of a query for further ones, if it can; resolves to what names its rows after FROM. Rejects with FleetError. */
  keep(sql: string): Promise<string>;
  /** Asks. Rejects, or its batches do, with FleetError. */
  query(sql: string): Promise<FleetAnswer>;
  /** Ends the query that is being answered, which rejects then. */
  interrupt(): void;
  close(): Promise<void> | void;
}

/** A dataset or server that cannot answer: a phrase for people, with what to do. It names no password. */
export class FleetError extends Error {
  override readonly name = 'FleetError';
}
