import { operationsAnswer } from '../../shared/answers/operations.ts';
import { withoutKey } from '../../shared/scope/context-condition.ts';
import { Pane } from './pane.ts';
import type { OperationsSpec } from './pane-messages.ts';

/** Operations that the window lists; those with fewest samples are left out. */
const MOST_ROWS = 1_000;
/** While a log grows, its operations are counted again so often at most, and in at most one of so many parts of the time. */
const GROWTH_PAUSE_MS = 1_000;
const SHARE_OF_TIME = 10;

/** How long requests took, in the profile worker: the answer of the command `operations`. */
export class OperationsPane extends Pane<OperationsSpec> {
  #due: ReturnType<typeof setTimeout> | undefined;
  /** What the last answer was asked for, as JSON: only growth may wait. */
  #madeFor = '';
  #madeAt = -Infinity;
  #took = 0;

  refresh(): void {
    const {
      where: _where,
      search: _search,
      siblings: _siblings,
      comparison: _comparison,
      ...asked
    } = this.context.view.query;
    const madeFor = JSON.stringify([asked, this.spec]);
    const wait = Math.max(GROWTH_PAUSE_MS, this.#took * SHARE_OF_TIME) - (performance.now() - this.#madeAt);
    this.stop();
    if (madeFor === this.#madeFor && wait > 0) this.#due = setTimeout(() => this.#make(), wait);
    else this.#make();
    this.#madeFor = madeFor;
  }

  override finish(): void {
    if (this.#due !== undefined) this.#make();
  }

  protected override stop(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
  }

  #make(): void {
    this.stop();
    const began = performance.now();
    const { by, units } = this.spec;
    const { scope } = this.context.view.query;
    // All values of the attribute stay in the list when one of them is in scope.
    const contexts = scope.contexts && withoutKey(scope.contexts, by);
    const view = this.context.alone({ contexts });
    const answer = operationsAnswer({ view, units }, { by, limit: MOST_ROWS });
    this.#madeAt = performance.now();
    this.#took = this.#madeAt - began;
    if (answer === undefined) return;
    const { data, hints = [] } = answer;
    this.context.post({ type: 'operations', pane: this.id, data, hints });
  }
}
