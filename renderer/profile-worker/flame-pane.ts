import { NONE } from '../../shared/profile/columns.ts';
import type { FrameGrouping, TreeGrouping } from '../../shared/trees/grouping.ts';
import type { RowTree } from '../../shared/trees/row-tree.ts';
import type { RowSums } from '../../shared/values/row-sums.ts';
import { ALL_ROWS, labelAt } from '../../shared/views/flame-columns.ts';
import { layoutFlame, type LayoutRoot } from '../../shared/views/flame-layout.ts';
import type { Pane, PaneContext } from './pane.ts';
import type { FlameCrumb, FlameSpec, FlameZoom, PaneEvent, PaneId, RowId } from './pane-messages.ts';
import { isSearching, matchesOf, type SharedView } from './shared-view.ts';

/** Callers that a path names at most. */
const MOST_PATH = 32;

/** A flame graph in the profile worker: lays out what is below the zoomed frame. */
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
    const { zoom, pixels } = this.spec;
    const sums = views.sums(this.grouping(view.frames));
    const { tree } = sums;
    this.#tree = tree;
    const root = zoomedRoot(sums, zoom);
    const measures = views.measures(sums, view.metric);
    const layout = layoutFlame(
      sums,
      {
        metric: view.metric,
        zoom: root,
        pixels: Math.max(1, pixels),
        matching: matchesOf(view, tree.keys),
        kept: undefined,
      },
      measures,
    );
    const { path, pathLeftOut, thread } = pathTo(tree, root, measures.weights);
    const last = path[path.length - 1];
    if (root?.run !== undefined && layout.length > 0) {
      path.push({ zoom, label: `${labelAt(layout, 0)} of ${last.label}`, weight: layout.weight[0] });
    }
    post({
      type: 'flame',
      pane: this.id,
      layout,
      path,
      pathLeftOut,
      zoom: root === undefined ? undefined : path[path.length - 1].zoom,
      thread,
      searching: isSearching(view),
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
    // Flame graphs do not anchor the selected frame.
  }
}

/** What a zoom names, in rows of the tree; undefined for everything, and for what is not there (any more). */
export function zoomedRoot(
  { tree, totalCount }: RowSums,
  zoom: FlameZoom | undefined,
): LayoutRoot | undefined {
  if (zoom === undefined) return undefined;
  const row = zoom.row === ALL_ROWS ? ALL_ROWS : tree.rowOf(zoom.row);
  if (row !== ALL_ROWS && (row === NONE || totalCount[row] === 0)) return undefined;
  const run = zoom.run && zoomedRun(tree, zoom.row === ALL_ROWS ? NONE : row, zoom.run);
  const isEverything = zoom.row === ALL_ROWS || tree.kind(row) === 'all';
  return run === undefined && isEverything ? undefined : { row, run };
}

/** The first and the last of a run of siblings; undefined where another grouping gave them other parents. */
function zoomedRun(tree: RowTree, parent: number, run: NonNullable<FlameZoom['run']>): LayoutRoot['run'] {
  const first = tree.rowOf(run.first);
  const last = tree.rowOf(run.last);
  if (first === NONE || last === NONE) return undefined;
  return tree.parent[first] === parent && tree.parent[last] === parent ? { first, last } : undefined;
}

type Path = { readonly path: FlameCrumb[] } & Pick<
  Extract<PaneEvent, { type: 'flame' }>,
  'pathLeftOut' | 'thread'
>;

/** Everything, and the nearest callers of a row. The whole path could be a million frames long. */
function pathTo(tree: RowTree, root: LayoutRoot | undefined, weights: Float64Array): Path {
  const path: FlameCrumb[] = [];
  let pathLeftOut = 0;
  let thread: string | undefined;
  for (let at = root?.row ?? NONE; at !== NONE; at = tree.parent[at]) {
    if (tree.kind(at) === 'all') continue;
    if (tree.kind(at) === 'thread') thread = tree.label(at);
    if (path.length < MOST_PATH)
      path.push({ zoom: { row: tree.idOf(at), run: undefined }, label: tree.label(at), weight: weights[at] });
    else pathLeftOut++;
  }
  path.push({
    zoom: undefined,
    label: 'All Threads',
    weight: tree.roots().reduce((sum, row) => sum + weights[row], 0),
  });
  return { path: path.reverse(), pathLeftOut, thread };
}
