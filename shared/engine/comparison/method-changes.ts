import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { ChanceInCounts } from '../../profile/profile-units.ts';
import { foldedNames } from '../../scope/scope-frames.ts';
import { MACHINE_NAMES } from '../../scope/scope.ts';
import { compareKeys } from '../trees/keys.ts';
import type { Metric } from '../values/metric.ts';
import type { SampleSum } from '../values/self-values.ts';
import type { FlatProfile } from '../views/flat-profile.ts';
import type { Compared } from './comparison.ts';
import { type Certainty, certaintyOf, type ShareChange, shareChange } from '../values/share-change.ts';

/** `self`: samples that ended in the method. `total`: samples with the method on their stack. */
export type SharePart = 'self' | 'total';

/** A method in one of the two profiles. */
interface MethodShare {
  readonly samples: number;
  /** ns, or the profile's other unit. */
  readonly time: bigint;
  /** The fraction of all that the profile has by the metric; 0 if it has nothing. */
  readonly share: number;
}

/** The change of a method's share. */
export interface MethodChange {
  readonly key: number;
  readonly label: string;
  readonly of: SharePart;
  readonly base: MethodShare;
  readonly next: MethodShare;
  /** New minus base share, by the metric; -1 to 1. */
  readonly difference: number;
  /** The change of the share of samples, whatever the metric: only samples are subject to chance. */
  readonly sampled: ShareChange | undefined;
  readonly certainty: Certainty;
}

/** All methods of both profiles, once for each part, largest differences first. */
export function methodChanges(
  methods: Compared<FlatProfile>,
  whole: Compared<SampleSum>,
  { metric, ...chance }: ChanceInCounts & { readonly metric: Metric },
): readonly MethodChange[] {
  const { labels } = methods.next.keys;
  const changes: MethodChange[] = [];
  for (let key = 0; key < labels.length; key++) {
    // Not by the sums of both, in which a negative time cancels another.
    if (!methods.base.isShown(key) && !methods.next.isShown(key)) continue;
    for (const of of ['self', 'total'] as const) {
      const shareIn = (side: 'base' | 'next'): MethodShare => {
        const samples = methods[side][`${of}Count`][key];
        const time = methods[side][`${of}Time`];
        const all = metric === 'samples' ? whole[side].samples : whole[side].time;
        const part = metric === 'samples' ? samples : time.ns[key];
        return { samples, time: time.exact(key), share: all > 0 ? part / all : 0 };
      };
      const base = shareIn('base');
      const next = shareIn('next');
      const sampled = shareChange(
        { part: base.samples, whole: whole.base.samples },
        { part: next.samples, whole: whole.next.samples },
      );
      const difference = next.share - base.share;
      changes.push({
        key,
        label: labels[key],
        of,
        base,
        next,
        difference,
        sampled,
        certainty: certaintyOf(sampled, chance, difference),
      });
    }
  }
  return changes.sort(
    (a, b) => Math.abs(b.difference) - Math.abs(a.difference) || compareKeys(a.label, b.label),
  );
}

/**
 * A method that only one of the profiles has, because its class has a name that the JVM made up and that differs from run
 * to run; undefined if there is none. Folding such names joins them.
 */
export function machineNamed(
  methods: Compared<FlatProfile>,
  { methods: { names }, frames }: LeanProfile,
): string | undefined {
  const { base, next } = methods;
  const { labels, firstFrame } = next.keys;
  for (let key = 0; key < labels.length; key++) {
    if (base.isShown(key) === next.isShown(key)) continue;
    const named = names[frames.method[firstFrame[key]]];
    if (named !== undefined && foldedNames(named, MACHINE_NAMES) !== named) return labels[key];
  }
  return undefined;
}

/** Differences of shares are inexact by less than this many percentage points. */
const ROUNDING = 1e-9;

/** Whether the share grew by more than `points` percentage points, and chance does not explain that it grew. */
export function hasGrown(
  { difference, certainty }: Pick<MethodChange, 'difference' | 'certainty'>,
  points: number,
): boolean {
  // 0.45 - 0.3 is a little more than 0.15.
  return difference * 100 - points > ROUNDING && certainty !== 'chance';
}
