import { NONE } from '../../profile/columns.ts';
import { sampleSpan, type SampleTable } from '../../profile/sample-table.ts';
import type { Chains } from '../trees/chains.ts';
import type { KeyTable } from '../trees/keys.ts';
import type { MethodEnds } from '../trees/callers.ts';
import { boundedBy, lengthOf, type TimeBounds, type TimeSpan } from '../values/time-range.ts';
import { TIME_PARTS } from './time-pattern.ts';

/**
 * When rows have their samples: how many in each of TIME_PARTS equal parts of the time that is looked at. Only for the
 * rows on screen, so that it costs a scan of the samples and no memory per row of the tree.
 *
 *   row * TIME_PARTS + part   ->   samples
 */
export type RowTimes = Uint32Array<ArrayBuffer>;

/** Samples, the part of their time that is looked at, and where they end. */
export interface TimedSamples {
  readonly samples: SampleTable;
  readonly bounds: TimeBounds;
  /** Row of the SelfTable -> the call node where its samples end; NONE where they do not count. */
  readonly leaves: Int32Array;
}

/** Keys that are looked for at once: as many as a number has bits. */
const KEYS_AT_ONCE = 32;

/** The times of rows of a tree: of all samples that end at or below them. O(rows of the tree + samples). */
export function timesOfRows(timed: TimedSamples, tree: MethodEnds, rows: ArrayLike<number>): RowTimes {
  const { parent } = tree;
  /** Row of the tree -> the place in `rows` of itself, or of the nearest row above it that is there. */
  const nearest = new Int32Array(tree.length).fill(NONE);
  for (let at = 0; at < rows.length; at++) nearest[rows[at]] = at;
  for (let row = 0; row < nearest.length; row++)
    if (nearest[row] === NONE && parent[row] !== NONE) nearest[row] = nearest[parent[row]];
  const groupOf = rowsOf(tree, timed.leaves).map((row) => (row === NONE ? NONE : nearest[row]));
  const times = countInParts(timed, groupOf, rows.length);
  // Parents have smaller numbers than their children.
  const order = Int32Array.from({ length: rows.length }, (_, at) => at).sort((a, b) => rows[b] - rows[a]);
  for (const at of order) {
    const up = parent[rows[at]] === NONE ? NONE : nearest[parent[rows[at]]];
    for (let part = 0; up !== NONE && part < TIME_PARTS; part++)
      times[up * TIME_PARTS + part] += times[at * TIME_PARTS + part];
  }
  return times;
}

/** The times of methods, or lines of them: of all samples with them on their stack, each once. O(call nodes + samples). */
export function timesOfKeys(
  timed: TimedSamples,
  chains: Chains,
  keys: KeyTable,
  shown: ArrayLike<number>,
): RowTimes {
  const times = new Uint32Array(shown.length * TIME_PARTS);
  const keyOf = chains.keyOf(keys);
  const ends = rowsOf(chains, timed.leaves);
  for (let from = 0; from < shown.length; from += KEYS_AT_ONCE) {
    const count = Math.min(KEYS_AT_ONCE, shown.length - from);
    const onStack = keysOnStacks(chains, keyOf, bitsOfKeys(keys, shown, from, count));
    const groups = new Map<number, number>();
    const groupOf = ends.map((chain) => {
      const bits = chain === NONE ? 0 : onStack[chain];
      if (bits === 0) return NONE;
      const group = groups.get(bits) ?? groups.size;
      groups.set(bits, group);
      return group;
    });
    const ofGroups = countInParts(timed, groupOf, groups.size);
    for (const [bits, group] of groups)
      for (let at = 0; at < count; at++)
        if ((bits & (1 << at)) !== 0)
          for (let part = 0; part < TIME_PARTS; part++)
            times[(from + at) * TIME_PARTS + part] += ofGroups[group * TIME_PARTS + part];
  }
  return times;
}

/** Row of `node` -> the bits of those keys that are on the path to it: at most KEYS_AT_ONCE. O(call nodes + rows). */
export function keysOfNodes(
  chains: Chains,
  keys: KeyTable,
  shown: ArrayLike<number>,
  node: Int32Array,
  length: number,
): Int32Array {
  const onStack = keysOnStacks(chains, chains.keyOf(keys), bitsOfKeys(keys, shown, 0, shown.length));
  const found = new Int32Array(length);
  chains.rowsOfNodes(node, length, found);
  return found.map((chain) => onStack[chain]);
}

/** Key -> the bits of the places in `shown` at which it is, from one place on. A line of a split method counts for the method, too. */
function bitsOfKeys(keys: KeyTable, shown: ArrayLike<number>, from: number, count: number): Int32Array {
  const bitsOf = new Int32Array(keys.length);
  for (let at = 0; at < count; at++) bitsOf[shown[from + at]] |= 1 << at;
  for (let key = 0; key < keys.length; key++) bitsOf[key] |= bitsOf[keys.methodOf[key]];
  return bitsOf;
}

/** Chain -> the bits of all keys on its path from the root. A sample that ends in a chain ends at its last node. */
function keysOnStacks(
  { length, start, parent, frame }: Chains,
  keyOf: Int32Array,
  bitsOf: Int32Array,
): Int32Array {
  const found = new Int32Array(length);
  for (let chain = 0; chain < length; chain++) {
    const isRoot = parent[chain] === NONE;
    let bits = isRoot ? 0 : found[parent[chain]];
    // The root of a thread has no key.
    for (let node = start[chain] + (isRoot ? 1 : 0); node < start[chain + 1]; node++)
      bits |= bitsOf[keyOf[frame[node]]];
    found[chain] = bits;
  }
  return found;
}

function rowsOf(rows: Pick<MethodEnds, 'rowsOfNodes'>, leaves: Int32Array): Int32Array {
  const found = new Int32Array(leaves.length);
  const nodes = leaves.map((node) => (node === NONE ? 0 : node));
  rows.rowsOfNodes(nodes, nodes.length, found);
  for (let row = 0; row < found.length; row++) if (leaves[row] === NONE) found[row] = NONE;
  return found;
}

/** Counts samples by the group of their row of the SelfTable, NONE for no group, and by the part of the time. */
function countInParts({ samples, bounds }: TimedSamples, groupOf: Int32Array, groups: number): RowTimes {
  const counts = new Uint32Array(groups * TIME_PARTS);
  const span = sampleSpan(samples);
  if (span === undefined) return counts;
  const { origin = 0n } = samples;
  const all = boundedBy(bounds, { from: span.first, to: span.last + 1n });
  const left = boundedBy(bounds.except ?? NOTHING, all);
  const gap = lengthOf(left);
  const width = Number(lengthOf(all) - gap) / TIME_PARTS;
  if (width <= 0) return counts;
  const gapStart = gap === 0n ? Infinity : Number(left.from - origin);
  addInParts(samples, groupOf, counts, {
    start: Number(all.from - origin),
    width,
    gapStart,
    gap: Number(gap),
  });
  return counts;
}

const NOTHING: TimeSpan = { from: 0n, to: 0n };

/** Equal parts of a time, without one that is left out: the next part goes on after it. */
interface Parts {
  readonly start: number;
  readonly width: number;
  readonly gapStart: number;
  readonly gap: number;
}

/** A separate function with arrays only, so that V8 compiles the loop early. */
function addInParts(
  { length, self, at: { ns } }: SampleTable,
  groupOf: Int32Array,
  counts: Uint32Array,
  { start, width, gapStart, gap }: Parts,
): void {
  for (let row = 0; row < length; row++) {
    // Samples that came after the state of the views have no group yet.
    const group = self[row] < groupOf.length ? groupOf[self[row]] : NONE;
    if (group === NONE) continue;
    const at = ns[row];
    if (at >= gapStart && at < gapStart + gap) continue;
    const part = Math.floor((at - start - (at >= gapStart ? gap : 0)) / width);
    if (part >= 0 && part < TIME_PARTS) counts[group * TIME_PARTS + part]++;
  }
}
