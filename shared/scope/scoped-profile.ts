import { NONE } from '../profile/columns.ts';
import { LeanProfile } from '../profile/lean-profile.ts';
import { NodeTable } from '../profile/node-table.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { FrameGrouping } from '../engine/trees/grouping.ts';
import { extentOf, type NodeIds, type ProfileExtent } from '../engine/trees/row-tree.ts';
import { SelfTable } from '../profile/self-table.ts';
import { NO_SAMPLES, type SampleSum, type SelfValues } from '../engine/values/self-values.ts';
import { filterOf, type SampleFilter } from './key-filter.ts';
import { ScopeFrames } from './scope-frames.ts';
import { isSelecting, type Scope } from './scope.ts';
import { type ScopeSource, SourceNodes } from './scope-source.ts';
import { copied, type ScopeNodes, StackStep } from './stack-steps.ts';
import { kindOf } from './transforms.ts';
import { threadsLeftOut } from './filters.ts';

/** A filter or a change of stacks, and the nodes that it reads. */
interface Stage {
  readonly input: ScopeNodes;
  readonly step: SampleFilter | StackStep;
}

/**
 * The part of a profile that is in a scope, as a profile of its own: views and exports read it like any other. It grows
 * with its source.
 *
 *   source ──▶ SourceNodes ──▶ filter or step ──▶ … ──▶ profile.nodes
 *
 * All transforms read the structure once. Values are summed separately: each self value of the source follows the
 * targets of its node, unless a filter leaves it out. So another selection of threads builds no nodes.
 */
export class ScopedProfile {
  readonly profile = new LeanProfile(false);
  /** Samples of the source that are outside the scope. */
  outside = NO_SAMPLES;
  /** Row of the values of the last update -> 1 if its samples are outside the scope. */
  isOutside = new Uint8Array(0);

  /** Identities of the call nodes: those of the nodes or rows of the source for which they were made. */
  readonly ids: NodeIds = { idOf: (node) => this.idOfNode(node), nodeOf: (id) => this.nodeOf(id) };

  readonly #source: ScopeSource;
  /** The grouping that makes the keys of transforms that do not say it. */
  readonly #grouping: FrameGrouping;
  readonly #frames: ScopeFrames;
  readonly #nodes: SourceNodes;
  readonly #stages: readonly Stage[];
  /** As `Scope.threads`. */
  #threads: readonly string[] = [];
  /** Thread -> the node of its root. */
  readonly #roots: number[] = [];
  #rootsTaken = 0;
  /** Scratch memory: self value -> its row of the source. */
  #rows = new Int32Array(0);

  constructor(source: ScopeSource, scope: Scope, grouping: FrameGrouping) {
    this.#source = source;
    this.#grouping = grouping;
    this.#frames = new ScopeFrames(source.profile, this.profile);
    this.#nodes = new SourceNodes(source, (frame) => this.#frames.ofSource(frame));
    this.#stages = this.#stagesOf(scope);
    this.selectThreads(scope.threads);
  }

  get extent(): ProfileExtent {
    return extentOf(this.profile);
  }

  /** Number of the rows of the source. */
  get sourceLength(): number {
    return this.#nodes.length;
  }

  /** Selects other threads, from the next update on: see `Scope.threads`. */
  selectThreads(threads: readonly string[]): void {
    this.#threads = threads;
  }

  /**
   * Takes in what the source has gained up to `extent`, and sums `values` of the source. 'outdated', and nothing is
   * done: a name that came late changes the stacks, and a new ScopedProfile must be made.
   */
  update(
    values: SelfValues = this.#source.profile.selfValues,
    extent: ProfileExtent = extentOf(this.#source.profile),
  ): 'grown' | 'outdated' {
    if (this.#source.update(extent) === 'renumbered' || this.#isOutdated) return 'outdated';
    this.#takeThreads();
    this.#nodes.update();
    for (const { step, input } of this.#stages) step.update(input);
    this.#takeRoots();
    this.#sum(values);
    return 'grown';
  }

  /** Row of these values -> 1 where its stack is outside the scope, whatever its thread. O(rows). */
  stacksOutside({ length, node }: SelfValues): Uint8Array {
    const leaves = this.leavesOfNodes(node, length);
    const isOutside = new Uint8Array(length);
    for (let row = 0; row < length; row++) if (leaves[row] === NONE) isOutside[row] = 1;
    return isOutside;
  }

  /** Call node of the source, up to `length` -> the one here where its samples end; NONE outside, whatever the thread. */
  leavesOfNodes(node: Int32Array, length: number): Int32Array {
    const rows = new Int32Array(length);
    this.#source.rowsOfNodes(node, length, rows);
    for (let at = 0; at < length; at++) rows[at] = this.#leafOf(rows[at]);
    return rows;
  }

  /**
   * Sums what is in scope of other values of the source, and of `threads` as `Scope.threads`, over the nodes of the last
   * update. `into` is over the nodes of `profile`. Returns the samples outside.
   */
  sumOther(values: SelfValues, threads: readonly string[], into: SelfTable): SampleSum {
    const { outside } = this.#sumInto(into, values, new Int32Array(values.length), threads);
    // Chains of the profile end where its own samples do.
    const { selfValues } = this.profile;
    for (let row = 0; row < into.length; row++) selfValues.rowOf(into.node[row]);
    return outside;
  }

  /** Row of the values of the last update -> the call node where its samples end; NONE if they are outside the scope. */
  leaves(): Int32Array {
    return Int32Array.from(this.isOutside, (isOutside, row) =>
      isOutside === 1 ? NONE : this.#leafOf(this.#rows[row]),
    );
  }

  /** The identity of a call node: that of the node or row of the source for which it was made. */
  idOfNode(node: number): number {
    let origin = node;
    for (const { step } of this.#stages.toReversed())
      if (step instanceof StackStep) origin = step.origin[origin];
    return this.#source.idOf(origin);
  }

  /** The call node for a node of the source; NONE if its samples are outside. */
  nodeOf(id: number): number {
    let node = this.#source.rowOf(id);
    for (const { step } of this.#stages) {
      if (node === NONE) return NONE;
      if (step instanceof StackStep) node = targetOf(step, node);
    }
    return node;
  }

  /** The identity of a frame: that of the frame of the source from which it was made. The same in every scope. */
  idOfFrame(frame: number): number {
    return this.#frames.idOf(frame);
  }

  /** The frame for a frame of the source, or for one that a transform made; NONE if it is not in scope. */
  frameOf(id: number): number {
    let frame = this.#frames.frameOf(id);
    for (const { step } of this.#stages)
      if (frame !== NONE && step instanceof StackStep) frame = step.frameAfter(frame);
    return frame;
  }

  /** Frees the memory; nothing must be used afterwards. */
  release(): void {
    for (const { step } of this.#stages) step.release();
    this.#nodes.release();
  }

  #stagesOf({ transforms }: Scope): Stage[] {
    const stages: Stage[] = [];
    let input: ScopeNodes = this.#nodes;
    const isLast = lastStructural(transforms);
    for (const [at, transform] of transforms.entries()) {
      if (isSelecting(transform)) {
        const step = filterOf(transform, (grouping) => this.#frames.keys(grouping), this.#grouping);
        stages.push({ input, step });
        continue;
      }
      const nodes = at === isLast ? this.profile.nodes : new NodeTable();
      const context = { frames: this.#frames, nodes, inUse: this.#grouping };
      const step = kindOf(transform).step?.(context, transform) ?? copied(nodes);
      stages.push({ input, step });
      input = step.nodes;
    }
    if (isLast < 0) stages.push({ input, step: copied(this.profile.nodes) });
    return stages;
  }

  /** A method or a selected thread has another name now. */
  get #isOutdated(): boolean {
    if (this.#frames.isOutdated) return true;
    if (this.#threads.length === 0) return false;
    const { name } = this.#source.profile.threads;
    return this.profile.threads.name.some((known, thread) => known !== name[thread]);
  }

  #takeThreads(): void {
    const { threads } = this.profile;
    const { length, idHi, idLo, name, group } = this.#source.profile.threads;
    for (let thread = threads.length; thread < length; thread++) {
      threads.append(idHi[thread], idLo[thread]);
      threads.group[thread] = group[thread];
    }
    for (let thread = 0; thread < length; thread++) threads.name[thread] = name[thread];
  }

  #takeRoots(): void {
    const { nodes } = this.profile;
    for (let node = this.#rootsTaken; node < nodes.length; node++)
      if (nodes.parent[node] === NONE) this.#roots[~nodes.frame[node]] = node;
    this.#rootsTaken = nodes.length;
  }

  #sum(values: SelfValues): void {
    const { selfValues, threads } = this.profile;
    threads.root.fill(NONE, 0, threads.length);
    const { length } = values;
    if (length > this.#rows.length) this.#rows = new Int32Array(length + (length >>> 1));
    const { outside, isOutside } = this.#sumInto(selfValues, values, this.#rows, this.#threads);
    this.outside = outside;
    this.isOutside = isOutside;
  }

  /** Replaces the values of `into` by what of the source's values is in scope. `rows` becomes the rows of these values. */
  #sumInto(
    into: SelfTable,
    values: SelfValues,
    rows: Int32Array,
    selecting: readonly string[],
  ): { readonly outside: SampleSum; readonly isOutside: Uint8Array<ArrayBuffer> } {
    const { threads } = this.profile;
    const { length, count, time } = values;
    rows.set(this.#source.rowsOfValues(values));
    for (let row = 0; row < into.length; row++) into.set(row, 0, 0);
    const isLeftOut = threadsLeftOut(this.profile, selecting);
    let samples = 0;
    const outsideTime = new TimeColumn(1);
    const isOutside = new Uint8Array(length);
    for (let self = 0; self < length; self++) {
      const thread = this.#nodes.thread[rows[self]];
      const node = isLeftOut[thread] === 1 ? NONE : this.#leafOf(rows[self]);
      if (node === NONE) {
        isOutside[self] = 1;
        samples += count[self];
        outsideTime.addFrom(0, time, self);
        continue;
      }
      const ns = time.bigints?.get(self) ?? time.ns[self];
      // Time between two snapshots may belong to a stack where no sample ended: see SampleTable.
      if (count[self] === 0 && ns === 0) continue;
      into.add(into.rowOf(node), count[self], ns);
      // A thread without samples in scope is none of the profile's, as one that was never sampled.
      threads.root[thread] = this.#roots[thread];
    }
    return { outside: { samples, time: outsideTime.ns[0] }, isOutside };
  }

  /** The node at which the samples of a source row end; NONE when they are outside. */
  #leafOf(row: number): number {
    let node = row;
    for (const { step } of this.#stages) {
      if (step instanceof StackStep) node = step.target[node];
      else if (step.leavesOut[node] === 1) return NONE;
      if (node < 0) return NONE;
    }
    return node;
  }
}

/** A profile that is read whole, or the part of it that is in scope. */
export interface ProfileInScope {
  readonly profile: LeanProfile;
  /** The values of the profile that are summed. */
  readonly values: SelfValues;
  /** Samples outside of the time range, and those in it that the rest of the scope leaves out. */
  readonly outside: SampleSum;
  /** Row of the source's SelfTable -> 1 if its samples are outside the scope, whenever they were taken; undefined: none. */
  readonly isOutside: Uint8Array | undefined;
}

/** The node for a node of the input; the root of a thread is kept even where samples that end in it are left out. */
function targetOf({ target, nodes, origin }: StackStep, node: number): number {
  const to = target[node];
  if (to >= 0) return to;
  return nodes.isRoot(~to) && origin[~to] === node ? ~to : NONE;
}

function lastStructural(transforms: Scope['transforms']): number {
  return transforms.findLastIndex((transform) => !isSelecting(transform));
}
