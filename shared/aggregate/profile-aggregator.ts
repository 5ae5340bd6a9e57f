import { FIRST_ROWS, grown, nextCapacity, NONE } from '../profile/columns.ts';
import { LeanProfile } from '../profile/lean-profile.ts';
import { SampleTable } from '../profile/sample-table.ts';
import type { MethodNames } from '../profile/method-table.ts';
import { ChildIndex } from '../profile/child-index.ts';
import { ChangeJournal } from './change-journal.ts';
import { FrameInterner } from './frame-interner.ts';
import { type CallPaths, FRAME_CELLS, type GroupedTimes, type SampleSink } from './sample-sink.ts';
import { SampleTimes } from './sample-times.ts';
import { Int64Index } from './int64-index.ts';
import { KeptBytes, MemoryBudget, MOST_FRAMES } from './memory-budget.ts';

/** The rows that changed, by revision; deltas are made from it. The three journals have the same revision. */
export interface ProfileJournal {
  readonly selfValues: ChangeJournal;
  readonly methods: ChangeJournal;
  readonly threads: ChangeJournal;
}

/**
 * Why an aggregator counts no more samples: a stack has more than MOST_FRAMES frames, its nodes exceed their limit, or
 * what is kept exceeds the memory budget.
 */
type Overflow = 'frames' | 'nodes' | 'memory';

/** Bytes of a frame in the path of a thread's latest stack. */
const PATH_BYTES = 4;

/** Call nodes for which memory is reserved at a time. */
const NODE_BLOCK = 256;

export interface AggregatorOptions {
  /** Record changes, for deltas. */
  readonly journal?: boolean;
  /** Keep when each sample was taken. */
  readonly samples?: boolean;
}

/** The nodes of a thread's latest stack, without its root. */
interface ThreadPath {
  nodes: Int32Array<ArrayBuffer>;
  length: number;
}

/**
 * Builds a LeanProfile from samples. For the frames that a stack shares with the thread's previous stack, from the root
 * on, it costs one comparison each. Each further known node costs one look-up of its frame and one of the node. After the
 * first unknown node there are no more look-ups of nodes, because all children of a new node are new. Only self values
 * of the leaf change.
 */
export class ProfileAggregator implements SampleSink {
  readonly profile: LeanProfile;
  /** Undefined unless requested: without it no changes are recorded. */
  readonly journal: ProfileJournal | undefined;
  /** Number of samples so far, including provisional ones. */
  sampleCount = 0;
  deepestStack = 0;
  /** A stack or its nodes exceeded their limit. */
  #exceeded: 'frames' | 'nodes' | undefined;
  /** The memory for everything that is kept of the input, here and by its decoder. */
  readonly memory = new MemoryBudget();

  readonly #threadIds = new Int64Index();
  readonly #methodIds = new Int64Index();
  readonly #frames = new FrameInterner();
  readonly paths: CallPaths;
  /** Undefined unless samples are kept. */
  readonly #times: SampleTimes | undefined;
  readonly #children: ChildIndex;
  readonly #paths: (ThreadPath | undefined)[] = [];
  /** Reused by `#place`: the frames that a stack does not share with the previous one, leaf first. */
  #unshared = new Int32Array(FIRST_ROWS);
  /** Reused by `frame`: a stack of one frame, and the row of this frame. */
  readonly #frameKey = new Int32Array(FRAME_CELLS);
  readonly #foundFrame = new Int32Array(1);
  /** There are provisional samples, or one was refused. */
  #hasProvisional = false;
  /** Provisional samples: their rows of the SelfTable, and their values. */
  #provisional: { readonly self: number; readonly value: number | bigint }[] = [];
  /** The tables were full when a provisional sample was to be added. */
  #hasRefused = false;
  #mostNodes = Infinity;
  /** Nodes for which there is memory in the budget and capacity in the NodeTable. */
  #reservedNodes = 0;

  /** `samples`: the profile gets a SampleTable. It costs some 20 bytes per sample of a format that has times. */
  constructor({ journal = false, samples = false }: AggregatorOptions = {}) {
    this.profile = new LeanProfile(true, samples ? new SampleTable() : undefined);
    this.paths = { nodes: this.profile.nodes, frames: this.#frames };
    this.#children = new ChildIndex(this.profile.nodes);
    const table = this.profile.samples;
    if (table !== undefined) this.#times = new SampleTimes(table, this.memory);
    if (journal) {
      this.journal = {
        selfValues: new ChangeJournal(),
        methods: new ChangeJournal(),
        threads: new ChangeJournal(),
      };
    }
  }

  /** The limit that refused something first. From then on nothing is counted, and nodes that are asked for are NONE. */
  get overflow(): Overflow | undefined {
    return this.#exceeded ?? (this.memory.isExceeded ? 'memory' : undefined);
  }

  get isFull(): boolean {
    return this.#exceeded !== undefined || this.memory.isExceeded;
  }

  get keepsTimes(): boolean {
    return this.#times !== undefined;
  }

  get timesAllowed(): number {
    return this.#times?.allowed ?? Infinity;
  }

  /** Limits the number of call nodes. The limit may only be raised. */
  limitNodes(mostNodes: number): void {
    this.#mostNodes = mostNodes;
  }

  /** Reserves memory for the times of this many samples, if so many are allowed. */
  reserveSamples(capacity: number): void {
    this.#times?.reserveUpTo(capacity);
  }

  /**
   * Gives the tables capacity for this many nodes, if so many are allowed; see `nextCapacity` for what that saves. The
   * budget counts only those that are used, so that what is read does not depend on estimates.
   */
  reserveNodes(capacity: number): void {
    const { nodes } = this.profile;
    const allowed = this.#reservedNodes + Math.floor(this.memory.spare / KeptBytes.node);
    nodes.reserve(Math.min(capacity, this.#mostNodes, allowed));
    this.#children.reserve(nodes.capacity);
  }

  samplesAreCalls(): void {
    if (this.profile.samples !== undefined) this.profile.samples.areCalls = true;
  }

  addContext(
    thread: number,
    base: bigint,
    from: number,
    to: number,
    name: string,
    attributes: readonly string[],
  ): void {
    if (!this.isFull) this.#times?.addContext(thread, base, from, to, name, attributes);
  }

  thread(idHi: number, idLo: number): number {
    const known = this.#threadIds.find(idHi, idLo);
    if (known >= 0) return known;
    if (this.#refusesRow(KeptBytes.thread, this.profile.threads.length)) return 0;
    this.#threadIds.add(idHi, idLo);
    return this.profile.threads.append(idHi, idLo);
  }

  nameThread(thread: number, name: string): void {
    const names = this.profile.threads.name;
    if (name === '' ? names[thread] !== undefined : names[thread] === name) return;
    if (!this.memory.keep(name.length * KeptBytes.character)) return;
    names[thread] = name;
    this.journal?.threads.note(thread);
  }

  openThread(thread: number): void {
    const { nodes, threads } = this.profile;
    if (threads.root[thread] !== NONE || this.isFull) return;
    if (nodes.length === this.#reservedNodes && !this.#reserve(nodes.length + 1)) return;
    this.profile.appendRoot(thread);
    this.#children.reserve(nodes.capacity);
    this.#paths[thread] = { nodes: new Int32Array(0), length: 0 };
  }

  method(idHi: number, idLo: number): number {
    const known = this.#methodIds.find(idHi, idLo);
    if (known >= 0) return known;
    if (this.#refusesRow(KeptBytes.method, this.profile.methods.length)) return 0;
    this.#methodIds.add(idHi, idLo);
    return this.profile.methods.append(idHi, idLo);
  }

  defineMethod(method: number, names: MethodNames): void {
    const table = this.profile.methods.names;
    if (table[method] !== undefined) return;
    const { file, className, methodName } = names;
    if (!this.memory.keep((file.length + className.length + methodName.length) * KeptBytes.character)) return;
    table[method] = names;
    this.journal?.methods.note(method);
  }

  sample(thread: number, stack: Int32Array, depth: number, ns: number | bigint): number {
    if (this.#hasProvisional) this.withdrawProvisional();
    if (depth === 0 || this.isFull) return NONE;
    const node = this.#place(thread, stack, depth);
    this.#count(node, 1, ns);
    return node;
  }

  sampleAt(node: number, ns: number | bigint, valueNode = node): void {
    if (this.#hasProvisional) this.withdrawProvisional();
    if (valueNode === node) this.#count(node, 1, ns);
    else this.#countApart(node, valueNode, ns);
  }

  samples(thread: number, stack: Int32Array, depth: number, count: number, value: number | bigint): number {
    if (this.#hasProvisional) this.withdrawProvisional();
    if (depth === 0 || this.isFull) return NONE;
    const node = this.#place(thread, stack, depth);
    this.#count(node, count, value);
    return node;
  }

  samplesAt(node: number, count: number, value: number | bigint): void {
    if (this.#hasProvisional) this.withdrawProvisional();
    this.#count(node, count, value);
  }

  root(thread: number): number {
    this.openThread(thread);
    return this.profile.threads.root[thread];
  }

  callee(caller: number, depth: number, idHi: number, idLo: number, line: number, bci: number): number {
    if (this.isFull) return NONE;
    const frame = this.frame(idHi, idLo, line, bci);
    if (this.overflow !== undefined) return NONE;
    const known = this.#children.find(caller, frame);
    if (known !== NONE) return known;
    if (depth > this.deepestStack && !this.#allowsDepth(depth)) return NONE;
    const { nodes } = this.profile;
    if (nodes.length === this.#reservedNodes && !this.#reserve(nodes.length + 1)) return NONE;
    const isNext = nodes.length === caller + 1;
    if (!isNext && !this.memory.hold(KeptBytes.leaf)) return NONE;
    const node = nodes.append(caller, frame);
    this.#children.add(caller, node);
    return node;
  }

  frame(idHi: number, idLo: number, line: number, bci: number): number {
    const key = this.#frameKey;
    key[0] = idHi;
    key[1] = idLo;
    key[2] = line;
    key[3] = bci;
    const found = this.#foundFrame;
    if (this.#frames.find(key, 0, 1, found) === 0) found[0] = this.#addFrame(key, 0);
    return found[0];
  }

  callees(caller: number, depth: number, path: Int32Array, from: number, to: number): void {
    const deepest = depth + to - from - 1;
    const isAllowed = !this.isFull && (deepest <= this.deepestStack || this.#allowsDepth(deepest));
    if (!isAllowed) {
      path.fill(NONE, from, to);
      return;
    }
    const { nodes } = this.profile;
    let parent = caller;
    let at = from;
    for (; at < to; at++) {
      const child = this.#children.find(parent, path[at]);
      if (child === NONE) break;
      path[at] = child;
      parent = child;
    }
    if (at === to) return;
    const first = nodes.length;
    const end = first + to - at;
    if (!this.memory.hold(KeptBytes.leaf) || (end > this.#reservedNodes && !this.#reserve(end))) {
      path.fill(NONE, at, to);
      return;
    }
    const { parent: parents, frame: frames } = nodes;
    for (let node = first; node < end; node++, at++) {
      frames[node] = path[at];
      parents[node] = node - 1;
      path[at] = node;
    }
    parents[first] = parent;
    nodes.length = end;
    this.#children.add(parent, first);
  }

  provisionalSample(thread: number, stack: Int32Array, depth: number, ns: number | bigint): void {
    if (this.#hasProvisional) this.withdrawProvisional();
    if (depth === 0 || this.isFull) return;
    this.#countProvisional(this.#place(thread, stack, depth), ns);
  }

  provisionalSampleAt(node: number, ns: number | bigint): void {
    if (!this.isFull) this.#countProvisional(node, ns);
  }

  withdrawProvisional(): void {
    if (!this.#hasProvisional) return;
    const { selfValues, samples } = this.profile;
    for (const { self, value } of this.#provisional) {
      selfValues.add(self, -1, -value);
      this.sampleCount--;
      this.journal?.selfValues.note(self);
    }
    if (samples !== undefined && samples.provisional > 0) samples.truncate(samples.finalLength);
    if (this.#hasRefused) {
      this.#exceeded = undefined;
      this.memory.exceeded = undefined;
    }
    this.#hasProvisional = this.#hasRefused = false;
    this.#provisional = [];
  }

  /** `node`: NONE if its stack was refused. */
  #countProvisional(node: number, ns: number | bigint): void {
    this.#hasProvisional = true;
    const self = node === NONE ? NONE : this.#count(node, 1, ns);
    if (self === NONE) {
      this.#hasRefused = true;
      return;
    }
    this.#provisional.push({ self, value: ns });
    const { samples } = this.profile;
    if (samples !== undefined && this.#times?.isKnown === true) samples.provisional++;
  }

  /**
   * Whether a row is refused because of the limit on bytes. Its id then stands for row 0, whose names stay and whose
   * samples are no longer counted.
   */
  #refusesRow(bytes: number, rows: number): boolean {
    return !this.memory.keep(bytes) && rows > 0;
  }

  takenAt(base: bigint | undefined, offset: number | bigint): void {
    this.#times?.set(base, offset);
  }

  addTimes(base: bigint, times: GroupedTimes, nodes: Int32Array): void {
    this.#times?.addAll(base, times, nodes, this.profile.selfValues);
  }

  /** Rows that were sent cannot be continued: copies start over. */
  convertTimes(convert: (ns: number) => number, from: bigint, to: bigint): boolean {
    const times = this.#times;
    if (times === undefined) return true;
    times.forget();
    if (this.isFull || !times.convert(convert, from, to)) return false;
    const { journal } = this;
    if (journal === undefined) return true;
    for (const table of [journal.selfValues, journal.methods, journal.threads]) {
      table.seal();
      table.forgetBefore(table.revision);
    }
    return true;
  }

  #allowsDepth(depth: number): boolean {
    if (depth > MOST_FRAMES) this.#exceeded = 'frames';
    else this.deepestStack = depth;
    return depth <= MOST_FRAMES;
  }

  /** Reserves memory for `length` nodes; false if a limit does not allow them. */
  #reserve(length: number): boolean {
    const { nodes } = this.profile;
    const reserved = this.#reservedNodes;
    if (length > this.#mostNodes) {
      this.#exceeded = 'nodes';
      return false;
    }
    const wanted = Math.min(length + NODE_BLOCK, this.#mostNodes);
    if (!this.memory.hold((wanted - reserved) * KeptBytes.node)) return false;
    this.#reservedNodes = wanted;
    if (wanted > nodes.capacity) this.reserveNodes(nextCapacity(nodes.capacity, wanted));
    return true;
  }

  #count(leaf: number, samples: number, value: number | bigint): number {
    if (this.isFull) return NONE;
    const { selfValues } = this.profile;
    const times = this.#times?.isKnown === true ? this.#times : undefined;
    if (times?.reserve(1) === false) return NONE;
    const self = selfValues.rowOf(leaf);
    selfValues.add(self, samples, value);
    this.sampleCount += samples;
    this.journal?.selfValues.note(self);
    times?.append(self, value);
    return self;
  }

  /** One sample at a leaf, whose value belongs to another node. */
  #countApart(leaf: number, valueNode: number, value: number | bigint): void {
    if (this.isFull) return;
    const { selfValues } = this.profile;
    const times = this.#times?.isKnown === true ? this.#times : undefined;
    if (times?.reserve(1) === false) return;
    const valueSelf = selfValues.rowOf(valueNode);
    selfValues.add(valueSelf, 0, value);
    const self = selfValues.rowOf(leaf);
    selfValues.add(self, 1, 0);
    this.sampleCount++;
    this.journal?.selfValues.note(valueSelf);
    this.journal?.selfValues.note(self);
    times?.append(self, value, valueSelf);
  }

  /** Adds the nodes of a stack (leaf first) that are missing. Returns the leaf node, NONE if the stack is refused. */
  #place(thread: number, stack: Int32Array, depth: number): number {
    const nodes = this.profile.nodes;
    this.openThread(thread);
    const path = this.#paths[thread];
    if (path === undefined || (depth > this.deepestStack && !this.#allowsDepth(depth))) return NONE;
    if (depth > path.nodes.length) {
      // Exactly so many at first: there may be a million threads.
      const capacity = Math.max(depth, path.nodes.length + (path.nodes.length >>> 1));
      if (!this.memory.hold((capacity - path.nodes.length) * PATH_BYTES)) return NONE;
      path.nodes = grown(path.nodes, capacity);
    }
    const pathNodes = path.nodes;

    // Comparisons are fast because they do not depend on each other: the processor executes several at once.
    const shareable = Math.min(depth, path.length);
    const nodeFrames = nodes.frame;
    let level = 0;
    let from = (depth - 1) * FRAME_CELLS;
    while (level < shareable && this.#frames.equals(nodeFrames[pathNodes[level]], stack, from)) {
      level++;
      from -= FRAME_CELLS;
    }
    path.length = depth;
    let node = level === 0 ? this.profile.threads.root[thread] : pathNodes[level - 1];
    if (level === depth) return node;

    // Leaf first, because `find` predicts the next frame, and a frame's caller varies less than its callee.
    const unshared = depth - level;
    if (unshared > this.#unshared.length)
      this.#unshared = new Int32Array(nextCapacity(this.#unshared.length, unshared));
    const frames = this.#unshared;
    for (let index = 0; ; index++) {
      index = this.#frames.find(stack, index, unshared, frames);
      if (index === unshared) break;
      frames[index] = this.#addFrame(stack, index * FRAME_CELLS);
    }
    if (this.isFull) {
      path.length = level;
      return NONE;
    }

    const { length, parent: parents, frame: frameColumn } = nodes;
    let at = unshared - 1;
    for (; at >= 0; at--, level++) {
      const frame = frames[at];
      let child = node + 1;
      if (child >= length || frameColumn[child] !== frame || parents[child] !== node) {
        child = this.#children.findLater(node, frame);
        if (child === NONE) break;
      }
      pathNodes[level] = child;
      node = child;
    }
    if (at < 0) return node;
    path.length = level;
    const leaf = this.#append(node, frames, at, pathNodes, level);
    if (leaf !== NONE) path.length = depth;
    return leaf;
  }

  /** Appends the nodes of frames[0 … at], which are leaf first, below `parent`, and enters them in the path from `level`
   *  on. Returns the leaf, NONE if the tables are full. */
  #append(parent: number, frames: Int32Array, at: number, pathNodes: Int32Array, level: number): number {
    const nodes = this.profile.nodes;
    const first = nodes.length;
    const end = first + at + 1;
    if (!this.memory.hold(KeptBytes.leaf) || (end > this.#reservedNodes && !this.#reserve(end))) return NONE;
    const { parent: parents, frame: frameColumn } = nodes;
    parents[first] = parent;
    for (let node = first, index = at; index >= 0; node++, index--) {
      frameColumn[node] = frames[index];
      if (node > first) parents[node] = node - 1;
      pathNodes[level + node - first] = node;
    }
    nodes.length = end;
    this.#children.add(parent, first);
    return end - 1;
  }

  #addFrame(stack: Int32Array, at: number): number {
    const idHi = stack[at];
    const idLo = stack[at + 1];
    const line = stack[at + 2];
    const bci = stack[at + 3];
    const method = this.method(idHi, idLo);
    if (this.#refusesRow(KeptBytes.frame, this.profile.frames.length)) return 0;
    this.#frames.add(idHi, idLo, line, bci);
    return this.profile.frames.append(method, line, bci);
  }
}
