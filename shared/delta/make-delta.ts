import type { ProfileJournal } from '../aggregate/profile-aggregator.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { MethodNames } from '../profile/method-table.ts';
import type { DeltaCursor, ProfileDelta } from './profile-delta.ts';

/** New nodes in one delta: 2 MB of columns, some milliseconds to apply, so that a client stays responsive. */
export const MAX_NEW_NODES = 1 << 18;

/** What makeDelta reads: a profile, and what changed in it when. */
export interface JournaledProfile {
  readonly profile: LeanProfile;
  readonly journal: ProfileJournal;
}

/** False when a copy at this cursor can only be rebuilt from nothing: its past changes are no longer kept. */
export function canContinueFrom({ journal }: JournaledProfile, base: DeltaCursor): boolean {
  return base.nodes === 0 || journal.nodes.reachesBackTo(base.revision);
}

/** True when there is something that a copy at this cursor lacks. */
export function hasNewsFor({ profile, journal }: JournaledProfile, base: DeltaCursor): boolean {
  return (
    base.nodes < profile.nodes.length ||
    base.methods < profile.methods.length ||
    base.threads < profile.threads.length ||
    journal.nodes.changedSince(base.revision) ||
    journal.methods.changedSince(base.revision) ||
    journal.threads.changedSince(base.revision)
  );
}

/**
 * Everything that a copy at `base` lacks, up to `maxNewNodes` new nodes. Closes the journal's revision. Costs what
 * is new, not what there is. The caller checks `canContinueFrom` first.
 */
export function makeDelta(
  source: JournaledProfile,
  epoch: number,
  base: DeltaCursor,
  maxNewNodes = MAX_NEW_NODES,
): ProfileDelta {
  const { profile, journal } = source;
  const { threads, methods, frames, nodes } = profile;
  const nodesEnd = Math.min(nodes.length, base.nodes + maxNewNodes);

  const changed = base.nodes === 0 ? new Int32Array(0) : journal.nodes.since(base.revision, base.nodes);
  const lateThreads =
    base.threads === 0 ? new Int32Array(0) : journal.threads.since(base.revision, base.threads);
  const lateMethods =
    base.methods === 0 ? new Int32Array(0) : journal.methods.since(base.revision, base.methods);
  journal.nodes.seal();
  journal.threads.seal();
  journal.methods.seal();

  const { selfCount, selfTime } = nodes;
  const counted = (node: number): boolean => selfCount[node] !== 0 || selfTime.ns[node] !== 0;
  let length = changed.length;
  for (let node = base.nodes; node < nodesEnd; node++) if (counted(node)) length++;
  const self = { node: new Int32Array(length), count: new Uint32Array(length), ns: new Float64Array(length) };
  self.node.set(changed);
  for (let node = base.nodes, at = changed.length; node < nodesEnd; node++)
    if (counted(node)) self.node[at++] = node;
  const wideTimes: [number, string][] = [];
  for (let at = 0; at < length; at++) {
    const node = self.node[at];
    self.count[at] = selfCount[node];
    self.ns[at] = selfTime.ns[node];
    const wide = selfTime.wide?.get(node);
    if (wide !== undefined) wideTimes.push([node, String(wide)]);
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
      revision: journal.nodes.revision,
      threads: threads.length,
      methods: methods.length,
      frames: frames.length,
      nodes: nodesEnd,
    },
    complete: nodesEnd === nodes.length,
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
    nodes: {
      parent: nodes.parent.subarray(base.nodes, nodesEnd),
      frame: nodes.frame.subarray(base.nodes, nodesEnd),
    },
    threadNames,
    methodNames,
    self,
    wideTimes,
  };
}
