import { assert } from '../assert.ts';
import type { Engine } from '../engine/engine.ts';
import type { FlameZoom, ProfileQuery } from '../engine/query.ts';
import { partsOf, withErrorsApart, withErrorsJoined } from '../engine/trees/grouping.ts';
import type { CompareBy } from '../engine/values/compared-to.ts';
import { UNBOUNDED } from '../engine/values/time-range.ts';
import { KEEP_ALL } from '../engine/views/filter.ts';
import { isSearching } from '../engine/views/search.ts';
import { SAMPLE_KINDS, SelfGroups } from '../engine/views/self-groups.ts';
import { zoomedRoot } from '../engine/zoomed-root.ts';
import type { LogFacts } from '../facts/log-facts.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { comparedRanges, comparedScopes, haveSharedThreads, SHARED_THREADS_NOTE } from '../scope/apart.ts';
import { isEmptyScope } from '../scope/scope.ts';
import { boundsOf, namedBounds } from '../scope/time-range.ts';
import { type CompareFormatId, compareFormat } from './compare-list.ts';
import { type ExportFormatId, exportFormat } from './export-formats.ts';
import type { ExportInput, TimelineMeasured, TimelineOptions } from './export-input.ts';
import { type ComparisonInput, outsideNote, WrittenComparison } from './written-comparison.ts';

/** A query to an engine about one of its profiles. */
export interface AskedQuery {
  readonly engine: Engine;
  readonly log: string;
  readonly query: ProfileQuery;
}

/** Whatever a file needs that a query does not say. */
export interface ExportChoices
  extends
    Pick<ExportInput, 'title' | 'units' | 'facts' | 'threads' | 'order'>,
    Partial<Pick<ExportInput, 'recursion' | 'filter' | 'method' | 'depth'>>,
    Pick<TimelineOptions, 'buckets'> {
  readonly drawing: Pick<
    ExportInput['drawing'],
    'theme' | 'colourBy' | 'orientation' | 'width' | 'pixels'
  > & {
    /** The part that is drawn: a zoom, or what finds its root; undefined: everything. */
    readonly root: FlameZoom | ExportInput['drawing']['root'] | undefined;
    /** The bottom-up graph is drawn. */
    readonly isBottomUp?: boolean;
  };
  /** The timeline has what was measured besides samples. */
  readonly isMeasured?: boolean;
}

/** The input of a writer, and what is to be said about it once it is written. */
export interface ExportOfQuery {
  readonly input: ExportInput;
  /** How the file differs from what the query shows, a phrase each. */
  readonly notes: () => readonly string[];
}

/** What a query shows of one profile, for a file in a format. Samples that it is compared with are left out. */
export function exportOf(
  { engine, log, query: asked }: AskedQuery,
  format: ExportFormatId,
  {
    filter = KEEP_ALL,
    recursion = 'once',
    method = '',
    depth,
    buckets,
    isMeasured,
    ...choices
  }: ExportChoices,
): ExportOfQuery {
  const source = profileOf(engine, log);
  const { samples } = source;
  const query = withoutBaseline(asked, source);
  const { scope, metric, where, siblings } = query;
  const view = engine.view(log, query, 'name', true);
  const part = view.alone;
  const { rows } = exportFormat(format);
  const { root: drawn, isBottomUp = false, ...look } = choices.drawing;
  let isZoomed = typeof drawn === 'object' && !part.isBelowZoom;
  const drawing: ExportInput['drawing'] = {
    ...look,
    rows: () =>
      view.rows(
        isBottomUp ? 'bottom-up' : 'calls',
        { threads: choices.threads, frames: withErrorsJoined(query.keys) },
        undefined,
      ),
    root: (sums, weights) => {
      if (typeof drawn !== 'object') return drawn?.(sums, weights);
      const root = zoomedRoot(sums, drawn, weights, siblings);
      if (root !== undefined) isZoomed = false;
      return root;
    },
    siblings,
    search: isSearching(view.search) ? view.search : undefined,
  };
  const bounds =
    scope.range === undefined || samples === undefined ? UNBOUNDED : boundsOf(scope.range, samples);
  const measured = isMeasured === true && choices.facts ? measuredOf(source, choices.facts) : undefined;
  const input: ExportInput = {
    ...choices,
    ...{ profile: part.profile, values: part.values, metric, drawing, recursion, method, depth },
    frames: withErrorsApart(query.keys),
    filter: rows === undefined ? filter : { ...filter, where },
    outside: isEmptyScope(view.query.scope) && !part.isBelowZoom ? undefined : part.outside,
    range: namedBounds(scope.range, samples),
    timeline: samples && { samples, bounds, isOutside: part.isOutside, buckets, measured },
  };
  const splits = partsOf(query.keys).split.length > 0;
  const notes = (): readonly string[] => [
    ...(scope.range === asked.scope.range ? [] : ['the samples of the baseline are not in it']),
    ...(splits && rows === 'methods'
      ? ['lines of split methods are rows, too: their samples are in the row of the method']
      : []),
    ...(isZoomed ? ['everything in scope is in it, not only the zoom'] : []),
  ];
  return { input, notes };
}

/** Whatever the file of a comparison needs that a query does not say. */
export interface ComparisonChoices
  extends
    Pick<
      ComparisonInput,
      'title' | 'names' | 'units' | 'theme' | 'orientation' | 'width' | 'foldHint' | 'limit' | 'placeOf'
    >,
    Partial<Pick<ComparisonInput, 'recursion' | 'filter' | 'root'>> {
  readonly threads: ExportInput['threads'];
  /** Sentences besides those that every comparison has. */
  readonly notes?: readonly string[];
}

/** Both sides of the comparison in a query, for a file in a format. */
export function comparisonOf(
  { engine, log, query }: AskedQuery,
  format: CompareFormatId,
  { threads, recursion = 'once', filter = KEEP_ALL, notes = [], root, ...choices }: ComparisonChoices,
): WrittenComparison {
  const { frames, keys, metric, scope, where, comparison } = query;
  assert(comparison !== undefined, 'the file of a comparison is of a query that compares');
  const { baseline, isSampled, isDependent = false } = comparison;
  const { samples } = profileOf(engine, log);
  const other = baseline.log === undefined ? samples : profileOf(engine, baseline.log).samples;
  const view = engine.view(log, { ...query, narrowing: undefined }, 'name', true);
  const both = view.comparison({
    threads,
    frames: compareFormat(format).splits === true ? withErrorsApart(keys) : frames,
  });
  const { outside, seconds } = both;
  // Shares where the time that a side covers is not known, as in the panes.
  const isRate = comparison.by === 'rate' && seconds !== undefined && seconds.base > 0 && seconds.next > 0;
  const by = comparison.by === 'rate' && !isRate ? 'share' : comparison.by;
  const ranges = comparedRanges(scope, baseline, samples);
  return new WrittenComparison({
    ...choices,
    ...{ comparison: both, metric, isSampled, isDependent, by, recursion },
    seconds: isRate ? seconds : undefined,
    filter: { ...filter, where },
    ranges: {
      base: namedBounds(ranges.base, other)?.bounds,
      next: namedBounds(ranges.next, samples)?.bounds,
    },
    notes: [
      ...(outside.base.samples === 0 && outside.next.samples === 0
        ? []
        : [outsideNote(outside.base, outside.next)]),
      ...(haveSharedThreads(scope, baseline) ? [SHARED_THREADS_NOTE] : []),
      ...(by !== 'share' && format === 'html'
        ? [`The flame graph compares ${AMOUNTS[by]}, the tables shares.`]
        : []),
      ...notes,
    ],
    root: root ?? (() => undefined),
  });
}

const AMOUNTS = { amount: 'amounts', rate: 'amounts per second' } as const;

/** What a query compares and a file does not, a phrase each: reports are of shares, a table for spreadsheets has no rates. */
export function notCompared(by: CompareBy, format: CompareFormatId): readonly string[] {
  if (by === 'share') return [];
  if (format === 'report' || format === 'report-md') return [`it compares shares, not ${AMOUNTS[by]}`];
  return by === 'rate' && format === 'csv' ? ['it has no amounts per second'] : [];
}

/** The query for what panes show of its own log: without the times that it is compared with. */
function withoutBaseline(query: ProfileQuery, { samples }: LeanProfile): ProfileQuery {
  const { scope, comparison } = query;
  if (comparison === undefined) return query;
  return { ...query, scope: comparedScopes(scope, comparison.baseline, samples).next, comparison: undefined };
}

function measuredOf(profile: LeanProfile, { series, gaps }: LogFacts): TimelineMeasured {
  const error = SAMPLE_KINDS.indexOf('error');
  const isError = new SelfGroups(profile).kinds().map((kind) => (kind === error ? 1 : 0));
  return { series, isError, leastGapNs: gaps?.leastNs };
}

function profileOf(engine: Engine, log: string): LeanProfile {
  const profile = engine.profile(log);
  if (profile === undefined) throw new Error('the log that is compared with is not open.');
  return profile;
}
