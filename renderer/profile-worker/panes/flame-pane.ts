import {
  type FlameZoom,
  isSameZoom,
  type ProfileQuery,
  type ZoomedRow,
} from '../../../shared/engine/query.ts';
import { NONE } from '../../../shared/profile/columns.ts';
import { withDifference } from '../../../shared/engine/comparison/flame-difference.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import {
  sameRow,
  type TreeOfProfile,
  displayLabel,
  type RowTree,
  threadOf,
} from '../../../shared/engine/trees/row-tree.ts';
import type { FrameKeys, TreeGrouping } from '../../../shared/engine/trees/grouping.ts';
import { ALL_THREADS_LABEL } from '../../../shared/engine/trees/keys.ts';
import type { RowValues } from '../../../shared/engine/values/row-sums.ts';
import { KEEP_ALL, keptOnEitherSide } from '../../../shared/engine/views/filter.ts';
import {
  ALL_ROWS,
  type FlameLayout,
  labelAt,
  withStackEnds,
} from '../../../shared/engine/views/flame-columns.ts';
import {
  layoutFlame,
  type LayoutRoot,
  rootTest,
  type SiblingOrder,
} from '../../../shared/engine/views/flame-layout.ts';
import type { FlameMeasures } from '../../../shared/engine/views/flame-measures.ts';
import { isSearching } from '../../../shared/engine/views/search.ts';
import { findCall, leftOut } from './no-match.ts';
import { Pane, type Selected } from './pane.ts';
import type { FlameCrumb, PaneEvent, RowId } from '../pane-messages.ts';
import type { FlameSpec } from '../pane-specs.ts';
import { rowOfZoom, zoomedRoot, zoomedRow } from '../../../shared/engine/zoomed-root.ts';

/** Callers that a path names at most. */
const MOST_PATH = 32;
/** Share of the width at which a match is seen well when a zoom is chosen for it. */
const LEAST_SHARE_SEEN = 0.05;

/** A flame graph in the profile worker: lays out what is below the zoomed frame. */
export class FlamePane extends Pane<FlameSpec> {
  readonly #layouts = new KeptLayouts();
  /** The graph as it was last laid out. */
  #laidOut: LaidOut | undefined;
  /** Counts how often the rows got other ids. */
  #numbering = 0;
  /** The zoom that the window asks for by ids that rows had before, and that zoom by their present ids. */
  #followed: { readonly asked: FlameZoom | undefined; readonly zoom: FlameZoom | undefined } | undefined;

  override grouping(frames: FrameKeys): TreeGrouping {
    return { threads: this.spec.threads, frames };
  }

  refresh(query: ProfileQuery): void {
    const { view, post } = this.context;
    const { of, method, pixels } = this.spec;
    const grouping = this.grouping(query.keys);
    // A zoom does not narrow the graph that it is of.
    const sums = isWhole(of) ? view.allRows(of, grouping) : view.rows(of, grouping, method);
    const { tree } = sums;
    const zoom = this.#zoomIn(tree);
    const measures = view.measures(sums, query.metric);
    const { siblings } = query;
    const root = zoomedRoot(sums, zoom, measures.weights, siblings);
    const matching = view.matches(tree.keys)?.matching;
    const { where } = query;
    const kept = where.length === 0 ? undefined : keptOnEitherSide(sums, { ...KEEP_ALL, where });
    const options = {
      metric: query.metric,
      siblings,
      zoom: root,
      pixels: Math.max(1, pixels),
      matching,
      kept,
    };
    const layOut = (): FlameLayout => layoutFlame(sums, options, measures);
    const whole = view.comparedWhole;
    // Trees of callers and callees are new in each state.
    const isKept = isWhole(of) && matching === undefined && kept === undefined && whole === undefined;
    const laidOut = isKept ? this.#layouts.of(measures, { root, pixels, siblings }, layOut) : layOut();
    const named = withStackEnds(laidOut, tree);
    const layout = whole === undefined ? named : withDifference(named, sums, whole);
    const weight = layout.length === 0 ? 0 : layout.weight[0];
    this.#laidOut = { sums, profile: view.profile, measures, root, weight, matching, kept, query };
    const { path, pathLeftOut } = pathTo(tree, root, measures.weights, kept);
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
      zoom: root && zoom && { row: zoom.row, run: root.run && zoom.run },
      numbering: this.#numbering,
      thread: root === undefined || root.row === ALL_ROWS ? undefined : threadOf(tree, root.row),
      searched: isSearching(view.search) ? query.search : '',
    });
  }

  /** The zoom that is asked for, also where the rows have other ids than when the window asked for it. */
  #zoomIn(tree: RowTree): FlameZoom | undefined {
    const asked = this.spec.zoom;
    if (!isSameZoom(asked, this.#followed?.asked)) this.#followed = undefined;
    const zoom = this.#followed === undefined ? asked : this.#followed.zoom;
    const before = this.#laidOut;
    if (isWhole(this.spec.of) || before === undefined || hasSameIds(before.sums.tree, tree)) return zoom;
    this.#numbering++;
    const from = { profile: before.profile, tree: before.sums.tree };
    const to = { profile: this.context.view.profile, tree };
    const followed = zoom && followedZoom(zoom, from, to);
    this.#followed = { asked, zoom: followed };
    return followed;
  }

  override selectedRow(): RowId | undefined {
    const { selection } = this.context;
    if (selection?.of !== this.spec.of) return undefined;
    // The root above several threads is in no tree.
    if (selection.id === ALL_ROWS) return ALL_ROWS;
    const tree = this.#laidOut?.sums.tree;
    const row = tree?.rowOf(selection.id) ?? NONE;
    if (tree === undefined || row === NONE) return undefined;
    // The row of a graph of another method may have the same id.
    const isSame = this.spec.of === 'calls' || displayLabel(tree, row) === selection.label;
    return isSame ? tree.idOf(row) : undefined;
  }

  /** Selects the next or previous match of the whole graph, in the present zoom if that draws it. */
  find(direction: 1 | -1, method: RowId | undefined): Selected | undefined {
    if (!this.active || this.#laidOut === undefined) return undefined;
    const { sums, measures, matching, kept, query } = this.#laidOut;
    const { tree } = sums;
    const weight = measures.weights;
    const { view } = this.context;
    const ofLog = leftOut(query, view);
    const ofGraph = isWhole(this.spec.of) ? { ...ofLog, isZoomed: false } : ofLog;
    const wanted = method === undefined ? undefined : view.keyOfMethodRow(method, tree.keys);
    const selected = this.selectedRow();
    const from = selected === undefined || selected === ALL_ROWS ? undefined : tree.rowOf(selected);
    const calls = { tree, weight, matching, leftOut: ofGraph };
    const isUnfiltered = kept === undefined ? undefined : (row: number): boolean => sums.isShown(row);
    const isDrawn = (row: number): boolean => weight[row] > 0 && kept?.[row] !== 0;
    const found = findCall({ ...calls, isShown: isDrawn, isUnfiltered }, from, direction, wanted);
    if ('problem' in found) {
      const isShown = (row: number): boolean => sums.isShown(row) && kept?.[row] !== 0;
      const all = findCall({ ...calls, isShown, isUnfiltered }, from, direction, wanted);
      // Widths are times, and a clock that ran backwards gives none.
      const text = 'problem' in all ? found.problem : 'No match is in the flame graph: none has any time.';
      this.context.post({ type: 'notice', text });
      return undefined;
    }
    const { row, position, total } = found;
    return {
      selection: { of: this.spec.of, id: tree.idOf(row), label: tree.label(row), kind: tree.kind(row) },
      reveal: { kind: 'flame', pane: this.id, zoom: this.#zoomToSee(row, this.#laidOut) },
      match: { position, total },
    };
  }

  /** The present zoom if it draws the row; otherwise the widest one in which the row can be seen well. */
  #zoomToSee(row: number, { sums, measures, root, weight }: LaidOut): FlameZoom | undefined {
    const { tree } = sums;
    const { weights } = measures;
    const isDrawn = weights[row] * Math.max(1, this.spec.pixels) >= weight;
    if (isDrawn && isBelow(tree, row, root)) return this.spec.zoom;
    const whole = tree.roots().reduce((sum, each) => sum + weights[each], 0);
    const isWideIn = (wide: number): boolean => weights[row] >= LEAST_SHARE_SEEN * wide;
    if (isWideIn(whole)) return undefined;
    let widest = row;
    for (let up = row; up !== NONE && isWideIn(weights[up]); up = tree.parent[up]) widest = up;
    return { row: zoomedRow(tree, widest), run: undefined };
  }
}

/** The state of a flame graph. */
interface LaidOut {
  readonly sums: RowValues;
  readonly profile: LeanProfile;
  readonly measures: FlameMeasures;
  readonly root: LayoutRoot | undefined;
  /** The weight of the root. */
  readonly weight: number;
  readonly matching: Uint8Array | undefined;
  /** row -> 1 if it passes the filter of rows, or a row below it does; undefined: no filter. */
  readonly kept: Uint8Array | undefined;
  readonly query: ProfileQuery;
}

/** Whether a graph is of all methods, top-down or bottom-up, and the log's zoom one of it. */
function isWhole(of: FlameSpec['of']): of is 'calls' | 'bottom-up' {
  return of === 'calls' || of === 'bottom-up';
}

/** Rows of callers and callees have ids only for one table of keys and one method. */
function hasSameIds(a: RowTree, b: RowTree): boolean {
  return a.keys === b.keys && (!a.hasOneRoot || a.length === 0 || b.length === 0 || a.key[0] === b.key[0]);
}

function followedZoom(
  { row, run }: FlameZoom,
  from: TreeOfProfile,
  to: TreeOfProfile,
): FlameZoom | undefined {
  const followed = (named: ZoomedRow): ZoomedRow | undefined => {
    const before = rowOfZoom(from.tree, named);
    const found = before === NONE ? NONE : sameRow(from, before, to);
    return found === NONE ? undefined : zoomedRow(to.tree, found);
  };
  const top = row === ALL_ROWS ? ALL_ROWS : followed(row);
  if (top === undefined) return undefined;
  if (run === undefined) return { row: top, run };
  const [first, last] = [followed(run.first), followed(run.last)];
  return first === undefined || last === undefined ? undefined : { row: top, run: { first, last } };
}

function isBelow(tree: RowTree, row: number, root: LayoutRoot | undefined): boolean {
  const isRoot = rootTest(tree, root);
  for (let at = row; at !== NONE; at = tree.parent[at]) if (isRoot(at)) return true;
  return false;
}

type Path = { readonly path: FlameCrumb[] } & Pick<Extract<PaneEvent, { type: 'flame' }>, 'pathLeftOut'>;

/**
 * Everything, or the method whose callers or callees are shown, and the nearest rows above a row. The whole path could be a
 * million frames long.
 */
function pathTo(
  tree: RowTree,
  root: LayoutRoot | undefined,
  weights: Float64Array,
  kept: Uint8Array | undefined,
): Path {
  const path: FlameCrumb[] = [];
  let pathLeftOut = 0;
  for (let at = root?.row ?? NONE; at !== NONE; at = tree.parent[at]) {
    // The first step of the path.
    if (tree.hasOneRoot && tree.parent[at] === NONE) continue;
    if (path.length < MOST_PATH)
      path.push({
        zoom: { row: zoomedRow(tree, at), run: undefined },
        label: tree.label(at),
        weight: weights[at],
      });
    else pathLeftOut++;
  }
  const [first] = tree.roots();
  path.push({
    zoom: undefined,
    label: tree.hasOneRoot && tree.length > 0 ? displayLabel(tree, first) : ALL_THREADS_LABEL,
    weight: tree.roots().reduce((sum, row) => sum + (kept?.[row] === 0 ? 0 : weights[row]), 0),
  });
  return { path: path.reverse(), pathLeftOut };
}

/** A layout is determined by these, where nothing is searched, filtered or compared. */
interface LayoutOf {
  readonly root: LayoutRoot | undefined;
  readonly pixels: number;
  readonly siblings: SiblingOrder;
}

/**
 * The last layout of each tree that outlives a state, so that the flame graph of everything is not laid out again when a
 * scope is left. At 7.7 million call nodes that is 22 of 47 ms. A copy is kept, which costs a small part of a layout.
 */
export class KeptLayouts {
  readonly #last = new WeakMap<FlameMeasures, { readonly made: string; readonly layout: FlameLayout }>();

  /** The layout, made only if the measures, the root or the width are others than those of the last one. */
  of(measures: FlameMeasures, { root, pixels, siblings }: LayoutOf, make: () => FlameLayout): FlameLayout {
    const made = JSON.stringify([measures.changes, root, pixels, siblings]);
    const last = this.#last.get(measures);
    // The window gets the buffers of what is returned, and nothing of what is kept.
    if (last?.made === made) return structuredClone(last.layout);
    const layout = make();
    this.#last.set(measures, { made, layout: structuredClone(layout) });
    return layout;
  }
}
