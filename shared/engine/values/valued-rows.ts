import { NONE } from '../../profile/columns.ts';
import type { TimeColumn } from '../../profile/time-column.ts';
import type { RowTree } from '../trees/row-tree.ts';

/** The four numbers of rows, of a tree or of a flat profile. */
interface ValuesOfRows extends TotalsOfRows {
  readonly selfCount: ArrayLike<number>;
  readonly selfTime: TimeColumn;
}

interface TotalsOfRows {
  readonly totalCount: ArrayLike<number>;
  readonly totalTime: TimeColumn;
}

/** Totals of the rows of a tree; `revision` is the number of updates. */
interface TotalsOfTree extends TotalsOfRows {
  readonly tree: RowTree;
  readonly revision: number;
}

/**
 * Whether a row has a number that is not 0: samples, or only time, as time between two snapshots may belong to a stack
 * where no sample ended (see SampleTable).
 */
export function hasNumbers(
  { selfCount, totalCount, selfTime, totalTime }: ValuesOfRows,
  row: number,
): boolean {
  return totalCount[row] !== 0 || totalTime.ns[row] !== 0 || selfCount[row] !== 0 || selfTime.ns[row] !== 0;
}

/**
 * The rows of a tree that have a value, or are above one that has. A row without samples whose times add up to 0 is among
 * them, because its parts are shown below it.
 *
 *   row           samples   time
 *   Shop.run      0         0       shown: its parts are
 *     Shop.read   0         500
 *     Shop.save   0         -500
 *   Shop.stop     0         0       not shown
 */
export class ValuedRows {
  readonly #values: TotalsOfTree;
  /** Row -> 1 if it has a value; undefined where no times of the revision cancel each other. */
  #isValued: Uint8Array | undefined;
  /** The revision of the values for which `#isValued` was computed. */
  #revision = -1;

  constructor(values: TotalsOfTree) {
    this.#values = values;
  }

  /** The first row without samples and time after an update costs a pass over all rows. */
  has(row: number): boolean {
    const { totalCount, totalTime, revision } = this.#values;
    if (totalCount[row] !== 0 || totalTime.ns[row] !== 0) return true;
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#isValued = this.#cancelEachOther() ? this.#valued() : undefined;
    }
    return this.#isValued?.[row] === 1;
  }

  /** Whether a row has time below one that has neither samples nor time. */
  #cancelEachOther(): boolean {
    const { tree, totalCount, totalTime } = this.#values;
    const { ns } = totalTime;
    const { length, parent } = tree;
    for (let row = 0; row < length; row++) {
      const up = parent[row];
      if (ns[row] !== 0 && up !== NONE && totalCount[up] === 0 && ns[up] === 0) return true;
    }
    return false;
  }

  #valued(): Uint8Array {
    const { tree, totalCount, totalTime } = this.#values;
    const isValued = new Uint8Array(tree.length);
    for (let row = tree.length - 1; row >= 0; row--) {
      if (totalCount[row] !== 0 || totalTime.ns[row] !== 0) isValued[row] = 1;
      if (isValued[row] === 1 && tree.parent[row] !== NONE) isValued[tree.parent[row]] = 1;
    }
    return isValued;
  }
}
