import { NONE } from '../../shared/profile/columns.ts';
import type { CallTree } from '../../shared/views/call-tree.ts';
import { keepsAll, keptRows } from '../../shared/views/filter.ts';
import { ALL_ROWS, layoutFlame } from '../../shared/views/flame-layout.ts';
import type { MirroredViews } from './mirrored-views.ts';
import type { FlameRequest, MirrorEvent, RowId } from './mirror-messages.ts';
import type { Post } from './post.ts';
import { isSearching, matchesOf, type SharedView } from './shared-view.ts';

/** Nobody reads a longer way back. */
const MOST_PATH = 32;

/** The flame graph's half in the mirror: lays out what can be seen of the zoomed subtree. */
export class FlamePane {
  active = false;
  request: FlameRequest = { threads: 'all', zoom: undefined, width: 1200, minPixels: 1, maxFrames: 1000 };

  readonly #views: MirroredViews;
  readonly #post: Post;

  constructor(views: MirroredViews, post: Post) {
    this.#views = views;
    this.#post = post;
  }

  refresh(view: SharedView): void {
    if (!this.active) return;
    const { zoom, width, minPixels, maxFrames, threads } = this.request;
    const { tree } = this.#views.tree({ threads, frames: view.frames });
    const row = zoomedRow(tree, zoom);
    const layout = layoutFlame(
      tree,
      {
        metric: view.metric,
        zoom: row,
        minShare: width > 0 ? minPixels / width : 1,
        maxFrames,
        matching: matchesOf(view, tree.keys),
        kept: keepsAll(view.filter) ? undefined : keptRows(tree, view.filter),
      },
      this.#views.measures(tree, view.metric),
    );
    this.#post({
      type: 'flameRows',
      rows: layout.rows,
      ...pathTo(tree, row),
      zoom: row === undefined ? undefined : tree.firstNode[row],
      searching: isSearching(view),
      smaller: layout.smaller,
      smallerWeight: layout.smallerWeight,
      deepest: layout.deepest,
    });
  }
}

/** The row that a zoom names; undefined for everything, and for what is not there (any more). */
export function zoomedRow(tree: CallTree, zoom: RowId | undefined): number | undefined {
  if (zoom === undefined || zoom === ALL_ROWS) return undefined;
  const row = tree.find(zoom);
  return row === undefined || tree.totals.count[row] === 0 || tree.kind(row) === 'all' ? undefined : row;
}

type Path = Pick<Extract<MirrorEvent, { type: 'flameRows' }>, 'path' | 'pathLeftOut'>;

/** Everything, and the nearest callers of a row. The whole path could be a million frames long. */
function pathTo(tree: CallTree, row: number | undefined): Path {
  const path: { id: RowId | undefined; label: string }[] = [];
  let pathLeftOut = 0;
  for (let at = row ?? NONE; at !== NONE; at = tree.rows.parent[at]) {
    if (tree.kind(at) === 'all') continue;
    if (path.length < MOST_PATH) path.push({ id: tree.firstNode[at], label: tree.label(at) });
    else pathLeftOut++;
  }
  path.push({ id: undefined, label: 'All Threads' });
  return { path: path.reverse(), pathLeftOut };
}
