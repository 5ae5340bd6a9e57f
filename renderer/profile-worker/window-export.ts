import { Engine } from '../../shared/engine/engine.ts';
import type { DeltaSource } from '../../shared/delta/make-delta.ts';
import type { ProfileQuery } from '../../shared/engine/query.ts';
import {
  type CompareFormatId,
  compareFormat,
  COMPARE_FORMATS,
  loadComparison,
} from '../../shared/export/compare-list.ts';
import { exportFormat, loadExport, mediaTypeOf } from '../../shared/export/export-formats.ts';
import type { OutputSink } from '../../shared/export/export-input.ts';
import { EXPORT_FORMATS } from '../../shared/export/export-list.ts';
import { type AskedQuery, comparisonOf, exportOf, notCompared } from '../../shared/export/export-view.ts';
import type { ExportJob, ExportSource, Post } from './mirror-messages.ts';
import { packProfile, unpackProfile } from './shared-profiles.ts';

/** Packs the profile and the query of the window for another worker to write. `base`: the profile of another log that is compared with. */
export function exportSourceOf(
  job: ExportJob,
  query: ProfileQuery,
  log: DeltaSource,
  base: DeltaSource | undefined,
): ExportSource {
  const { scope, comparison, attribute } = query;
  const needsTimes =
    attribute !== undefined ||
    scope.contexts !== undefined ||
    comparison?.baseline.contexts !== undefined ||
    exportFormat(job.format).usesTimes !== undefined ||
    job.page?.options.times === true ||
    scope.range !== undefined ||
    comparison?.baseline.range !== undefined ||
    comparison?.by === 'rate';
  const isCompared = job.compared !== undefined && base !== undefined;
  return {
    query,
    job,
    profile: packProfile(log, needsTimes),
    base: isCompared ? packProfile(base, true) : undefined,
  };
}

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
    : writeCompared(compared, source, sink));
  const written = compared === undefined ? exportFormat(format) : compareFormat(compared);
  const content = new Blob([...parts, ...pieces], { type: mediaTypeOf(written) });
  post({ type: 'exported', id: job.id, name: job.fileName, content, notes });
}

/** Loads the writers of all formats, so that a file can be written when the host does not serve them any more. */
export async function loadWriters(): Promise<void> {
  const formats = [...EXPORT_FORMATS, ...COMPARE_FORMATS].map(async ({ load }) => load());
  await Promise.all([...formats, import('./run-report.ts')]);
}

/** Writes what is in scope. Returns what was left out. */
async function writeProfile(source: ExportSource, sink: OutputSink): Promise<readonly string[]> {
  const { job } = source;
  const { theme, colourBy, orientation, pixels, isBottomUp } = job;
  const drawing = { theme, colourBy, orientation, pixels, isBottomUp, root: job.zoom };
  const write = await loadExport(job.format);
  const { input, notes } = exportOf(askedBy(source), job.format, { ...job, drawing });
  return [...write(input, sink), ...notes()];
}

/** Writes both sides of the comparison. */
async function writeCompared(
  format: CompareFormatId,
  source: ExportSource,
  sink: OutputSink,
): Promise<readonly string[]> {
  const { job } = source;
  const write = await loadComparison(format);
  const written = comparisonOf(askedBy(source), format, job);
  const stopped = write(written, sink);
  return [
    ...(stopped === undefined ? [] : [stopped]),
    ...notCompared(written.input.by, format),
    ...(job.zoom === undefined ? [] : ['everything in scope is compared, not only the zoom']),
  ];
}

function askedBy({ profile, base, query }: ExportSource): AskedQuery {
  const engine = new Engine();
  engine.add('log', unpackProfile(profile));
  const other = query.comparison?.baseline.log;
  if (other !== undefined && base !== undefined) engine.add(other, unpackProfile(base));
  return { engine, log: 'log', query };
}
