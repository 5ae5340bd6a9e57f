import { ChangeJournal } from '../aggregate/change-journal.ts';
import type { ProfileJournal } from '../aggregate/profile-aggregator.ts';
import { assert } from '../assert.ts';
import { deltaFits } from '../delta/apply-delta.ts';
import { type DeltaCursor, isNothing, NOTHING, type ProfileDelta } from '../delta/profile-delta.ts';
import type { MergedThreads } from '../facts/choice.ts';
import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import { LeanProfile } from '../profile/lean-profile.ts';
import { SampleTable } from '../profile/sample-table.ts';
import { MergedSamples } from './merged-samples.ts';

export interface MergedProfileOptions {
  /** The names of the logs, all different. Their number and order are those of the parts. */
  readonly names: readonly string[];
  readonly threads: MergedThreads;
  /** Keep when each sample was taken. */
  readonly samples: boolean;
}

/** Rows of a log -> rows of the merged profile. */
interface Part {
  epoch: number;
  cursor: DeltaCursor;
  readonly threads: number[];
  readonly methods: number[];
  frames: Int32Array<ArrayBuffer>;
  nodes: Int32Array<ArrayBuffer>;
  selfValues: Int32Array<ArrayBuffer>;
}

/**
 * Several logs as one profile, which grows by their deltas. Each row of a log is one row here, so that nothing is looked
 * up, and the order in which deltas of different logs come changes row numbers only: threads are never shared, and methods
 * keep the ids of their log. Trees and lists join rows with equal keys, as they do within a log.
 *
 *   log a          thread main   nodes 0 1 2      here   threads a: main, b: main
 *   log b          thread main   nodes 0 1               nodes   0 1 2 (a)  3 4 (b)
 *   a grows                      nodes 3                         5, whose parent may be 2
 *
 * Ids of threads and of methods are unique in each log only: two logs may use the same ones. 4 bytes per call node besides
 * those of the profile.
 */
export class MergedProfile {
  readonly profile: LeanProfile;
  readonly journal: ProfileJournal = {
    selfValues: new ChangeJournal(),
    methods: new ChangeJournal(),
    threads: new ChangeJournal(),
  };

  readonly #options: MergedProfileOptions;
  readonly #parts: readonly Part[];
  readonly #samples: MergedSamples | undefined;

  constructor(options: MergedProfileOptions) {
    this.#options = options;
    const samples = options.samples ? new SampleTable() : undefined;
    this.profile = new LeanProfile(true, samples);
    this.#samples = samples && new MergedSamples(samples, options.names.length);
    this.#parts = options.names.map(() => ({
      epoch: NONE,
      cursor: NOTHING,
      threads: [],
      methods: [],
      frames: new Int32Array(256),
      nodes: new Int32Array(1024),
      selfValues: new Int32Array(256),
    }));
  }

  /** True if the delta continues what is known of the log. One that begins anew does not, if anything is known. */
  fits(part: number, delta: ProfileDelta): boolean {
    const { epoch, cursor } = this.#parts[part];
    return deltaFits(delta, isNothing(cursor) ? delta.epoch : epoch, cursor);
  }

  /** Adds the growth of a log. The delta must fit. */
  apply(part: number, delta: ProfileDelta): void {
    assert(this.fits(part, delta), 'the caller has checked the delta with fits');
    const rows = this.#parts[part];
    this.#addThreads(part, delta);
    this.#addMethods(rows, delta);
    this.#addFrames(rows, delta);
    this.#addNodes(rows, delta);
    this.#addSelfValues(rows, delta);
    if (delta.samples !== undefined) this.#samples?.add(part, delta.samples, rows.selfValues);
    rows.epoch = delta.epoch;
    rows.cursor = delta.to;
  }

  /** Whether the samples of all logs have times on one axis: see MergedSamples. */
  get timesAgree(): boolean {
    return this.#samples?.timesAgree ?? true;
  }

  #addThreads(part: number, { threads: added, threadNames }: ProfileDelta): void {
    const { threads } = this.profile;
    const { names, threads: how } = this.#options;
    const group = how === 'groups' ? names[part] : undefined;
    const rows = this.#parts[part].threads;
    for (let at = 0; at < added.idHi.length; at++) {
      const row = threads.append(added.idHi[at], added.idLo[at]);
      threads.group[row] = group;
      rows.push(row);
    }
    for (const [row, name] of threadNames) {
      threads.name[rows[row]] = group === undefined || name === '' ? name : `${group}: ${name}`;
      this.journal.threads.note(rows[row]);
    }
  }

  #addMethods(rows: Part, { methods: added, methodNames }: ProfileDelta): void {
    const { methods } = this.profile;
    for (let at = 0; at < added.idHi.length; at++)
      rows.methods.push(methods.append(added.idHi[at], added.idLo[at]));
    for (const [row, names] of methodNames) {
      methods.names[rows.methods[row]] = names;
      this.journal.methods.note(rows.methods[row]);
    }
  }

  #addFrames(rows: Part, { base, to, frames: { method, line, bci } }: ProfileDelta): void {
    if (to.frames > rows.frames.length)
      rows.frames = grown(rows.frames, nextCapacity(rows.frames.length, to.frames));
    for (let at = 0; at < method.length; at++)
      rows.frames[base.frames + at] = this.profile.frames.append(rows.methods[method[at]], line[at], bci[at]);
  }

  #addNodes(rows: Part, { base, to, nodes: { frame: added }, reparented }: ProfileDelta): void {
    const { nodes, threads } = this.profile;
    const count = to.nodes - base.nodes;
    const first = nodes.length;
    if (first + count > nodes.capacity) nodes.reserve(nextCapacity(nodes.capacity, first + count));
    if (to.nodes > rows.nodes.length)
      rows.nodes = grown(rows.nodes, nextCapacity(rows.nodes.length, to.nodes), base.nodes);
    placeNodes(rows.nodes, base.nodes, nodes.parent, nodes.frame, first, added, rows.frames);
    nodes.length = first + count;
    for (let at = 0; at < reparented.node.length; at++) {
      const row = rows.nodes[reparented.node[at]];
      const up = reparented.parent[at];
      if (up >= 0) nodes.parent[row] = rows.nodes[up];
      else {
        const thread = rows.threads[~up];
        nodes.parent[row] = NONE;
        nodes.frame[row] = ~thread;
        threads.root[thread] = row;
      }
    }
  }

  #addSelfValues(rows: Part, { base, to, selfValues: added, changed, bigintTimes }: ProfileDelta): void {
    const { selfValues } = this.profile;
    if (to.selfValues > rows.selfValues.length)
      rows.selfValues = grown(rows.selfValues, nextCapacity(rows.selfValues.length, to.selfValues));
    for (let at = 0; at < added.node.length; at++) {
      const row = selfValues.append(rows.nodes[added.node[at]]);
      selfValues.set(row, added.count[at], added.ns[at]);
      rows.selfValues[base.selfValues + at] = row;
    }
    for (let at = 0; at < changed.row.length; at++) {
      const row = rows.selfValues[changed.row[at]];
      selfValues.set(row, changed.count[at], changed.ns[at]);
      this.journal.selfValues.note(row);
    }
    for (const [row, exact] of bigintTimes) {
      const self = rows.selfValues[row];
      selfValues.set(self, selfValues.count[self], BigInt(exact));
    }
  }
}

/**
 * Appends nodes from `first` on, each the child of the node before it in its log, and notes their rows in `rowOf` from `from` on. A
 * separate function with arrays only, so that V8 compiles the loop early.
 */
function placeNodes(
  rowOf: Int32Array,
  from: number,
  parent: Int32Array,
  frame: Int32Array,
  first: number,
  added: Int32Array | Uint16Array,
  frameRow: Int32Array,
): void {
  for (let at = 0; at < added.length; at++) {
    rowOf[from + at] = first + at;
    parent[first + at] = first + at - 1;
    frame[first + at] = frameRow[added[at]];
  }
  // Rows of other logs may be between it and the row before it in its log.
  if (added.length > 0 && from > 0) parent[first] = rowOf[from - 1];
}
