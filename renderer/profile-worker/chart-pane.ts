import type { ProfileQuery } from '../../shared/engine/query.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { SampleTable } from '../../shared/profile/sample-table.ts';
import { ThreadFilter } from '../../shared/scope/thread-filter.ts';
import { exactly, threadsText } from '../../shared/scope/thread-pattern.ts';
import { threadsAmong } from '../../shared/scope/thread-test.ts';
import { boundsOf } from '../../shared/scope/time-range.ts';
import type { FrameKeys, TreeGrouping } from '../../shared/engine/trees/grouping.ts';
import { ALL_THREADS_LABEL, poolOfThreadKey } from '../../shared/engine/trees/keys.ts';
import type { RowTree, SummableRows } from '../../shared/engine/trees/row-tree.ts';
import type { TimeOrder } from '../../shared/engine/values/time-order.ts';
import {
  boundsAfterOrigin,
  type TimeBounds,
  UNBOUNDED,
  withinTest,
} from '../../shared/engine/values/time-range.ts';
import { chartCells, countInCells } from '../../shared/engine/views/chart-cells.ts';
import { layoutChart } from '../../shared/engine/views/chart-layout.ts';
import { ChartSamples } from '../../shared/engine/views/chart-samples.ts';
import { isSearching } from '../../shared/engine/views/search.ts';
import type { Pane, PaneContext } from './pane.ts';
import type { ChartSpec, ChartZoom, PaneId, RowId } from './pane-messages.ts';

/** Parts of the width of whose edges the times are told. */
const TIME_STEPS = 8;

/** What was laid out last. */
interface Shown {
  readonly asked: ChartZoom | undefined;
  readonly zoom: ChartZoom | undefined;
  /** Rows of the SampleTable at the ends of the zoom. */
  readonly ends: readonly [first: number, last: number];
}

/** The stacks of some threads in the order of time, in the profile worker. */
export class ChartPane implements Pane {
  readonly id: PaneId;
  active = false;
  spec: ChartSpec;
  hold = false;

  readonly #context: PaneContext;
  readonly #samples = new ChartSamples();
  /** Place -> row of the SampleTable, of the samples that are shown. */
  #rows = new Int32Array(0);
  /** The thread that is shown until one is chosen: the one with most samples when the chart was opened. */
  #usual: string | undefined;
  #shown: Shown | undefined;

  constructor(id: PaneId, spec: ChartSpec, context: PaneContext) {
    this.id = id;
    this.spec = spec;
    this.#context = context;
  }

  grouping(frames: FrameKeys): TreeGrouping {
    return { threads: this.spec.threads, frames };
  }

  refresh(query: ProfileQuery): void {
    const { view, post } = this.#context;
    const table = view.source.samples;
    if (table === undefined || table.length === 0) return;
    const { tree } = view.sums(this.grouping(query.keys));
    const only = this.spec.only ?? this.#usualThread(query);
    const rows = this.#rowsShown(table, this.#leaves(tree, only));
    if (this.spec.time !== undefined) return this.#postLinear(tree, table, rows, only);
    this.#samples.update(tree, rows.leaf, this.#shiftTo(rows.row, table));
    this.#rows = rows.row;
    const count = rows.row.length;
    const { zoom: asked } = this.spec;
    const waits = this.#waitsForSamples(count);
    const inEffect = waits ? undefined : this.#zoomIn(table, rows.row);
    const { from, to } = inEffect ?? { from: 0, to: count };
    const ends = [rows.row[from] ?? 0, rows.row[to - 1] ?? 0] as const;
    this.#shown = waits ? undefined : { asked, zoom: inEffect, ends };
    const zoom = waits ? asked : inEffect;
    const matching = view.matches(tree.keys)?.matching;
    const pixels = Math.max(1, this.spec.pixels);
    const layout = layoutChart(this.#samples, tree, { from, to, pixels, label: labelOf(only), matching });
    const first = view.samples.timeOrder(table).rowAt(0);
    const { ns } = table.at;
    const timeAt = (place: number): number =>
      count === 0 ? 0 : ns[rows.row[Math.min(count - 1, place)]] - ns[first];
    post({
      type: 'chart',
      pane: this.id,
      layout,
      ...{ only, count, from, to, zoom, asked },
      first: table.timeOf(first).toString(),
      begins: layout.start.map((start) => timeAt(from + start)),
      ends: layout.start.map((start, at) => timeAt(from + start + layout.weight[at] - 1)),
      times: Float64Array.from({ length: TIME_STEPS + 1 }, (_, at) =>
        timeAt(Math.min(to - 1, from + Math.floor(((to - from) * at) / TIME_STEPS))),
      ),
      cells: undefined,
      searching: isSearching(view.search),
    });
  }

  /** The stacks at their times: a gap is a gap, and a pixel has the stack of most of its samples. */
  #postLinear(
    tree: RowTree,
    table: SampleTable,
    { row, leaf }: { readonly row: Int32Array; readonly leaf: Int32Array },
    only: readonly string[],
  ): void {
    const { view, post } = this.#context;
    const { ns } = table.at;
    const order = view.samples.timeOrder(table);
    const first = order.rowAt(0);
    const last = ns[order.rowAt(order.length - 1)] - ns[first];
    const time = this.spec.time?.zoom ?? { from: 0, to: last + 1 };
    const times = Float64Array.from(row, (each) => ns[each] - ns[first]);
    const pixels = Math.max(1, this.spec.pixels);
    const cells = chartCells(times, leaf, time, pixels);
    const samples = new ChartSamples();
    samples.update(tree, cells.leaf);
    const matching = view.matches(tree.keys)?.matching;
    const layout = layoutChart(samples, tree, {
      from: 0,
      to: pixels,
      pixels,
      label: labelOf(only),
      matching,
    });
    countInCells(layout, cells);
    const from = times.findLastIndex((at) => at < time.from) + 1;
    const timeAt = (cell: number): number => time.from + (cell * (time.to - time.from)) / pixels;
    post({
      type: 'chart',
      pane: this.id,
      layout,
      ...{
        only,
        count: row.length,
        from,
        to: from + cells.before[pixels],
        zoom: undefined,
        asked: undefined,
      },
      first: table.timeOf(first).toString(),
      begins: layout.start.map(timeAt),
      ends: layout.start.map((start, at) => timeAt(start + layout.weight[at])),
      times: new Float64Array(0),
      cells: { ...time, count: pixels },
      searching: isSearching(view.search),
    });
  }

  selectedRow(): RowId | undefined {
    const { selection, view } = this.#context;
    if (selection?.of !== 'calls') return undefined;
    const { tree } = view.sums(this.grouping(view.query.keys));
    const row = tree.rowOf(selection.id);
    return row === NONE ? undefined : tree.idOf(row);
  }

  selectionChanged(): void {
    // The window marks the frames of the selected method.
  }

  /** The thread with most samples, as long as it has any in scope. */
  #usualThread({ scope }: ProfileQuery): readonly string[] {
    const { names, samples } = this.#context.view.samples.threads();
    const selected = threadsAmong(names, scope.threads);
    const at = this.#usual === undefined ? -1 : names.indexOf(this.#usual);
    if (at < 0 || samples[at] === 0 || !selected.has(names[at])) {
      let most = -1;
      names.forEach((name, thread) => {
        // Stacks without a thread are mostly errors.
        const isBetter =
          most < 0 || samples[thread] > samples[most] || poolOfThreadKey(names[most]) === undefined;
        if (selected.has(name) && isBetter && (most < 0 || poolOfThreadKey(name) !== undefined))
          most = thread;
      });
      this.#usual = most < 0 ? undefined : names[most];
    }
    return this.#usual === undefined ? [] : [exactly(this.#usual)];
  }

  /** Row of the SelfTable -> row of the tree; NONE for what is outside the scope, or of another thread. */
  #leaves(tree: SummableRows, only: readonly string[]): Int32Array {
    const { view } = this.#context;
    const { source, allValues, selfThreads } = view;
    const leaves = view.samples.leaves();
    const rowOf = new Int32Array(leaves.length);
    tree.rowsOfNodes(leaves, leaves.length, rowOf);
    for (let self = 0; self < rowOf.length; self++) if (leaves[self] === NONE) rowOf[self] = NONE;
    if (only.length === 0) return rowOf;
    const leftOut = new ThreadFilter(source, selfThreads, only).leftOut(allValues);
    for (let self = 0; self < rowOf.length; self++) if (leftOut[self] === 1) rowOf[self] = NONE;
    return rowOf;
  }

  /** The samples that are shown in the order of time: their rows of the SampleTable, and of the tree. */
  #rowsShown(
    table: SampleTable,
    leafOf: Int32Array,
  ): { readonly row: Int32Array<ArrayBuffer>; readonly leaf: Int32Array } {
    const { view } = this.#context;
    const { range } = view;
    const order = view.samples.timeOrder(table);
    const bounds = range === undefined ? UNBOUNDED : boundsOf(range, table);
    const { first, end, areAll } = placesWithin(order, table, bounds);
    const isWithin = areAll ? () => true : withinTest(table, bounds);
    const { self } = table;
    const rows = new Int32Array(end - first);
    const leaf = new Int32Array(end - first);
    let length = 0;
    for (let place = first; place < end; place++) {
      const row = order.rowAt(place);
      // Samples that came after the state began are in the next one.
      if (self[row] >= leafOf.length || leafOf[self[row]] === NONE) continue;
      if (!isWithin(row)) continue;
      rows[length] = row;
      leaf[length++] = leafOf[self[row]];
    }
    return { row: rows.subarray(0, length), leaf: leaf.subarray(0, length) };
  }

  /** By how many places the samples that were shown last have moved to the front: see `ChartSamples`. */
  #shiftTo(rows: Int32Array, { at: { ns } }: SampleTable): number {
    const before = this.#rows;
    if (rows.length === 0 || before.length === 0) return 0;
    return placeOf(rows[0], before, ns) - placeOf(before[0], rows, ns);
  }

  /**
   * A zoom of a link is no part of the samples so far, of which there are `count`: the rest of the log is not read yet.
   * It is asked for until there are enough; cut off, it would not be found again. Any other zoom was chosen among samples
   * that were on screen.
   */
  #waitsForSamples(count: number): boolean {
    const { zoom } = this.spec;
    const before = this.#shown;
    if (zoom === undefined || before?.zoom !== undefined || isSameZoom(zoom, before?.asked)) return false;
    return zoom.to > count || (zoom.from === 0 && zoom.to === count);
  }

  /** The zoom that is asked for; where other samples are shown than when it was, around the same ones. */
  #zoomIn(table: SampleTable, rows: Int32Array): ChartZoom | undefined {
    const asked = this.spec.zoom;
    const before = this.#shown;
    const isNew = before === undefined || !isSameZoom(before.asked, asked);
    let zoom = isNew ? asked : before.zoom;
    if (zoom === undefined || rows.length === 0) return undefined;
    if (!isNew && (rows[zoom.from] !== before.ends[0] || rows[zoom.to - 1] !== before.ends[1])) {
      const { ns } = table.at;
      zoom = { from: placeOf(before.ends[0], rows, ns), to: placeOf(before.ends[1], rows, ns) + 1 };
    }
    const from = Math.max(0, Math.min(rows.length - 1, zoom.from));
    const to = Math.max(from + 1, Math.min(rows.length, zoom.to));
    return from === 0 && to === rows.length ? undefined : { from, to };
  }
}

/** `main`, `http-worker-*`. */
function labelOf(only: readonly string[]): string {
  return only.length === 0 ? ALL_THREADS_LABEL : threadsText(only[0]).replace(/^threads? /, '');
}

function isSameZoom(a: ChartZoom | undefined, b: ChartZoom | undefined): boolean {
  return a?.from === b?.from && a?.to === b?.to;
}

/** The place of a row among rows in the order of time, or of the first one after it. */
function placeOf(row: number, rows: Int32Array, ns: Float64Array): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = rows[middle];
    if (ns[other] < ns[row] || (ns[other] === ns[row] && other < row)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The places of an order between which are all samples within the bounds. `areAll`: and no others. */
function placesWithin(
  order: TimeOrder,
  table: SampleTable,
  bounds: TimeBounds,
): { readonly first: number; readonly end: number; readonly areAll: boolean } {
  const { ns, bigints } = table.at;
  if (bigints !== undefined || bounds.except !== undefined)
    return { first: 0, end: order.length, areAll: false };
  const firstFrom = (least: number): number => {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ns[order.rowAt(middle)] < least) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const { least, end } = boundsAfterOrigin(table, bounds);
  const first = firstFrom(least);
  return { first, end: Math.max(first, firstFrom(end)), areAll: true };
}
