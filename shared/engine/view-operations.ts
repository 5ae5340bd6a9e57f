import { NONE } from '../profile/columns.ts';
import { sampleSpan, type SampleTable } from '../profile/sample-table.ts';
import { threadsLeftOut } from '../scope/filters.ts';
import type { ContextScope } from '../scope/scope.ts';
import { boundsOf } from '../scope/time-range.ts';
import { CONTEXT_ORDER, DURATION_ROWS, MEANT_CONTEXTS } from './context-steps.ts';
import { contextKeys } from './contexts/context-test.ts';
import { type DurationColumns, durationColumns } from './contexts/durations.ts';
import { CountedTimes, type Operations, operationsOf } from './contexts/operations.ts';
import type { SamplesByThread } from './contexts/samples-in-contexts.ts';
import { UNBOUNDED, withinTest } from './values/time-range.ts';
import { methodText, type ViewSamples } from './view-samples.ts';
import type { ViewValues } from './view-values.ts';
import type { HeatmapView } from './views/heatmap-columns.ts';
import { shownTime } from './views/timeline-columns.ts';

/** Operations, and what their numbers refer to. */
interface ListedOperations extends Operations {
  /** All samples in scope. */
  readonly whole: number;
  /** The attributes that contexts have. */
  readonly keys: readonly string[];
  readonly nameOf: (method: number) => string;
}

/** All contexts. */
const ANY: ContextScope = { where: [] };

/**
 * Durations of the contexts that have an attribute, by its value, or that began in each part of the time of a length, ns,
 * and the samples in scope in them; undefined where there are none. Throws TooManyParts. O(contexts log contexts + samples).
 */
export function viewOperations(
  view: ViewValues & { readonly samples: Pick<ViewSamples, 'leaves'> },
  by: string | bigint,
): ListedOperations | undefined {
  const { steps, query, range, samplesInContexts, recorded } = view;
  const { read: profile } = recorded;
  const all = recorded.profile.samples;
  if (all === undefined || samplesInContexts === undefined || all.contexts.length === 0) return undefined;
  const bounds = range === undefined ? UNBOUNDED : boundsOf(range, all);
  const leaves = view.samples.leaves();
  const isWithin = withinTest(samplesInContexts, bounds);
  let whole = 0;
  const { self, at, length } = samplesInContexts;
  const isCounted = (row: number): boolean => leaves[self[row]] !== NONE && isWithin(row);
  for (let row = 0; row < length; row++) if (isCounted(row)) whole++;
  const { nodes, frames, methods } = view.profile;
  const methodOf = (row: number): number | undefined => {
    if (!isCounted(row)) return undefined;
    const frame = nodes.frame[leaves[self[row]]];
    return frame < 0 ? NONE : frames.method[frame];
  };
  const byThreadOf = (of: SampleTable): SamplesByThread => view.samplesByThread(recorded, of);
  const counted = new CountedTimes(byThreadOf(samplesInContexts), at.ns, methodOf, methods.length);
  const order = steps.get(CONTEXT_ORDER, all.contexts);
  const { contexts: scope = ANY, threads } = query.scope;
  const { isIn } = steps.get(MEANT_CONTEXTS, all, all.contexts, scope);
  const isLeftOut = threadsLeftOut(profile, threads);
  const found = operationsOf(profile, { samples: all, byThread: byThreadOf(all), order }, counted, {
    by,
    isIn,
    bounds,
    isLeftOut,
  });
  const nameOf = (method: number): string => methodText(methods.names[method]);
  return { ...found, whole, keys: contextKeys(all.contexts), nameOf };
}

/**
 * When the contexts began that meet the conditions of the scope, and how long they took, whether it has their durations and
 * times or not; undefined where there are none. O(contexts + samples).
 */
export function viewDurations(
  { steps, query, recorded }: ViewValues,
  { zoom, fit }: HeatmapView,
): DurationColumns | undefined {
  const { samples } = recorded.profile;
  const span = samples && sampleSpan(samples);
  if (span === undefined || samples === undefined || samples.contexts.length === 0) return undefined;
  const { contexts } = samples;
  const { contexts: scope = ANY, threads } = query.scope;
  const { where, took, began, slower } = scope;
  const meant = (of: ContextScope): Uint8Array => steps.get(MEANT_CONTEXTS, samples, contexts, of).isIn;
  const counted = {
    isMeant: meant({ where }),
    isInScope: (took ?? began ?? slower) === undefined ? undefined : meant(scope),
    isLeftOut: threadsLeftOut(recorded.read, threads),
  };
  const shown = shownTime(Number(span.last - span.first), zoom);
  return durationColumns(contexts, steps.get(DURATION_ROWS, contexts), counted, { ...span, shown, fit });
}
