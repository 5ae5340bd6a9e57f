import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { type ExportFormatId, exportFormat } from '../../shared/export/export-formats.ts';
import { DEFAULT_SVG_WIDTH } from '../../shared/export/flame-svg.ts';
import { writeExport } from '../../shared/export/write-export.ts';
import type { RowValues } from '../../shared/values/row-sums.ts';
import { profileInScope } from '../../shared/scope/scoped-profile.ts';
import { valuesWithoutErrors } from '../../shared/values/values-without-errors.ts';
import { KEEP_ALL } from '../../shared/views/filter.ts';
import { parseSearch } from '../../shared/views/search.ts';
import { zoomedRoot } from './zoomed-root.ts';
import type { ExportSource } from './mirror-messages.ts';
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
  const drawing = {
    root: (sums: RowValues) => zoomedRoot(sums, job.zoom),
    isBottomUp: job.isBottomUp,
    search: search === '' || parsed.problem !== undefined ? undefined : parsed,
    theme,
    colourBy,
    orientation,
    width: DEFAULT_SVG_WIDTH,
    pixels: job.pixels,
  };
  const source = unpackProfile(packed);
  const inScope = profileInScope(
    source,
    scope,
    frames,
    hidesErrors ? valuesWithoutErrors(source) : source.selfValues,
  );
  const { profile, values } = inScope;
  // A picture and the stacks of other programs are complete: their parts must add up.
  const filter = ROW_FORMATS.includes(job.format) ? { ...KEEP_ALL, where } : KEEP_ALL;
  const notes = writeExport(
    job.format,
    {
      ...{ profile, values, units: job.units, title: job.title, drawing },
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
