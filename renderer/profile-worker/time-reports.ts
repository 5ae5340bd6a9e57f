import type { ProfileView } from '../../shared/engine/profile-view.ts';
import type { MethodRef } from '../../shared/engine/query.ts';
import { timeGaps } from '../../shared/engine/views/timeline-columns.ts';
import { poolsOfKeys } from '../../shared/summary/pool-shares.ts';
import type { SampleTable } from '../../shared/profile/sample-table.ts';
import type { MirrorEvent, MirrorRequest, Post } from './mirror-messages.ts';
import type { Selection } from './pane-messages.ts';

/** Milliseconds after a selection in which further ones are waited for. */
const SELECTION_PAUSE_MS = 100;

/** The profile on screen, as its view in the present state. `epoch` tells the profiles of a log apart. */
export interface ReportedState {
  readonly view: ProfileView;
  readonly selection: Selection | undefined;
  readonly epoch: number;
}

type Reported = 'timeline' | 'methodTimes';

/**
 * Sends the window the samples over time, and where and when one method had its samples, whenever that has changed. The samples of a
 * selected method are looked for in all call nodes: neither the next selection of an arrow key that is held down nor a
 * zoom of the flame graph waits for that.
 */
export class TimeReports {
  #timeline: Omit<Extract<MirrorRequest, { readonly type: 'timeline' }>, 'type'> = { view: undefined };
  #method: MethodRef | undefined;
  readonly #post: Post;
  readonly #state: () => ReportedState;
  /** A timeline that is due. */
  #due: ReturnType<typeof setTimeout> | undefined;
  /** What the last report of each kind was made of, as JSON; its samples. */
  #madeOf: Partial<Record<Reported, string>> = {};
  #samples: SampleTable | undefined;

  constructor(post: Post, state: () => ReportedState) {
    this.#post = post;
    this.#state = state;
  }

  /** Shows this of the samples over time, when the requests that have arrived are answered. */
  showTimeline({
    view,
    tracks,
    heatmap,
    leastGap,
  }: Extract<MirrorRequest, { readonly type: 'timeline' }>): void {
    this.#timeline = { view, tracks, heatmap, leastGap };
    this.#reportIn(0);
  }

  /** Shows in which threads and when this method had its samples; undefined: none is on screen. */
  showMethod(method: MethodRef | undefined): void {
    this.#method = method;
    this.#reportMethod();
  }

  /** Reports when no other method is selected for a while. */
  selected(): void {
    this.#reportIn(SELECTION_PAUSE_MS);
  }

  /** Reports now what has changed. */
  report(): void {
    this.#reportTimeline();
    this.#reportMethod();
  }

  /** Reports now if a report is due. */
  finish(): void {
    if (this.#due !== undefined) this.#reportTimeline();
  }

  /** Reports no more. */
  close(): void {
    clearTimeout(this.#due);
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
    const { view: bars, tracks, heatmap, leastGap } = this.#timeline;
    if (samples !== this.#samples) this.#madeOf = {};
    this.#samples = samples;
    if (bars === undefined || samples === undefined) return void delete this.#madeOf.timeline;
    const method = selection?.kind === 'frame' || selection?.kind === 'error' ? selection : undefined;
    const { keys, scope, search, hidesErrors, comparison } = view.query;
    const madeOf = [
      ...[epoch, this.#timeline, samples.revision, view.isJoined],
      // A time range is no part of it: samples of any time are drawn. A context is known after its samples.
      ...[scope.contexts && [scope.contexts, comparison?.baseline.contexts, samples.contexts.revision]],
      ...[keys, scope.threads, scope.transforms, search, hidesErrors, method],
    ];
    this.#send('timeline', madeOf, () => {
      const marks = view.samples.marks(method);
      const columns = view.samples.timeline(bars, marks);
      const { zoom } = bars;
      return {
        type: 'timeline',
        columns,
        tracks: columns && tracks && view.samples.tracks(columns, tracks, marks),
        heatmap: heatmap && view.samples.heatmap({ zoom, ...heatmap }, marks),
        gaps:
          columns && leastGap !== undefined
            ? timeGaps(samples, view.samples.timeOrder(samples), columns, leastGap)
            : undefined,
      };
    });
    // Marks of samples that came after the state began are known in the next one: then all is counted again.
    if (!view.samples.hasAllSamples) delete this.#madeOf.timeline;
  }

  #reportMethod(): void {
    const method = this.#method;
    if (method === undefined) return void delete this.#madeOf.methodTimes;
    const { view, epoch } = this.#state();
    const { keys, scope, hidesErrors, narrowing, metric } = view.query;
    const { values, range } = view;
    const madeOf = [epoch, values.revision, range, method, keys, scope, hidesErrors, narrowing, metric];
    this.#send('methodTimes', madeOf, () => {
      const key = view.keyOfMethod(method, view.flat(keys).keys);
      if (key === undefined) return { type: 'methodTimes', times: undefined };
      const counts = view.timesOfRows('methods', { threads: 'all', frames: keys }, [key]);
      const [pools] = poolsOfKeys(view, keys, [key], metric);
      return { type: 'methodTimes', times: { label: method.label, counts, pools } };
    });
  }

  #send(kind: Reported, madeOf: readonly unknown[], make: () => MirrorEvent): void {
    const text = JSON.stringify(madeOf);
    if (text === this.#madeOf[kind]) return;
    this.#madeOf[kind] = text;
    this.#post(make());
  }
}
