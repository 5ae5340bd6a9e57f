import {
  contextParts,
  type Parts,
  type SpreadParts,
  threadParts,
  timeParts,
} from './comparison/part-sums.ts';
import { valuesOfSamples } from './contexts/profile-by-context.ts';
import { attributeOf } from './trees/grouping.ts';
import { type SelfValues, sumSelfValues } from './values/self-values.ts';
import type { ViewValues } from './view-values.ts';
import type { TimedSamples } from './views/row-times.ts';

interface PartedView extends ViewValues {
  readonly samples: { readonly timed: TimedSamples | undefined };
  narrowed(values: SelfValues): SelfValues;
}

/**
 * The parts of what a view shows. `everyNs`: the length of parts of the time; undefined: one that fits. Throws TooManyParts
 * for a short one, and for an attribute with a value of its own in each request.
 */
export function viewParts(view: PartedView, of: SpreadParts, everyNs?: bigint): Parts {
  const values = view.narrowed(view.values);
  const attribute = attributeOf(of);
  if (of !== 'time' && attribute === undefined) return threadParts(view.profile, values, of);
  const { timed } = view.samples;
  const all = sumSelfValues(values).samples;
  if (attribute === undefined) return timeParts(timed, all, everyNs);
  const contexts = view.contextsOf(view.recorded, timed?.samples);
  if (timed === undefined || contexts === undefined) return { names: [], all, values: [] };
  return contextParts(timed, all, valuesOfSamples(timed.samples, contexts, attribute));
}
