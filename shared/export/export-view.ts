import { assert } from '../assert.ts';
import { anonymousNames } from '../page/anonymous-names.ts';
import type { PageLog } from '../page/packed-page.ts';
import { Engine } from '../engine/engine.ts';
import type { ProfileView } from '../engine/profile-view.ts';
import type { FlameZoom, ProfileQuery } from '../engine/query.ts';
import { partsOf, withErrorsApart, withErrorsJoined } from '../engine/trees/grouping.ts';
import type { CompareBy } from '../engine/values/row-change.ts';
import { UNBOUNDED } from '../engine/values/time-range.ts';
import { KEEP_ALL } from '../engine/views/filter.ts';
import { isSearching } from '../engine/views/search.ts';
import { SAMPLE_KINDS, SelfGroups } from '../engine/views/self-groups.ts';
import { zoomedRoot } from '../engine/zoomed-root.ts';
import { type FindingsProject, NO_PROJECT } from '../findings/finding.ts';
import type { LogFacts } from '../facts/log-facts.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import {
  apartNotes,
  comparedRanges,
  comparedScopes,
  haveSharedThreads,
  SHARED_THREADS_NOTE,
} from '../scope/apart.ts';
import { EMPTY_SCOPE, isEmptyScope } from '../scope/scope.ts';
import { boundsOf, namedBounds } from '../scope/time-range.ts';
import { type CompareFormatId, compareFormat } from './compare-list.ts';
import { type ExportFormatId, exportFormat } from './export-formats.ts';
import type { ExportInput, TimelineMeasured, TimelineOptions } from './export-input.ts';
import type { SampledProfile } from '../engine/view-samples.ts';
import { aboutPage, pageLogOf } from './page-content.ts';
import type { PageContent } from './export-input.ts';
import type { PageOptions } from './page-options.ts';
import { collectText } from './text-sink.ts';
import { exportTop, topTable } from './top.ts';
import { type ComparisonInput, outsideNote, WrittenComparison } from './written-comparison.ts';

/** A query to an engine about one of its profiles. */
export interface AskedQuery {
  readonly engine: Engine;
  readonly log: string;
  readonly query: ProfileQuery;
}

/** The parts of a file that carries its profiles, besides these. */
export interface PageForm {
  readonly options: PageOptions;
  /** The built page, for formats that are one. */
  readonly template?: string | undefined;
  /** The version of Leanscope. */
  readonly madeBy: string;
  /** The view of the maker as fragments of addresses: of a log that is carried whole, and of what is in its scope. */
  readonly views: { readonly whole: string; readonly part: string };
  /** The settings of the maker's window, as JSON. */
  readonly preferences: string;
  /** Most bytes that a drawing carries. */
  readonly most: number;
}

/** Whatever a file needs that a query does not say. */
interface ExportChoices
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
  /** The settings of the findings that are known; undefined: none. */
  readonly project?: FindingsProject | undefined;
  /** For formats that carry their profile: its name in them, and the form; undefined: nothing is carried. */
  readonly name?: string;
  readonly page?: PageForm | undefined;
}

/** The input of a writer, and what is to be said about it once it is written. */
interface ExportOfQuery {
  readonly input: ExportInput;
  /** The differences between the file and what the query shows, a phrase each. */
  readonly notes: () => readonly string[];
}

/** The answer of a query about one profile, for a file in a format. Samples that it is compared with are left out. */
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
    project = NO_PROJECT,
    name = '',
    page,
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
  const { carries } = exportFormat(format);
  const { facts } = choices;
  const carried =
    page === undefined || facts === undefined || carries === undefined
      ? undefined
      : carriedBy(page, [
          { shown: page.options.include === 'all' ? wholeOf(source) : view.shown, name, facts },
        ]);
  const isAnonymous = carried !== undefined && page?.options.anonymous.length !== 0;
  const renamed = isAnonymous ? viewOfAll(carried.logs[0].profile, query) : undefined;
  const drawing: ExportInput['drawing'] = {
    ...look,
    rows: () =>
      (renamed ?? view).rows(
        isBottomUp ? 'bottom-up' : 'calls',
        { threads: choices.threads, frames: withErrorsJoined(query.keys) },
        undefined,
      ),
    root: (sums, weights) => {
      if (typeof drawn !== 'object') return drawn?.(sums, weights);
      if (renamed !== undefined) return undefined;
      const root = zoomedRoot(sums, drawn, weights, siblings);
      if (root !== undefined) isZoomed = false;
      return root;
    },
    siblings,
    search: isSearching(view.search) ? view.search : undefined,
  };
  const bounds =
    scope.range === undefined || samples === undefined ? UNBOUNDED : boundsOf(scope.range, samples);
  const counted = view.samplesInContexts;
  const measured = isMeasured === true && choices.facts ? measuredOf(source, choices.facts) : undefined;
  const joined = { ...query, keys: withErrorsJoined(query.keys) };
  const input: ExportInput = {
    ...choices,
    told: facts && (() => ({ view: engine.view(log, joined, 'name', true), facts, project })),
    profile: part.profile,
    values: part.values,
    metric,
    drawing,
    recursion,
    method,
    depth,
    frames: withErrorsApart(query.keys),
    filter: rows === undefined ? filter : { ...filter, where },
    outside: isEmptyScope(view.query.scope) && !part.isBelowZoom ? undefined : part.outside,
    range: namedBounds(scope.range, samples),
    timed: counted && (() => ({ samples: counted, bounds, leaves: part.leaves() })),
    timeline: counted && {
      samples: counted,
      bounds,
      isOutside: part.isOutside,
      buckets,
      measured,
    },
    template: page?.template,
    // The name of a file may say of what it is, and units may be named by an event of the program.
    ...(isAnonymous && { title: choices.title === name ? carried.logs[0].name : choices.title }),
    ...(isAnonymous && { units: { value: undefined, ...carried.logs[0].facts.units } }),
    carried,
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

/** The view of a profile that is the part of another one which a query shows. */
function viewOfAll(profile: LeanProfile, query: ProfileQuery): ProfileView {
  const engine = new Engine();
  engine.add('copy', profile);
  return engine.view('copy', { ...query, scope: EMPTY_SCOPE, narrowing: undefined }, 'name', true);
}

interface CarriedLog {
  readonly shown: SampledProfile;
  readonly name: string;
  readonly facts: LogFacts;
}

/** `given`: one log, or the new one and the base. */
function carriedBy(
  { options, template, madeBy, views, preferences, most }: PageForm,
  given: readonly CarriedLog[],
): PageContent {
  const rename = options.anonymous.length === 0 ? undefined : anonymousNames(options.anonymous);
  const names = given.map((log) => log.name.replace(/^.*[\\/]/s, ''));
  const logs = given.map(({ shown, facts }, at) => {
    // A link tells them apart by their names.
    const name =
      at > 0 && (rename !== undefined || names[at] === names[0]) ? `${names[at]} (base)` : names[at];
    return pageLogOf(shown, { name, facts }, options, rename);
  });
  const [next, base] = logs.map((log): string | undefined => encodeURIComponent(log.name));
  const compared = base === undefined ? '' : `#log=${next ?? ''}&base=${base}`;
  const [{ shown }] = given;
  const single =
    shown.values === shown.profile.selfValues && shown.values.isComplete ? views.whole : views.part;
  return {
    logs,
    texts: {
      madeBy,
      preferences,
      note: options.note,
      about: aboutPage(logs),
      // A view has names in it.
      view: base === undefined && rename === undefined ? single : compared,
    },
    most,
    hottest: template === undefined ? '' : hottestOf(logs[0]),
  };
}

/** Methods that can be read without a script. */
const LISTED_METHODS = 50;

function hottestOf({ profile, facts: { units } }: PageLog): string {
  const { counted, value } = units;
  const table = topTable(profile, {
    group: 'method',
    by: 'self',
    limit: LISTED_METHODS,
    metric: 'samples',
    filter: KEEP_ALL,
    units: { counted, value },
  });
  return collectText((sink) => void exportTop(table, sink));
}

/** All of a log, with the times of its samples. */
function wholeOf(profile: LeanProfile): SampledProfile {
  const { samples, selfValues: values } = profile;
  const timed = samples && { samples, bounds: UNBOUNDED, leaves: values.node.subarray(0, values.length) };
  return { profile, values, timed: samples?.length === 0 ? undefined : timed };
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
  /** For formats that carry both profiles: what is known of each. */
  readonly page?: PageForm | undefined;
  readonly sides?: { readonly base: LogFacts; readonly next: LogFacts } | undefined;
}

/** Both sides of the comparison in a query, for a file in a format. */
export function comparisonOf(
  { engine, log, query }: AskedQuery,
  format: CompareFormatId,
  {
    threads,
    recursion = 'once',
    filter = KEEP_ALL,
    notes = [],
    root,
    page,
    sides,
    ...choices
  }: ComparisonChoices,
): WrittenComparison {
  const { frames, keys, metric, scope, where, comparison } = query;
  assert(comparison !== undefined, 'the file of a comparison is of a query that compares');
  const { baseline, isSampled, isDependent = false } = comparison;
  const profile = profileOf(engine, log);
  const { samples } = profile;
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
  const scopes = comparedScopes(scope, baseline, samples);
  const side = (which: 'base' | 'next', of: string): ProfileView =>
    engine.view(
      of,
      { ...query, scope: scopes[which], narrowing: undefined, comparison: undefined },
      'name',
      true,
    );
  return new WrittenComparison({
    ...choices,
    comparison: both,
    metric,
    isSampled,
    isDependent,
    by,
    recursion,
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
      ...apartNotes(scopes),
      ...(haveSharedThreads(scope, baseline, profile) ? [SHARED_THREADS_NOTE] : []),
      ...(by !== 'share' && format === 'report-html'
        ? [`The flame graph compares ${AMOUNTS[by]}, the tables shares.`]
        : []),
      ...notes,
    ],
    root: root ?? (() => undefined),
    template: page?.template,
    carried:
      page === undefined || sides === undefined || compareFormat(format).carries === undefined
        ? undefined
        : carriedBy(page, [
            { shown: side('next', log).shown, name: choices.names.next, facts: sides.next },
            { shown: side('base', baseline.log ?? log).shown, name: choices.names.base, facts: sides.base },
          ]),
  });
}

const AMOUNTS = { amount: 'amounts', rate: 'amounts per second' } as const;

/**
 * The comparisons of a query that a file does not have, a phrase each: reports are of shares, a table for spreadsheets
 * has no rates.
 */
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
