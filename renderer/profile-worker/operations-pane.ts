import { operationsAnswer } from '../../shared/answers/operations.ts';
import { withoutKey } from '../../shared/scope/context-condition.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { Pane } from './pane.ts';
import type { OperationsSpec } from './pane-specs.ts';

/** Operations that the window lists; those with fewest samples are left out. */
const MOST_ROWS = 1_000;
/** While a log grows, its operations are counted again so often at most, and in at most one of so many parts of the time. */
const GROWTH_PAUSE_MS = 1_000;
const SHARE_OF_TIME = 10;

/**
 * How long requests took, in the profile worker: the answer of the command `operations`. A million samples take half a
 * second, so that it is made in a task of its own, after the other panes.
 */
export class OperationsPane extends Pane<OperationsSpec> {
  #due: ReturnType<typeof setTimeout> | undefined;
  /** The question of the last answer, as JSON: only growth may wait. */
  #madeFor = '';
  /** The samples and contexts that it has. */
  #madeOf = '';
  #madeAt = -Infinity;
  #took = 0;

  refresh(): void {
    const { madeFor, madeOf } = this.#asked();
    const isGrowth = madeFor === this.#madeFor;
    if (isGrowth && madeOf === this.#madeOf) return;
    this.stop();
    const pause = Math.max(GROWTH_PAUSE_MS, this.#took * SHARE_OF_TIME);
    const wait = isGrowth ? this.#madeAt + pause - performance.now() : 0;
    this.#due = setTimeout(() => this.finish(), Math.max(0, wait));
  }

  override finish(): void {
    if (this.#due === undefined) return;
    this.stop();
    const began = performance.now();
    const { view, madeFor, madeOf } = this.#asked();
    const { by, units } = this.spec;
    const answer = operationsAnswer({ view, units }, { by, limit: MOST_ROWS });
    [this.#madeFor, this.#madeOf] = [madeFor, madeOf];
    this.#madeAt = performance.now();
    this.#took = this.#madeAt - began;
    if (answer === undefined) return;
    const { data, hints = [] } = answer;
    this.context.post({ type: 'operations', pane: this.id, data, hints });
  }

  protected override stop(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
  }

  /** The view whose operations are listed, whatever value of the attribute is in scope: all of them stay in the list. */
  #asked(): { readonly view: ProfileView; readonly madeFor: string; readonly madeOf: string } {
    const { contexts } = this.context.view.query.scope;
    const view = this.context.alone({ contexts: contexts && withoutKey(contexts, this.spec.by) });
    const { where: _where, search: _search, siblings: _siblings, ...asked } = view.query;
    const { samples } = view.source;
    return {
      view,
      madeFor: JSON.stringify([asked, this.spec]),
      madeOf: `${samples?.revision} ${samples?.contexts.revision}`,
    };
  }
}
