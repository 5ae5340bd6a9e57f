import { ChangeJournal } from '../aggregate/change-journal.ts';
import type { ProfileJournal } from '../aggregate/profile-aggregator.ts';
import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { MethodNames } from '../profile/method-table.ts';
import type { ContextTable } from '../profile/context-table.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import type { SelfTable } from '../profile/self-table.ts';
import type { TimeColumn } from '../profile/time-column.ts';
import {
  type ContextDelta,
  type DeltaCursor,
  isNothing,
  NOTHING,
  type ProfileDelta,
  type SampleDelta,
} from './profile-delta.ts';

/**
 * Most new nodes in one delta. It usually has 0.6 MB, and a client applies it in some ten milliseconds.
 */
export const MAX_NEW_NODES = 1 << 18;

/** Most samples in one delta; 2.6 MB. */
const MAX_NEW_SAMPLES = 1 << 17;

/** Most contexts in one delta; 2 MB, and their texts. */
const MAX_NEW_CONTEXTS = 1 << 16;

/** With at most this many frames, two bytes per frame number are enough. */
const FEW_FRAMES = 1 << 16;

/** A profile with its own self values, or with other ones over the same rows. */
export type DeltaSource = Pick<LeanProfile, 'threads' | 'methods' | 'frames' | 'nodes' | 'samples'> & {
  readonly selfValues: Pick<SelfTable, 'length' | 'count' | 'time'> & { readonly node: Int32Array };
};

/** A profile and the journal of its changes. */
export interface JournaledProfile {
  readonly profile: DeltaSource;
  readonly journal: ProfileJournal;
  /** Undefined if samples are not sent. */
  readonly samples?: SampleTable | undefined;
}

/** False if the changes since this cursor are no longer kept: a copy that is there needs a snapshot. */
export function canContinueFrom({ journal }: JournaledProfile, base: DeltaCursor): boolean {
  return isNothing(base) || journal.selfValues.reachesBackTo(base.revision);
}

/** True if a copy at this cursor lacks something. */
export function hasChangesSince(source: JournaledProfile, base: DeltaCursor): boolean {
  const { profile, journal, samples } = source;
  return (
    !canContinueFrom(source, base) ||
    // A change of the provisional sample changes a self value, too.
    base.samples < (samples?.finalLength ?? 0) ||
    base.contexts < (samples?.contexts.length ?? 0) ||
    base.nodes < profile.nodes.length ||
    base.selfValues < profile.selfValues.length ||
    base.methods < profile.methods.length ||
    base.threads < profile.threads.length ||
    journal.selfValues.changedSince(base.revision) ||
    journal.methods.changedSince(base.revision) ||
    journal.threads.changedSince(base.revision)
  );
}

/**
 * Returns everything that a copy at `base` lacks, but at most `maxNewNodes` new nodes. Ends the journal's open revision.
 * The cost is proportional to what is new. Check `canContinueFrom` first.
 */
export function makeDelta(
  source: JournaledProfile,
  epoch: number,
  base: DeltaCursor,
  maxNewNodes = MAX_NEW_NODES,
): ProfileDelta {
  const { profile, journal, samples } = source;
  const { threads, methods, frames, nodes, selfValues } = profile;
  const nodesEnd = Math.min(nodes.length, base.nodes + maxNewNodes);
  // A truncated delta ends before the first self value whose node it does not contain.
  let selfValuesEnd = nodesEnd === nodes.length ? selfValues.length : base.selfValues;
  while (selfValuesEnd < selfValues.length && selfValues.node[selfValuesEnd] < nodesEnd) selfValuesEnd++;
  const samplesEnd = samples === undefined ? 0 : endOfSamples(samples, base.samples, selfValuesEnd);

  const contexts = samples?.contexts.length ?? 0;
  const contextsEnd = Math.min(contexts, base.contexts + MAX_NEW_CONTEXTS);

  const changedRows =
    base.selfValues === 0 ? new Int32Array(0) : journal.selfValues.since(base.revision, base.selfValues);
  const lateThreads =
    base.threads === 0 ? new Int32Array(0) : journal.threads.since(base.revision, base.threads);
  const lateMethods =
    base.methods === 0 ? new Int32Array(0) : journal.methods.since(base.revision, base.methods);
  journal.selfValues.seal();
  journal.threads.seal();
  journal.methods.seal();

  const changed = {
    row: changedRows,
    count: new Float64Array(changedRows.length),
    ns: new Float64Array(changedRows.length),
  };
  for (let at = 0; at < changedRows.length; at++) {
    changed.count[at] = selfValues.count[changedRows[at]];
    changed.ns[at] = selfValues.time.ns[changedRows[at]];
  }
  const bigintTimes: [number, string][] = [];
  if (selfValues.time.bigints !== undefined) {
    const isChanged = new Set(changedRows);
    for (const [row, ns] of selfValues.time.bigints) {
      if (isChanged.has(row) || (row >= base.selfValues && row < selfValuesEnd))
        bigintTimes.push([row, String(ns)]);
    }
  }

  const threadGroups: [number, string][] = [];
  for (let row = base.threads; row < threads.length; row++) {
    const group = threads.group[row];
    if (group !== undefined) threadGroups.push([row, group]);
  }
  const threadNames: [number, string][] = [];
  const noteThread = (row: number): void => {
    const name = threads.name[row];
    if (name !== undefined) threadNames.push([row, name]);
  };
  lateThreads.forEach(noteThread);
  for (let row = base.threads; row < threads.length; row++) noteThread(row);
  const methodNames: [number, MethodNames][] = [];
  const noteMethod = (row: number): void => {
    const names = methods.names[row];
    if (names !== undefined) methodNames.push([row, names]);
  };
  lateMethods.forEach(noteMethod);
  for (let row = base.methods; row < methods.length; row++) noteMethod(row);

  return {
    epoch,
    base,
    to: {
      revision: journal.selfValues.revision,
      threads: threads.length,
      methods: methods.length,
      frames: frames.length,
      nodes: nodesEnd,
      selfValues: selfValuesEnd,
      samples: Math.min(samplesEnd, samples?.finalLength ?? 0),
      contexts: contextsEnd,
    },
    complete: nodesEnd === nodes.length && samplesEnd === (samples?.length ?? 0) && contextsEnd === contexts,
    capacity: nodes.capacity,
    threads: {
      idHi: threads.idHi.subarray(base.threads, threads.length),
      idLo: threads.idLo.subarray(base.threads, threads.length),
    },
    methods: {
      idHi: methods.idHi.subarray(base.methods, methods.length),
      idLo: methods.idLo.subarray(base.methods, methods.length),
    },
    frames: {
      method: frames.method.subarray(base.frames, frames.length),
      line: frames.line.subarray(base.frames, frames.length),
      bci: frames.bci.subarray(base.frames, frames.length),
    },
    ...newNodes(profile, base.nodes, nodesEnd),
    threadGroups,
    threadNames,
    methodNames,
    selfValues: {
      node: selfValues.node.subarray(base.selfValues, selfValuesEnd),
      count: selfValues.count.subarray(base.selfValues, selfValuesEnd),
      ns: selfValues.time.ns.subarray(base.selfValues, selfValuesEnd),
    },
    changed,
    bigintTimes,
    samples: samples && {
      ...newSamples(samples, base.samples, samplesEnd),
      contexts: newContexts(samples.contexts, base.contexts, contextsEnd),
    },
  };
}

/** All of a profile as it is now, as deltas from nothing. It must not grow meanwhile. `samples`: as in JournaledProfile. */
export function* deltasOfWhole(
  profile: DeltaSource,
  samples: SampleTable | undefined,
): Generator<ProfileDelta, void> {
  // A delta from revision 0 holds all rows, so an empty journal suffices.
  const journal = {
    selfValues: new ChangeJournal(),
    methods: new ChangeJournal(),
    threads: new ChangeJournal(),
  };
  let cursor: DeltaCursor = NOTHING;
  for (let complete = false; !complete;) {
    const delta = makeDelta({ profile, journal, samples }, 0, cursor);
    yield delta;
    cursor = delta.to;
    complete = delta.complete;
  }
}

/** A sample whose row of the SelfTable is not in the delta is left to the next one. */
function endOfSamples(
  { self, valueSelf = self, length }: SampleTable,
  from: number,
  selfValuesEnd: number,
): number {
  const most = Math.min(length, from + MAX_NEW_SAMPLES);
  let end = from;
  while (end < most && self[end] < selfValuesEnd && valueSelf[end] < selfValuesEnd) end++;
  return end;
}

function newSamples(samples: SampleTable, from: number, end: number): Omit<SampleDelta, 'contexts'> {
  const { origin, at, self, valueSelf, value, finalLength, areCalls } = samples;
  return {
    origin: origin?.toString(),
    areCalls,
    at: at.ns.subarray(from, end),
    self: self.subarray(from, end),
    valueSelf: valueSelf?.subarray(from, end),
    value: value.mask === 0 ? value.column.ns.subarray(0, 1) : value.column.ns.subarray(from, end),
    bigintAts: bigintsOf(at, from, end),
    bigintValues: value.mask === 0 ? bigintsOf(value.column, 0, 1) : bigintsOf(value.column, from, end),
    capacity: self.length,
    provisional: Math.max(0, end - finalLength),
  };
}

function newContexts(contexts: ContextTable, from: number, end: number): ContextDelta | undefined {
  if (end === from) return undefined;
  const first = contexts.attributesFrom(from);
  const last = contexts.attributesEnd[end - 1];
  const firstText = contexts.textsFrom(from);
  return {
    origin: String(contexts.origin),
    thread: contexts.thread.subarray(from, end),
    from: contexts.from.subarray(from, end),
    to: contexts.to.subarray(from, end),
    name: contexts.name.subarray(from, end),
    attributesEnd: contexts.attributesEnd.subarray(from, end).map((at) => at - first),
    key: contexts.key.subarray(first, last),
    value: contexts.value.subarray(first, last),
    firstText,
    texts: contexts.texts.slice(firstText, contexts.textsEnd[end - 1]),
  };
}

function bigintsOf({ bigints }: TimeColumn, from: number, end: number): [number, string][] {
  const found: [number, string][] = [];
  if (bigints === undefined) return found;
  for (let row = from; row < end; row++) {
    const exact = bigints.get(row);
    if (exact !== undefined) found.push([row - from, String(exact)]);
  }
  return found;
}

function newNodes(
  { nodes, frames }: DeltaSource,
  from: number,
  end: number,
): Pick<ProfileDelta, 'nodes' | 'reparented'> {
  const column = nodes.frame.subarray(from, end);
  const frame = frames.length <= FEW_FRAMES ? new Uint16Array(column) : column.slice();
  const found = new Int32Array(end - from);
  const count = findReparented(nodes.parent, from, end, found);
  const node = found.slice(0, count);
  const parent = new Int32Array(count);
  for (let at = 0; at < count; at++) {
    const row = node[at];
    const up = nodes.parent[row];
    parent[at] = up === NONE ? nodes.frame[row] : up;
    if (up === NONE) frame[row - from] = 0;
  }
  return { nodes: { frame }, reparented: { node, parent } };
}

/**
 * Writes the nodes whose parent is not the row before them to `into`, and returns their number. Roots are among them. A
 * separate function, because V8 compiles a running loop sooner in a small function, which makes the first deltas of a
 * log faster.
 */
function findReparented(parent: Int32Array, from: number, end: number, into: Int32Array): number {
  let count = 0;
  for (let node = from; node < end; node++) {
    const up = parent[node];
    if (up !== node - 1 || up === NONE) into[count++] = node;
  }
  return count;
}
