import { assert } from '../assert.ts';
import { nextCapacity, NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ContextTable } from '../profile/context-table.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import type { SelfTable } from '../profile/self-table.ts';
import type { ContextDelta, DeltaCursor, ProfileDelta, SampleDelta } from './profile-delta.ts';

/** True if the delta starts at the epoch and cursor of the copy. Otherwise the copy needs a snapshot. */
export function deltaFits(delta: ProfileDelta, epoch: number, at: DeltaCursor): boolean {
  const { base } = delta;
  return (
    delta.epoch === epoch &&
    base.revision === at.revision &&
    base.threads === at.threads &&
    base.methods === at.methods &&
    base.frames === at.frames &&
    base.nodes === at.nodes &&
    base.selfValues === at.selfValues &&
    base.samples === at.samples &&
    base.contexts === at.contexts
  );
}

/**
 * Applies a delta that fits the copy. Afterwards the copy's cursor is `delta.to`.
 *
 * A copy may have more than the cursor: after a gap its epoch is sent from the beginning once more. Rows keep their numbers
 * within an epoch, so that those which the copy has stay, get their present values, and nothing that was made of them is
 * made again.
 */
export function applyDelta(copy: LeanProfile, delta: ProfileDelta): void {
  assert(copy.nodes.length >= delta.base.nodes, 'the caller has checked the delta with deltaFits');
  addThreadsAndMethods(copy, delta);
  addFrames(copy, delta);
  addNodes(copy, delta);
  addSelfValues(copy.selfValues, delta);
  changeSelfValues(copy.selfValues, delta);
  if (copy.samples === undefined || delta.samples === undefined) return;
  addSamples(copy.samples, delta.base.samples, delta.samples);
  const { contexts } = delta.samples;
  if (contexts !== undefined) addContexts(copy.samples.contexts, delta.base.contexts, contexts);
}

function addThreadsAndMethods({ threads, methods }: LeanProfile, delta: ProfileDelta): void {
  for (let row = threads.length - delta.base.threads; row < delta.threads.idHi.length; row++) {
    threads.append(delta.threads.idHi[row], delta.threads.idLo[row]);
  }
  for (const [row, group] of delta.threadGroups) threads.group[row] = group;
  for (const [row, name] of delta.threadNames) threads.name[row] = name;
  for (let row = methods.length - delta.base.methods; row < delta.methods.idHi.length; row++) {
    methods.append(delta.methods.idHi[row], delta.methods.idLo[row]);
  }
  for (const [row, names] of delta.methodNames) methods.names[row] = names;
}

function addFrames({ frames }: LeanProfile, { base, to, frames: added }: ProfileDelta): void {
  if (to.frames > frames.length) frames.reserve(to.frames);
  frames.method.set(added.method, base.frames);
  frames.line.set(added.line, base.frames);
  frames.bci.set(added.bci, base.frames);
  frames.length = Math.max(frames.length, to.frames);
}

function addNodes(
  { threads, nodes }: LeanProfile,
  { base, to, capacity, nodes: added, reparented }: ProfileDelta,
): void {
  if (to.nodes > nodes.capacity) nodes.reserve(Math.max(capacity, nextCapacity(nodes.capacity, to.nodes)));
  nodes.frame.set(added.frame, base.nodes);
  chainNodes(nodes.parent, base.nodes, to.nodes);
  nodes.length = Math.max(nodes.length, to.nodes);
  for (let at = 0; at < reparented.node.length; at++) {
    const node = reparented.node[at];
    const up = reparented.parent[at];
    if (up >= 0) nodes.parent[node] = up;
    else {
      nodes.parent[node] = NONE;
      nodes.frame[node] = up;
      threads.root[~up] = node;
    }
  }
}

/** Makes each node the child of the row before it. A separate function, so that V8 compiles the loop sooner. */
function chainNodes(parent: Int32Array, from: number, end: number): void {
  for (let node = from; node < end; node++) parent[node] = node - 1;
}

function addSelfValues(selfValues: SelfTable, { base, selfValues: added }: ProfileDelta): void {
  for (let at = 0; at < added.node.length; at++) {
    const row = base.selfValues + at;
    if (row === selfValues.length) selfValues.append(added.node[at]);
    selfValues.set(row, added.count[at], added.ns[at]);
  }
}

function addSamples(samples: SampleTable, from: number, added: SampleDelta): void {
  const known = Math.max(0, samples.finalLength - from);
  samples.areCalls = added.areCalls;
  // All of them are there, and never change. Provisional ones are behind the last of all, and may have changed.
  if (added.self.length - added.provisional < known) return;
  samples.truncate(from + known);
  if (added.origin !== undefined) samples.origin = BigInt(added.origin);
  const { length } = added.self;
  if (from + length > samples.self.length)
    samples.reserve(Math.max(added.capacity, nextCapacity(samples.self.length, from + length)));
  const { self, valueSelf = self } = added;
  const bigintAts = new Map(added.bigintAts);
  const valueOf = valuesOf(added);
  for (let row = known; row < length; row++) {
    const at = exactOf(bigintAts, row, added.at[row]);
    samples.append(at, self[row], valueOf(row), valueSelf[row]);
  }
  samples.provisional = added.provisional;
}

/** Adds those that the copy lacks: rows and texts never change. */
function addContexts(contexts: ContextTable, base: number, added: ContextDelta): void {
  contexts.origin = BigInt(added.origin);
  for (const text of added.texts.slice(Math.max(0, contexts.texts.length - added.firstText)))
    contexts.text(text);
  const { thread, from, to, name, attributesEnd } = added;
  for (let row = contexts.length - base; row < thread.length; row++) {
    const first = row === 0 ? 0 : attributesEnd[row - 1];
    contexts.append(thread[row], from[row], to[row], name[row], added, first, attributesEnd[row]);
  }
}

/** The addition of each row of the samples to its row of the SelfTable. */
export function valuesOf({ value, self, bigintValues }: SampleDelta): (row: number) => number | bigint {
  const bigints = new Map(bigintValues);
  const mask = value.length < self.length ? 0 : -1;
  return (row) => exactOf(bigints, row & mask, value[row & mask]);
}

/** The value of a row: the decimal in `bigints` if there is one. */
function exactOf(bigints: ReadonlyMap<number, string>, row: number, nearest: number): number | bigint {
  const text = bigints.size === 0 ? undefined : bigints.get(row);
  return text === undefined ? nearest : BigInt(text);
}

function changeSelfValues(
  selfValues: SelfTable,
  { changed: { row, count, ns }, bigintTimes }: ProfileDelta,
): void {
  for (let at = 0; at < row.length; at++) {
    selfValues.set(row[at], count[at], ns[at]);
  }
  for (const [row, exact] of bigintTimes) selfValues.set(row, selfValues.count[row], BigInt(exact));
}
