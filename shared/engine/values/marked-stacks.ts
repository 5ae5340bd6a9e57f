import { grown, NONE, nextCapacity } from '../../profile/columns.ts';
import type { SelfValues } from './self-values.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { GrowingTree } from '../trees/growing-tree.ts';
import type { KeyTable } from '../trees/keys.ts';
import type { ProfileExtent } from '../trees/row-tree.ts';

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

/** The stacks in which keys are looked for. */
export interface StacksOfKeys {
  readonly profile: LeanProfile;
  /** The part of the profile that is there. */
  readonly extent: Pick<ProfileExtent, 'frames' | 'nodes'>;
  /** Keys of the profile's frames. */
  readonly keys: KeyTable;
  /** A tree of the profile with these keys: some ten times fewer rows than call nodes. Undefined: there is none yet. */
  readonly tree: GrowingTree | undefined;
}

/**
 * Finds the stacks that have one of some marked keys on them. While the profile grows, each row of the tree is visited
 * once, or each call node where there is no tree.
 */
export class MarkedStacks {
  readonly #rows = new MarkedNodes();
  /** The tree whose rows were visited, or the keys of call nodes. `numbering`: a late name changes that of a tree. */
  #visited:
    | {
        readonly keys: KeyTable;
        readonly tree: GrowingTree | undefined;
        readonly numbering: number | undefined;
      }
    | undefined;
  /** Without a tree: frame -> 1 if its key is marked. */
  #isMarkedFrame = new Uint8Array(0);
  #frames = 0;

  /** Call node in `nodes` -> 1 if the stack that ends there has a marked key; 0 for NONE. `isMarked`: key -> 1. */
  ofNodes(nodes: Int32Array, isMarked: Uint8Array, stacks: StacksOfKeys): Uint8Array {
    const { tree } = stacks;
    const isMarkedRow = this.#visit(isMarked, stacks);
    const marks = new Uint8Array(nodes.length);
    let rows = nodes;
    if (tree !== undefined) {
      rows = new Int32Array(nodes.length);
      tree.rowsOfNodes(nodes, nodes.length, rows);
    }
    for (let at = 0; at < marks.length; at++) if (nodes[at] !== NONE) marks[at] = isMarkedRow[rows[at]];
    return marks;
  }

  /** Row of self values -> 1 if its stack has a marked key. A tree knows the rows of self values. */
  ofValues(values: SelfValues, isMarked: Uint8Array, stacks: StacksOfKeys): Uint8Array {
    const node = stacks.tree?.rowsOfValues(values) ?? values.node;
    return markedRows({ length: values.length, node }, this.#visit(isMarked, stacks));
  }

  /** Visits everything again. Call it when other keys are marked. */
  restart(): void {
    this.#visited = undefined;
  }

  #visit(isMarked: Uint8Array, { profile, extent, keys, tree }: StacksOfKeys): Uint8Array {
    const before = this.#visited;
    const numbering = tree?.numbering;
    if (before?.keys !== keys || before.tree !== tree || before.numbering !== numbering) {
      this.#visited = { keys, tree, numbering };
      this.#rows.restart();
      this.#frames = 0;
    }
    if (tree === undefined)
      this.#rows.update(profile.nodes, extent.nodes, this.#framesOf(isMarked, keys, extent.frames));
    else this.#rows.update({ parent: tree.parent, frame: tree.key }, tree.length, isMarked);
    return this.#rows.isMarked;
  }

  #framesOf(isMarked: Uint8Array, { ofFrame }: KeyTable, end: number): Uint8Array {
    if (end > this.#isMarkedFrame.length)
      this.#isMarkedFrame = grown(
        this.#isMarkedFrame,
        nextCapacity(this.#isMarkedFrame.length, end),
        this.#frames,
      );
    for (; this.#frames < end; this.#frames++)
      this.#isMarkedFrame[this.#frames] = isMarked[ofFrame[this.#frames]];
    return this.#isMarkedFrame;
  }
}

/** The call nodes that have a selected method on their path. */
export class NodesOfKey {
  /** The key of the last question. */
  #key: number | undefined;
  /** Kept for the next key: without a tree it has a byte for each call node, and an arrow key that is held down selects dozens. */
  #stacks = new MarkedStacks();

  /** Call node in `nodes` -> 1 if this key is on its path; 0 for NONE. */
  of(key: number, stacks: StacksOfKeys, nodes: Int32Array): Uint8Array {
    if (key !== this.#key) this.#stacks.restart();
    this.#key = key;
    const { length, methodOf } = stacks.keys;
    // A split method means all of its lines.
    const isKey = (each: number): 0 | 1 => (each === key || methodOf[each] === key ? 1 : 0);
    const isMarked = Uint8Array.from({ length }, (_, each) => isKey(each));
    return this.#stacks.ofNodes(nodes, isMarked, stacks);
  }

  forget(): void {
    this.#key = undefined;
    this.#stacks = new MarkedStacks();
  }
}
