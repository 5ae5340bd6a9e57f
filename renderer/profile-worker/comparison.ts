import type { ComparedWhole, Pair } from '../../shared/compare/row-change.ts';
import type { JoinGrouping, SideState } from '../../shared/compare/joined-profile.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { SelfTable } from '../../shared/profile/self-table.ts';
import { commonKeys } from '../../shared/scope/common-keys.ts';
import type { Scope, TimeRange } from '../../shared/scope/scope.ts';
import type { ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import { comparedScopes } from '../../shared/scope/apart.ts';
import { secondsIn, updatedInRange } from '../../shared/scope/time-range.ts';
import type { ThreadGrouping } from '../../shared/trees/grouping.ts';
import { extentOf, type ProfileExtent } from '../../shared/trees/row-tree.ts';
import type { CompareBy, ComparedScale } from '../../shared/values/compared-to.ts';
import type { Metric } from '../../shared/values/metric.ts';
import { type SelfValues, sumSelfValues } from '../../shared/values/self-values.ts';
import type { SelfThreads } from '../../shared/values/self-threads.ts';
import type { ValuesInRange } from '../../shared/values/values-in-range.ts';
import { JoinedLogs } from './joined-logs.ts';
import type { ComparedSides } from './mirror-messages.ts';
import type { BaseValues } from './profile-views.ts';
import type { SharedView } from './shared-view.ts';
import { SideValues } from './side-values.ts';

/** What a baseline is compared with. */
export interface ComparedState {
  readonly look: SharedView;
  /** Self values of all times, and what of the nodes of the panes belongs to this state. */
  readonly all: SelfValues;
  readonly extent: ProfileExtent;
  /** For a scope that changes stacks. */
  readonly scoped: ScopedProfile | undefined;
  /** What the panes sum, and its time range. */
  readonly values: SelfValues;
  readonly range: TimeRange | undefined;
}

/** The other log, what of it is compared with, and what the logs are joined by. */
interface JoinOfLogs {
  readonly grouping: JoinGrouping;
  readonly other: LeanProfile;
  readonly range: TimeRange | undefined;
}

/** What a log is compared with: a range or threads of its own, or another log, with which it is joined. */
export class Comparison {
  /** The other log; undefined until it is here. It may grow. */
  other: LeanProfile | undefined;

  readonly #source: LeanProfile;
  readonly #selfThreads: SelfThreads;
  #joined: JoinedLogs | undefined;
  /** The same as the values of the panes for another range or other threads; undefined: nothing is compared. */
  #base: SideValues | undefined;
  #inRange: ValuesInRange | undefined;
  /** The values of the baseline over the nodes of a scope that changes stacks. */
  #inScope: { readonly of: ScopedProfile; readonly values: SelfTable } | undefined;
  #sides: ComparedSides | undefined;

  constructor(source: LeanProfile, selfThreads: SelfThreads) {
    this.#source = source;
    this.#selfThreads = selfThreads;
  }

  /** Two logs joined; undefined: only one is shown. */
  get joined(): JoinedLogs | undefined {
    return this.#joined;
  }

  /** What is compared in this state; undefined: nothing. */
  get sides(): ComparedSides | undefined {
    return this.#sides;
  }

  /** Whether the logs of the next state are those of this one, joined by the same grouping. */
  nextJoin(look: SharedView, threads: ThreadGrouping): 'kept' | 'joined' | 'none' {
    const next = this.#joinOf(look, threads);
    if (next === undefined) return this.#joined === undefined ? 'kept' : 'none';
    return this.#joined?.isOf(this.#source, next.other, next.grouping) === true ? 'kept' : 'joined';
  }

  /** Ends the join of two logs. Nothing that was made from it must be used afterwards. */
  leave(): void {
    this.#joined?.release();
    this.#joined = undefined;
  }

  /** Joins the two logs of a comparison. `next`: what of this log is in range. */
  join(look: SharedView, threads: ThreadGrouping, next: SideState): void {
    const join = this.#joinOf(look, threads);
    if (join === undefined) return;
    const { other, range, grouping } = join;
    this.#joined ??= new JoinedLogs(this.#source, other, grouping);
    this.#inRange = updatedInRange(this.#inRange, range, other.samples, other.selfValues);
    const base = { values: this.#inRange ?? other.selfValues, extent: extentOf(other) };
    this.#joined = this.#joined.updated(base, next);
  }

  /** The values of the baseline over the nodes of the panes; undefined: nothing is compared. */
  update(state: ComparedState): BaseValues | undefined {
    const scope = this.#baseScope(state.look);
    if (scope === undefined) {
      this.#base = undefined;
      this.#inRange = undefined;
      this.#inScope = undefined;
      this.#sides = undefined;
      return undefined;
    }
    const values = this.#updateScope(this.#updateBase(state, scope), state.scoped, scope);
    this.#sides = this.#sidesOf(values, state, scope);
    return { values, scale: scaleOf(this.#sides, state.look) };
  }

  /** What all changes of this state have in common; undefined: nothing is compared. */
  whole(look: SharedView): ComparedWhole | undefined {
    const { comparison } = look;
    if (comparison === undefined || this.#sides === undefined) return undefined;
    const { base, next, seconds } = this.#sides;
    const samples = { base: base.samples, next: next.samples };
    return { ...comparison, samples, scale: scaleOf(this.#sides, look), seconds };
  }

  #joinOf({ comparison, frames, keys, scope }: SharedView, threads: ThreadGrouping): JoinOfLogs | undefined {
    const { other } = this;
    if (comparison?.baseline.log === undefined || other === undefined) return undefined;
    // Where some transforms name lines and others BCIs, only those of the keys on screen find their frames.
    const common = commonKeys(keys, scope.transforms, frames) ?? keys;
    return { other, range: comparison.baseline.range, grouping: { threads, frames: common } };
  }

  /** The scope of the baseline; undefined: nothing is compared. */
  #baseScope({ comparison, scope }: SharedView): Scope | undefined {
    const baseline = comparison?.baseline;
    // Until the other log is here, nothing is compared.
    if (baseline?.log !== undefined && this.#joined === undefined) return undefined;
    return baseline && comparedScopes(scope, baseline, this.#source.samples).base;
  }

  #updateBase({ look, all, extent }: ComparedState, scope: Scope): SideValues {
    const { frames, hidesErrors } = look;
    const side = { scope, frames, hidesErrors, findsErrors: false };
    if (this.#joined !== undefined) {
      const { base, joined } = this.#joined;
      base.update(joined.base.values, extent, side);
      return base;
    }
    this.#inRange = updatedInRange(this.#inRange, scope.range, this.#source.samples, all);
    this.#base ??= new SideValues(this.#source, this.#selfThreads);
    this.#base.update(this.#inRange ?? all, extent, side);
    return this.#base;
  }

  #updateScope(base: SideValues, scoped: ScopedProfile | undefined, { threads }: Scope): SelfValues {
    if (scoped === undefined) {
      this.#inScope = undefined;
      return base.values;
    }
    if (this.#inScope?.of !== scoped) this.#inScope = { of: scoped, values: new SelfTable(false) };
    scoped.sumOther(base.shown, threads, this.#inScope.values);
    return this.#inScope.values;
  }

  #sidesOf(base: SelfValues, { range: own, values }: ComparedState, { range }: Scope): ComparedSides {
    const { samples } = this.#source;
    const before = this.#joined === undefined ? samples : this.other?.samples;
    const hasTimes = (samples?.length ?? 0) > 0 && (before?.length ?? 0) > 0;
    const seconds =
      samples === undefined || before === undefined || !hasTimes
        ? undefined
        : { base: secondsIn(range, before), next: secondsIn(own, samples) };
    return { base: sumSelfValues(base), next: sumSelfValues(values), seconds };
  }
}

function scaleOf(sides: ComparedSides, { metric, comparison }: SharedView): ComparedScale {
  const { base, next } = divisorsOf(sides, metric, comparison?.by);
  return { metric, base: sides.base.samples === 0 ? 0 : base, next: sides.next.samples === 0 ? 0 : next };
}

function divisorsOf({ base, next, seconds }: ComparedSides, metric: Metric, by: CompareBy | undefined): Pair {
  if (by === 'amount') return { base: 1, next: 1 };
  if (by === 'rate' && seconds !== undefined) return seconds;
  return metric === 'samples'
    ? { base: base.samples, next: next.samples }
    : { base: base.time, next: next.time };
}
