import type { TimeColumn } from '../profile/time-column.ts';
import type { KeyTable } from './keys.ts';

/** Rows that hang together as a tree, whatever they stand for: what filters and writers need of one. */
export interface TreeRows {
  readonly keys: KeyTable;
  readonly length: number;
  /** `parent` < row; `frame` is a key, or the complement of something that is no method. */
  readonly rows: {
    readonly parent: Int32Array;
    readonly frame: Int32Array;
    readonly selfCount: ArrayLike<number>;
    readonly selfTime: TimeColumn;
  };
  readonly totals: { readonly count: ArrayLike<number>; readonly time: TimeColumn };
  label(row: number): string;
  roots(): number[];
  /** First of a row's children, in no particular order; NONE when it has none. */
  firstChild(row: number): number;
  nextSibling(row: number): number;
  isShown(row: number): boolean;
}
