import { contextKeys } from '../../shared/engine/contexts/context-test.ts';
import { viewDurations } from '../../shared/engine/view-operations.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import type { MethodRef } from '../../shared/engine/query.ts';
import { isSearching, namesFound, parseSearch } from '../../shared/engine/views/search.ts';
import { timeGaps } from '../../shared/engine/views/timeline-columns.ts';
import { countNamedMethods } from '../../shared/profile/method-table.ts';
import type { SampleTable } from '../../shared/profile/sample-table.ts';
import { threadsAmong } from '../../shared/scope/filters.ts';
import { isTyped } from '../../shared/scope/thread-pattern.ts';
import { aboutMethod } from '../../shared/summary/about-method.ts';
import { GrowthPace } from './panes/growth-pace.ts';
import type { MirrorEvent, MirrorRequest, Post } from './mirror-messages.ts';
import type { Selection } from './pane-messages.ts';

/** While a log grows, the package that hides the rest is looked for so often at most, and in so small a part of the time. */
const HIDING_PAUSE_MS = 1_000;
const PART_OF_TIME = 20;

/** Milliseconds after a selection in which further ones are waited for. */
const SELECTION_PAUSE_MS = 100;

/** The profile on screen, as its view in the present state. `epoch` tells the profiles of a log apart. */
interface ReportedState {
  readonly view: ProfileView;
  readonly selection: Selection | undefined;
  readonly epoch: number;
}

type Request<Type> = Extract<MirrorRequest, { readonly type: Type }>;
type Reported = 'timeline' | 'about' | 'hiding';

/**
 * Tells the window what it shows besides panes: sums, matches, threads, the samples over time, where and when one method had
 * its samples, and the package that hides the rest; the last three only when they have changed. What is looked for in all
 * rows or call nodes waits: neither rows on screen, nor the next selection of an arrow key that is held down, nor a zoom of
 * the flame graph wait for that.
 */
export class Reports {
  #timeline: Request<'timeline'> = { type: 'timeline', view: undefined };
  #method: MethodRef | undefined;
  #threads: Request<'threads'> = { type: 'threads', shown: false };
  readonly #post: Post;
  readonly #state: () => ReportedState;
  /** A timeline that is due, and a package. */
  #due: ReturnType<typeof setTimeout> | undefined;
  #hidingDue: ReturnType<typeof setTimeout> | undefined;
  /** Scope and grouping in which a package was looked for last, as JSON, and among how many samples. */
  #hidingIn = '';
  #hidingOf = 0;
  readonly #hidingPace = new GrowthPace(HIDING_PAUSE_MS, PART_OF_TIME);
  /** The question of the last report of each kind, as JSON; its samples. */
  #madeOf: Partial<Record<Reported, string>> = {};
  #samples: SampleTable | undefined;

  constructor(post: Post, state: () => ReportedState) {
    this.#post = post;
    this.#state = state;
  }

  /** Shows this of the samples over time, when the requests that have arrived are answered. */
  showTimeline(timeline: Request<'timeline'>): void {
    this.#timeline = timeline;
    this.#reportIn(0);
  }

  /** Shows in which threads and when this method had its samples; undefined: none is on screen. */
  showMethod(method: MethodRef | undefined): void {
    this.#method = method;
    this.#reportMethod();
  }

  showThreads(threads: Request<'threads'>): void {
    this.#threads = threads;
    this.#reportThreads();
  }

  /** Reports the samples over time when no other method is selected for a while. */
  selected(): void {
    this.#reportIn(SELECTION_PAUSE_MS);
  }

  /** Reports on another state, but for its sums: see `reportSums`. */
  report(): void {
    this.#reportSearch();
    this.#reportThreads();
    this.#reportTimeline();
    this.#reportMethod();
    this.#reportHidingSoon();
  }

  /** Reports now if a report is due. */
  finish(): void {
    if (this.#due !== undefined) this.#reportTimeline();
    if (this.#hidingDue !== undefined) this.#reportHiding();
  }

  /** Reports no more. */
  close(): void {
    clearTimeout(this.#due);
    clearTimeout(this.#hidingDue);
  }

  reportSums(): void {
    const { recorded, allValues, hidden, outside, beyondZoom, sides, counted } = this.#state().view;
    const { read: source } = recorded;
    const { samples, time } = allValues.sum;
    const areCalls = source.samples?.areCalls === true && source.samples.length > 0;
    this.#post({
      type: 'summary',
      summary: {
        samples,
        totalTime: time,
        hidden,
        outside,
        ...counted,
        beyondZoom,
        compared: sides,
        threads: source.threads.length,
        methods: countNamedMethods(source.methods),
        nodes: source.nodes.length,
        timed: time !== 0,
        // Each call has a row in the tree: threads are not told apart by their calls.
        contextKeys: areCalls ? [] : contextKeys(source.samples),
        areCalls,
      },
    });
  }

  #reportSearch(): void {
    const { view } = this.#state();
    const { text, problem } = view.search;
    this.#post({ type: 'search', text, problem, ...view.found(view.query.keys) });
  }

  #reportThreads(): void {
    const { shown, search: text = '' } = this.#threads;
    if (!shown) return;
    const { view } = this.#state();
    const columns = view.samples.threads();
    const { names } = columns;
    const typed = new Map(
      view.query.scope.threads.filter(isTyped).map((entry) => [entry, threadsAmong(names, [entry])]),
    );
    const search = parseSearch(text);
    const found = isSearching(search) ? new Set(namesFound(names, search)) : undefined;
    this.#post({ type: 'threads', threads: { ...columns, typed, found } });
  }

  #reportIn(ms: number): void {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => this.#reportTimeline(), ms);
  }

  #reportTimeline(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    const { view, selection, epoch } = this.#state();
    const { samples } = view.source;
    const { view: bars, tracks, heatmap, durations, leastGap } = this.#timeline;
    if (samples !== this.#samples) this.#madeOf = {};
    this.#samples = samples;
    if (bars === undefined || samples === undefined) return void delete this.#madeOf.timeline;
    const method = selection?.kind === 'frame' || selection?.kind === 'error' ? selection : undefined;
    const { keys, scope, search, hidesErrors, comparison } = view.query;
    const madeOf = [
      epoch,
      this.#timeline,
      samples.revision,
      view.isJoined,
      // A time range is no part of it: samples of any time are drawn. A context is known after its samples.
      scope.contexts && [scope.contexts, comparison?.baseline.contexts, samples.contexts.revision],
      durations && samples.contexts.revision,
      keys,
      scope.threads,
      scope.transforms,
      search,
      hidesErrors,
      method,
    ];
    this.#send('timeline', madeOf, () => {
      const marks = view.samples.marks(method);
      const columns = view.samples.timeline(bars, marks);
      const { zoom } = bars;
      return {
        type: 'timeline',
        columns,
        tracks: columns && tracks && view.samples.tracks(columns, tracks, marks),
        durations: durations && viewDurations(view, { zoom, ...durations }, durations.marks),
        heatmap: heatmap && view.samples.heatmap({ zoom, ...heatmap }, marks),
        gaps:
          columns && leastGap !== undefined
            ? timeGaps(
                samples,
                view.samples.timeOrder(samples),
                { ...columns, buckets: columns.samples.length },
                leastGap,
              )
            : undefined,
      };
    });
    // Marks of samples that came after the state began are known in the next one: then all is counted again.
    if (!view.samples.hasAllSamples) delete this.#madeOf.timeline;
  }

  #reportMethod(): void {
    const method = this.#method;
    if (method === undefined) return void delete this.#madeOf.about;
    const { view, epoch } = this.#state();
    const { keys, scope, hidesErrors, narrowing, metric } = view.query;
    const { values, range } = view;
    const madeOf = [epoch, values.revision, range, method, keys, scope, hidesErrors, narrowing, metric];
    const about = (): MirrorEvent => ({
      type: 'about',
      of: 'method',
      method,
      about: aboutMethod(view, method),
    });
    this.#send('about', madeOf, about);
  }

  /** Growth may wait, another scope may not. */
  #reportHidingSoon(): void {
    const isGrowth = this.#placeOfHiding() === this.#hidingIn;
    if (this.#hidingDue !== undefined && isGrowth) return;
    clearTimeout(this.#hidingDue);
    this.#hidingDue = setTimeout(() => this.#reportHiding(), isGrowth ? this.#hidingPace.wait : 0);
  }

  #placeOfHiding(): string {
    const { view, epoch } = this.#state();
    const { keys, scope } = view.query;
    return JSON.stringify([epoch, keys, scope]);
  }

  /** O(rows), where anything has changed. Before the first tree is there, nothing can be said. */
  #reportHiding(): void {
    clearTimeout(this.#hidingDue);
    this.#hidingDue = undefined;
    const { view } = this.#state();
    const { keys } = view.query;
    if (!view.hasTree(keys)) return;
    const place = this.#placeOfHiding();
    const { samples } = view.allValues.sum;
    if (place === this.#hidingIn && samples === this.#hidingOf) return;
    this.#hidingIn = place;
    this.#hidingOf = samples;
    const began = performance.now();
    const hiding = view.hidingFrames(keys);
    // The window says whole percents.
    const shown = hiding && [hiding.name, Math.round(100 * hiding.share)];
    this.#send('hiding', [place, shown], () => ({ type: 'hiding', hiding }));
    this.#hidingPace.made(performance.now() - began);
  }

  #send(kind: Reported, madeOf: readonly unknown[], make: () => MirrorEvent): void {
    const text = JSON.stringify(madeOf);
    if (text === this.#madeOf[kind]) return;
    this.#madeOf[kind] = text;
    this.#post(make());
  }
}
