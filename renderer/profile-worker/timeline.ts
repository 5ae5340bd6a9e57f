import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { timeGaps } from '../../shared/engine/views/time-gaps.ts';
import type { SampleTable } from '../../shared/profile/sample-table.ts';
import { SELECTION_PAUSE_MS, selectedMethod, whatIsMarked } from './marked-samples.ts';
import type { MirrorRequest, Post } from './mirror-messages.ts';
import type { Selection } from './pane-messages.ts';

type Shown = Omit<Extract<MirrorRequest, { readonly type: 'timeline' }>, 'type'>;

/** The profile that the timeline shows. `shown` is its view in the present state. `epoch` tells the profiles of a log apart. */
export interface TimelineState {
  readonly shown: ProfileView;
  readonly selection: Selection | undefined;
  readonly epoch: number;
}

/**
 * Sends the window the samples over time, whenever they have changed. The samples of a selected method are looked for in
 * all call nodes: neither the next selection of an arrow key that is held down nor a zoom of the flame graph waits for
 * that.
 */
export class Timeline {
  #shown: Shown = { view: undefined };
  readonly #post: Post;
  readonly #state: () => TimelineState;
  /** A report that is due. */
  #due: ReturnType<typeof setTimeout> | undefined;
  /** The state that the window knows, as JSON. */
  #reported = '';
  #reportedOf: SampleTable | undefined;

  constructor(post: Post, state: () => TimelineState) {
    this.#post = post;
    this.#state = state;
  }

  /** Shows this, when the requests that have arrived are answered. */
  show(shown: Shown): void {
    this.#shown = shown;
    this.#reportIn(0);
  }

  /** Reports when no other method is selected for a while. */
  reportSelected(): void {
    this.#reportIn(SELECTION_PAUSE_MS);
  }

  /** Reports now if a report is due. */
  finish(): void {
    if (this.#due !== undefined) this.report();
  }

  /** Reports no more. */
  close(): void {
    clearTimeout(this.#due);
  }

  #reportIn(ms: number): void {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => this.report(), ms);
  }

  report(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    const { shown, selection, epoch } = this.#state();
    const { view, tracks, leastGap } = this.#shown;
    const { samples } = shown.source;
    if (view === undefined || samples === undefined) {
      this.#reported = '';
      return;
    }
    const method = selectedMethod(selection);
    const reported = JSON.stringify([epoch, view, tracks, leastGap, whatIsMarked(shown, method)]);
    if (reported === this.#reported && samples === this.#reportedOf) return;
    // Marks of samples that came after the state began are known in the next one: then all is counted again.
    this.#reported = shown.samples.hasAllSamples ? reported : '';
    this.#reportedOf = samples;
    const marks = shown.samples.marks(method);
    const columns = shown.samples.timeline(samples, view, marks);
    this.#post({
      type: 'timeline',
      columns,
      tracks: columns && tracks && shown.samples.tracks(samples, columns, tracks, marks),
      gaps:
        columns && leastGap !== undefined
          ? timeGaps(samples, shown.samples.timeOrder(samples), columns, leastGap)
          : undefined,
    });
  }
}
