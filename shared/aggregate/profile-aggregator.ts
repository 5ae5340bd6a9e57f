import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import { LeanProfile } from '../profile/lean-profile.ts';
import type { MethodNames } from '../profile/method-table.ts';
import { ChildIndex } from '../profile/child-index.ts';
import { ChangeJournal } from './change-journal.ts';
import { FrameInterner } from './frame-interner.ts';
import type { SampleSink } from './sample-sink.ts';
import { WideIdIndex } from './wide-id-index.ts';

/** What changed since which revision: the source of deltas. One revision counter for all three tables. */
export interface ProfileJournal {
  readonly selves: ChangeJournal;
  readonly methods: ChangeJournal;
  readonly threads: ChangeJournal;
}

/** The latest stack of a thread, root first, and the nodes it went through. */
interface ThreadPath {
  frames: Int32Array<ArrayBuffer>;
  nodes: Int32Array<ArrayBuffer>;
  length: number;
}

/**
 * Samples in, LeanProfile out. A sample costs one comparison per frame that it shares with the thread's previous
 * stack, one sibling lookup per further known frame, and from the first unknown frame on only appends: a new node's
 * children are all new. Only the leaf's self values change.
 */
export class ProfileAggregator implements SampleSink {
  readonly profile = new LeanProfile();
  /** Present when the aggregator was made to feed deltas; without it nothing is noted. */
  readonly journal: ProfileJournal | undefined;
  /** Samples counted so far, the provisional one included. */
  sampleCount = 0;
  deepestStack = 0;

  readonly #threadIds = new WideIdIndex();
  readonly #methodIds = new WideIdIndex();
  readonly #frames = new FrameInterner();
  readonly #children = new ChildIndex(this.profile.nodes);
  readonly #paths: (ThreadPath | undefined)[] = [];
  /** Row of the SelfTable, NONE while nothing is provisional. */
  #provisional = NONE;
  #provisionalTime: number | bigint = 0;

  constructor(options: { readonly journal: boolean } = { journal: false }) {
    if (options.journal) {
      this.journal = {
        selves: new ChangeJournal(),
        methods: new ChangeJournal(),
        threads: new ChangeJournal(),
      };
    }
  }

  /** Makes room ahead of time; see `nextCapacity` for what that saves. */
  reserveNodes(capacity: number): void {
    this.profile.nodes.reserve(capacity);
    this.#children.reserve(this.profile.nodes.capacity);
  }

  thread(idHi: number, idLo: number): number {
    const known = this.#threadIds.find(idHi, idLo);
    if (known >= 0) return known;
    this.#threadIds.add(idHi, idLo);
    return this.profile.threads.append(idHi, idLo);
  }

  nameThread(thread: number, name: string): void {
    const names = this.profile.threads.name;
    if (name === '' ? names[thread] !== undefined : names[thread] === name) return;
    names[thread] = name;
    this.journal?.threads.note(thread);
  }

  openThread(thread: number): void {
    if (this.profile.threads.root[thread] !== NONE) return;
    this.profile.appendRoot(thread);
    this.#children.reserve(this.profile.nodes.capacity);
    this.#paths[thread] = { frames: new Int32Array(64), nodes: new Int32Array(64), length: 0 };
  }

  method(idHi: number, idLo: number): number {
    const known = this.#methodIds.find(idHi, idLo);
    if (known >= 0) return known;
    this.#methodIds.add(idHi, idLo);
    return this.profile.methods.append(idHi, idLo);
  }

  defineMethod(method: number, names: MethodNames): void {
    const table = this.profile.methods.names;
    if (table[method] !== undefined) return;
    table[method] = names;
    this.journal?.methods.note(method);
  }

  frame(methodIdHi: number, methodIdLo: number, line: number, bci: number): number {
    const known = this.#frames.find(methodIdHi, methodIdLo, line, bci);
    if (known >= 0) return known;
    this.#frames.add(methodIdHi, methodIdLo, line, bci);
    return this.profile.frames.append(this.method(methodIdHi, methodIdLo), line, bci);
  }

  sample(thread: number, frames: Int32Array, depth: number, ns: number | bigint): void {
    if (this.#provisional !== NONE) this.withdrawProvisional();
    if (depth > 0) this.#count(this.#place(thread, frames, depth), ns);
  }

  provisionalSample(thread: number, frames: Int32Array, depth: number, ns: number | bigint): void {
    if (this.#provisional !== NONE) this.withdrawProvisional();
    if (depth === 0) return;
    this.#provisional = this.#count(this.#place(thread, frames, depth), ns);
    this.#provisionalTime = ns;
  }

  withdrawProvisional(): void {
    const self = this.#provisional;
    if (self === NONE) return;
    const { selves } = this.profile;
    selves.count[self]--;
    selves.time.add(self, -this.#provisionalTime);
    this.sampleCount--;
    this.#provisional = NONE;
    this.journal?.selves.note(self);
  }

  #count(leaf: number, ns: number | bigint): number {
    const { selves } = this.profile;
    let self = selves.find(leaf);
    if (self < 0) self = selves.append(leaf);
    selves.count[self]++;
    selves.time.add(self, ns);
    this.sampleCount++;
    this.journal?.selves.note(self);
    return self;
  }

  /** The leaf node of a stack (leaf first), with every node above it. */
  #place(thread: number, frames: Int32Array, depth: number): number {
    const nodes = this.profile.nodes;
    this.openThread(thread);
    const path = this.#paths[thread];
    if (path === undefined) throw new Error('a thread has a path from its first trace on');
    if (depth > this.deepestStack) this.deepestStack = depth;
    if (depth > path.frames.length) {
      const capacity = nextCapacity(path.frames.length, depth);
      path.frames = grown(path.frames, capacity);
      path.nodes = grown(path.nodes, capacity);
    }
    const pathFrames = path.frames;
    const pathNodes = path.nodes;

    const shareable = Math.min(depth, path.length);
    let level = 0;
    let at = depth - 1;
    while (level < shareable && pathFrames[level] === frames[at]) {
      level++;
      at--;
    }
    path.length = depth;
    let node = level === 0 ? this.profile.threads.root[thread] : pathNodes[level - 1];

    for (; at >= 0; at--, level++) {
      const child = this.#children.find(node, frames[at]);
      if (child === NONE) break;
      pathFrames[level] = frames[at];
      pathNodes[level] = child;
      node = child;
    }
    if (at < 0) return node;

    const first = nodes.length;
    const last = first + at;
    if (last >= nodes.capacity) this.reserveNodes(nextCapacity(nodes.capacity, last + 1));
    const parents = nodes.parent;
    const frameColumn = nodes.frame;
    const attachedTo = node;
    for (let next = first; at >= 0; at--, level++, next++) {
      const frame = frames[at];
      parents[next] = node;
      frameColumn[next] = frame;
      pathFrames[level] = frame;
      pathNodes[level] = next;
      node = next;
    }
    nodes.length = last + 1;
    this.#children.add(attachedTo, first);
    return node;
  }
}
