import type { TreeOf, MethodRef } from '../../shared/engine/query.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { boundsOf } from '../../shared/scope/time-range.ts';
import type { FrameKeys, TreeGrouping } from '../../shared/engine/trees/grouping.ts';
import { UNBOUNDED } from '../../shared/engine/values/time-range.ts';
import {
  type RowTimes,
  type TimedSamples,
  timesOfKeys,
  timesOfRows,
} from '../../shared/engine/views/row-times.ts';
import type { Post } from './post.ts';

/**
 * Of rows of the call tree; undefined for a profile that does not know when its samples were taken. Where two logs are
 * compared, the samples are those of the new one: rows of the base alone have none.
 */
export function timesOfCalls(
  view: ProfileView,
  grouping: TreeGrouping,
  rows: ArrayLike<number>,
): RowTimes | undefined {
  const timed = timedSamples(view);
  return timed && timesOfRows(timed, view.narrowSums(grouping).tree, rows);
}

/** Of rows of a tree of methods. `key`: of the method whose callers or callees they are. */
export function timesOfMethodTree(
  view: ProfileView,
  of: Exclude<TreeOf, 'calls'>,
  grouping: TreeGrouping,
  key: number,
  rows: ArrayLike<number>,
): RowTimes | undefined {
  const timed = timedSamples(view);
  return timed && timesOfRows(timed, view.ends(of, grouping, key), rows);
}

/** Of rows of the methods. */
export function timesOfMethods(
  view: ProfileView,
  frames: FrameKeys,
  rows: ArrayLike<number>,
): RowTimes | undefined {
  const timed = timedSamples(view);
  return timed && timesOfKeys(timed, view.chains(frames), view.flat(frames).keys, rows);
}

function timedSamples(view: ProfileView): TimedSamples | undefined {
  const { range, source } = view;
  const { samples } = source;
  if (samples === undefined || samples.length === 0) return undefined;
  return {
    samples,
    bounds: range === undefined ? UNBOUNDED : boundsOf(range, samples),
    leaves: view.leaves(),
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

  /** `view` must be in the present state of the profile. `epoch` tells the profiles of a log apart. */
  report(view: ProfileView, epoch: number): void {
    const { method } = this;
    if (method === undefined) {
      this.#reported = '';
      return;
    }
    const { keys, scope, hidesErrors, narrowing } = view.query;
    const { values, range } = view;
    const reported = JSON.stringify([
      ...[epoch, values.revision, range],
      ...[method, keys, scope, hidesErrors, narrowing],
    ]);
    if (reported === this.#reported) return;
    this.#reported = reported;
    const key = view.keyOfMethod(method, view.flat(keys).keys);
    const times = key === undefined ? undefined : timesOfMethods(view, keys, [key]);
    this.#post({ type: 'methodTimes', times: times && { label: method.label, counts: times } });
  }
}
