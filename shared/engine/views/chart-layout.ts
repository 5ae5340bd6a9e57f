import { NONE } from '../../profile/columns.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { ChartSamples } from './chart-samples.ts';
import { ALL_ROWS, FlameBuilder, type FlameLayout, KIND } from './flame-columns.ts';

export interface ChartOptions {
  /** The places that are shown: [from, to). */
  readonly from: number;
  readonly to: number;
  /** Width of all of them, device pixels. Runs narrower than a pixel are grouped. */
  readonly pixels: number;
  /** What the row at the root says that stands for all samples. */
  readonly label: string;
  /** key -> 1 if it matches the search. */
  readonly matching: Uint8Array | undefined;
}

type Tree = Pick<RowTree, 'parent' | 'key' | 'length' | 'idOf' | 'label' | 'kind'>;

/**
 * Lays out stacks in the order in which they were sampled, like a flame graph: a frame is a run of neighbours with the
 * same path, as wide as it has samples. `start` is counted from the first place that is shown. Adjacent runs that are
 * narrower than a pixel, and gaps as narrow between them, are one block; `weight` has the gaps, `totalCount` does not. For
 * every frame, the samples of its runs and blocks and its own add up to its samples.
 *
 * Time and memory: as `layoutFlame`. Of the samples below a frame that is drawn only the ends of runs are looked at.
 */
export function layoutChart(samples: ChartSamples, tree: Tree, options: ChartOptions): FlameLayout {
  const { from, to, pixels, label, matching } = options;
  const { leaf, shared, depth } = samples;
  const { parent: up, key } = tree;
  const whole = to - from;
  const builder = new FlameBuilder(pixels);
  if (whole <= 0) return builder.layout();
  const deepestMatch = matching && deepestMatches(tree, matching, depth);
  /** Levels above depth 0. */
  const above = samples.hasOneRoot ? 0 : 1;
  const isNarrow = (first: number, end: number): boolean => (end - first) * pixels < whole;

  /** A place in a gap has no stack. */
  const depthAt = (place: number): number => (leaf[place] === NONE ? -1 : depth[leaf[place]]);

  /** The row at a depth of the stack at a place. */
  function rowAt(place: number, at: number): number {
    let row = leaf[place];
    for (let steps = depth[row] - at; steps > 0; steps--) row = up[row];
    return row;
  }

  const nameOf = (row: number): string => (tree.kind(row) === 'all' ? label : tree.label(row));

  function appendFrame(row: number, parent: number, first: number, end: number): void {
    const at = builder.append(KIND[tree.kind(row)], nameOf(row), parent, first - from, end - first);
    builder.id[at] = tree.idOf(row);
    builder.totalCount[at] = end - first;
    if (key[row] >= 0 && matching?.[key[row]] === 1) builder.markMatch(at);
  }

  /** The end of the block that begins at a place: before the next run or gap that is a pixel wide. */
  function endOfBlock(first: number, limit: number, at: number): number {
    let end = first;
    for (let place = first; place < limit;) {
      if (depthAt(place) < at) {
        const gap = place;
        while (place < limit && depthAt(place) < at && isNarrow(gap, place)) place++;
        if (!isNarrow(gap, place)) break;
      } else {
        const next = samples.nextBreak(place, at, limit);
        if (!isNarrow(place, next)) break;
        place = end = next;
      }
    }
    return end;
  }

  /** Appends the runs [first, end) at a depth as a block. Returns the number of samples that ended above it. */
  function appendBlock(parent: number, first: number, end: number, at: number): number {
    const block = builder.append(KIND.block, '', parent, first - from, end - first);
    builder.openColumns(block, first - from, end - first, whole);
    let frames = 0;
    let count = 0;
    for (let place = first; place < end;) {
      const row = leaf[place];
      let next = place + 1;
      while (next < end && leaf[next] === row) next++;
      if (depth[row] >= at) {
        count += next - place;
        // What the first stack has in common with the one before is not in this block.
        frames += depth[row] + 1 - (place === first ? at : Math.max(at, shared[place]));
        const match = deepestMatch !== undefined && deepestMatch[row] >= at;
        builder.fillColumns(place - from, next - from, whole, depth[row] + 1 + above, match);
      }
      place = next;
    }
    builder.id[block] = tree.idOf(rowAt(first, at));
    builder.lastId[block] = tree.idOf(rowAt(end - 1, at));
    builder.grouped[block] = frames;
    builder.totalCount[block] = count;
    return end - first - count;
  }

  function appendChildren(parent: number, at: number): void {
    const end = from + builder.start[parent] + builder.weight[parent];
    let ended = 0;
    for (let place = from + builder.start[parent]; place < end;) {
      if (depthAt(place) < at) {
        ended++;
        place++;
        continue;
      }
      const next = samples.nextBreak(place, at, end);
      if (isNarrow(place, next)) {
        const blockEnd = endOfBlock(place, end, at);
        ended += appendBlock(parent, place, blockEnd, at);
        place = blockEnd;
      } else {
        appendFrame(rowAt(place, at), parent, place, next);
        place = next;
      }
    }
    builder.selfCount[parent] = ended;
  }

  if (samples.hasOneRoot) appendFrame(rowAt(from, 0), NONE, from, to);
  else {
    builder.append(KIND.all, label, NONE, 0, whole);
    builder.id[0] = ALL_ROWS;
    builder.totalCount[0] = whole;
  }
  for (let level = 1, first = 0; first < builder.length; level++) {
    const end = builder.length;
    builder.endLevel();
    for (let row = first; row < end; row++)
      if (builder.kind[row] % 8 !== KIND.block) appendChildren(row, level - above);
    first = end;
  }
  return builder.layout();
}

/** Row -> the depth of the deepest row on its path that matches; -1 where none does. O(rows). */
function deepestMatches({ parent, key, length }: Tree, matching: Uint8Array, depth: Int32Array): Int32Array {
  const deepest = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    if (key[row] >= 0 && matching[key[row]] === 1) deepest[row] = depth[row];
    else deepest[row] = parent[row] === NONE ? -1 : deepest[parent[row]];
  }
  return deepest;
}
