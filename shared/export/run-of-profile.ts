import type { Run, RunPart } from '../engine/comparison/run-changes.ts';
import type { FrameGrouping } from '../engine/trees/grouping.ts';
import { frameKey } from '../engine/trees/keys.ts';
import type { Metric } from '../engine/values/metric.ts';
import { sumSelfValues } from '../engine/values/self-values.ts';
import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { flatProfileOf } from './flat.ts';

/** The methods of a profile, as a run that is compared with others. `frames`: what keys are made of. */
export function runOfProfile(
  name: string,
  profile: LeanProfile,
  { frames, metric }: { readonly frames: FrameGrouping; readonly metric: Metric },
): Run {
  const flat = flatProfileOf(profile, { frames, recursion: 'once' });
  const self = new Map<string, RunPart>();
  const total = new Map<string, RunPart>();
  for (const [key, label] of flat.keys.labels.entries()) {
    if (!flat.isShown(key)) continue;
    const part = (samples: number, value: number): RunPart => ({
      samples,
      amount: metric === 'samples' ? samples : value,
    });
    self.set(label, part(flat.selfCount[key], flat.selfTime.ns[key]));
    total.set(label, part(flat.totalCount[key], flat.totalTime.ns[key]));
  }
  const { samples, time } = sumSelfValues(profile.selfValues);
  const whole = metric === 'samples' ? samples : time;
  return { name, samples, whole, self, total, neighbours: neighboursOf(profile, frames) };
}

/** The heaviest caller and callee of each method, by samples on which it is their callee or caller. */
function neighboursOf(profile: LeanProfile, frames: FrameGrouping): Run['neighbours'] {
  const { nodes, selfValues, frames: table } = profile;
  const totals = new Float64Array(nodes.length);
  for (let row = 0; row < selfValues.length; row++) totals[selfValues.node[row]] += selfValues.count[row];
  const keys = Array.from({ length: table.length }, (_, frame) => frameKey(profile, frame, frames));
  const callers = new Map<string, Map<string, number>>();
  const callees = new Map<string, Map<string, number>>();
  const add = (to: typeof callers, key: string, other: string, samples: number): void => {
    const known = to.get(key) ?? new Map<string, number>();
    to.set(key, known.set(other, (known.get(other) ?? 0) + samples));
  };
  for (let node = nodes.length - 1; node >= 0; node--) {
    const parent = nodes.parent[node];
    if (parent === NONE) continue;
    totals[parent] += totals[node];
    if (nodes.parent[parent] === NONE) continue;
    const [key, caller] = [keys[nodes.frame[node]], keys[nodes.frame[parent]]];
    add(callers, key, caller, totals[node]);
    add(callees, caller, key, totals[node]);
  }
  const heaviest = (of: Map<string, number> | undefined): string =>
    [...(of ?? [])].reduce<readonly [string, number]>(
      (best, each) => (each[1] > best[1] ? each : best),
      ['', 0],
    )[0];
  const labels = new Set(keys);
  return new Map(
    [...labels].map((key) => [
      key,
      { caller: heaviest(callers.get(key)), callee: heaviest(callees.get(key)) },
    ]),
  );
}
