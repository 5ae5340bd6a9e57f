import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_LINE } from '../../profile/frame-table.ts';
import { type FrameColumns, NO_BCI } from './frame-columns.ts';
import type { StackTree } from './stack-tree.ts';

/** What is placed, and where. */
interface Stacks {
  readonly sink: SampleSink;
  readonly tree: StackTree;
  readonly frames: FrameColumns;
  /** Row of the ThreadHistory -> the sink's thread. */
  readonly threads: readonly number[];
  /** Method -> 1 when a node has it; noted here. */
  readonly isUsed: Uint8Array;
}

/**
 * The nodes of a sink that stand for the marked nodes of a tree: made run by run, which is the order in which they lie in
 * memory, and callers before what they call.
 */
export class PlacedStacks {
  readonly #stacks: Stacks;
  /** The method of a frame that all stacks hang below, or NONE. */
  readonly #topMethod: number;
  /** Row of the ThreadHistory -> what its stacks hang below. */
  readonly #roots: (number | undefined)[] = [];
  /** Node of the tree -> node of the sink. */
  readonly #nodes: Int32Array;

  /** `nodes`: at least as long as the tree; its own cells, when nobody needs its frames any more. */
  constructor(stacks: Stacks, mark: number, topMethod: number, nodes: Int32Array) {
    const { sink, tree } = stacks;
    this.#stacks = stacks;
    this.#topMethod = topMethod;
    this.#nodes = nodes;
    const runs = tree.runs();
    sink.expectNodes(tree.length, runs.length);
    const top = topMethod === NONE ? 0 : 1;
    const frames = new SinkFrames(stacks);
    for (const run of runs) {
      const start = tree.start(run);
      const end = tree.markedEnd(run, mark);
      if (end === start) continue;
      frames.write(start, end, nodes);
      sink.callees(this.node(tree.parent(run)), top + tree.depth(run), nodes, start, end);
    }
  }

  /** The sink's node for a marked one, or for the complement of a thread. */
  node(node: number): number {
    return node >= 0 ? this.#nodes[node] : (this.#roots[~node] ??= this.#root(~node));
  }

  #root(thread: number): number {
    const { sink, threads, isUsed } = this.#stacks;
    const root = sink.root(threads[thread]);
    if (this.#topMethod === NONE) return root;
    isUsed[this.#topMethod] = 1;
    return sink.callee(root, 1, 0, this.#topMethod, NO_LINE, NO_BCI);
  }
}

/** Frames as the sink has them, each handed to it when it is first needed. */
class SinkFrames {
  readonly #stacks: Stacks;
  /** Frame -> one more than the sink's. */
  readonly #known: Int32Array;

  constructor(stacks: Stacks) {
    this.#stacks = stacks;
    this.#known = new Int32Array(stacks.frames.method.length);
  }

  /** Writes the sink's frames of nodes[start … end) of the tree. */
  write(start: number, end: number, into: Int32Array): void {
    const { tree } = this.#stacks;
    const known = this.#known;
    for (let node = start; node < end; node++) {
      const frame = tree.frame(node);
      into[node] = (known[frame] !== 0 ? known[frame] : this.#add(frame)) - 1;
    }
  }

  #add(frame: number): number {
    const { sink, frames, isUsed } = this.#stacks;
    const method = frames.method[frame];
    isUsed[method] = 1;
    this.#known[frame] = sink.frame(0, method, frames.line[frame], frames.bci[frame]) + 1;
    return this.#known[frame];
  }
}
