import { exportCollapsed } from '../../shared/export/collapsed.ts';
import { exportCsv } from '../../shared/export/csv.ts';
import { DEFAULT_SVG_WIDTH, exportFlameSvg } from '../../shared/export/flame-svg.ts';
import { exportFlat } from '../../shared/export/flat.ts';
import { exportLean } from '../../shared/export/lean.ts';
import type { TextSink } from '../../shared/export/text-sink.ts';
import { exportTree } from '../../shared/export/tree.ts';
import { keepsAll, keptRows } from '../../shared/views/filter.ts';
import { parseSearch } from '../../shared/views/search.ts';
import { zoomedRow } from './flame-pane.ts';
import type { ExportJob, ExportSource } from './mirror-messages.ts';
import { MirroredViews } from './mirrored-views.ts';
import type { Post } from './post.ts';
import { unpackProfile } from './profile-copy.ts';
import { isSearching, type SharedView } from './shared-view.ts';

const FILES = {
  svg: { name: 'flame.svg', type: 'image/svg+xml' },
  csv: { name: 'flat.csv', type: 'text/csv' },
  flat: { name: 'flat.txt', type: 'text/plain' },
  tree: { name: 'tree.txt', type: 'text/plain' },
  collapsed: { name: 'collapsed.txt', type: 'text/plain' },
  lean: { name: 'lean.txt', type: 'text/plain' },
} as const;

/** Text goes to the browser, which may keep it on disk, in parts of so many pieces; 8 MiB. */
const PIECES_KEPT = 128;
const TOLD_SHARE = 0.01;

/**
 * Writes what the window shows, with the writers that the command line uses, and hands it over as a file. Takes as long
 * as it takes and listens to nobody meanwhile: it has a worker of its own, which can be ended at any moment.
 */
export function runExport(source: ExportSource, post: Post): void {
  const { job, frames, metric, search, filter } = source;
  const parts: Blob[] = [];
  let pieces: string[] = [];
  let told = 0;
  const sink: TextSink = (text, share) => {
    pieces.push(text);
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
  const content = new Blob([...parts, ...pieces], { type: `${type};charset=utf-8` });
  post({ type: 'exported', id: job.id, name, content });
}

function writeExport(job: ExportJob, views: MirroredViews, view: SharedView, sink: TextSink): void {
  const { profile } = views;
  const { metric, filter } = view;
  const grouping = { threads: job.threads, frames: view.frames };
  switch (job.format) {
    case 'svg': {
      const { tree } = views.tree(grouping);
      return exportFlameSvg(
        {
          tree,
          metric,
          units: job.units,
          zoom: zoomedRow(tree, job.zoom),
          search: isSearching(view) ? view.search : undefined,
          kept: keepsAll(filter) ? undefined : keptRows(tree, filter),
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
  }
}
