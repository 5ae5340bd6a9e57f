import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { type ExportFormatId, exportFormat } from '../../shared/export/export-formats.ts';
import { DEFAULT_SVG_WIDTH } from '../../shared/export/flame-svg.ts';
import { writeExport } from '../../shared/export/write-export.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { RowValues } from '../../shared/values/row-sums.ts';
import { isEmptyScope } from '../../shared/scope/scope.ts';
import { profileInScope } from '../../shared/scope/scoped-profile.ts';
import { valuesWithoutErrors } from '../../shared/values/values-without-errors.ts';
import { KEEP_ALL } from '../../shared/views/filter.ts';
import { ALL_ROWS } from '../../shared/views/flame-columns.ts';
import { parseSearch } from '../../shared/views/search.ts';
import { zoomedRoot } from './zoomed-root.ts';
import type { ExportSource } from './mirror-messages.ts';
import type { FlameZoom } from './pane-messages.ts';
import type { Post } from './post.ts';
import { unpackProfile } from './profile-copy.ts';

/** Pieces of 64 KiB go to the browser, which may keep them on disk, 8 MiB at a time. */
const PIECES_KEPT = 128;
/** Formats that are lists of rows, as the panes of rows are. */
const ROW_FORMATS: readonly ExportFormatId[] = ['csv', 'flat', 'methods', 'tree'];
const REPORTED_SHARE = 0.01;

/**
 * Writes what the window shows, with the writers of the command line, and posts it as a file. Runs in a worker of its
 * own, which can be ended at any moment, because nothing else is answered until the file is written.
 */
export function runExport(
  { job, frames, metric, search, hidesErrors, scope, where, profile: packed }: ExportSource,
  post: Post,
): void {
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
  const { theme, colourBy, orientation } = job;
  const parsed = parseSearch(search);
  const source = unpackProfile(packed);
  const inScope = profileInScope(source, scope, frames, (all) =>
    hidesErrors ? valuesWithoutErrors(source, all) : all,
  );
  const { profile, values } = inScope;
  // The rows of a bottom-up graph are no call nodes.
  const zoom = job.isBottomUp ? job.zoom : zoomOfNodes(job.zoom, inScope.nodeOf);
  const drawing = {
    root: (sums: RowValues) => zoomedRoot(sums, zoom),
    isBottomUp: job.isBottomUp,
    search: search === '' || parsed.problem !== undefined ? undefined : parsed,
    theme,
    colourBy,
    orientation,
    width: DEFAULT_SVG_WIDTH,
    pixels: job.pixels,
  };
  const outside = isEmptyScope(scope) ? undefined : inScope.outside;
  // A picture and the stacks of other programs are complete: their parts must add up.
  const filter = ROW_FORMATS.includes(job.format) ? { ...KEEP_ALL, where } : KEEP_ALL;
  const notes = writeExport(
    job.format,
    {
      ...{ profile, values, units: job.units, title: job.title, drawing },
      ...{ facts: job.facts, outside },
      ...{ frames, threads: job.threads, metric, filter, order: job.order },
      // The window has no setting for these.
      ...{ recursion: 'once', method: '', depth: undefined },
    },
    sink,
  );
  const { mediaType, isBinary } = exportFormat(job.format);
  const content = new Blob([...parts, ...pieces], {
    type: isBinary ? mediaType : `${mediaType};charset=utf-8`,
  });
  post({ type: 'exported', id: job.id, name: job.fileName, content, notes });
}

/** The zoom in the nodes of another profile; undefined where that has none of them. */
function zoomOfNodes(zoom: FlameZoom | undefined, nodeOf: (id: number) => number): FlameZoom | undefined {
  if (zoom === undefined) return undefined;
  const row = zoom.row === ALL_ROWS ? ALL_ROWS : nodeOf(zoom.row);
  const run = zoom.run && { first: nodeOf(zoom.run.first), last: nodeOf(zoom.run.last) };
  const isGone = (row === NONE && zoom.row !== ALL_ROWS) || run?.first === NONE || run?.last === NONE;
  return isGone ? undefined : { row, run };
}
