import type { ProfileView } from '../../shared/engine/profile-view.ts';
import type { MethodRef } from '../../shared/engine/query.ts';
import type { Post } from './mirror-messages.ts';

/** Sends the window when one method had its samples, whenever that has changed. */
export class MethodTimes {
  /** undefined: none is on screen. */
  method: MethodRef | undefined;

  readonly #post: Post;
  /** The state that the window knows, as JSON. */
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
    const times =
      key === undefined ? undefined : view.timesOfRows('methods', { threads: 'all', frames: keys }, [key]);
    this.#post({ type: 'methodTimes', times: times && { label: method.label, counts: times } });
  }
}
