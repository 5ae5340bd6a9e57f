import { FIRST_ROWS, grown, nextCapacity, NONE } from './columns.ts';

/** Row of the ThreadTable: threads in order of first appearance, dense from 0. */
export type ThreadIndex = number;

/**
 *   row   idHi,idLo            name          root
 *   0     -140552873257576     ''            0       has a thread record with an empty name
 *   1     20458                'main'        1
 *   2     77                   undefined     7       has samples, but no thread record
 *   3     91                   'reaper'     -1       has a thread record, but no samples
 */
export class ThreadTable {
  length = 0;
  /** Halves of the signed 64-bit thread id. */
  idHi = new Int32Array(FIRST_ROWS);
  idLo = new Int32Array(FIRST_ROWS);
  /** -> row of the NodeTable, the thread's root; NONE until its first trace starts. */
  root = new Int32Array(FIRST_ROWS);
  /** The last non-empty name in the log; '' if all its names were empty; undefined if there was none. */
  readonly name: (string | undefined)[] = [];
  /** The log that the thread was in, where several are merged with their threads apart; undefined otherwise. */
  readonly group: (string | undefined)[] = [];

  append(idHi: number, idLo: number): ThreadIndex {
    const row = this.length;
    if (row === this.idHi.length) {
      const capacity = nextCapacity(row, row + 1);
      this.idHi = grown(this.idHi, capacity);
      this.idLo = grown(this.idLo, capacity);
      this.root = grown(this.root, capacity);
    }
    this.idHi[row] = idHi;
    this.idLo[row] = idLo;
    this.root[row] = NONE;
    this.name.push(undefined);
    this.group.push(undefined);
    this.length = row + 1;
    return row;
  }
}
