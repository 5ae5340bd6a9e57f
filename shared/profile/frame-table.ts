import { FIRST_ROWS, grown, nextCapacity } from './columns.ts';

/** Row of the FrameTable: distinct frames in order of first appearance, dense from 0. */
export type FrameIndex = number;

/** The line of a frame without one: the method has no line table, or the format stores no lines. */
export const NO_LINE = -100;
/** The BCI of a frame without one, and of a frame at the entry of its method. */
export const NO_BCI = -1;
/** The BCI of a frame in a native method. */
export const NATIVE_BCI = -3;

/**
 * A frame's identity is (method, line, BCI): two lines of one method are two frames.
 *
 *   row   method   line   bci
 *   0     0        -100   -1      error frame
 *   1     1        1479    4
 *   2     1        1481   12
 */
export class FrameTable {
  length = 0;
  /** -> row of the MethodTable. */
  method = new Int32Array(FIRST_ROWS);
  /** > 0: a line. -100, -101, -102: why the agent's bci2line found none (JVMTI GetLineNumberTable). */
  line = new Int32Array(FIRST_ROWS);
  /** > 0 normal; 0 first instruction; -1 method entry; -3 native method. */
  bci = new Int32Array(FIRST_ROWS);

  append(method: number, line: number, bci: number): FrameIndex {
    const row = this.length;
    if (row === this.method.length) this.reserve(nextCapacity(row, row + 1));
    this.method[row] = method;
    this.line[row] = line;
    this.bci[row] = bci;
    this.length = row + 1;
    return row;
  }

  reserve(capacity: number): void {
    if (capacity <= this.method.length) return;
    this.method = grown(this.method, capacity);
    this.line = grown(this.line, capacity);
    this.bci = grown(this.bci, capacity);
  }
}
