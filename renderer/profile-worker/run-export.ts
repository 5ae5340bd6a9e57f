import { assert } from '../../shared/assert.ts';
import type { OutputSink } from '../../shared/export/export-input.ts';
import {
  type CompareFormatId,
  compareFormat,
  loadComparison,
  COMPARE_FORMATS,
} from '../../shared/export/compare-list.ts';
import { exportFormat, loadExport, mediaTypeOf } from '../../shared/export/export-formats.ts';
import { EXPORT_FORMATS } from '../../shared/export/export-list.ts';
import { outsideNote, WrittenComparison } from '../../shared/export/written-comparison.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { RowValues } from '../../shared/engine/values/row-sums.ts';
import { isEmptyScope } from '../../shared/scope/scope.ts';
import {
  comparedRanges,
  comparedScopes,
  haveSharedThreads,
  SHARED_THREADS_NOTE,
} from '../../shared/scope/apart.ts';
import { boundsOf, namedBounds } from '../../shared/scope/time-range.ts';
import type { CompareBy } from '../../shared/engine/values/compared-to.ts';
import { UNBOUNDED } from '../../shared/engine/values/time-range.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import { isSearching } from '../../shared/engine/views/search.ts';
import { Engine } from '../../shared/engine/engine.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import type { ProfileQuery } from '../../shared/engine/query.ts';
import { partsOf, withErrorsApart } from '../../shared/engine/trees/grouping.ts';
import { zoomedRoot } from '../../shared/engine/zoomed-root.ts';
import type { ExportSource, Post } from './mirror-messages.ts';
import { unpackProfile } from './profile-copy.ts';

/** Pieces of 64 KiB go to the browser, which may keep them on disk, 8 MiB at a time. */
const PIECES_KEPT = 128;
const REPORTED_SHARE = 0.01;

/**
 * Writes what the window shows, with the writers of the command line, and posts it as a file. Runs in a worker of its
 * own, which can be ended at any moment, because nothing else is answered until the file is written.
 */
export async function runExport(source: ExportSource, post: Post): Promise<void> {
  const { job } = source;
  const parts: Blob[] = [];
  let pieces: BlobPart[] = [];
  let reported = 0;
  const sink: OutputSink = (piece, share) => {
    pieces.push(piece as BlobPart);
    if (pieces.length === PIECES_KEPT) {
      parts.push(new Blob(pieces));
      pieces = [];
    }
    if (share < reported + REPORTED_SHARE) return;
    reported = share;
    post({ type: 'exporting', id: job.id, share });
  };
  const { compared, format } = job;
  const notes = await (compared === undefined
    ? writeProfile(source, sink)
    : writeComparedSides(compared, source, sink));
  const written = compared === undefined ? exportFormat(format) : compareFormat(compared);
  const content = new Blob([...parts, ...pieces], { type: mediaTypeOf(written) });
  post({ type: 'exported', id: job.id, name: job.fileName, content, notes });
}

/** Loads the writers of all formats, so that a file can be written when the host does not serve them any more. */
export async function loadWriters(): Promise<void> {
  await Promise.all([...EXPORT_FORMATS, ...COMPARE_FORMATS].map(async ({ load }) => load()));
}

/** Writes what is in scope. Returns what was left out. */
async function writeProfile(source: ExportSource, sink: OutputSink): Promise<readonly string[]> {
  const { job, query } = source;
  const { keys: shownKeys, metric, where, siblings, comparison } = query;
  const keys = withErrorsApart(shownKeys);
  const { theme, colourBy, orientation, zoom, threads } = job;
  const profile = unpackProfile(source.profile);
  const { samples } = profile;
  // What the panes show of this log: without the times that it is compared with.
  const scope =
    comparison === undefined ? query.scope : comparedScopes(query.scope, comparison.baseline, samples).next;
  const view = viewOf(profile, { ...query, scope, comparison: undefined });
  const part = view.alone;
  // An SVG is of the zoom, if it is there.
  let drawnRoot: ReturnType<typeof zoomedRoot>;
  const drawing = {
    rows: () => view.rows(job.isBottomUp ? 'bottom-up' : 'calls', { threads, frames: shownKeys }, undefined),
    root: (rows: RowValues, weights: Float64Array) => (drawnRoot = zoomedRoot(rows, zoom, weights, siblings)),
    siblings,
    search: isSearching(view.search) ? view.search : undefined,
    ...{ theme, colourBy, orientation, pixels: job.pixels },
  };
  const outside = isEmptyScope(scope) && !part.isBelowZoom ? undefined : part.outside;
  const bounds =
    scope.range === undefined || samples === undefined ? UNBOUNDED : boundsOf(scope.range, samples);
  const { rows } = exportFormat(job.format);
  const filter = rows === undefined ? KEEP_ALL : { ...KEEP_ALL, where };
  const write = await loadExport(job.format);
  const notes = write(
    {
      ...{ profile: part.profile, values: part.values, units: job.units, title: job.title, drawing },
      ...{ facts: job.facts, outside, range: namedBounds(scope.range, samples) },
      timeline: samples && { samples, bounds, isOutside: part.isOutside },
      ...{ frames: keys, threads, metric, filter, order: job.order },
      // The window has no setting for these.
      ...{ recursion: 'once', method: '', depth: undefined },
    },
    sink,
  );
  const hasMore = zoom !== undefined && !part.isBelowZoom && drawnRoot === undefined;
  return [
    ...notes,
    ...(scope.range === query.scope.range ? [] : ['the samples of the baseline are not in it']),
    ...(partsOf(keys).split.length > 0 && rows === 'methods'
      ? ['lines of split methods are rows, too: their samples are in the row of the method']
      : []),
    ...(hasMore ? ['everything in scope is in it, not only the zoom'] : []),
  ];
}

/** `base`: the log that the query compares with. */
function viewOf(profile: LeanProfile, query: ProfileQuery, base?: LeanProfile): ProfileView {
  const engine = new Engine();
  engine.add('log', profile);
  const baseLog = query.comparison?.baseline.log;
  if (baseLog !== undefined && base !== undefined) engine.add(baseLog, base);
  return engine.view('log', query, 'name', true);
}

/** Writes both sides of the comparison. */
async function writeComparedSides(
  format: CompareFormatId,
  asked: ExportSource,
  sink: OutputSink,
): Promise<readonly string[]> {
  const { job, query } = asked;
  const { frames, keys, metric, scope, where, comparison } = query;
  assert(comparison !== undefined, 'a comparison is exported while something is compared');
  const { baseline } = comparison;
  if (baseline.log !== undefined && asked.base === undefined)
    throw new Error('the log that is compared with is not open.');
  const source = unpackProfile(asked.profile);
  const other = asked.base && unpackProfile(asked.base);
  const compared = viewOf(
    source,
    { ...query, narrowing: undefined },
    baseline.log === undefined ? undefined : other,
  ).comparison({
    threads: job.threads,
    frames: compareFormat(format).splits === true ? withErrorsApart(keys) : frames,
  });
  const { outside, seconds } = compared;
  // Shares where the time that a side covers is not known, as in the panes.
  const isRate = comparison.by === 'rate' && seconds !== undefined && seconds.base > 0 && seconds.next > 0;
  const by = comparison.by === 'rate' && !isRate ? 'share' : comparison.by;
  const sides = comparedRanges(scope, baseline, source.samples);
  const ranges = {
    base: namedBounds(sides.base, (other ?? source).samples)?.bounds,
    next: namedBounds(sides.next, source.samples)?.bounds,
  };
  const isWhole = isEmptyScope(scope) && baseline.range === undefined && baseline.threads === undefined;
  const { theme, orientation, title, names, units } = job;
  const written = new WrittenComparison({
    ...{ title, names, ranges, units, metric, theme, orientation },
    comparison: compared,
    ...{ by, seconds: isRate ? seconds : undefined },
    isSampled: comparison.isSampled,
    isDependent: comparison.isDependent ?? false,
    filter: { ...KEEP_ALL, where },
    recursion: 'once',
    notes: [
      ...(isWhole ? [] : [outsideNote(outside.base, outside.next)]),
      ...(haveSharedThreads(scope, baseline) ? [SHARED_THREADS_NOTE] : []),
      ...(by !== 'share' && format === 'html'
        ? [`The flame graph compares ${AMOUNTS[by]}, the tables shares.`]
        : []),
    ],
    root: () => undefined,
  });
  const write = await loadComparison(format);
  const stopped = write(written, sink);
  return [
    ...(stopped === undefined ? [] : [stopped]),
    ...notWritten(by, format),
    ...(job.zoom === undefined ? [] : ['everything in scope is compared, not only the zoom']),
  ];
}

const AMOUNTS = { amount: 'amounts', rate: 'amounts per second' } as const;

/** What the panes compare and a file does not: reports are of shares, a table for spreadsheets has both, but no rates. */
function notWritten(by: CompareBy, format: CompareFormatId): readonly string[] {
  if (by === 'share') return [];
  if (format === 'report' || format === 'report-md') return [`it compares shares, not ${AMOUNTS[by]}`];
  return by === 'rate' && format === 'csv' ? ['it has no amounts per second'] : [];
}
