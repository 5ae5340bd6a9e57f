import { exportCollapsed } from '../../shared/export/collapsed.ts';
import { exportCsv } from '../../shared/export/csv.ts';
import { DEFAULT_SVG_WIDTH, exportFlameSvg } from '../../shared/export/flame-svg.ts';
import { exportFlat } from '../../shared/export/flat.ts';
import { exportLean } from '../../shared/export/lean.ts';
import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { exportHprofBinary, MOST_HPROF_SAMPLES } from '../../shared/export/hprof-binary.ts';
import { HprofTraces } from '../../shared/export/hprof-traces.ts';
import { exportPprof } from '../../shared/export/pprof.ts';
import { exportSpeedscope } from '../../shared/export/speedscope.ts';
import { exportTrcbin } from '../../shared/export/trcbin.ts';
import { exportTree } from '../../shared/export/tree.ts';
import { keepsAll, keptRows } from '../../shared/views/filter.ts';
import { parseSearch } from '../../shared/views/search.ts';
import { zoomedRow } from './flame-pane.ts';
import type { ExportJob, ExportSource } from './mirror-messages.ts';
import { MirroredViews } from './mirrored-views.ts';
import type { Post } from './post.ts';
import { unpackProfile } from './profile-copy.ts';
import { isSearching, type SharedView } from './shared-view.ts';

const BINARY = 'application/octet-stream';
const FILES = {
  svg: { name: 'flame.svg', type: 'image/svg+xml' },
  csv: { name: 'flat.csv', type: 'text/csv' },
  flat: { name: 'flat.txt', type: 'text/plain' },
  tree: { name: 'tree.txt', type: 'text/plain' },
  collapsed: { name: 'collapsed.txt', type: 'text/plain' },
  lean: { name: 'lean.txt', type: 'text/plain' },
  pprof: { name: 'profile.pprof', type: BINARY },
  speedscope: { name: 'profile.speedscope.json', type: 'application/json' },
  hprof: { name: 'profile.hprof', type: BINARY },
  trcbin: { name: 'profile.trcbin', type: BINARY },
} as const;

/** What is written goes to the browser, which may keep it on disk, in parts of so many pieces; 8 MiB. */
const PIECES_KEPT = 128;
const TOLD_SHARE = 0.01;

/**
 * Writes what the window shows, with the writers that the command line uses, and hands it over as a file. Takes as long
 * as it takes and listens to nobody meanwhile: it has a worker of its own, which can be ended at any moment.
 */
export function runExport(source: ExportSource, post: Post): void {
  const { job, frames, metric, search, filter } = source;
  const parts: Blob[] = [];
  let pieces: BlobPart[] = [];
  let told = 0;
  const sink: OutputSink = (piece, share) => {
    pieces.push(piece as BlobPart);
    if (pieces.length === PIECES_KEPT) {
      parts.push(new Blob(pieces));
      pieces = [];
    }
    if (share < told + TOLD_SHARE) return;
    told = share;
    post({ type: 'exporting', id: job.id, share });
  };
  const views = new MirroredViews(unpackProfile(source.profile));
  views.advance();
  writeExport(job, views, { frames, metric, search: parseSearch(search), filter }, sink);
  const { name, type } = FILES[job.format];
  const content = new Blob([...parts, ...pieces], {
    type: type === BINARY ? type : `${type};charset=utf-8`,
  });
  post({ type: 'exported', id: job.id, name, content });
}

function writeExport(job: ExportJob, views: MirroredViews, view: SharedView, sink: OutputSink): void {
  const { profile } = views;
  const { metric, filter } = view;
  const grouping = { threads: job.threads, frames: view.frames };
  switch (job.format) {
    case 'svg': {
      const sums = views.sums(grouping);
      return exportFlameSvg(
        {
          sums,
          metric,
          units: job.units,
          zoom: zoomedRow(sums, job.zoom),
          search: isSearching(view) ? view.search : undefined,
          kept: keepsAll(filter) ? undefined : keptRows(sums, filter),
          theme: job.theme,
          orientation: job.orientation,
          title: job.title,
          width: DEFAULT_SVG_WIDTH,
        },
        sink,
      );
    }
    case 'csv':
      return exportCsv(
        profile,
        { frames: view.frames, recursion: 'once', filter, metric, units: job.units },
        sink,
      );
    case 'flat':
      return exportFlat(profile, { frames: view.frames, recursion: 'once', filter }, sink);
    case 'tree':
      return exportTree(profile, { grouping, filter }, sink);
    case 'collapsed':
      exportCollapsed(profile, { grouping, metric, filter }, sink);
      return;
    case 'lean':
      return exportLean(profile, sink);
    case 'pprof':
      exportPprof(profile, job.units, sink);
      return;
    case 'speedscope':
      exportSpeedscope(profile, { units: job.units, name: job.title }, sink);
      return;
    case 'hprof': {
      const traces = new HprofTraces(profile, undefined);
      if (traces.total > MOST_HPROF_SAMPLES) throw new Error('hprof holds fewer samples than there are');
      return exportHprofBinary(traces, sink);
    }
    case 'trcbin':
      exportTrcbin(profile, sink);
      return;
  }
}
