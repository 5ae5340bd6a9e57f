import { ChildIndex } from '../../profile/child-index.ts';
import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { LeanProfile } from '../../profile/lean-profile.ts';
import { SelfTable } from '../../profile/self-table.ts';
import type { ScopeSource } from '../../scope/scope-source.ts';
import { frameKey, KeyTable, threadKey } from '../trees/keys.ts';
import type { FrameGrouping, FrameKeys, ThreadGrouping } from '../trees/grouping.ts';
import { extentOf, type NodeIds, type ProfileExtent } from '../trees/row-tree.ts';
import type { SelfValues } from '../values/self-values.ts';

/** Added to the identities of what only the base has. No profile has as many nodes or frames. */
const FIRST_BASE_ID = 0x20000000;

/**
 * Two profiles as one, to compare them: the call nodes of both, and the self values of each over these nodes. So trees
 * and flat profiles of the joined profile have the same rows for both, and a row that only one of them has is there too,
 * with zeros for the other.
 *
 *   base             new              joined           base   new
 *   main             main             main
 *     Shop.run         Shop.run         Shop.run
 *       Cart.add 3       Cart.add 1       Cart.add     3      1
 *                        Cart.pay 2       Cart.pay     0      2
 *
 * Frames and threads are joined by their keys, because ids differ from run to run. So the joined profile is for one
 * grouping of frames, and for groupings of threads by name, or for the one by id: threads of one name are one thread
 * unless threads are grouped by id. Lines and BCIs are kept where the grouping has them.
 *
 * Nodes and frames have the identities that they have in the new profile, so that what is selected or open stays so while
 * a comparison comes and goes. What only the base has is named by the base's, so that it stays so in another grouping.
 *
 * Both sides may grow: `update` takes in new rows. O(new rows + self values). 20 bytes a joined node, and 4 for each row
 * of the two sources.
 */
export class JoinedProfile {
  /** Its self values are the sums of both sides. */
  readonly profile: LeanProfile;
  readonly base: Side;
  readonly next: Side;
  /** Of its nodes. */
  readonly ids: NodeIds = {
    idOf: (node) => this.#rows.nodeIds[node],
    nodeOf: (id) =>
      id >= FIRST_BASE_ID ? this.base.nodeWithId(id - FIRST_BASE_ID) : this.next.nodeWithId(id),
  };
  readonly #rows: JoinedRows;

  constructor(base: ScopeSource, next: ScopeSource, grouping: JoinGrouping) {
    const isComplete = base.profile.selfValues.isComplete && next.profile.selfValues.isComplete;
    this.profile = new LeanProfile(isComplete);
    this.#rows = new JoinedRows(this.profile, grouping);
    this.base = new Side(base, this.#rows, isComplete, FIRST_BASE_ID);
    this.next = new Side(next, this.#rows, isComplete, 0);
  }

  get extent(): ProfileExtent {
    return extentOf(this.profile);
  }

  /** The identity of a frame. */
  idOfFrame(frame: number): number {
    return this.#rows.frameIds[frame];
  }

  /** The frame with an identity; NONE if there is none. */
  frameWithId(id: number): number {
    return id >= FIRST_BASE_ID ? this.base.frameWithId(id - FIRST_BASE_ID) : this.next.frameWithId(id);
  }

  /**
   * Takes in what the sources have gained, and their present values. 'outdated', and nothing is done: a name that came
   * late changes keys, and a new JoinedProfile must be made.
   */
  update(base: SideState = {}, next: SideState = {}): 'grown' | 'outdated' {
    if (!this.base.takeKeys(base.extent) || !this.next.takeKeys(next.extent)) return 'outdated';
    const { selfValues } = this.profile;
    for (let row = 0; row < selfValues.length; row++) selfValues.set(row, 0, 0);
    // First, so that what both have has its identity.
    this.next.takeRows(next.values, selfValues);
    this.base.takeRows(base.values, selfValues);
    return 'grown';
  }
}

/** What two profiles are joined by. */
export interface JoinGrouping {
  readonly threads: ThreadGrouping;
  readonly frames: FrameKeys;
}

/** What is taken in of one side: by default all of its profile. */
export interface SideState {
  readonly values?: SelfValues | undefined;
  readonly extent?: ProfileExtent | undefined;
}

/** One of the two profiles: its values over the joined nodes. */
class Side {
  readonly values: SelfTable;

  readonly #source: ScopeSource;
  readonly #joined: JoinedRows;
  readonly #keys: KeyTable;
  /** The identity here of what this side has first is its own plus this. */
  readonly #firstId: number;
  /** Key -> its joined frame. */
  readonly #frameOf: number[] = [];
  /** Thread -> its key when its first row was taken. */
  readonly #threadKeys: string[] = [];
  /** Row of the source -> joined node. */
  #nodeOf = new Int32Array(0);
  #taken = 0;
  /** Scratch memory: self value -> row of the source. */
  #rows = new Int32Array(0);

  constructor(source: ScopeSource, joined: JoinedRows, isComplete: boolean, firstId: number) {
    this.#source = source;
    this.#joined = joined;
    this.#keys = new KeyTable(source.profile, joined.grouping.frames);
    this.#firstId = firstId;
    this.values = new SelfTable(isComplete);
  }

  /** The joined node for a node of the source; NONE if it has none. */
  nodeWithId(id: number): number {
    const row = id < 0 ? NONE : this.#source.rowOf(id);
    return row < 0 || row >= this.#taken ? NONE : this.#nodeOf[row];
  }

  /** The joined frame for a frame of the source; NONE if it has none. */
  frameWithId(id: number): number {
    const key = id < 0 ? undefined : this.#keys.keyOf(id);
    return key === undefined ? NONE : (this.#frameOf[key] ?? NONE);
  }

  /** Row of self values of the source, as they were taken last -> its row of `values`; NONE where it has none. O(rows). */
  rowsOf(values: SelfValues): Int32Array<ArrayBuffer> {
    return this.nodesOf(values).map((node) => this.values.find(node));
  }

  /** Row of self values of the source, taken or not -> the joined node where its samples end. O(rows). */
  nodesOf({ length, node }: SelfValues): Int32Array<ArrayBuffer> {
    const rows = new Int32Array(length);
    this.#source.rowsOfNodes(node, length, rows);
    return rows.map((row) => this.#nodeOf[row]);
  }

  /** Returns false if a row that was taken before has another key now. */
  takeKeys(extent: ProfileExtent = extentOf(this.#source.profile)): boolean {
    if (this.#source.update(extent) === 'renumbered' && this.#taken > 0) return false;
    if (!this.#keys.update(extent.frames)) return false;
    return this.#threadKeys.every((key, thread) => key === this.#keyOfThread(thread));
  }

  takeRows(values: SelfValues = this.#source.profile.selfValues, sums: SelfTable): void {
    this.#takeNodes();
    const { length, count, time } = values;
    for (let row = 0; row < this.values.length; row++) this.values.set(row, 0, 0);
    if (length > this.#rows.length) this.#rows = new Int32Array(nextCapacity(this.#rows.length, length));
    this.#source.rowsOfNodes(values.node, length, this.#rows);
    for (let self = 0; self < length; self++) {
      const ns = time.bigints?.get(self) ?? time.ns[self];
      // Time between two snapshots may belong to a stack where no sample ended: see SampleTable.
      if (count[self] === 0 && ns === 0) continue;
      const node = this.#nodeOf[this.#rows[self]];
      this.values.add(this.values.rowOf(node), count[self], ns);
      sums.add(sums.rowOf(node), count[self], ns);
    }
  }

  #takeNodes(): void {
    const source = this.#source;
    const { length, parent } = source;
    if (length > this.#nodeOf.length)
      this.#nodeOf = grown(this.#nodeOf, nextCapacity(this.#nodeOf.length, length), this.#taken);
    const nodeOf = this.#nodeOf;
    for (let row = this.#taken; row < length; row++) {
      const frame = source.frameOf(row);
      const id = this.#firstId + source.idOf(row);
      nodeOf[row] =
        frame < 0
          ? this.#rootOf(~frame, id)
          : this.#joined.child(nodeOf[parent[row]], this.#joinedFrame(frame), id);
    }
    this.#taken = length;
  }

  #joinedFrame(frame: number): number {
    const key = this.#keys.ofFrame[frame];
    return (this.#frameOf[key] ??= this.#joined.frame(
      this.#keys.labels[key],
      this.#source.profile,
      this.#keys.firstFrame[key],
      { isPosition: this.#keys.isPosition(key), firstId: this.#firstId },
    ));
  }

  #rootOf(thread: number, id: number): number {
    const key = this.#keyOfThread(thread);
    this.#threadKeys[thread] = key;
    return this.#joined.root(key, this.#source.profile, thread, id);
  }

  #keyOfThread(thread: number): string {
    return threadKey(this.#source.profile, thread, this.#joined.threads);
  }
}

/** The tables of the joined profile, and what they are joined by. */
class JoinedRows {
  readonly grouping: JoinGrouping;
  /** What threads are joined by. */
  readonly threads: 'name' | 'id';

  /** Joined node, joined frame -> its identity. */
  readonly nodeIds: number[] = [];
  readonly frameIds: number[] = [];

  readonly #profile: LeanProfile;
  readonly #children: ChildIndex;
  /** Keys of threads -> their roots. */
  readonly #roots = new Map<string, number>();
  /** Keys of frames -> frames. */
  readonly #frames = new Map<string, number>();
  /** Keys of methods -> methods. */
  readonly #methods = new Map<string, number>();

  constructor(profile: LeanProfile, grouping: JoinGrouping) {
    this.grouping = grouping;
    this.threads = grouping.threads === 'id' ? 'id' : 'name';
    this.#profile = profile;
    this.#children = new ChildIndex(profile.nodes);
  }

  /** The root of the thread with a key, made after a thread of a source if there is none. */
  root(key: string, source: LeanProfile, thread: number, id: number): number {
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const { threads } = this.#profile;
    const { idHi, idLo, name, group } = source.threads;
    // Ids of two runs may collide. They are of use only where they are a part of the key.
    const row =
      this.threads === 'id'
        ? threads.append(idHi[thread], idLo[thread])
        : threads.append(0, threads.length + 1);
    threads.name[row] = name[thread];
    threads.group[row] = group[thread];
    const root = this.#profile.appendRoot(row);
    this.#children.reserve(this.#profile.nodes.capacity);
    this.#roots.set(key, root);
    this.nodeIds[root] = id;
    return root;
  }

  child(parent: number, frame: number, id: number): number {
    const known = this.#children.find(parent, frame);
    if (known !== NONE) return known;
    const { nodes } = this.#profile;
    const node = nodes.append(parent, frame);
    this.#children.reserve(nodes.capacity);
    this.#children.add(parent, node);
    this.nodeIds[node] = id;
    return node;
  }

  /** The frame with a key, made after a frame of a source if there is none. */
  frame(
    key: string,
    source: LeanProfile,
    frame: number,
    { isPosition, firstId }: { readonly isPosition: boolean; readonly firstId: number },
  ): number {
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    const { line, bci } = source.frames;
    const { frames } = this.grouping;
    const row = this.#profile.frames.append(
      this.#method(source, frame),
      // Those of a split method have both.
      isPosition && frames !== 'bci' ? line[frame] : NO_LINE,
      isPosition && frames !== 'line' ? bci[frame] : NO_BCI,
    );
    this.frameIds[row] = firstId + frame;
    this.#frames.set(key, row);
    return row;
  }

  #method(source: LeanProfile, frame: number): number {
    const { frames } = this.grouping;
    const rest = typeof frames === 'string' ? frames : frames.rest;
    const grouping: FrameGrouping = rest === 'method-id' ? 'method-id' : 'fqmn';
    const key = frameKey(source, frame, grouping);
    const known = this.#methods.get(key);
    if (known !== undefined) return known;
    const { methods } = this.#profile;
    const of = source.frames.method[frame];
    const { idHi, idLo, names } = source.methods;
    const isById = grouping === 'method-id';
    const row = isById ? methods.append(idHi[of], idLo[of]) : methods.append(0, methods.length + 1);
    // Without a name the key is the id, which is not that of the joined method.
    methods.names[row] = names[of] ?? (isById ? undefined : { file: '', className: '', methodName: key });
    this.#methods.set(key, row);
    return row;
  }
}
