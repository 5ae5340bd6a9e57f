import { NONE } from '../../profile/columns.ts';
import type { KeyTable, RowKind } from '../trees/keys.ts';
import type { RowId, RowTree } from '../trees/row-tree.ts';
import type { RowValues } from '../values/row-sums.ts';
import type { FlatProfile } from './flat-profile.ts';

/**
 * Ids of the rows of methods. A method has the identity of its first frame. A line of a split method needs another id than
 * the method, which may begin with the same frame: the complement of its first frame, less one, because NONE is -1.
 *
 *   Shop.parse       7
 *   Shop.parse:40   -9   its first frame is 7
 *   Shop.parse:42  -14   its first frame is 12
 */
function lineIdOf(frameId: number): RowId {
  return -2 - frameId;
}

export function isLineId(id: RowId): boolean {
  return id < -1;
}

/** The identity of the first frame. */
export function frameIdOf(id: RowId): number {
  return isLineId(id) ? -2 - id : id;
}

/** The identities of frames and of the rows of methods. */
export interface MethodIds {
  idOfFrame(frame: number): number;
  /** The key that a row of methods stands for; undefined if its frames are not in scope. */
  keyOfMethodRow(id: RowId, keys: KeyTable): number | undefined;
}

/**
 * Methods, wherever they were called from, as a tree: the number of a row is its key. The lines of a split method are below
 * it.
 */
class MethodList implements RowTree {
  readonly keys: KeyTable;
  readonly numbering = 0;
  readonly hasOneRoot = false;
  readonly isInverted = false;
  /** row -> itself. */
  readonly key: Int32Array;
  readonly parent: Int32Array;
  readonly #ids: MethodIds;
  readonly #firstLine = new Map<number, number>();
  readonly #nextLine = new Map<number, number>();

  constructor(keys: KeyTable, ids: MethodIds) {
    this.keys = keys;
    this.#ids = ids;
    this.key = new Int32Array(keys.length);
    for (let key = 0; key < keys.length; key++) this.key[key] = key;
    this.parent = new Int32Array(keys.length).fill(NONE);
    for (let key = keys.hasLines ? keys.length - 1 : NONE; key >= 0; key--) {
      const method = keys.methodOf[key];
      if (method === key) continue;
      this.parent[key] = method;
      this.#nextLine.set(key, this.firstChild(method));
      this.#firstLine.set(method, key);
    }
  }

  get length(): number {
    return this.key.length;
  }

  idOf(row: number): RowId {
    const frame = this.#ids.idOfFrame(this.keys.firstFrame[row]);
    return this.parent[row] === NONE ? frame : lineIdOf(frame);
  }

  rowOf(id: RowId): number {
    return this.#ids.keyOfMethodRow(id, this.keys) ?? NONE;
  }

  label(row: number): string {
    return this.keys.labels[row];
  }

  kind(row: number): RowKind {
    return this.keys.isError[row] ? 'error' : 'frame';
  }

  roots(): number[] {
    const { parent } = this;
    const roots: number[] = [];
    for (let row = 0; row < parent.length; row++) if (parent[row] === NONE) roots.push(row);
    return roots;
  }

  firstChild(row: number): number {
    return this.#firstLine.get(row) ?? NONE;
  }

  nextSibling(row: number): number {
    return this.#nextLine.get(row) ?? NONE;
  }
}

/** The rows of a flat profile. */
export function methodRows(flat: FlatProfile, ids: MethodIds): RowValues {
  const { selfCount, totalCount, selfTime, totalTime } = flat;
  return {
    tree: new MethodList(flat.keys, ids),
    selfCount,
    totalCount,
    selfTime,
    totalTime,
    revision: 0,
    changed: undefined,
    isShown: (row) => flat.isShown(row),
  };
}
