import { NONE } from '../profile/columns.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { shownLabel } from '../text/format-frame.ts';
import { formatQuantity, formatShare } from '../text/format-value.ts';
import { displayLabel } from '../engine/trees/row-tree.ts';
import type { Metric } from '../engine/values/metric.ts';
import type { RowValues } from '../engine/values/row-sums.ts';
import type { SampleSum } from '../engine/values/self-values.ts';
import { flameWeights } from '../engine/views/flame-measures.ts';
import { heaviestBelow } from '../engine/views/heaviest-below.ts';
import { type TextSink, writeLines } from './text-sink.ts';
import { tableLines, type CellOptions, type Column, valueColumns } from './value-cells.ts';

interface HeaviestTreeOptions {
  /** Most lines with frames. */
  readonly limit: number;
  readonly metric: Metric;
  readonly units: ProfileUnits;
  /** The values that are 100 %. */
  readonly whole: SampleSum;
}

/** The loss of a chain for each frame that it is deeper, so that wide parts of a tree are shown before deep ones. */
const DECAY = 0.97;

/** Above all roots. */
const TOP = -2;

/**
 * A call tree whose rows are chains: frames of which each is the only child of the one before, where no sample ends but in
 * the last. All frames of a chain have the same total.
 */
class FoldedTree {
  readonly sums: RowValues;
  readonly weight: Float64Array;
  readonly cells: CellOptions;
  readonly #roots: readonly number[];

  constructor(sums: RowValues, { metric: wanted, units, whole }: Omit<HeaviestTreeOptions, 'limit'>) {
    const metric = units.value === undefined ? 'samples' : wanted;
    this.sums = sums;
    this.weight = flameWeights(this.sums, metric);
    this.cells = { units, metric, whole };
    this.#roots = this.sums.tree.roots().filter((row) => this.weight[row] > 0);
  }

  /** The weight of each row less what its depth costs. */
  get scores(): Float64Array {
    const { parent, length } = this.sums.tree;
    const depth = new Int32Array(length);
    const scores = this.weight.slice();
    for (let row = 0; row < length; row++) {
      if (parent[row] !== NONE) depth[row] = depth[parent[row]] + 1;
      scores[row] *= DECAY ** depth[row];
    }
    return scores;
  }

  firstChild(row: number): number {
    return row === TOP ? (this.#roots.at(0) ?? NONE) : this.sums.tree.firstChild(this.lastOf(row));
  }

  nextSibling(row: number): number {
    const { tree } = this.sums;
    if (tree.parent[row] !== NONE) return tree.nextSibling(row);
    return this.#roots.at(this.#roots.indexOf(row) + 1) ?? NONE;
  }

  /** The first frames of the chains below, the heaviest first. */
  below(row: number): number[] {
    const rows: number[] = [];
    for (let child = this.firstChild(row); child !== NONE; child = this.nextSibling(child))
      if (this.weight[child] > 0) rows.push(child);
    return rows.sort((a, b) => this.weight[b] - this.weight[a] || a - b);
  }

  /** The last frame of a chain. The root of a thread is a chain of its own. */
  lastOf(first: number): number {
    const { tree } = this.sums;
    if (tree.parent[first] === NONE) return first;
    for (let row = first; ;) {
      let only = NONE;
      for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child)) {
        if (!(this.weight[child] > 0)) continue;
        if (only !== NONE) return row;
        only = child;
      }
      if (only === NONE || this.weight[only] !== this.weight[row]) return row;
      row = only;
    }
  }

  /** `Shop.main › 3 frames › Shop.loop`. */
  label(first: number): string {
    const { tree } = this.sums;
    const last = this.lastOf(first);
    let between = -1;
    for (let row = last; row !== first; row = tree.parent[row]) between++;
    const [from, to] = [first, last].map((row) => shownLabel(displayLabel(tree, row)));
    if (between < 0) return from;
    return between === 0 ? `${from} › ${to}` : `${from} › ${formatQuantity(between, 'frame')} › ${to}`;
  }

  /** The lines of a table of chains. `names`: the same number of texts; for a chain of NONE the whole line. */
  lines(chains: readonly number[], names: readonly string[]): readonly string[] {
    const { selfCount, selfTime, totalCount, totalTime } = this.sums;
    const rows = chains.filter((chain) => chain !== NONE).map((chain) => this.lastOf(chain));
    const columns = [
      ...valueColumns(rows, { title: 'Total', count: totalCount, time: totalTime }, this.cells),
      valueColumns(rows, { title: 'Self', count: selfCount, time: selfTime }, this.cells)[0],
    ];
    const spread = columns.map(([title, ...cells]): Column => {
      const left = cells.values();
      return [title, ...chains.map((chain) => (chain === NONE ? '' : (left.next().value ?? '')))];
    });
    return tableLines(spread, ['Calls', ...names]);
  }
}

/** A line of the heaviest part of a tree: a chain of frames, or what is left out below the line above. */
type HeavyLine =
  | { readonly depth: number; readonly first: number; readonly last: number }
  | { readonly depth: number; readonly leftOut: number; readonly weight: number };

/** The heaviest part of a tree. Self and lines of the next level have all that a line has. */
export class HeaviestTree {
  readonly lines: readonly HeavyLine[];
  readonly total: number;
  readonly #tree: FoldedTree;

  constructor(sums: RowValues, options: HeaviestTreeOptions) {
    const tree = new FoldedTree(sums, options);
    this.#tree = tree;
    const taken = heaviestBelow(tree, tree.scores, TOP, options.limit + 1);
    this.total = tree.below(TOP).reduce((sum, row) => sum + tree.weight[row], 0);
    const lines: HeavyLine[] = [];
    // Pre-order without recursion.
    const pending: { readonly depth: number; readonly of: number | HeavyLine }[] = [{ depth: -1, of: TOP }];
    for (;;) {
      const next = pending.pop();
      if (next === undefined) break;
      const { depth, of } = next;
      if (typeof of === 'object') {
        lines.push(of);
        continue;
      }
      if (of !== TOP) lines.push({ depth, first: of, last: tree.lastOf(of) });
      const below = tree.below(of);
      const left = below.filter((row) => !taken.has(row));
      const weight = left.reduce((sum, row) => sum + tree.weight[row], 0);
      if (left.length > 0)
        pending.push({ depth: depth + 1, of: { depth: depth + 1, leftOut: left.length, weight } });
      for (const row of below.filter((each) => taken.has(each)).reverse())
        pending.push({ depth: depth + 1, of: row });
    }
    this.lines = lines;
  }

  /**
   * For people: callers above what they call, the heaviest first, chains of frames in one line, and at each place what is
   * left out.
   *
   *    Total %  Total samples   Self %  Calls
   *   100.00 %             37   0.00 %  All threads
   *    72.97 %             27   0.00 %    Shop.main › 3 frames › Shop.loop
   *                                         … 2 more, 5.41 %
   */
  write(sink: TextSink): void {
    const names = this.lines.map((line) => {
      const name =
        'first' in line
          ? this.#tree.label(line.first)
          : `… ${line.leftOut} more, ${formatShare(line.weight, this.total)}`;
      return '  '.repeat(line.depth) + name;
    });
    const chains = this.lines.map((line) => ('first' in line ? line.first : NONE));
    writeLines(this.#tree.lines(chains, names), sink);
  }
}
