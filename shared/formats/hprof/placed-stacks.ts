import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { type FrameColumns, type FrameIds } from './frame-columns.ts';
import type { StackTree } from './stack-tree.ts';

/** The stacks to place, and the sink. */
interface Stacks {
  readonly sink: SampleSink;
  readonly tree: StackTree;
  readonly frames: FrameColumns;
  readonly frameIds: FrameIds;
  /** Row of the ThreadHistory -> the sink's thread. */
  readonly threads: readonly number[];
  /** Receives the methods of the placed frames. */
  readonly used: Set<number>;
}

/**
 * Places the marked nodes of a tree in a sink, chain by chain: in the order of memory, and callers before callees.
 */
export class PlacedStacks {
  readonly #stacks: Stacks;
  /** Method of a frame between the root and all stacks, or NONE. */
  readonly #topMethod: number;
  /** Row of the ThreadHistory -> the sink's node that is the parent of its stacks. */
  readonly #roots: (number | undefined)[] = [];
  /** Node of the tree -> node of the sink. */
  readonly #nodes: Int32Array;

  /**
   * `nodes` receives the sink's nodes and is at least as long as the tree. It may be the cells of the tree, if its
   * frames are no longer needed.
   */
  constructor(stacks: Stacks, mark: number, topMethod: number, nodes: Int32Array) {
    const { sink, tree } = stacks;
    this.#stacks = stacks;
    this.#topMethod = topMethod;
    this.#nodes = nodes;
    const chains = tree.chains();
    sink.expectNodes(tree.length, chains.length);
    const frames = new SinkFrames(stacks);
    for (const chain of chains) this.#place(chain, mark, frames);
  }

  #place(chain: number, mark: number, frames: SinkFrames): void {
    const { sink, tree } = this.#stacks;
    const start = tree.start(chain);
    const end = tree.markedEnd(chain, mark);
    if (end === start) return;
    frames.write(start, end, this.#nodes);
    const depth = tree.depth(chain) + (this.#topMethod === NONE ? 0 : 1);
    sink.callees(this.node(tree.parent(chain)), depth, this.#nodes, start, end);
  }

  /** The sink's node for a marked node, or for ~row of a thread. */
  node(node: number): number {
    return node >= 0 ? this.#nodes[node] : (this.#roots[~node] ??= this.#root(~node));
  }

  #root(thread: number): number {
    const { sink, threads, used } = this.#stacks;
    const root = sink.root(threads[thread]);
    if (this.#topMethod === NONE) return root;
    used.add(this.#topMethod);
    return sink.callee(root, 1, 0, this.#topMethod, NO_LINE, NO_BCI);
  }
}

/** Frames of the sink. A frame is added to it when it is first needed. */
class SinkFrames {
  readonly #stacks: Stacks;
  /** Id -> the sink's frame + 1. Most writers number frames from 1 on: larger ids are looked up each time. */
  readonly #ofIds: Int32Array;
  /** Row of FrameColumns -> the sink's frame + 1. */
  readonly #ofRows: number[] = [];

  constructor(stacks: Stacks) {
    this.#stacks = stacks;
    this.#ofIds = new Int32Array(2 * stacks.frames.method.length);
  }

  /** Writes the sink's frames for the tree's nodes [start, end) to the same cells of `into`. */
  write(start: number, end: number, into: Int32Array): void {
    const { tree, frameIds } = this.#stacks;
    const { isSwapped } = frameIds;
    const known = this.#ofIds;
    for (let node = start; node < end; node++) {
      const cell = tree.frame(node);
      const id = isSwapped ? swapped(cell) : cell >>> 0;
      const frame = id < known.length ? known[id] : 0;
      into[node] = (frame !== 0 ? frame : this.#add(id)) - 1;
    }
  }

  #add(id: number): number {
    const row = this.#stacks.frameIds.rowOf(id);
    const frame = (this.#ofRows[row] ??= this.#addRow(row));
    if (id < this.#ofIds.length) this.#ofIds[id] = frame;
    return frame;
  }

  #addRow(row: number): number {
    const { sink, frames, used } = this.#stacks;
    const method = frames.method[row];
    used.add(method);
    return sink.frame(0, method, frames.line[row], frames.bci[row]) + 1;
  }
}

function swapped(cell: number): number {
  return ((cell << 24) | ((cell & 0xff00) << 8) | ((cell >>> 8) & 0xff00) | (cell >>> 24)) >>> 0;
}
