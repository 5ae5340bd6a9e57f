import { assert } from '../../assert.ts';
import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { LeanProfile } from '../../profile/lean-profile.ts';
import { SampleTable } from '../../profile/sample-table.ts';
import type { ScopeSource } from '../../scope/scope-source.ts';
import { extentOf, type NodeIds, type ProfileExtent } from '../trees/row-tree.ts';
import { MaskedValues } from '../values/masked-values.ts';
import type { SelfValues } from '../values/self-values.ts';

/** Added to the identities of what only the part after has. No profile has as many nodes or frames. */
const FIRST_ID = 0x20000000;

/** More parts would have overlapping identities. */
const MOST_WITH_IDS = 3;

export interface UnionOptions {
  /** groups: the tag is the group of the threads of a part, and in front of their names. */
  readonly threads: 'groups' | 'together';
  /** Keep when each sample was taken. */
  readonly samples?: boolean;
  /**
   * Nodes and frames have the identities that they have in their part, so that what is selected or open in the first
   * part stays so. False: their numbers are their identities.
   */
  readonly keepsIds?: boolean;
  /** Call nodes that are not exceeded; any number when not given. */
  readonly mostNodes?: number;
}

/** The state of a part that an update takes in: by default all of its profile. */
interface PartState {
  readonly values?: SelfValues | undefined;
  readonly extent?: ProfileExtent | undefined;
}

/** Rows of a part -> rows of the union. */
interface Rows {
  readonly source: ScopeSource;
  readonly tag: string;
  readonly threads: number[];
  readonly methods: number[];
  readonly frames: number[];
  nodes: Int32Array<ArrayBuffer>;
  taken: number;
  /** Row of self values, as they were taken last. */
  self: Int32Array<ArrayBuffer>;
  selfLength: number;
  values: SelfValues | undefined;
  /** Revision of these values. */
  revision: number;
  /** It has more nodes than may be taken in. */
  isLeftOut: boolean;
}

/**
 * Profiles over one structure, each with a tag. Merging sums all of them, comparing keeps the values of one apart from those of
 * another. Each row of a part is one row here, so that nothing is looked up, and the order in which parts grow changes row
 * numbers only: threads are never shared, and methods keep the ids of their part. Trees and lists join rows with equal
 * keys, as they do within a profile.
 *
 *   part a         thread main   nodes 0 1 2      here   threads a: main, b: main
 *   part b         thread main   nodes 0 1               nodes   0 1 2 (a)  3 4 (b)
 *   a grows                      nodes 3                         5, whose parent may be 2
 *
 * Parts are call nodes, or the rows of a tree where these are enough: some ten times fewer. Ids of threads and of methods are
 * unique in each part only. 4 bytes per row of a part besides those of the profile.
 */
export class ProfileUnion {
  /** Its self values are the sums of all parts. */
  readonly profile: LeanProfile;
  /** Identities of its nodes. */
  readonly ids: NodeIds = {
    idOf: (node) => this.#nodeIds?.[node] ?? node,
    nodeOf: (id) => this.#nodeWithId(id),
  };

  /** The parts have more nodes than are allowed: nothing more is taken in. */
  isFull = false;

  readonly #mostNodes: number;
  readonly #threads: UnionOptions['threads'];
  readonly #parts: Rows[] = [];
  readonly #samples: UnionSamples | undefined;
  /** Undefined: the number is the identity. */
  #nodeIds: Int32Array<ArrayBuffer> | undefined;
  readonly #frameIds: number[] = [];
  /** Scratch memory: self value -> row of the source. */
  #rows = new Int32Array(0);

  constructor({ threads, samples = false, keepsIds = false, mostNodes = Infinity }: UnionOptions) {
    this.#mostNodes = mostNodes;
    this.#threads = threads;
    const table = samples ? new SampleTable() : undefined;
    this.profile = new LeanProfile(true, table);
    this.#samples = table && new UnionSamples(table);
    this.#nodeIds = keepsIds ? new Int32Array(0) : undefined;
  }

  /** Adds a part, which is taken in by the next update. `tag`: different from those of all other parts. */
  add(tag: string, source: ScopeSource): void {
    assert(
      this.#nodeIds === undefined || this.#parts.length < MOST_WITH_IDS,
      'identities of more parts would overlap',
    );
    this.#parts.push({
      source,
      tag,
      threads: [],
      methods: [],
      frames: [],
      taken: 0,
      nodes: new Int32Array(0),
      self: new Int32Array(0),
      selfLength: 0,
      values: undefined,
      revision: NONE,
      isLeftOut: false,
    });
  }

  get extent(): ProfileExtent {
    return extentOf(this.profile);
  }

  /** Whether the samples of all parts have times on one axis: see UnionSamples. */
  get timesAgree(): boolean {
    return this.#samples?.timesAgree ?? true;
  }

  /**
   * Takes in what the parts have gained, and their present values. 'outdated', and nothing is done: the rows of a part have
   * other numbers, and a new union must be made. O(new rows + self values).
   */
  update(states: readonly PartState[] = []): 'grown' | 'outdated' {
    for (const [at, { source, taken }] of this.#parts.entries())
      if (source.update(states[at]?.extent ?? extentOf(source.profile)) === 'renumbered' && taken > 0)
        return 'outdated';
    if (!this.#mayTake()) return 'grown';
    for (const [at, part] of this.#parts.entries()) if (!part.isLeftOut) this.#take(part, at, states[at]);
    this.#samples?.update(
      this.#parts.map(({ source, self, threads, isLeftOut }) => ({
        table: isLeftOut ? undefined : source.profile.samples,
        rowOf: self,
        threads,
      })),
    );
    return 'grown';
  }

  /** Whether all that the parts have gained may be taken in. Parts that are too large to begin with are left out. */
  #mayTake(): boolean {
    if (this.isFull) return false;
    const isEmpty = this.#parts.every(({ taken }) => taken === 0);
    let nodes = 0;
    for (const part of this.#parts) {
      const isTooMuch = nodes + part.source.length > this.#mostNodes;
      this.isFull ||= isTooMuch;
      part.isLeftOut = isTooMuch && isEmpty;
      if (!isTooMuch) nodes += part.source.length;
    }
    return !this.isFull || isEmpty;
  }

  /** The values of one part over the nodes of all, written into `values`. O(rows). */
  valuesOf(part: number, values = new MaskedValues(this.profile.selfValues)): MaskedValues {
    const isOther = new Uint8Array(this.profile.selfValues.length).fill(1);
    const { self, selfLength } = this.#parts[part];
    for (let row = 0; row < selfLength; row++) isOther[self[row]] = 0;
    values.update(
      isOther,
      this.#parts.every((each) => each.values?.isComplete === true),
    );
    return values;
  }

  /** Row of the self values of a part, as they were taken last -> its row here. Borrowed until the next update. */
  selfRowsOf(part: number): Int32Array {
    const { self, selfLength } = this.#parts[part];
    return self.subarray(0, selfLength);
  }

  /** Row of self values of a part, taken or not -> the node where its samples end. O(rows). */
  nodesOf(part: number, { length, node }: SelfValues): Int32Array<ArrayBuffer> {
    const { source, nodes } = this.#parts[part];
    const rows = new Int32Array(length);
    source.rowsOfNodes(node, length, rows);
    return rows.map((row) => nodes[row]);
  }

  /** The identity of a frame. */
  idOfFrame(frame: number): number {
    return this.#frameIds[frame];
  }

  /** The frame with an identity; NONE if there is none. */
  frameWithId(id: number): number {
    return id < 0 ? NONE : (this.#parts[Math.floor(id / FIRST_ID)]?.frames[id % FIRST_ID] ?? NONE);
  }

  #nodeWithId(id: number): number {
    if (this.#nodeIds === undefined || id < 0) return id;
    const part = this.#parts[Math.floor(id / FIRST_ID)] as Rows | undefined;
    const row = part?.source.rowOf(id % FIRST_ID) ?? NONE;
    return part === undefined || row < 0 || row >= part.taken ? NONE : part.nodes[row];
  }

  #take(part: Rows, at: number, { extent, values }: PartState = {}): void {
    const { profile } = part.source;
    this.#takeThreads(part);
    this.#takeMethods(part);
    this.#takeFrames(part, extent?.frames ?? profile.frames.length, at * FIRST_ID);
    this.#takeNodes(part, at * FIRST_ID);
    this.#takeValues(part, values ?? profile.selfValues);
  }

  #takeThreads({ source, threads: rows, tag }: Rows): void {
    const { threads } = this.profile;
    const { length, idHi, idLo, name: names, group } = source.profile.threads;
    const isGroup = this.#threads === 'groups';
    for (let thread = rows.length; thread < length; thread++) {
      const row = threads.append(idHi[thread], idLo[thread]);
      threads.group[row] = isGroup ? tag : group[thread];
      rows.push(row);
    }
    for (let thread = 0; thread < length; thread++) {
      const known = names[thread];
      threads.name[rows[thread]] =
        isGroup && known !== undefined && known !== '' ? `${tag}: ${known}` : known;
    }
  }

  #takeMethods({ source, methods: rows }: Rows): void {
    const { methods } = this.profile;
    const { length, idHi, idLo, names } = source.profile.methods;
    for (let method = rows.length; method < length; method++)
      rows.push(methods.append(idHi[method], idLo[method]));
    for (let method = 0; method < length; method++) methods.names[rows[method]] = names[method];
  }

  #takeFrames({ source, frames: rows, methods }: Rows, length: number, firstId: number): void {
    const { method, line, bci } = source.profile.frames;
    for (let frame = rows.length; frame < length; frame++) {
      const row = this.profile.frames.append(methods[method[frame]], line[frame], bci[frame]);
      if (this.#nodeIds !== undefined) this.#frameIds[row] = firstId + frame;
      rows.push(row);
    }
  }

  #takeNodes(part: Rows, firstId: number): void {
    const { nodes } = this.profile;
    const { source, frames, threads } = part;
    const { length, parent } = source;
    if (length > part.nodes.length)
      part.nodes = grown(part.nodes, nextCapacity(part.nodes.length, length), part.taken);
    const end = nodes.length + length - part.taken;
    if (end > nodes.capacity) nodes.reserve(nextCapacity(nodes.capacity, end));
    const rows = part.nodes;
    if (this.#nodeIds !== undefined && this.#nodeIds.length < nodes.capacity)
      this.#nodeIds = grown(this.#nodeIds, nodes.capacity, nodes.length);
    const ids = this.#nodeIds;
    for (let row = part.taken; row < length; row++) {
      const frame = source.frameOf(row);
      const node =
        frame < 0 ? this.profile.appendRoot(threads[~frame]) : nodes.append(rows[parent[row]], frames[frame]);
      rows[row] = node;
      if (ids !== undefined) ids[node] = firstId + source.idOf(row);
    }
    part.taken = length;
  }

  #takeValues(part: Rows, values: SelfValues): void {
    if (part.values === values && part.revision === values.revision) return;
    const { selfValues } = this.profile;
    for (const row of part.self.subarray(0, part.selfLength)) selfValues.set(row, 0, 0);
    const { length, node, count, time } = values;
    if (length > part.self.length) part.self = new Int32Array(nextCapacity(part.self.length, length));
    if (length > this.#rows.length) this.#rows = new Int32Array(nextCapacity(this.#rows.length, length));
    part.source.rowsOfNodes(node, length, this.#rows);
    for (let self = 0; self < length; self++) {
      const row = selfValues.rowOf(part.nodes[this.#rows[self]]);
      selfValues.add(row, count[self], time.bigints?.get(self) ?? time.ns[self]);
      part.self[self] = row;
    }
    part.selfLength = length;
    part.values = values;
    part.revision = values.revision;
  }
}

/** The samples of a part, and its rows of the SelfTable and its threads -> those of the union. */
interface PartSamples {
  readonly table: SampleTable | undefined;
  readonly rowOf: Int32Array;
  readonly threads: readonly number[];
}

/**
 * When the samples of several profiles were taken, in one table. Times since 1970 are on one axis, as exactly as the clocks
 * of the machines agree. Times since a recording began are counted from there in each profile. The two kinds cannot be compared:
 * see `timesAgree`.
 *
 * The last samples of each profile may be provisional. All of these are kept at the end of the table.
 */
class UnionSamples {
  readonly #table: SampleTable;
  /** Part -> its final samples in the table. */
  readonly #taken: number[] = [];
  /** Part -> its contexts in the table. */
  readonly #contexts: number[] = [];
  /** Part -> revision of its samples when they were taken. */
  readonly #revisions: number[] = [];
  #conversions = 0;
  #hasDates = false;
  #hasOwnTimes = false;

  constructor(table: SampleTable) {
    this.#table = table;
  }

  /** False if some profiles have times since 1970 and others since their recording began. */
  get timesAgree(): boolean {
    return !(this.#hasDates && this.#hasOwnTimes);
  }

  /** Takes in what all parts have gained. O(new samples + provisional ones). */
  update(parts: readonly PartSamples[]): void {
    for (const [at, part] of parts.entries()) this.#takeContexts(part, at);
    const revisions = parts.map(({ table }) => table?.revision ?? 0);
    if (revisions.every((revision, at) => revision === this.#revisions[at])) return;
    const conversions = parts.reduce((sum, { table }) => sum + (table?.conversions ?? 0), 0);
    const table = this.#table;
    // Each part keeps the order of its samples, and has call nodes of its own.
    const sampled = parts.filter(({ table: source }) => (source?.length ?? 0) > 0);
    table.areCalls = sampled.length > 0 && sampled.every(({ table: source }) => source?.areCalls === true);
    table.truncate(conversions === this.#conversions ? table.finalLength : 0);
    if (conversions !== this.#conversions) this.#taken.length = 0;
    this.#conversions = conversions;
    for (const [at, { table: source, rowOf }] of parts.entries()) {
      if (source === undefined) continue;
      this.#append(source, this.#taken.at(at) ?? 0, source.finalLength, rowOf);
      this.#taken[at] = source.finalLength;
    }
    const final = table.length;
    for (const { table: source, rowOf } of parts)
      if (source !== undefined) this.#append(source, source.finalLength, source.length, rowOf);
    table.provisional = table.length - final;
    for (const [at, revision] of revisions.entries()) this.#revisions[at] = revision;
  }

  #takeContexts({ table: source, threads }: PartSamples, part: number): void {
    const { contexts: into } = this.#table;
    const contexts = source?.contexts;
    if (contexts?.origin === undefined) return;
    into.origin ??= contexts.origin;
    const shift = Number(contexts.origin - into.origin);
    const textOf = (text: number): number => into.text(contexts.texts[text]);
    for (let row = this.#contexts.at(part) ?? 0; row < contexts.length; row++) {
      const [first, end] = [contexts.attributesFrom(row), contexts.attributesEnd[row]];
      const attributes = {
        key: Array.from(contexts.key.subarray(first, end), textOf),
        value: Array.from(contexts.value.subarray(first, end), textOf),
      };
      const [from, to, name] = [
        contexts.from[row] + shift,
        contexts.to[row] + shift,
        textOf(contexts.name[row]),
      ];
      into.append(threads[contexts.thread[row]], from, to, name, attributes, 0, end - first);
    }
    this.#contexts[part] = contexts.length;
  }

  #append(source: SampleTable, from: number, end: number, rowOf: Int32Array): void {
    if (from === end) return;
    const { at, self, valueSelf = self, value } = source;
    const { column, mask } = value;
    const shift = this.#shift(source.origin);
    for (let row = from; row < end; row++) {
      const time = at.bigints?.get(row) ?? at.ns[row];
      const each = row & mask;
      const ns = column.bigints?.get(each) ?? column.ns[each];
      this.#table.append(moved(time, shift), rowOf[self[row]], ns, rowOf[valueSelf[row]]);
    }
  }

  /** ns from the origin of the table to that of a profile. */
  #shift(origin: bigint | undefined): number | bigint {
    if (origin === undefined) return 0;
    if (origin === 0n) this.#hasOwnTimes = true;
    else this.#hasDates = true;
    this.#table.origin ??= origin;
    const exact = origin - this.#table.origin;
    const nearest = Number(exact);
    return Number.isSafeInteger(nearest) ? nearest : exact;
  }
}

function moved(at: number | bigint, shift: number | bigint): number | bigint {
  if (shift === 0) return at;
  if (typeof at === 'number' && typeof shift === 'number') {
    const sum = at + shift;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(at) + BigInt(shift);
}
