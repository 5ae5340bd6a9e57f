import { grown, NONE } from '../../profile/columns.ts';
import type { SelfValues } from './self-values.ts';

/** The call nodes of a profile; or the rows of a tree, whose frames are then its keys. */
interface Nodes {
  readonly parent: Int32Array;
  readonly frame: Int32Array;
}

/** Finds the call nodes that have a marked frame, or have a node above them that does. Each node is visited once. */
export class MarkedNodes {
  /** node -> 1 if its frame or the frame of a node above it is marked. */
  isMarked = new Uint8Array(0);
  #length = 0;

  /** Adds the nodes before `end`. `isMarkedFrame`: frame -> 1 if it is marked. */
  update({ parent, frame }: Nodes, end: number, isMarkedFrame: Uint8Array): void {
    if (end <= this.#length) return;
    // As much as is reserved for nodes: then marks are rarely copied while a profile grows.
    if (end > this.isMarked.length) this.isMarked = grown(this.isMarked, parent.length, this.#length);
    const isMarked = this.isMarked;
    for (let node = this.#length; node < end; node++) {
      const up = parent[node];
      isMarked[node] = up === NONE ? 0 : isMarked[up] | isMarkedFrame[frame[node]];
    }
    this.#length = end;
  }

  /** The next update visits all nodes again. Call it when a frame of nodes that were visited is now marked. */
  restart(): void {
    this.#length = 0;
  }
}

/** Row of the values -> 1 where `isMarked` has the node. */
export function markedRows(
  { length, node }: Pick<SelfValues, 'length' | 'node'>,
  isMarked: Uint8Array,
): Uint8Array {
  const rows = new Uint8Array(length);
  for (let row = 0; row < length; row++) rows[row] = isMarked[node[row]];
  return rows;
}
