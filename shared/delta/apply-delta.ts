import { assert } from '../assert.ts';
import { nextCapacity, NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { DeltaCursor, ProfileDelta } from './profile-delta.ts';

/** True when the delta starts where a copy with this epoch and cursor stands; else the copy asks for a snapshot. */
export function deltaFits(delta: ProfileDelta, epoch: number, at: DeltaCursor): boolean {
  const { base } = delta;
  return (
    delta.epoch === epoch &&
    base.revision === at.revision &&
    base.threads === at.threads &&
    base.methods === at.methods &&
    base.frames === at.frames &&
    base.nodes === at.nodes &&
    base.selves === at.selves
  );
}

/** Grows a copy by a delta that fits it. Afterwards the copy stands at `delta.to`. */
export function applyDelta(copy: LeanProfile, delta: ProfileDelta): void {
  const { threads, methods, frames, nodes, selves } = copy;
  assert(nodes.length === delta.base.nodes, 'a delta is applied only where it fits');

  for (let row = 0; row < delta.threads.idHi.length; row++) {
    threads.append(delta.threads.idHi[row], delta.threads.idLo[row]);
  }
  for (const [row, name] of delta.threadNames) threads.name[row] = name;
  for (let row = 0; row < delta.methods.idHi.length; row++) {
    methods.append(delta.methods.idHi[row], delta.methods.idLo[row]);
  }
  for (const [row, names] of delta.methodNames) methods.names[row] = names;
  frames.reserve(delta.to.frames);
  frames.method.set(delta.frames.method, delta.base.frames);
  frames.line.set(delta.frames.line, delta.base.frames);
  frames.bci.set(delta.frames.bci, delta.base.frames);
  frames.length = delta.to.frames;

  if (delta.to.nodes > nodes.capacity)
    nodes.reserve(Math.max(delta.room, nextCapacity(nodes.capacity, delta.to.nodes)));
  nodes.frame.set(delta.nodes.frame, delta.base.nodes);
  for (let node = delta.base.nodes; node < delta.to.nodes; node++) nodes.parent[node] = node - 1;
  nodes.length = delta.to.nodes;
  const { turns } = delta;
  for (let at = 0; at < turns.node.length; at++) {
    const node = turns.node[at];
    const up = turns.parent[at];
    if (up >= 0) nodes.parent[node] = up;
    else {
      nodes.parent[node] = NONE;
      nodes.frame[node] = up;
      threads.root[~up] = node;
    }
  }

  for (let at = 0; at < delta.selves.node.length; at++) {
    const row = selves.append(delta.selves.node[at]);
    selves.count[row] = delta.selves.count[at];
    selves.time.set(row, delta.selves.ns[at]);
  }
  const { row: changed, count, ns } = delta.changed;
  for (let at = 0; at < changed.length; at++) {
    selves.count[changed[at]] = count[at];
    selves.time.set(changed[at], ns[at]);
  }
  for (const [row, exact] of delta.wideTimes) selves.time.set(row, BigInt(exact));
}
