import type { ProfileQuery } from '../../../shared/engine/query.ts';
import { NONE } from '../../../shared/profile/columns.ts';
import type { SampleTable } from '../../../shared/profile/sample-table.ts';
import { rowsLeftOut, threadsAmong } from '../../../shared/scope/filters.ts';
import { exactly, threadsText } from '../../../shared/scope/thread-pattern.ts';
import { boundsOf } from '../../../shared/scope/time-range.ts';
import type { FrameKeys, TreeGrouping } from '../../../shared/engine/trees/grouping.ts';
import { ALL_THREADS_LABEL, poolOfThreadKey } from '../../../shared/engine/trees/keys.ts';
import type { SummableRows } from '../../../shared/engine/trees/row-tree.ts';
import { withinTest } from '../../../shared/engine/values/time-range.ts';
import {
  equalCells,
  firstFrom,
  linearCells,
  layoutChart,
} from '../../../shared/engine/views/chart-layout.ts';
import { shownTime } from '../../../shared/engine/views/timeline-columns.ts';
import { Pane } from './pane.ts';
import type { RowId } from '../pane-messages.ts';
import type { ChartSpec } from '../pane-specs.ts';

/** The stacks of some threads in the order of time, in the profile worker. */
export class ChartPane extends Pane<ChartSpec> {
  /** The thread that is shown until one is chosen: the one with most samples when the chart was opened. */
  #usual: string | undefined;

  override grouping(frames: FrameKeys): TreeGrouping {
    return { threads: this.spec.threads, frames };
  }

  refresh(query: ProfileQuery): void {
    const { view, post } = this.context;
    const table = view.samplesInContexts;
    if (table === undefined || table.length === 0) return;
    const { tree } = view.sums(this.grouping(query.keys));
    const only = this.spec.only ?? this.#usualThread(query);
    const order = view.samples.timeOrder(table);
    const { ns } = table.at;
    const [first, last] = [order.rowAt(0), order.rowAt(order.length - 1)];
    const shown = shownTime(ns[last] - ns[first], this.spec.zoom);
    const { at, leaf } = this.#samplesShown(table, this.#leaves(tree, only));
    const [from, to] = [firstFrom(at, shown.from), firstFrom(at, shown.to)];
    const pixels = Math.max(1, this.spec.pixels);
    const cells = this.spec.isEqual
      ? equalCells(at.subarray(from, to), leaf.subarray(from, to), pixels)
      : linearCells(at, leaf, shown, pixels);
    const matching = view.matches(tree.keys)?.matching;
    post({
      type: 'chart',
      pane: this.id,
      layout: layoutChart(cells, tree, { label: labelOf(only), matching }),
      only,
      count: at.length,
      from,
      to,
      shown,
      times: cells.times,
      isEqual: this.spec.isEqual,
      first: table.timeOf(first).toString(),
    });
  }

  override selectedRow(): RowId | undefined {
    const { selection, view } = this.context;
    if (selection?.of !== 'calls') return undefined;
    const { tree } = view.sums(this.grouping(view.query.keys));
    const row = tree.rowOf(selection.id);
    return row === NONE ? undefined : tree.idOf(row);
  }

  /** The thread with most samples, as long as it has any in scope. */
  #usualThread({ scope }: ProfileQuery): readonly string[] {
    const { names, samples } = this.context.view.samples.threads();
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
    const { view } = this.context;
    const { source, allValues, selfThreads } = view;
    const leaves = view.samples.leaves();
    const rowOf = new Int32Array(leaves.length);
    tree.rowsOfNodes(leaves, leaves.length, rowOf);
    for (let self = 0; self < rowOf.length; self++) if (leaves[self] === NONE) rowOf[self] = NONE;
    if (only.length === 0) return rowOf;
    const leftOut = rowsLeftOut(source, selfThreads, only, allValues);
    for (let self = 0; self < rowOf.length; self++) if (leftOut[self] === 1) rowOf[self] = NONE;
    return rowOf;
  }

  /** The samples in scope in the order of time: when they were taken, ns after the earliest one of all, and their rows of the tree. */
  #samplesShown(
    table: SampleTable,
    leafOf: Int32Array,
  ): { readonly at: Float64Array; readonly leaf: Int32Array } {
    const { view } = this.context;
    const order = view.samples.timeOrder(table);
    const isWithin = view.range === undefined ? undefined : withinTest(table, boundsOf(view.range, table));
    const {
      self,
      at: { ns },
    } = table;
    const origin = ns[order.rowAt(0)];
    const at = new Float64Array(order.length);
    const leaf = new Int32Array(order.length);
    let length = 0;
    for (let place = 0; place < order.length; place++) {
      const row = order.rowAt(place);
      // Samples that came after the state began are in the next one.
      if (self[row] >= leafOf.length || leafOf[self[row]] === NONE) continue;
      if (isWithin?.(row) === false) continue;
      at[length] = ns[row] - origin;
      leaf[length++] = leafOf[self[row]];
    }
    return { at: at.subarray(0, length), leaf: leaf.subarray(0, length) };
  }
}

/** `main`, `http-worker-*`. */
function labelOf(only: readonly string[]): string {
  return only.length === 0 ? ALL_THREADS_LABEL : threadsText(only[0]).replace(/^threads? /, '');
}
