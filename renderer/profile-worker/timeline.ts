import {
  type TimelineColumns,
  timelineColumns,
  type TimelineView,
} from '../../shared/views/timeline-columns.ts';
import type { MirroredViews } from './mirrored-views.ts';
import type { Selection } from './pane-messages.ts';
import type { Post } from './post.ts';

/** Sends the window the samples over time, whenever they have changed. */
export class Timeline {
  /** Undefined: not on screen. */
  view: TimelineView | undefined;

  readonly #post: Post;
  /** What the window knows: as JSON. */
  #reported = '';

  constructor(post: Post) {
    this.#post = post;
  }

  /** `views` must be in the present state of the profile. `epoch` tells the profiles of a log apart. */
  report(views: MirroredViews, selection: Selection | undefined, epoch: number): void {
    const { view } = this;
    const { samples } = views.source;
    if (view === undefined || samples === undefined) {
      this.#reported = '';
      return;
    }
    const { keys, scope, search } = views.look;
    const { threads, transforms } = scope;
    const method = selection?.kind === 'frame' || selection?.kind === 'error' ? selection : undefined;
    const shown = [epoch, samples.revision, view, keys, threads, transforms, search.text, method];
    const reported = JSON.stringify(shown);
    if (reported === this.#reported) return;
    // Marks of samples that came after the state began are known in the next one: then all is counted again.
    this.#reported = views.hasAllSamples ? reported : '';
    const columns: TimelineColumns | undefined = timelineColumns(samples, view, views.marks(method));
    this.#post({ type: 'timeline', columns });
  }
}
