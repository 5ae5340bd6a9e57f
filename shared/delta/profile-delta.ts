import type { MethodNames } from '../profile/method-table.ts';

/** State of a copy of a profile: the lengths of its tables, and the first revision whose changes it lacks. */
export interface DeltaCursor {
  readonly revision: number;
  readonly threads: number;
  readonly methods: number;
  readonly frames: number;
  readonly nodes: number;
  readonly selfValues: number;
  /** Rows of the SampleTable that never change. The copy may have provisional ones after them. */
  readonly samples: number;
  /** Rows of the ContextTable. */
  readonly contexts: number;
}

export const NOTHING: DeltaCursor = {
  revision: 0,
  threads: 0,
  methods: 0,
  frames: 0,
  nodes: 0,
  selfValues: 0,
  samples: 0,
  contexts: 0,
};

/** Whether a copy at this cursor has no delta yet. Every delta, even one without rows, leads to a later revision. */
export function isNothing({ revision }: DeltaCursor): boolean {
  return revision === NOTHING.revision;
}

/**
 * Counts of samples. An encoded delta has four bytes per count if all counts of the column are whole and less than 2^32,
 * as nearly always; otherwise eight.
 */
export type CountColumn = Uint32Array | Float64Array;

/**
 * The growth of a profile from one cursor to a later one, within an epoch. Columns only: no trees, no objects per row.
 *
 *   base         2 threads, 5 nodes                  to   2 threads, 7 nodes
 *   nodes        frame [2, 9]                        rows 5 and 6: the parent of each is the row before it …
 *   reparented   node [5]  parent [4]                … except for these: a chain of two below node 4
 *   selfValues   node [6]  count [1]  ns […]         new rows: a sample ended at node 6
 *   changed      row [0]  count [12]  ns […]         older rows whose values changed: their values now
 *
 * Laws: apply(base, make(base → next)) equals next, bit for bit; deltas concatenate; a delta that does not start at the
 * copy's cursor is refused.
 */
export interface ProfileDelta {
  readonly epoch: number;
  readonly base: DeltaCursor;
  readonly to: DeltaCursor;
  /** False if the delta was truncated to its size limit: more rows exist already. */
  readonly complete: boolean;
  /**
   * Capacity of the profile's NodeTable. A copy that reserves as much does not have to copy its columns again and again
   * while it grows.
   */
  readonly capacity: number;

  readonly threads: { readonly idHi: Int32Array; readonly idLo: Int32Array };
  readonly methods: { readonly idHi: Int32Array; readonly idLo: Int32Array };
  readonly frames: { readonly method: Int32Array; readonly line: Int32Array; readonly bci: Int32Array };
  /** Frames of the new nodes, in two bytes each if all frame numbers of the profile fit; 0 for the root of a thread. */
  readonly nodes: { readonly frame: Int32Array | Uint16Array };
  /**
   * The new nodes whose parent is not the row before them, in order, with their parents: one node in a few dozen. For the
   * root of a thread, `parent` is the complement of the thread's row.
   */
  readonly reparented: { readonly node: Int32Array; readonly parent: Int32Array };

  /** Groups of new rows: see ThreadTable. */
  readonly threadGroups: readonly (readonly [row: number, group: string])[];
  /** Names of new rows, and of older rows whose name arrived since. */
  readonly threadNames: readonly (readonly [row: number, name: string])[];
  readonly methodNames: readonly (readonly [row: number, names: MethodNames])[];

  /** New rows of the SelfTable, encoded in 16 or 20 bytes each: see CountColumn. */
  readonly selfValues: { readonly node: Int32Array; readonly count: CountColumn; readonly ns: Float64Array };
  /** Older rows of the SelfTable that have changed, with their present values. */
  readonly changed: { readonly row: Int32Array; readonly count: CountColumn; readonly ns: Float64Array };
  /** New or changed rows whose time is not a safe integer, with the exact time in decimal (see TimeColumn). */
  readonly bigintTimes: readonly (readonly [row: number, ns: string])[];
  /** Undefined for a client that did not ask for samples. */
  readonly samples: SampleDelta | undefined;
}

/**
 * The rows of the SampleTable from `base.samples` on. They replace the provisional ones of the copy.
 *
 *   base.samples 2            copy  0 1 2?       becomes   0 1 2 3 4?       to.samples 4
 *   rows from 2 on            2 3 4?
 */
export interface SampleDelta {
  /** See SampleTable, decimal; undefined until there is a sample. */
  readonly origin: string | undefined;
  readonly at: Float64Array;
  readonly self: Int32Array;
  /** Undefined where no sample has its value in another row of the SelfTable. */
  readonly valueSelf: Int32Array | undefined;
  /** One for each row; a single one if all rows of the table have this value: see SampleValues. */
  readonly value: Float64Array;
  /** Rows, counted from `base.samples`, whose time or value is not a safe integer, with the exact one in decimal. */
  readonly bigintAts: readonly (readonly [row: number, ns: string])[];
  readonly bigintValues: readonly (readonly [row: number, value: string])[];
  /** See SampleTable. */
  readonly areCalls: boolean;
  /** Number of its last rows that are provisional: see SampleTable. */
  readonly provisional: number;
  /** Rows that the table has reserved, so that the copy does not grow step by step. */
  readonly capacity: number;
  /** Undefined where there are no new ones. */
  readonly contexts: ContextDelta | undefined;
}

/** The rows of the ContextTable from `base.contexts` on, and their texts. */
export interface ContextDelta {
  /** Decimal. */
  readonly origin: string;
  readonly thread: Int32Array;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly name: Int32Array;
  /** Row -> the end of its attributes in `key` and `value`. */
  readonly attributesEnd: Int32Array;
  readonly key: Int32Array;
  readonly value: Int32Array;
  /** The number of the first of `texts`. */
  readonly firstText: number;
  readonly texts: readonly string[];
}
