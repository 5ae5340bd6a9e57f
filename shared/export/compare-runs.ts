/** The comparison of many runs with many, for people and for a pull request. */
import {
  noiseFloor,
  type Run,
  type RunChange,
  runChanges,
  type Rename,
  renames,
  type RunPart,
} from '../engine/comparison/run-changes.ts';
import { type ProfileUnits, hasIntervals } from '../profile/profile-units.ts';
import { capitalised, formatCount, formatShare, pointsText, rangeText } from '../text/format-value.ts';
import { printable } from '../text/printable.ts';
import type { SharePart } from '../engine/comparison/method-changes.ts';
import { LEAST_DIFFERENCE, MOST_METHODS, PART_TITLES, type Report, reportLines } from './report.ts';
import { type TextSink, writeLines } from './text-sink.ts';
import type { FrameGrouping } from '../engine/trees/grouping.ts';
import { frameKey } from '../engine/trees/keys.ts';
import type { Metric } from '../engine/values/metric.ts';
import { sumSelfValues } from '../engine/values/self-values.ts';
import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { flatProfileOf } from './flat.ts';

/** Most runs of a side that are listed. */
const MOST_RUNS = 20;

/** Two groups of runs, compared. */
export interface ComparedRuns {
  readonly title: string;
  readonly units: ProfileUnits;
  readonly base: readonly Run[];
  readonly next: readonly Run[];
  /** All methods, the largest differences first. */
  readonly changes: readonly RunChange[];
  readonly renames: readonly Rename[];
  /** A sentence: whether they can be compared. */
  readonly comparability: string;
  /** The smallest change that the runs could have shown; undefined with one run a side. */
  readonly floor: ReturnType<typeof noiseFloor>;
}

/** Compares the runs of two sides. */
export function compareRuns(
  base: readonly Run[],
  next: readonly Run[],
  { title, units, comparability }: Pick<ComparedRuns, 'title' | 'units' | 'comparability'>,
): ComparedRuns {
  const changes = runChanges(base, next, { isIndependent: hasIntervals(units) });
  return {
    title,
    units,
    comparability,
    base,
    next,
    changes,
    renames: renames(changes, base[0], next[0]),
    floor: noiseFloor(changes, Math.min(base.length, next.length)),
  };
}

/** The report as aligned text or as Markdown. */
export function writeRuns(compared: ComparedRuns, format: 'report' | 'report-md', sink: TextSink): void {
  const { title, base, next, units, comparability, changes, renames } = compared;
  const runRow =
    (side: string) =>
    ({ name, samples }: Run): readonly string[] => [formatCount(samples), side, name];
  const unlisted = [base, next].reduce((sum, runs) => sum + Math.max(0, runs.length - MOST_RUNS), 0);
  const parts: Report['parts'] = [
    ...(['self', 'total'] as const).map((part) => changeTable(part, changes)),
    {
      title: 'Renamed?',
      header: ['Base share', 'New share', 'Before', 'Now'],
      rows: renames.map(({ from, to }) => [
        formatShare(from.base, 1),
        formatShare(to.next, 1),
        ...[from.label, to.label].map(printable),
      ]),
      nameColumns: 2,
      note: '',
    },
  ];
  const report: Report = {
    title,
    totals: {
      header: [capitalised(units.counted.many), 'Side', 'Run'],
      rows: [...base.slice(0, MOST_RUNS).map(runRow('base')), ...next.slice(0, MOST_RUNS).map(runRow('new'))],
      note: unlisted > 0 ? `… ${formatCount(unlisted)} more runs` : '',
    },
    notes: [comparability, telling(compared)],
    parts: renames.length > 0 ? parts : parts.slice(0, 2),
  };
  writeLines(reportLines(report, format === 'report' ? 'text' : 'markdown'), sink);
}

function changeTable(part: SharePart, changes: readonly RunChange[]): Report['parts'][number] {
  const real = changes.filter(
    ({ of, certainty, difference }) =>
      of === part && certainty !== 'chance' && Math.abs(difference) >= LEAST_DIFFERENCE,
  );
  const unlisted = real.length - MOST_METHODS;
  return {
    title: PART_TITLES[part],
    header: ['Base share', 'New share', 'Points', '95 % interval', 'Base runs', 'New runs', 'Method'],
    rows: real.slice(0, MOST_METHODS).map(changeRow),
    note:
      real.length === 0 ? 'No method changed.' : unlisted > 0 ? `${formatCount(unlisted)} more changed.` : '',
  };
}

function changeRow({ base, next, difference, interval, shares, label }: RunChange): readonly string[] {
  return [
    formatShare(base, 1),
    formatShare(next, 1),
    pointsText(difference),
    interval === undefined ? 'unknown' : rangeText(interval.low, interval.high),
    spreadText(shares.base),
    spreadText(shares.next),
    printable(label),
  ];
}

/** `3.10 to 3.42 %`: the smallest and the largest share of a run. */
function spreadText(shares: readonly number[]): string {
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  return shares.length === 1 ? '1 run' : `${(least * 100).toFixed(2)} to ${formatShare(most, 1)}`;
}

/** Sentences about the changes that the runs could have shown. */
function telling({ base, next, floor, units }: ComparedRuns): string {
  if (floor === undefined) {
    const between = 'How much runs of one program differ from each other is not known from one run a side';
    return hasIntervals(units)
      ? `${between}: intervals are those of samples, and a change that is real may still be one of this run alone.`
      : `${between}, and ${units.counted.many} are not independent of each other: whether a change is chance cannot be told.`;
  }
  const runs =
    base.length === next.length ? `${base.length} runs a side` : `${base.length} and ${next.length} runs`;
  return `Listed are changes that are larger than what runs of one side differ by (Welch's test between runs, 95 %). With ${runs}, a change of ${(floor.least * 100).toFixed(2)} points would be seen in a hot method; half of that would need ${floor.runsForHalf} runs a side. If nothing has changed, up to one in twenty methods is listed nevertheless.`;
}

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
