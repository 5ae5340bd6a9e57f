import type { SortableRows } from '../columns/column.ts';
import { NONE } from '../../profile/columns.ts';
import type { RowId, RowTree } from '../trees/row-tree.ts';
import type { RowValues } from '../values/row-sums.ts';
import { heldOrder, rowOrder, rowsToMove, type SortOrder } from './sort-order.ts';

/** Rows that are displayed as one: each has nothing but the next one below it, and all have the same totals. */
interface Fold {
  readonly count: number;
  readonly last: number;
}

/** Fewer rows are not worth a row that says how many they are. */
const LEAST_FOLDED = 3;

/** The displayed rows of a tree from top to bottom, and the depth of each. */
export interface DisplayedRows {
  readonly rows: Int32Array;
  readonly depths: Int32Array;
  /** The place of each among its siblings, from 1 on, and how many these are. */
  readonly places: Int32Array;
  readonly siblings: Int32Array;
  /** Row -> the chain that it stands for; empty where none is folded. */
  readonly folded: ReadonlyMap<number, Fold>;
  /** Number of rows out of the requested order because rows are held; each moves with its subtree. */
  readonly displaced: number;
}

const NOTHING = new Int32Array(0);

export const NO_ROWS: DisplayedRows = {
  rows: NOTHING,
  depths: NOTHING,
  places: NOTHING,
  siblings: NOTHING,
  folded: new Map(),
  displaced: 0,
};

/**
 * The open rows of a tree, and the displayed rows in their order. Stores ids of rows, so that open rows stay open while
 * the profile grows and when the grouping changes.
 */
export class OpenRows {
  readonly #openDepth: number;
  #opened = new Set<RowId>();
  #closed = new Set<RowId>();
  /** Rows that are open for the user until he closes them: along the hot path, and above what was revealed. */
  #hot = new Set<RowId>();
  #revealed = new Set<RowId>();
  /** id of a row, or NONE for the roots -> ids of its children as last sorted. */
  #ordered = new Map<RowId, readonly RowId[]>();
  #displaced = 0;

  /** `openDepth`: rows at a smaller depth are open until the user closes them; by default the threads. */
  constructor(openDepth = 1) {
    this.#openDepth = openDepth;
  }

  /**
   * Call after rows were renumbered, or with another grouping or scope. Adds the ids of the rows that now contain the
   * stored ones; stored ids stay, so that their rows are open if they return.
   */
  regroup(tree: RowTree): void {
    const idOf = (id: RowId): RowId => {
      const row = id === NONE ? NONE : tree.rowOf(id);
      return row === NONE ? id : tree.idOf(row);
    };
    for (const ids of [this.#opened, this.#closed, this.#hot, this.#revealed])
      for (const id of [...ids]) ids.add(idOf(id));
    this.#ordered = new Map([...this.#ordered].map(([id, children]) => [idOf(id), children.map(idOf)]));
  }

  /** Call it with another tree that gives rows other ids: the rows that are in both stay open. */
  renumber(idOf: (id: RowId) => RowId | undefined): void {
    const renumbered = (ids: ReadonlySet<RowId>): Set<RowId> =>
      new Set([...ids].map(idOf).filter((id) => id !== undefined));
    this.#opened = renumbered(this.#opened);
    this.#closed = renumbered(this.#closed);
    this.#hot = renumbered(this.#hot);
    this.#revealed = renumbered(this.#revealed);
    this.#ordered = new Map();
  }

  isOpen(tree: RowTree, row: number, depth: number): boolean {
    const id = tree.idOf(row);
    if (this.#opened.has(id)) return true;
    return !this.#closed.has(id) && (depth < this.#openDepth || this.#isOpenForUser(id));
  }

  #isOpenForUser(id: RowId): boolean {
    return this.#hot.has(id) || this.#revealed.has(id);
  }

  /** Opens the rows from this one up, in place of those of the last hot path; what the user has closed stays closed. */
  openHotPath(tree: RowTree, row: number): void {
    this.#hot = new Set(pathTo(tree, row).map((each) => tree.idOf(each)));
  }

  open(tree: RowTree, row: number): void {
    const id = tree.idOf(row);
    this.#opened.add(id);
    this.#closed.delete(id);
  }

  close(tree: RowTree, row: number): void {
    const id = tree.idOf(row);
    this.#opened.delete(id);
    this.#closed.add(id);
  }

  /** Opens all rows above a row, and has it displayed as a row of its own. `isOpened`: the row itself is opened, too. */
  reveal(tree: RowTree, row: number, isOpened = false): void {
    for (const each of pathTo(tree, isOpened ? row : tree.parent[row])) {
      const id = tree.idOf(each);
      this.#revealed.add(id);
      this.#closed.delete(id);
    }
    if (!isOpened && this.#isOpenForUser(tree.idOf(row))) this.open(tree, row);
  }

  /** Opens a row and the rows below it that pass, breadth first, at most `limit` rows. False if there are more. */
  openAll(tree: RowTree, row: number, limit: number, passes = (_row: number): boolean => true): boolean {
    const queue = [row];
    for (let at = 0; at < queue.length && at < limit; at++) {
      this.open(tree, queue[at]);
      for (let child = tree.firstChild(queue[at]); child !== NONE; child = tree.nextSibling(child)) {
        if (tree.firstChild(child) !== NONE && passes(child)) queue.push(child);
      }
    }
    return queue.length <= limit;
  }

  /** Closes a row and everything that is open below it. */
  closeAll(tree: RowTree, row: number): void {
    // One pass over all rows instead of a walk to the root from each open row, because a stack may be a million deep.
    const isBelow = new Uint8Array(tree.length);
    isBelow[row] = 1;
    for (let each = row + 1; each < tree.length; each++) {
      const parent = tree.parent[each];
      if (parent !== NONE) isBelow[each] = isBelow[parent];
    }
    for (const ids of [this.#opened, this.#hot, this.#revealed])
      for (const id of ids) {
        const open = tree.rowOf(id);
        if (open !== NONE && isBelow[open] === 1) ids.delete(id);
      }
    this.close(tree, row);
  }

  /** Restores the initial state. `closed`: closes the threads, too. */
  reset(tree: RowTree, closed: boolean): void {
    for (const ids of [this.#opened, this.#hot, this.#revealed]) ids.clear();
    this.#closed = new Set(closed && this.#openDepth > 0 ? tree.roots().map((row) => tree.idOf(row)) : []);
  }

  /**
   * A row's children that are shown, sorted; for NONE the roots. With `hold`, children that were sorted before keep their
   * order and new ones follow, so that rows do not move under the pointer while numbers change. `rates`: of methods.
   */
  children(
    values: RowValues,
    row: number,
    sort: SortOrder,
    hold: boolean,
    rates?: SortableRows['rates'],
  ): number[] {
    const { tree } = values;
    const id = row === NONE ? NONE : tree.idOf(row);
    const before = hold ? this.#ordered.get(id) : undefined;
    const children: number[] = [];
    const take = (child: number): void => {
      if (values.isShown(child)) children.push(child);
    };
    if (row === NONE) tree.roots().forEach(take);
    else for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child)) take(child);
    children.sort(
      rowOrder(
        {
          label: (each) => tree.label(each),
          isLast: (each) => tree.keys.isNoStack(tree.key[each]),
          selfCount: values.selfCount,
          totalCount: values.totalCount,
          selfTime: values.selfTime,
          totalTime: values.totalTime,
          compared: values.compared,
          rates,
        },
        sort,
      ),
    );
    let ordered = children;
    if (before !== undefined) {
      ordered = heldOrder(
        before.map((each) => tree.rowOf(each)),
        children,
      );
      this.#displaced += rowsToMove(ordered, children);
    }
    this.#ordered.set(
      id,
      ordered.map((child) => tree.idOf(child)),
    );
    return ordered;
  }

  /**
   * The chain of rows from this one on that were opened for the user and have nothing but the next one below them, and the
   * row that it leads to; undefined where it is short.
   */
  #chainFrom(values: RowValues, top: number): (Fold & { readonly end: number }) | undefined {
    const { tree, totalCount, totalTime } = values;
    let count = 0;
    let last: number = NONE;
    let end = top;
    for (;;) {
      const id = tree.idOf(end);
      if (!this.#isOpenForUser(id) || this.#opened.has(id) || this.#closed.has(id)) break;
      const child = onlyChild(values, end);
      if (child === NONE || totalCount[child] !== totalCount[end]) break;
      if (totalTime.ns[child] !== totalTime.ns[end]) break;
      count++;
      last = end;
      end = child;
    }
    return count < LEAST_FOLDED ? undefined : { count, last, end };
  }

  /**
   * All displayed rows from top to bottom. The cost depends on their number, not on the size of the tree. `folds`: chains
   * that were opened for the user are one row.
   */
  display(
    values: RowValues,
    sort: SortOrder,
    hold: boolean,
    folds = false,
    rates?: SortableRows['rates'],
  ): DisplayedRows {
    const { tree } = values;
    const folded = new Map<number, Fold>();
    if (!hold) this.#ordered.clear();
    this.#displaced = 0;
    const rows: number[] = [];
    const depths: number[] = [];
    const places: number[] = [];
    const siblings: number[] = [];
    const levels = [{ children: this.children(values, NONE, sort, hold, rates), next: 0 }];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      if (level.next === level.children.length) {
        levels.pop();
        continue;
      }
      const row = level.children[level.next++];
      const depth = levels.length - 1;
      rows.push(row);
      depths.push(depth);
      // All siblings were sorted above: this costs nothing more.
      places.push(level.next);
      siblings.push(level.children.length);
      const isOnly = folds && depth > 0 && level.children.length === 1;
      const chain = isOnly ? this.#chainFrom(values, row) : undefined;
      if (chain !== undefined) {
        folded.set(row, chain);
        levels.push({ children: [chain.end], next: 0 });
      } else if (tree.firstChild(row) !== NONE && this.isOpen(tree, row, depth)) {
        levels.push({ children: this.children(values, row, sort, hold, rates), next: 0 });
      }
    }
    return {
      rows: Int32Array.from(rows),
      depths: Int32Array.from(depths),
      places: Int32Array.from(places),
      siblings: Int32Array.from(siblings),
      folded,
      displaced: this.#displaced,
    };
  }
}

/** A row and all rows above it; none for NONE. */
function pathTo(tree: RowTree, row: number): readonly number[] {
  const path: number[] = [];
  for (let up = row; up !== NONE; up = tree.parent[up]) path.push(up);
  return path;
}

/** The only row below a row that is shown; NONE where there are several or none. */
function onlyChild(values: RowValues, row: number): number {
  const { tree } = values;
  let only: number = NONE;
  for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child)) {
    if (!values.isShown(child)) continue;
    if (only !== NONE) return NONE;
    only = child;
  }
  return only;
}
