import { NONE } from '../../shared/profile/columns.ts';
import type { FrameGrouping, TreeGrouping } from '../../shared/trees/grouping.ts';
import type { RowTree } from '../../shared/trees/row-tree.ts';
import type { RowSums } from '../../shared/values/row-sums.ts';
import { ALL_ROWS, layoutFlame } from '../../shared/views/flame-layout.ts';
import type { Pane, PaneContext } from './pane.ts';
import type { FlameSpec, PaneEvent, PaneId, RowId } from './pane-messages.ts';
import { isSearching, matchesOf, type SharedView } from './shared-view.ts';

/** Nobody reads a longer way back. */
const MOST_PATH = 32;

/** The flame graph's half in the mirror: lays out what can be seen of the zoomed subtree. */
export class FlamePane implements Pane {
  readonly id: PaneId;
  active = false;
  spec: FlameSpec;
  hold = false;

  readonly #context: PaneContext;
  #tree: RowTree | undefined;

  constructor(id: PaneId, spec: FlameSpec, context: PaneContext) {
    this.id = id;
    this.spec = spec;
    this.#context = context;
  }

  grouping(frames: FrameGrouping): TreeGrouping {
    return { threads: this.spec.threads, frames };
  }

  refresh(view: SharedView): void {
    const { views, post } = this.#context;
    const { zoom, width, minPixels, maxFrames } = this.spec;
    const sums = views.sums(this.grouping(view.frames));
    const { tree } = sums;
    this.#tree = tree;
    const row = zoomedRow(sums, zoom);
    const layout = layoutFlame(
      sums,
      {
        metric: view.metric,
        zoom: row,
        minShare: width > 0 ? minPixels / width : 1,
        maxFrames,
        matching: matchesOf(view, tree.keys),
        kept: undefined,
      },
      views.measures(sums, view.metric),
    );
    post({
      type: 'flame',
      pane: this.id,
      rows: layout.rows,
      ...pathTo(tree, row),
      zoom: row === undefined ? undefined : tree.idOf(row),
      searching: isSearching(view),
      smaller: layout.smaller,
      smallerWeight: layout.smallerWeight,
      deepest: layout.deepest,
    });
  }

  selectedRow(): RowId | undefined {
    const { selection } = this.#context;
    if (selection?.of !== 'calls') return undefined;
    // The root above several threads is in no tree.
    if (selection.id === ALL_ROWS) return ALL_ROWS;
    const row = this.#tree?.rowOf(selection.id) ?? NONE;
    return row === NONE ? undefined : this.#tree?.idOf(row);
  }

  selectionChanged(): void {
    // No frame stays in its place because it is selected.
  }
}

/** The row that a zoom names; undefined for everything, and for what is not there (any more). */
export function zoomedRow({ tree, totalCount }: RowSums, zoom: RowId | undefined): number | undefined {
  if (zoom === undefined || zoom === ALL_ROWS) return undefined;
  const row = tree.rowOf(zoom);
  return row === NONE || totalCount[row] === 0 || tree.kind(row) === 'all' ? undefined : row;
}

type Path = Pick<Extract<PaneEvent, { type: 'flame' }>, 'path' | 'pathLeftOut'>;

/** Everything, and the nearest callers of a row. The whole path could be a million frames long. */
function pathTo(tree: RowTree, row: number | undefined): Path {
  const path: { id: RowId | undefined; label: string }[] = [];
  let pathLeftOut = 0;
  for (let at = row ?? NONE; at !== NONE; at = tree.parent[at]) {
    if (tree.kind(at) === 'all') continue;
    if (path.length < MOST_PATH) path.push({ id: tree.idOf(at), label: tree.label(at) });
    else pathLeftOut++;
  }
  path.push({ id: undefined, label: 'All Threads' });
  return { path: path.reverse(), pathLeftOut };
}
