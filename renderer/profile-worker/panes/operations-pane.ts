import { operationsAnswer } from '../../../shared/answers/operations.ts';
import { withoutKey } from '../../../shared/scope/context-condition.ts';
import { viewComparedDurations } from '../../../shared/engine/view-operations.ts';
import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import { type AskedView, DeferredPane, textOfQuery } from './deferred-pane.ts';
import type { PaneContext } from './pane.ts';
import type { PaneId } from '../pane-messages.ts';
import type { OperationsSpec } from '../pane-specs.ts';

/** Operations that the window lists; those with fewest samples are left out. */
const MOST_ROWS = 1_000;

/**
 * The durations of requests in the profile worker: the answer of the command `operations`. A million samples take half a
 * second.
 */
export class OperationsPane extends DeferredPane<OperationsSpec> {
  /** A JVM flushes each second: what it has recorded is listed with the samples, and not with the next flush. */
  constructor(id: PaneId, spec: OperationsSpec, context: PaneContext) {
    super(id, spec, context, 500);
  }

  protected *make(view: ProfileView): Iterable<undefined> {
    const { by, units, computing } = this.spec;
    const answer = operationsAnswer({ view, units }, { by, limit: MOST_ROWS, computing });
    if (answer === undefined) return;
    const { data, hints = [] } = answer;
    const compared = viewComparedDurations(this.context.view, by);
    this.context.post({ type: 'operations', pane: this.id, data, compared, hints });
  }

  /** The view whose operations are listed, whatever value of the attribute is in scope: all of them stay in the list. */
  protected asked(): AskedView {
    const { query, inputs } = this.context.view;
    const view = this.context.alone({ contexts: withoutKey(query.scope.contexts, this.spec.by) });
    const { samples } = view.source;
    const others = inputs.other?.profile.samples?.contexts;
    return {
      view,
      question: [
        textOfQuery(query.comparison === undefined ? view.query : query) + JSON.stringify(this.spec),
        others,
      ],
      version: [samples?.revision, samples?.contexts.revision, others?.revision],
    };
  }
}
