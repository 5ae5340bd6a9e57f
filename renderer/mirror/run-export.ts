import { exportLean } from '../../shared/export/lean.ts';
import type { TextSink } from '../../shared/export/text-sink.ts';
import type { MirroredViews } from './mirrored-views.ts';
import type { ExportJob } from './mirror-messages.ts';
import type { Post } from './post.ts';
import type { SharedView } from './shared-view.ts';

/** Writes what the window shows, with the writers that the command line uses, and hands it over as a file. */
export function runExport(job: ExportJob, views: MirroredViews, view: SharedView, post: Post): void {
  const pieces: string[] = [];
  const sink: TextSink = (text) => pieces.push(text);
  exportLean(views.profile, sink);
  void view;
  post({
    type: 'exported',
    id: job.id,
    name: 'profile.txt',
    content: new Blob(pieces, { type: 'text/plain' }),
  });
}
