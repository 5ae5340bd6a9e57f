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

/**
 * One transform of all stacks. Reads call nodes from the root to the leaves and makes nodes of its own, so that the
 * stack of a node becomes the stack of its target.
 *
 *   merge b   node    main  a  b  c      target   0  1  1  2
 *             nodes   main  a  c
 */
export abstract class StackStep {
  readonly nodes: NodeTable;
  /** Node of the input -> node here. Negative: samples that end there are left out; the complement is their thread's root. */
  target = new Int32Array(0);
  /** Node here -> the node of the input that it was made for. */
  origin = new Int32Array(0);

  protected readonly frames: ScopeFrames;
  readonly #children: ChildIndex;
  #taken = 0;
  /** The node of the input that is being placed. */
  #node = 0;

  /** Appends to `nodes`, which must be empty. */
  constructor(frames: ScopeFrames, nodes: NodeTable) {
    this.frames = frames;
    this.nodes = nodes;
    this.#children = new ChildIndex(nodes);
  }

  /** Adds what is new in the input. */
  update({ length, parent, frame }: ScopeNodes): void {
    if (length > this.target.length) {
      this.target = grown(this.target, nextCapacity(this.target.length, length), this.#taken);
    }
    const { target } = this;
    for (let node = this.#taken; node < length; node++) {
      this.#node = node;
      const up = parent[node];
      target[node] = up === NONE ? this.root(frame[node]) : this.place(target[up], frame[node]);
    }
    this.#taken = length;
  }

  /** What the step makes of a frame; NONE for one that vanishes. */
  frameAfter(frame: number): number {
    return frame;
  }

  /** Frees the memory; the step must not be used afterwards. */
  release(): void {
    release(this.nodes.parent, this.nodes.frame, this.target, this.origin);
    this.#children.release();
  }

  /** The target of a thread's root. */
  protected root(frame: number): number {
    return this.#append(NONE, frame);
  }

  /** The target of a call node; `up` is that of its parent. */
  protected abstract place(up: number, frame: number): number;

  /** The child of a node here with this frame, made if there is none. */
  protected child(parent: number, frame: number): number {
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
export interface StepContext {
  readonly frames: ScopeFrames;
  readonly nodes: NodeTable;
  readonly inUse: FrameGrouping;
}

/** Makes the step of a transform. */
export type StepOf<T> = {
  step(context: StepContext, transform: T): StackStep;
}['step'];

/** What keys are made of; undefined: as in use. */
type Keys = FrameGrouping | undefined;

function keyTest({ frames, inUse }: StepContext, keys: Keys, passes: (key: string) => boolean): KeyTest {
  return new KeyTest(frames.keys(keys ?? inUse), passes);
}

/** Stacks begin at the outermost frame that passes. */
export function focused(context: StepContext, keys: Keys, passes: (key: string) => boolean): StackStep {
  return new FocusStep(context.frames, context.nodes, keyTest(context, keys, passes));
}

/** Frames that pass vanish. */
export function merged(context: StepContext, keys: Keys, passes: (key: string) => boolean): StackStep {
  return new MergeStep(context.frames, context.nodes, keyTest(context, keys, passes));
}

/** Adjacent frames that pass are one with this label. */
export function collapsed(
  context: StepContext,
  keys: Keys,
  passes: (key: string) => boolean,
  label: string,
): StackStep {
  return new CollapseStep(context.frames, context.nodes, keyTest(context, keys, passes), label);
}

export function directRecursionCollapsed({ frames, nodes, inUse }: StepContext, keys: Keys): StackStep {
  return new DirectRecursionStep(frames, nodes, frames.keys(keys ?? inUse));
}

export function recursionCollapsed({ frames, nodes, inUse }: StepContext, keys: Keys): StackStep {
  return new RecursionStep(frames, nodes, frames.keys(keys ?? inUse));
}

/** Machine-made names of these kinds become stable. */
export function folded({ frames, nodes }: StepContext, names: readonly MachineName[]): StackStep {
  return new FoldStep(frames, nodes, (frame) => frames.folded(frame, names));
}

/** Whether this is the name of a method of the class, or of one nested in it: `Order.add` and `Order$Item.add` of `Order`. */
export function isOfClass(name: string, className: string): boolean {
  return name.startsWith(className) && ['.', '$', ''].includes(name.charAt(className.length));
}

/** Copies the nodes as they are. */
export class CopyStep extends StackStep {
  protected override place(up: number, frame: number): number {
    return this.child(up, frame);
  }
}

class FocusStep extends StackStep {
  readonly #isFocus: KeyTest;

  constructor(frames: ScopeFrames, nodes: NodeTable, isFocus: KeyTest) {
    super(frames, nodes);
    this.#isFocus = isFocus;
  }

  protected override root(frame: number): number {
    return ~super.root(frame);
  }

  protected override place(up: number, frame: number): number {
    if (up >= 0) return this.child(up, frame);
    return this.#isFocus.of(frame) ? this.child(~up, frame) : up;
  }
}

class MergeStep extends StackStep {
  readonly #vanishes: KeyTest;

  constructor(frames: ScopeFrames, nodes: NodeTable, vanishes: KeyTest) {
    super(frames, nodes);
    this.#vanishes = vanishes;
  }

  override frameAfter(frame: number): number {
    return this.#vanishes.of(frame) ? NONE : frame;
  }

  protected override place(up: number, frame: number): number {
    return this.#vanishes.of(frame) ? up : this.child(up, frame);
  }
}

class CollapseStep extends StackStep {
  readonly #belongs: KeyTest;
  readonly #label: string;

  /** `label`: of the frame in place of those that belong together. */
  constructor(frames: ScopeFrames, nodes: NodeTable, belongs: KeyTest, label: string) {
    super(frames, nodes);
    this.#belongs = belongs;
    this.#label = label;
  }

  override frameAfter(frame: number): number {
    return this.#belongs.of(frame) ? this.frames.made(this.#label) : frame;
  }

  protected override place(up: number, frame: number): number {
    if (!this.#belongs.of(frame)) return this.child(up, frame);
    const collapsed = this.frames.made(this.#label);
    return this.nodes.frame[up] === collapsed ? up : this.child(up, collapsed);
  }
}

class FoldStep extends StackStep {
  readonly #fold: (frame: number) => number;
  readonly #folded: (number | undefined)[] = [];

  constructor(frames: ScopeFrames, nodes: NodeTable, fold: (frame: number) => number) {
    super(frames, nodes);
    this.#fold = fold;
  }

  override frameAfter(frame: number): number {
    return (this.#folded[frame] ??= this.#fold(frame));
  }

  protected override place(up: number, frame: number): number {
    return this.child(up, this.frameAfter(frame));
  }
}

/** The innermost of equal neighbours stays, because it has the line at which the sample ended or called. */
class DirectRecursionStep extends StackStep {
  readonly #keys: KeyTable;

  constructor(frames: ScopeFrames, nodes: NodeTable, keys: KeyTable) {
    super(frames, nodes);
    this.#keys = keys;
  }

  protected override place(up: number, frame: number): number {
    const { nodes } = this;
    const above = nodes.frame[up];
    const isRecursive = above >= 0 && keyOf(this.#keys, above) === keyOf(this.#keys, frame);
    return this.child(isRecursive ? nodes.parent[up] : up, frame);
  }
}

/**
 * A path here has each key at most once: a frame that occurs again takes the place of the one before, with the line of
 * the innermost call, as in DirectRecursionStep. `#onPath` has the nodes of one path by their keys; moving to another path
 * changes only the part in which they differ. A node is mostly placed below the one before it, so that costs little.
 */
class RecursionStep extends StackStep {
  readonly #keys: KeyTable;
  /** Key -> its node on the path, plus one; 0 where it is not on the path. */
  #onPath = new Int32Array(1024);
  /** The end of the path. */
  #end = NONE;
  /** Scratch memory of `#moveTo`. */
  readonly #below: number[] = [];

  constructor(frames: ScopeFrames, nodes: NodeTable, keys: KeyTable) {
    super(frames, nodes);
    this.#keys = keys;
  }

  protected override place(up: number, frame: number): number {
    this.#moveTo(up);
    const key = this.#keyOf(frame);
    const known = this.#onPath[key];
    if (known !== 0) return this.child(this.nodes.parent[known - 1], frame);
    const node = this.child(up, frame);
    this.#onPath[key] = node + 1;
    this.#end = node;
    return node;
  }

  #moveTo(node: number): void {
    const { parent, frame } = this.nodes;
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
