import { NONE } from '../profile/columns.ts';
import { threadsLeftOut } from '../scope/filters.ts';
import { comparedScopes } from '../scope/apart.ts';
import type { ContextScope, Scope } from '../scope/scope.ts';
import { boundsOf } from '../scope/time-range.ts';
import { DURATION_ROWS, MEANT_CONTEXTS } from './context-steps.ts';
import { contextKeys } from './contexts/context-test.ts';
import type { CallsLeftOut } from './contexts/contexts.ts';
import { type DurationColumns, durationColumns } from './views/duration-columns.ts';
import {
  CountedSamples,
  cpuTimes,
  type Durations,
  durationsByValue,
  meanValue,
  type Operations,
  operationsOf,
} from './contexts/operations.ts';
import { UNBOUNDED, withinTest } from './values/time-range.ts';
import { methodText, type ViewSamples } from './view-samples.ts';
import type { ViewValues } from './view-values.ts';
import type { RecordedProfile } from './recorded-profile.ts';
import type { HeatmapView } from './views/heatmap-columns.ts';

/** Operations, and what their numbers refer to. */
interface ListedOperations extends Operations {
  /** All samples in scope. */
  readonly whole: number;
  /** The attributes that contexts have. */
  readonly keys: readonly string[];
  readonly leftOut: CallsLeftOut | undefined;
  readonly nameOf: (method: number) => string;
}

/** Whether contexts computed is told of those that last so many periods of samples: of fewer, chance would decide. */
export const LEAST_PERIODS = 10;

/** All contexts. */
const ANY: ContextScope = { where: [] };

/**
 * Durations of the contexts that have an attribute, by its value, or that began in each part of the time of a length, ns,
 * and the samples in scope in them; undefined where there are none. `computing`: the samples that say for how long a thread
 * has computed. Throws TooManyParts. O(contexts log contexts + samples).
 */
export function viewOperations(
  view: ViewValues & { readonly samples: Pick<ViewSamples, 'leaves'> },
  by: string | bigint,
  computing?: 'all' | 'running',
): ListedOperations | undefined {
  const { steps, query, range, isInContexts, recorded } = view;
  const { samples } = recorded.profile;
  const contexts = view.contextsOf(recorded, samples);
  if (samples === undefined || contexts === undefined) return undefined;
  const bounds = range === undefined ? UNBOUNDED : boundsOf(range, samples);
  const leaves = view.samples.leaves();
  const isWithin = withinTest(samples, bounds);
  const { self, length } = samples;
  const isCounted = (row: number): boolean =>
    leaves[self[row]] !== NONE && (isInContexts === undefined || isInContexts[row] === 1) && isWithin(row);
  let whole = 0;
  for (let row = 0; row < length; row++) if (isCounted(row)) whole++;
  const { nodes, frames, methods } = view.profile;
  const methodOf = (row: number): number | undefined => {
    if (!isCounted(row)) return undefined;
    const frame = nodes.frame[leaves[self[row]]];
    return frame < 0 ? NONE : frames.method[frame];
  };
  const cpuNsOf = computing === undefined ? () => 0 : cpuTimes(recorded.profile, samples, computing);
  const counted = new CountedSamples(contexts.byThread, methodOf, methods.length, cpuNsOf);
  const { contexts: scope = ANY, threads } = query.scope;
  const { isIn } = steps.get(MEANT_CONTEXTS, samples, contexts, scope);
  const isLeftOut = threadsLeftOut(recorded.read, threads);
  const leastNs = computing && LEAST_PERIODS * meanValue(samples);
  const listed = { by, isIn, bounds, isLeftOut, leastNs };
  const found = operationsOf(recorded.read, samples, contexts, counted, listed);
  const nameOf = (method: number): string => methodText(methods.names[method]);
  return { ...found, whole, keys: contextKeys(samples), leftOut: contexts.leftOut, nameOf };
}

/** Contexts of an operation on both sides of a comparison; undefined: a side has none. */
export interface ComparedDurations {
  readonly name: string;
  readonly base: Durations | undefined;
  readonly next: Durations | undefined;
}

/**
 * Durations of the contexts on both sides of a comparison by the value of an attribute, those that took longest on both sides
 * together first; undefined: nothing is compared, or no side has contexts. Without a sample on both sides, a context that is
 * partly in each range is on both. O(contexts log contexts).
 */
export function viewComparedDurations(
  view: ViewValues,
  by: string,
): readonly ComparedDurations[] | undefined {
  const { steps, query, recorded, inputs } = view;
  const { comparison, scope } = query;
  if (comparison === undefined) return undefined;
  const { baseline } = comparison;
  const ofSide = (source: RecordedProfile, side: Scope): ReadonlyMap<string, Durations> | undefined => {
    const { samples } = source.profile;
    const contexts = view.contextsOf(source, samples);
    if (samples === undefined || contexts === undefined) return undefined;
    const meant = (of: ContextScope): Uint8Array => steps.get(MEANT_CONTEXTS, samples, contexts, of).isIn;
    const { contexts: wanted = ANY, range, threads } = side;
    const isOut = wanted.except && meant(wanted.except);
    return durationsByValue(contexts, by, {
      isIn: meant(wanted).map((is, row) => (isOut?.[row] === 1 ? 0 : is)),
      bounds: range === undefined ? UNBOUNDED : boundsOf(range, samples),
      isLeftOut: threadsLeftOut(source.read, threads),
    });
  };
  const scopes = comparedScopes(scope, baseline, recorded.profile.samples);
  const next = ofSide(recorded, scopes.next);
  const other = baseline.log === undefined ? recorded : inputs.other;
  const base = other && ofSide(other, scopes.base);
  if (base === undefined && next === undefined) return undefined;
  const names = new Set([...(next?.keys() ?? []), ...(base?.keys() ?? [])]);
  const rows = Array.from(names, (name) => ({ name, base: base?.get(name), next: next?.get(name) }));
  const totalOf = (row: ComparedDurations): number => (row.base?.total ?? 0) + (row.next?.total ?? 0);
  return rows.sort((a, b) => totalOf(b) - totalOf(a) || (a.name < b.name ? -1 : 1));
}

/**
 * When the contexts began that meet the conditions of the scope, and how long they took, whether it has their durations and
 * times or not; undefined where there are none. Those in scope that meet `marks`, too, are marked, if that leaves any out.
 * O(contexts + samples).
 */
export function viewDurations(
  values: ViewValues,
  view: HeatmapView,
  marks?: string,
): DurationColumns | undefined {
  const { steps, query, recorded } = values;
  const { samples } = recorded.profile;
  const contexts = values.contextsOf(recorded, samples);
  if (samples === undefined || contexts === undefined) return undefined;
  const { contexts: scope = ANY, threads } = query.scope;
  const { where, took, began, slower } = scope;
  const further = marks === undefined || where.includes(marks) ? [] : [marks];
  const isPart = further.length > 0 || (took ?? began ?? slower) !== undefined;
  const meant = (of: ContextScope): Uint8Array => steps.get(MEANT_CONTEXTS, samples, contexts, of).isIn;
  const counted = {
    isMeant: meant({ where }),
    isMarked: isPart ? meant({ ...scope, where: [...where, ...further] }) : undefined,
    marks: further.at(0),
    isLeftOut: threadsLeftOut(recorded.read, threads),
  };
  return durationColumns(samples, contexts.table, steps.get(DURATION_ROWS, contexts), counted, view);
}
