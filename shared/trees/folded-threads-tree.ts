import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { GrowingTree } from './growing-tree.ts';
import type { ProfileExtent, RowId } from './row-tree.ts';
import { threadKey } from './keys.ts';

/**
 * All threads merged into one tree, built from the rows of a finer tree that separates threads. It has the same rows
 * and ids as a CallTree of all threads, but visits the rows of the finer tree instead of call nodes: 0.6 million
 * instead of 7.7 million.
 *
 *   rows by thread   main   Shop.run   Shop.draw   gc   Shop.run      ids: the first call node of the first such row
 *   folded           All    Shop.run   Shop.draw   All  Shop.run
 *   row              0      1          2           0    1
 *
 * Update the finer tree first, to the same extent. This tree uses its keys.
 */
export class FoldedThreadsTree extends GrowingTree {
  readonly finer: GrowingTree;
  /** The finer tree's numbering when its rows were added. */
  #finerNumbering: number;

  constructor(profile: LeanProfile, finer: GrowingTree) {
    super(profile, { threads: 'all', frames: finer.grouping.frames }, finer.keys);
    this.finer = finer;
    this.#finerNumbering = finer.numbering;
  }

  rowOf(id: RowId): number {
    const finerRow = this.finer.rowOf(id);
    if (finerRow === NONE || finerRow >= this.taken) return NONE;
    const row = this.rowOfTaken[finerRow];
    return row < this.length ? row : NONE;
  }

  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void {
    this.finer.rowsOfNodes(node, length, into);
    const rowOf = this.rowOfTaken;
    for (let at = 0; at < length; at++) into[at] = rowOf[into[at]];
  }

  /** Adds the rows that the finer tree shows. */
  update(): 'grown' | 'renumbered' {
    const isRenumbered = this.#finerNumbering !== this.finer.numbering;
    if (isRenumbered) {
      this.#finerNumbering = this.finer.numbering;
      this.keys = this.finer.keys;
      this.restart();
    }
    this.#takeRows(this.finer.length);
    this.showAll();
    return isRenumbered ? 'renumbered' : 'grown';
  }

  /** Adds rows that the finer tree has prefetched. */
  prefetch(_extent: ProfileExtent, most: number): void {
    if (this.taken === 0 || this.#finerNumbering !== this.finer.numbering) return;
    this.#takeRows(Math.min(this.finer.prefetchedLength, this.taken + most));
  }

  /** The finer rows are in the order of their first nodes, so rows here get the same numbers as in a CallTree. */
  #takeRows(end: number): void {
    if (end <= this.taken) return;
    const { parent, key } = this.finer;
    this.reserve(end, end);
    const rowOf = this.rowOfTaken;
    for (let row = this.taken; row < end; row++) {
      const up = parent[row];
      const node = this.finer.idOf(row);
      rowOf[row] =
        up === NONE
          ? this.rootRow(threadKey(this.profile, ~this.profile.nodes.frame[node], 'all'), node)
          : this.childRow(rowOf[up], key[row], node);
    }
    this.taken = end;
  }
}
