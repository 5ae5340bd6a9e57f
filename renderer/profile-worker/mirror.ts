import { Engine } from '../../shared/engine/engine.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../shared/engine/query.ts';
import { assertNever } from '../../shared/assert.ts';
import { applyDelta } from '../../shared/delta/apply-delta.ts';
import { isOfRanges } from '../../shared/scope/apart.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import type { ProfileUnion } from '../../shared/engine/comparison/profile-union.ts';
import { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { sampleSpan } from '../../shared/profile/sample-table.ts';
import { aboutMethod } from '../../shared/summary/about-method.ts';
import { type Epoch, type Revision, WINDOW_MAX_NODES } from '../../shared/protocol/messages.ts';
import { ComparedLog } from './compared-log.ts';
import { IncomingDeltas } from './incoming-deltas.ts';
import { MergedParts } from './merged-parts.ts';
import type { ExportJob, MirrorRequest, Post } from './mirror-messages.ts';
import type { Pane } from './panes/pane.ts';
import type { PaneId } from './pane-messages.ts';
import type { PaneSpec } from './pane-specs.ts';
import { Panes } from './panes/panes.ts';
import { RecentMethods } from '../../shared/engine/views/recent-methods.ts';
import { RefreshPace } from './refresh-pace.ts';
import { Reports } from './reports.ts';
import { newCopy, type Growth, SharedProfiles } from './shared-profiles.ts';
import { exportSourceOf } from './window-export.ts';

/** Sums of methods are taken as often. */
const GROWTH_STEP_MS = 1_000;

/** The log of this mirror among those of its engine. No other has an empty key. */
const THIS_LOG = '';

const clock = (): number => performance.now();

export interface MirrorOptions {
  /** Key of the log. */
  readonly log?: string;
  /** Profiles of all logs of the window. */
  readonly profiles?: SharedProfiles;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Call nodes of merged logs at which nothing more is taken in. */
  readonly mostNodes?: number;
}

type FactsRequest = Extract<MirrorRequest, { readonly type: 'facts' }>;

const NO_GROWTH = { measured: false, frozen: false, held: false, shown: false };

/**
 * One profile and the panes that look at it. Takes the window's requests, answers by events; knows no worker, so that
 * tests drive it directly. A delta of another epoch than the present starts over with an empty profile.
 */
export class Mirror {
  readonly #post: Post;
  readonly #pace = new RefreshPace(() => this.#refresh());
  readonly #deltas = new IncomingDeltas();
  /** More growth was known to follow since the samples were last trimmed: much memory may be reserved for them. */
  #mayTrim = false;
  #query: ProfileQuery = INITIAL_QUERY;
  /** The next refresh sorts all panes, also those whose order is held. */
  #mustSort = false;
  readonly #recent = new RecentMethods();
  /** The last facts that the window has said, and those of the epoch on screen. */
  #facts: FactsRequest | undefined;
  #known: FactsRequest | undefined;
  readonly #now: () => number;
  /** Growth is measured, and what grew most is on screen. */
  #growth: Omit<Extract<MirrorRequest, { type: 'growth' }>, 'type'> = NO_GROWTH;
  #growthTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #reports: Reports;
  readonly #log: string;
  readonly #profiles: SharedProfiles;
  readonly #compared: ComparedLog;
  /** undefined: no logs are merged in this one. */
  #merged: MergedParts | undefined;
  #unions = 0;
  readonly #mostNodes: number;
  readonly #engine = new Engine();
  #profile!: LeanProfile;
  /** The profile in the present state. */
  #view!: ProfileView;
  #panes!: Panes;

  constructor(
    post: Post,
    {
      log = '',
      profiles = new SharedProfiles(),
      now = clock,
      mostNodes = WINDOW_MAX_NODES,
    }: MirrorOptions = {},
  ) {
    this.#post = post;
    this.#mostNodes = mostNodes;
    this.#now = now;
    this.#log = log;
    this.#profiles = profiles;
    this.#reports = new Reports(post, () => ({
      view: this.#view,
      selection: this.#panes.selection,
      epoch: this.#deltas.epoch,
    }));
    this.#compared = new ComparedLog(this.#engine, profiles);
    this.show(newCopy());
  }

  /** Replaces the profile. Panes keep their specs; nothing is open. `isSameRun`: see `Panes.restarted`. */
  show(profile: LeanProfile, isSameRun = false): void {
    const before = this.#panes as Panes | undefined;
    this.#profile = profile;
    this.#engine.add(THIS_LOG, profile);
    this.#profiles.set(this.#log, profile, {
      willGrow: (log) => this.#otherWillGrow(log),
      changed: (log, growth) => this.#otherChanged(log, growth),
    });
    this.#view = this.#engine.view(THIS_LOG, this.#query, before?.threads);
    this.#panes =
      before?.restarted(this.#view, isSameRun) ??
      new Panes(this.#view, {
        post: this.#post,
        recent: this.#recent,
        alone: (change) => this.#alone(change),
      });
    this.#recent.forget();
  }

  /** The log was closed: nothing is computed any more, and its memory is free unless another log is compared with it. */
  close(): void {
    this.#profiles.delete(this.#log);
    this.#pace.cancel();
    clearTimeout(this.#growthTimer);
    this.#reports.close();
    for (const pane of this.#panes) pane.active = false;
    this.#engine.remove(THIS_LOG);
  }

  /** Call after the profile has grown. `catchingUp`: more growth is known to follow at once. */
  grew(catchingUp: boolean): void {
    this.#profiles.grew(this.#log, catchingUp);
    // Until the engine is told, its states show the profile as it was.
    if (this.#growth.held) return;
    this.#engine.grew(THIS_LOG);
    this.#pace.grew(catchingUp, this.#profile.nodes.length);
  }

  /** Reading files and writing them is not for the mirror itself: see `serveMirrors`. */
  handle(request: Exclude<MirrorRequest, { type: 'readFile' | 'loadWriters' | 'write' | 'runs' }>): void {
    switch (request.type) {
      case 'delta':
        return this.#apply(request.message);
      case 'reading':
        this.#deltas.isReading = request.reading;
        this.#deltas.readUpTo = request.upTo;
        if (this.#isCatchingUp) return;
        this.#pace.caughtUp();
        if (this.#deltas.isComplete && !this.#pace.isDue) this.#panes.endReading();
        return;
      case 'union':
        this.#merged = new MergedParts(this.#engine, this.#profiles, request);
        return this.#makeUnion();
      case 'view':
        return this.#ask(request);
      case 'pane':
        return this.#declare(request.pane, request.spec);
      case 'threads':
        return this.#reports.showThreads(request);
      case 'growth':
        return this.#measureGrowth(request);
      case 'timeline':
        return this.#reports.showTimeline(request);
      case 'facts':
        this.#facts = request;
        this.#tellFacts();
        for (const pane of this.#panes) if (pane.spec.kind === 'answer') this.#refreshPane(pane);
        return;
      case 'about': {
        const { of, method, threads } = request;
        if (of === 'method') this.#reports.showMethod(method);
        else if (method !== undefined)
          this.#post({ type: 'about', of, method, about: aboutMethod(this.#alone(), method, threads) });
        return;
      }
      case 'hold':
        return this.#panes.hold(request.pane);
      case 'sort':
        return this.#sort(request.pane);
      case 'rows':
        return this.#panes.rows(request.pane)?.setWindow(request.from, request.count, request.turn);
      case 'reset':
        return this.#panes.rows(request.pane)?.reset(request.to === 'closed');
      case 'copy':
        return this.#panes.rows(request.pane)?.copy(request);
      case 'select':
        this.#panes.select(request.selection, request.turn, request.pane);
        return this.#reports.selected();
      case 'move':
      case 'expand':
      case 'find':
      case 'seek':
      case 'reveal':
        this.#panes.request(request);
        return this.#reports.selected();
      case 'export':
        return this.#export(request.job);
      case 'barrier':
        if (request.flush) {
          this.#pace.finish();
          this.#takeGrowth();
          this.#reports.finish();
          for (const pane of this.#panes) pane.finish();
        }
        this.#post({ type: 'barrier', id: request.id });
        return;
      default:
        assertNever(request, 'mirror request');
    }
  }

  #ask(query: ProfileQuery): void {
    const { keys, scope, narrowing, comparison } = this.#query;
    // Another grouping and another scope have other rows, for which no order can be held.
    this.#mustSort ||=
      JSON.stringify([query.keys, query.scope, query.narrowing, query.comparison]) !==
      JSON.stringify([keys, scope, narrowing, comparison]);
    this.#query = query;
    this.#compared.choose(query.comparison?.baseline.log);
    this.#pace.now();
  }

  #declare(id: PaneId, spec: PaneSpec | undefined): void {
    const { threads } = this.#panes;
    const pane = this.#panes.declare(id, spec);
    if (this.#panes.threads !== threads && (this.#view.isJoined || this.#view.changesStacks)) {
      this.#mustSort = true;
      return this.#pace.now();
    }
    if (pane === undefined) return;
    this.#refreshPane(pane, pane.spec.kind === 'rows');
    this.#panes.reportSelected(this.#query.keys);
  }

  #sort(id: PaneId): void {
    const pane = this.#panes.get(id);
    if (pane !== undefined) this.#refreshPane(pane, true);
  }

  /** Call nodes that are here, though those of a union may not be taken in yet. */
  get #nodes(): number {
    return this.#merged?.nodes ?? this.#profile.nodes.length;
  }

  get #isCatchingUp(): boolean {
    return this.#deltas.isCatchingUp(this.#nodes);
  }

  /** Begins anew with the profiles that the parts have now, as soon as all of them are open. */
  #makeUnion(): void {
    const union = this.#merged?.unite(THIS_LOG, this.#mostNodes);
    if (union === undefined) return;
    // A log that began anew before it had anything is in its first run.
    const isSameRun = this.#profile.nodes.length === 0;
    if (!isSameRun || this.#deltas.epoch < 0) this.#deltas.epoch++;
    this.show(union.profile, isSameRun);
    this.#pace.now();
  }

  /** A part has gained something, or has begun anew. */
  #partChanged(log: string, catchingUp: boolean): void {
    if (!this.#growth.frozen && this.#merged?.grew(log) === false) this.#makeUnion();
    this.#deltas.isComplete = !catchingUp;
    this.#pace.grew(catchingUp || this.#isCatchingUp, this.#nodes);
  }

  /** Tells what a union has gained in this state. */
  #reportUnion(union: ProfileUnion): void {
    const { profile, timesAgree, isFull } = union;
    this.#profiles.grew(this.#log, this.#isCatchingUp || !this.#deltas.isComplete);
    this.#post({
      type: 'applied',
      epoch: this.#deltas.epoch as Epoch,
      revision: ++this.#unions as Revision,
      nodes: profile.nodes.length,
      complete: this.#deltas.isComplete,
    });
    const span = profile.samples && timesAgree ? sampleSpan(profile.samples) : undefined;
    this.#post({ type: 'union', timesAgree, isFull, span });
  }

  #export(job: ExportJob): void {
    const { threads, methods, frames, nodes } = this.#profile;
    const onScreen = {
      threads,
      methods,
      frames,
      nodes,
      selfValues: this.#view.allValues,
      samples: undefined,
    };
    const profile = this.#growth.held ? onScreen : this.#profile;
    const source = exportSourceOf(job, this.#query, profile, this.#compared.profile);
    this.#post({ type: 'exportSource', source });
  }

  /**
   * The panes know the facts of the epoch that they show. Those of the next one may come before or after its first delta:
   * with others a summary would call waits for locks CPU.
   */
  #tellFacts(): void {
    this.#known = [this.#facts, this.#known].find(
      (facts) => facts !== undefined && (facts.epoch ?? this.#deltas.epoch) === this.#deltas.epoch,
    );
    this.#panes.known = this.#known;
  }

  #otherWillGrow(log: string): void {
    if (this.#growth.frozen && log === this.#compared.log) this.#compared.keep();
  }

  #otherChanged(log: string, { catchingUp, wasComplete }: Growth): void {
    if (this.#merged?.logs.includes(log) === true) this.#partChanged(log, catchingUp);
    if (log !== this.#compared.log) return;
    // While this log is frozen, another run of the writer of the other one is not shown.
    if (this.#growth.frozen && wasComplete && this.#compared.profile !== undefined) return;
    if (this.#compared.grew()) this.#pace.now();
    else this.#pace.grew(catchingUp, this.#profile.nodes.length);
  }

  #apply(message: ArrayBuffer): void {
    const keepsRun = this.#growth.frozen && this.#profile.nodes.length > 0;
    const next = this.#deltas.next(message, keepsRun);
    if (next === 'held') return;
    if (next === 'gap') return this.#post({ type: 'gap' });
    const { delta, isNewRun } = next;
    // A copy that is still empty stays the one that merged logs know.
    const { threads, methods } = this.#profile;
    if (isNewRun && threads.length + methods.length > 0) this.show(newCopy());
    this.#profiles.willGrow(this.#log);
    applyDelta(this.#profile, delta);
    this.#deltas.applied(delta);
    this.#tellFacts();
    this.#post({
      type: 'applied',
      epoch: delta.epoch as Epoch,
      revision: delta.to.revision as Revision,
      nodes: this.#profile.nodes.length,
      complete: delta.complete,
    });
    const catchingUp = this.#isCatchingUp || !delta.complete;
    this.grew(catchingUp);
    // What is on screen stays until all that is repeated is there.
    if (this.#profile.nodes.length > delta.to.nodes) return;
    // Refresh at once: the user waits for the first rows.
    if (delta.base.nodes === 0) this.#pace.now();
    // The worker would be idle until the next delta, and the last refresh would have more to do.
    else if (catchingUp) {
      this.#mayTrim = true;
      this.#engine.prefetch(THIS_LOG, delta.base);
    }
  }

  /** Updates all views to the present profile and posts the rows of all panes on screen. */
  #refresh(): void {
    if (this.#mayTrim && !this.#isCatchingUp && this.#deltas.isComplete) {
      this.#mayTrim = false;
      this.#profile.samples?.trim();
    }
    const union = this.#merged?.takeGrown();
    if (union !== undefined) this.#profiles.willGrow(this.#log);
    this.#engine.begin();
    if (union !== undefined) this.#reportUnion(union);
    const wasJoined = this.#view.isJoined;
    this.#view = this.#panes.view = this.#engine.view(THIS_LOG, this.#query, this.#panes.threads);
    this.#reports.reportSums();
    const sort = this.#mustSort;
    this.#mustSort = false;
    // Methods are then summed over the rows of a tree, which are some ten times fewer than call nodes.
    for (const grouping of this.#panes.shownGroupings(this.#query.keys)) this.#view.sums(grouping);
    this.#takeGrowth();
    this.#panes.isReading = this.#isCatchingUp || !this.#deltas.isComplete;
    for (const pane of this.#panes) this.#refreshPane(pane, sort);
    this.#panes.reportSelected(this.#query.keys, sort);
    this.#reports.report();
    // The trees of the log alone are not on screen any more.
    if (this.#view.isJoined && !wasJoined) this.#engine.forgetUnused(THIS_LOG);
  }

  /** The view of this log alone, where it is compared with another; with another part of the scope. */
  #alone(change?: Partial<Scope>): ProfileView {
    const query = this.#query;
    if (query.comparison === undefined && change === undefined) return this.#view;
    const scope = { ...query.scope, ...change };
    return this.#engine.view(THIS_LOG, { ...query, comparison: undefined, scope }, this.#panes.threads);
  }

  #refreshPane(pane: Pane, sort = false): void {
    if (pane.active) pane.refresh(this.#query, sort);
  }

  #measureGrowth({
    measured,
    frozen,
    held = false,
    shown,
  }: Extract<MirrorRequest, { type: 'growth' }>): void {
    const { frozen: wasFrozen, held: wasHeld } = this.#growth;
    // What waited while the log was frozen arrives at once: it is not of the last seconds.
    if (wasFrozen && !frozen) this.#deltas.isComplete = false;
    this.#growth = { measured, frozen, held, shown };
    if (wasHeld && !held) {
      this.#engine.grew(THIS_LOG);
      this.#pace.now();
    }
    if (!frozen) for (const message of this.#deltas.release()) this.#apply(message);
    if (!frozen && this.#compared.resume()) this.#pace.now();
    if (wasFrozen && !frozen) for (const log of this.#merged?.logs ?? []) this.#partChanged(log, false);
    this.#takeGrowth();
    if (shown) this.#post({ type: 'recent', recent: this.#recent.grown(this.#view) });
  }

  /** Takes the sums of the methods if they are due, and comes back in a second while the last ones are of interest. */
  #takeGrowth(): void {
    clearTimeout(this.#growthTimer);
    const { measured, frozen, shown } = this.#growth;
    const methods = [...this.#panes].find(({ active, spec }) => active && spec.of === 'methods');
    if (!measured || (!shown && methods === undefined)) return this.#recent.forget();
    if (frozen || this.#isCatchingUp || !this.#deltas.isComplete) return this.#recent.forget();
    const { keys, scope, hidesErrors, narrowing, comparison } = this.#query;
    const baseline = comparison?.baseline;
    const without = baseline !== undefined && isOfRanges(baseline) ? baseline.range : undefined;
    // Samples leave such a range as others come, or come after they were left out: sums do not say how many came.
    if (scope.range?.kind === 'latest' || without?.kind === 'latest') return this.#recent.forget();
    const madeFor = JSON.stringify([this.#deltas.epoch, scope, without, hidesErrors, narrowing]);
    const isTaken = this.#recent.measure(this.#now(), this.#view.flat(keys), madeFor);
    if (isTaken && shown) this.#post({ type: 'recent', recent: this.#recent.grown(this.#view) });
    if (shown || !this.#recent.isQuiet) this.#growthTimer = setTimeout(() => this.#tick(), GROWTH_STEP_MS);
  }

  /** Rates change while nothing grows. */
  #tick(): void {
    this.#takeGrowth();
    for (const pane of this.#panes) {
      const { spec } = pane;
      if (spec.kind === 'rows' && spec.of === 'methods' && spec.withRates === true) this.#refreshPane(pane);
    }
  }
}
