import { boundsOf } from '../../shared/scope/time-range.ts';
import type { FrameKeys, TreeGrouping } from '../../shared/trees/grouping.ts';
import { UNBOUNDED } from '../../shared/values/time-range.ts';
import { type RowTimes, type TimedSamples, timesOfKeys, timesOfRows } from '../../shared/views/row-times.ts';
import type { MirroredViews, TreeOf } from './mirrored-views.ts';
import type { MethodRef } from './pane-messages.ts';
import type { Post } from './post.ts';

/**
 * Of rows of the call tree; undefined for a profile that does not know when its samples were taken. Where two logs are
 * compared, the samples are those of the new one: rows of the base alone have none.
 */
export function timesOfCalls(
  views: MirroredViews,
  grouping: TreeGrouping,
  rows: ArrayLike<number>,
): RowTimes | undefined {
  const timed = timedSamples(views);
  return timed && timesOfRows(timed, views.narrowSums(grouping).tree, rows);
}

/** Of rows of a tree of methods. `key`: of the method whose callers or callees they are. */
export function timesOfMethodTree(
  views: MirroredViews,
  of: Exclude<TreeOf, 'calls'>,
  grouping: TreeGrouping,
  key: number,
  rows: ArrayLike<number>,
): RowTimes | undefined {
  const timed = timedSamples(views);
  return timed && timesOfRows(timed, views.ends(of, grouping, key), rows);
}

/** Of rows of the methods. */
export function timesOfMethods(
  views: MirroredViews,
  frames: FrameKeys,
  rows: ArrayLike<number>,
): RowTimes | undefined {
  const timed = timedSamples(views);
  return timed && timesOfKeys(timed, views.chains(frames), views.flat(frames).keys, rows);
}

function timedSamples(views: MirroredViews): TimedSamples | undefined {
  const { range, source } = views;
  const { samples } = source;
  if (samples === undefined || samples.length === 0) return undefined;
  return {
    samples,
    bounds: range === undefined ? UNBOUNDED : boundsOf(range, samples),
    leaves: views.leaves(),
  };
}

/** Sends the window when one method had its samples, whenever that has changed. */
export class MethodTimes {
  /** undefined: none is on screen. */
  method: MethodRef | undefined;

  readonly #post: Post;
  /** What the window knows: as JSON. */
  #reported = '';

  constructor(post: Post) {
    this.#post = post;
  }

  /** `views` must be in the present state of the profile. `epoch` tells the profiles of a log apart. */
  report(views: MirroredViews, epoch: number): void {
    const { method } = this;
    if (method === undefined) {
      this.#reported = '';
      return;
    }
    const { keys, scope, hidesErrors, narrowing } = views.look;
    const { values, range } = views;
    const reported = JSON.stringify([
      ...[epoch, values.revision, range],
      ...[method, keys, scope, hidesErrors, narrowing],
    ]);
    if (reported === this.#reported) return;
    this.#reported = reported;
    const key = views.keyOfMethod(method, views.flat(keys).keys);
    const times = key === undefined ? undefined : timesOfMethods(views, keys, [key]);
    this.#post({ type: 'methodTimes', times: times && { label: method.label, counts: times } });
  }
}
