import { exportCollapsed } from '../../shared/export/collapsed.ts';
import { exportCsv } from '../../shared/export/csv.ts';
import { DEFAULT_SVG_WIDTH, exportFlameSvg } from '../../shared/export/flame-svg.ts';
import { exportFlat } from '../../shared/export/flat.ts';
import { exportLean } from '../../shared/export/lean.ts';
import type { TextSink } from '../../shared/export/text-sink.ts';
import { exportTree } from '../../shared/export/tree.ts';
import { keepsAll, keptRows } from '../../shared/views/filter.ts';
import { zoomedRow } from './flame-pane.ts';
import type { ExportJob } from './mirror-messages.ts';
import type { MirroredViews } from './mirrored-views.ts';
import type { Post } from './post.ts';
import { isSearching, type SharedView } from './shared-view.ts';

const FILES = {
  svg: { name: 'flame.svg', type: 'image/svg+xml' },
  csv: { name: 'flat.csv', type: 'text/csv' },
  flat: { name: 'flat.txt', type: 'text/plain' },
  tree: { name: 'tree.txt', type: 'text/plain' },
  collapsed: { name: 'collapsed.txt', type: 'text/plain' },
  lean: { name: 'lean.txt', type: 'text/plain' },
} as const;

/** Writes what the window shows, with the writers that the command line uses, and hands it over as a file. */
export function runExport(job: ExportJob, views: MirroredViews, view: SharedView, post: Post): void {
  const pieces: string[] = [];
  writeExport(job, views, view, (text) => pieces.push(text));
  const { name, type } = FILES[job.format];
  post({ type: 'exported', id: job.id, name, content: new Blob(pieces, { type: `${type};charset=utf-8` }) });
}

export function writeExport(job: ExportJob, views: MirroredViews, view: SharedView, sink: TextSink): void {
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
      return exportCsv(profile, { frames: view.frames, recursion: 'once', filter, metric }, sink);
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
