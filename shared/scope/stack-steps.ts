import { ChildIndex } from '../profile/child-index.ts';
import { grown, nextCapacity, NONE, release } from '../profile/columns.ts';
import { NodeTable } from '../profile/node-table.ts';
import { type FrameGrouping, NO_STACK } from '../engine/trees/grouping.ts';
import type { KeyTable } from '../engine/trees/keys.ts';
import type { MachineName } from './scope.ts';
import type { ScopeFrames } from './scope-frames.ts';

/** Call nodes that a step reads: frames as rows of ScopeFrames, or the complement of a thread for a root. */
export interface ScopeNodes {
  readonly length: number;
  readonly parent: Int32Array;
  readonly frame: Int32Array;
}

/** Rules of a step for the frames of stacks. */
interface StackRules {
  /** The target of a call node; `up` is that of its parent. */
  place(step: StackStep, up: number, frame: number): number;
  /** The frame in place of a frame; NONE for one that vanishes. Without it, each stays. */
  frameAfter?(frame: number): number;
  /** Samples that end in the root of a thread are left out. */
  readonly leavesRootsOut?: true;
}

/**
 * One transform of all stacks. Reads call nodes from the root to the leaves and makes nodes of its own, so that the
 * stack of a node becomes the stack of its target.
 *
 *   merge b   node    main  a  b  c      target   0  1  1  2
 *             nodes   main  a  c
 */
export class StackStep {
  readonly nodes: NodeTable;
  /** Node of the input -> node here. Negative: samples that end there are left out; the complement is their thread's root. */
  target = new Int32Array(0);
  /** Node here -> the node of the input that it was made for. */
  origin = new Int32Array(0);

  readonly #rules: StackRules;
  readonly #children: ChildIndex;
  #taken = 0;
  /** The node of the input that is being placed. */
  #node = 0;

  /** Appends to `nodes`, which must be empty. */
  constructor(nodes: NodeTable, rules: StackRules) {
    this.nodes = nodes;
    this.#rules = rules;
    this.#children = new ChildIndex(nodes);
  }

  /** Adds what is new in the input. */
  update({ length, parent, frame }: ScopeNodes): void {
    if (length > this.target.length) {
      this.target = grown(this.target, nextCapacity(this.target.length, length), this.#taken);
    }
    const { target } = this;
    const rules = this.#rules;
    for (let node = this.#taken; node < length; node++) {
      this.#node = node;
      const up = parent[node];
      if (up !== NONE) target[node] = rules.place(this, target[up], frame[node]);
      else {
        const root = this.#append(NONE, frame[node]);
        target[node] = rules.leavesRootsOut === true ? ~root : root;
      }
    }
    this.#taken = length;
  }

  /** The frame that the step makes of a frame; NONE for one that vanishes. */
  frameAfter(frame: number): number {
    return this.#rules.frameAfter === undefined ? frame : this.#rules.frameAfter(frame);
  }

  /** Frees the memory; the step must not be used afterwards. */
  release(): void {
    release(this.nodes.parent, this.nodes.frame, this.target, this.origin);
    this.#children.release();
  }

  /** The child of a node here with this frame, made if there is none. */
  child(parent: number, frame: number): number {
    const known = this.#children.find(parent, frame);
    if (known !== NONE) return known;
    const child = this.#append(parent, frame);
    this.#children.add(parent, child);
    return child;
  }

  #append(parent: number, frame: number): number {
    const { nodes } = this;
    const node = nodes.append(parent, frame);
    if (nodes.capacity > this.origin.length) {
      this.origin = grown(this.origin, nodes.capacity);
      this.#children.reserve(nodes.capacity);
    }
    this.origin[node] = this.#node;
    return node;
  }
}

/** The tables that a step reads and writes. `inUse`: the frame grouping of transforms that do not say what their keys are made of. */
interface StepContext {
  readonly frames: ScopeFrames;
  readonly nodes: NodeTable;
  readonly inUse: FrameGrouping;
}

/** Makes the step of a transform. */
export type StepOf<T> = {
  step(context: StepContext, transform: T): StackStep;
}['step'];

/** The grouping that makes keys; undefined: the one in use. */
type Keys = FrameGrouping | undefined;

function keyTest({ frames, inUse }: StepContext, keys: Keys, passes: (key: string) => boolean): KeyTest {
  return new KeyTest(frames.keys(keys ?? inUse), passes);
}

/** Copies the nodes as they are. */
export function copied(nodes: NodeTable): StackStep {
  return new StackStep(nodes, { place: (step, up, frame) => step.child(up, frame) });
}

/** Stacks begin at the outermost frame that passes. */
export function focused(context: StepContext, keys: Keys, passes: (key: string) => boolean): StackStep {
  const isFocus = keyTest(context, keys, passes);
  return new StackStep(context.nodes, {
    leavesRootsOut: true,
    place: (step, up, frame) =>
      up >= 0 ? step.child(up, frame) : isFocus.of(frame) ? step.child(~up, frame) : up,
  });
}

/** Frames that pass vanish. */
export function merged(context: StepContext, keys: Keys, passes: (key: string) => boolean): StackStep {
  const vanishes = keyTest(context, keys, passes);
  return new StackStep(context.nodes, {
    frameAfter: (frame) => (vanishes.of(frame) ? NONE : frame),
    place: (step, up, frame) => (vanishes.of(frame) ? up : step.child(up, frame)),
  });
}

/** Adjacent frames that pass are one with this label. */
export function collapsed(
  context: StepContext,
  keys: Keys,
  passes: (key: string) => boolean,
  label: string,
): StackStep {
  const { frames, nodes } = context;
  const belongs = keyTest(context, keys, passes);
  return new StackStep(nodes, {
    frameAfter: (frame) => (belongs.of(frame) ? frames.made(label) : frame),
    place(step, up, frame) {
      if (!belongs.of(frame)) return step.child(up, frame);
      const made = frames.made(label);
      return nodes.frame[up] === made ? up : step.child(up, made);
    },
  });
}

/** The innermost of equal neighbours stays, because it has the line at which the sample ended or called. */
export function directRecursionCollapsed({ frames, nodes, inUse }: StepContext, keys: Keys): StackStep {
  const table = frames.keys(keys ?? inUse);
  return new StackStep(nodes, {
    place(step, up, frame) {
      const above = nodes.frame[up];
      const isRecursive = above >= 0 && keyOf(table, above) === keyOf(table, frame);
      return step.child(isRecursive ? nodes.parent[up] : up, frame);
    },
  });
}

export function recursionCollapsed({ frames, nodes, inUse }: StepContext, keys: Keys): StackStep {
  return new StackStep(nodes, new RecursionRules(nodes, frames.keys(keys ?? inUse)));
}

/** Machine-made names of these kinds become stable. */
export function folded({ frames, nodes }: StepContext, names: readonly MachineName[]): StackStep {
  const known: (number | undefined)[] = [];
  const frameAfter = (frame: number): number => (known[frame] ??= frames.folded(frame, names));
  return new StackStep(nodes, {
    frameAfter,
    place: (step, up, frame) => step.child(up, frameAfter(frame)),
  });
}

/** Whether this is the name of a method of the class, or of one nested in it: `Order.add` and `Order$Item.add` of `Order`. */
export function isOfClass(name: string, className: string): boolean {
  return name.startsWith(className) && ['.', '$', ''].includes(name.charAt(className.length));
}

/**
 * A path here has each key at most once: a frame that occurs again takes the place of the one before, with the line of
 * the innermost call, as of direct recursion. `#onPath` has the nodes of one path by their keys; moving to another path
 * changes only the part in which they differ. A node is mostly placed below the one before it, so that costs little.
 */
class RecursionRules implements StackRules {
  readonly #nodes: NodeTable;
  readonly #keys: KeyTable;
  /** Key -> its node on the path, plus one; 0 where it is not on the path. */
  #onPath = new Int32Array(1024);
  /** The end of the path. */
  #end = NONE;
  /** Scratch memory of `#moveTo`. */
  readonly #below: number[] = [];

  constructor(nodes: NodeTable, keys: KeyTable) {
    this.#nodes = nodes;
    this.#keys = keys;
  }

  place(step: StackStep, up: number, frame: number): number {
    this.#moveTo(up);
    const key = this.#keyOf(frame);
    const known = this.#onPath[key];
    if (known !== 0) return step.child(this.#nodes.parent[known - 1], frame);
    const node = step.child(up, frame);
    this.#onPath[key] = node + 1;
    this.#end = node;
    return node;
  }

  #moveTo(node: number): void {
    const { parent, frame } = this.#nodes;
    const below = this.#below;
    below.length = 0;
    let from = this.#end;
    let to = node;
    while (from !== to) {
      if (from > to) {
        if (frame[from] >= 0) this.#onPath[this.#keyOf(frame[from])] = 0;
        from = parent[from];
      } else {
        below.push(to);
        to = parent[to];
      }
    }
    for (const each of below) if (frame[each] >= 0) this.#onPath[this.#keyOf(frame[each])] = each + 1;
    this.#end = node;
  }

  #keyOf(frame: number): number {
    const key = keyOf(this.#keys, frame);
    if (key >= this.#onPath.length) {
      this.#onPath = grown(this.#onPath, nextCapacity(this.#onPath.length, key + 1));
    }
    return key;
  }
}

/** A test of the keys of frames, run once for each key. */
export class KeyTest {
  readonly #keys: KeyTable;
  readonly #passes: (label: string, key: number) => boolean;
  /** Key -> its result; absent where it was not tested yet. */
  readonly #results: (boolean | undefined)[] = [];

  constructor(keys: KeyTable, passes: (label: string, key: number) => boolean) {
    this.#keys = keys;
    this.#passes = passes;
  }

  of(frame: number): boolean {
    const key = keyOf(this.#keys, frame);
    return (this.#results[key] ??= this.#passes(this.#keys.labels[key], key));
  }
}

/** Tests for one key, or for all errors. */
export function testOfKey(keys: KeyTable, wanted: string): KeyTest {
  return new KeyTest(keys, (label, key) => label === wanted || (wanted === NO_STACK && keys.isError[key]));
}

/** The key of a frame, which may be newer than the table. */
export function keyOf(keys: KeyTable, frame: number): number {
  if (keys.keyOf(frame) === undefined) keys.update();
  return keys.ofFrame[frame];
}
