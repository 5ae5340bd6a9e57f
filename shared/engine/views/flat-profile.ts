import { extended, NONE, zeroed } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { TimeColumn } from '../../profile/time-column.ts';
import type { FrameKeys, Recursion } from '../trees/grouping.ts';
import { KeyTable } from '../trees/keys.ts';
import { preOrder, extentOf } from '../trees/row-tree.ts';
import { type ChainSums, hasNumbers } from '../values/value-columns.ts';
import { SelfChanges, type SelfGains } from '../values/self-changes.ts';
import { NO_SAMPLES, type SampleSum, type SelfValues, sumSelfValues } from '../values/self-values.ts';
import type { Chains } from '../trees/chains.ts';
import type { GrowingTree } from '../trees/growing-tree.ts';

/**
 * The flat profile: one row per key, for all threads together. A row's number is its key in the KeyTable. A split method
 * counts a sample once, however many of its lines are on the stack, and so does each line.
 */
export class FlatProfile {
  readonly recursion: Recursion;
  keys: KeyTable;
  selfCount: Float64Array<ArrayBuffer> = new Float64Array(0);
  totalCount: Float64Array<ArrayBuffer> = new Float64Array(0);
  selfTime = new TimeColumn(0);
  totalTime = new TimeColumn(0);

  readonly #profile: LeanProfile;
  readonly #selfChanges = new SelfChanges();
  readonly #counted = new CountedNodes();
  /** The values that the last update summed. */
  #summed: SelfValues | undefined;

  constructor(profile: LeanProfile, frames: FrameKeys, recursion: Recursion) {
    this.#profile = profile;
    this.keys = new KeyTable(profile, frames);
    this.recursion = recursion;
  }

  get length(): number {
    return this.keys.length;
  }

  /** The whole that shares refer to: the sum of the values of the last update. */
  get whole(): SampleSum {
    return this.#summed === undefined ? NO_SAMPLES : sumSelfValues(this.#summed);
  }

  /** Whether a row has samples or time; the others were withdrawn, or are not among the summed values. */
  isShown(row: number): boolean {
    return hasNumbers(this, row);
  }

  label(row: number): string {
    return this.keys.labels[row];
  }

  /**
   * Sums `values`, whose nodes must be within `extent`. Few changes since the last update are added along their stacks.
   * After many changes, or for other values, everything is summed again.
   *
   * `chainSums` is then called and returns up-to-date sums of the same values over chains. With `areWhole` (all counts
   * are whole numbers) it may use chains of a tree with the same frame grouping, which are fewer. Otherwise it must use
   * chains of the profile, because a sum of fractions depends on the order of its terms.
   */
  update(
    values: SelfValues,
    chainSums: (areWhole: boolean) => ChainSums,
    extent = extentOf(this.#profile),
  ): void {
    if (this.#summed !== values) this.#selfChanges.forget();
    this.#summed = values;
    if (!this.keys.update(extent.frames)) {
      this.keys = new KeyTable(this.#profile, this.keys.grouping);
      this.keys.update(extent.frames);
      this.#selfChanges.forget();
    }
    const gains = this.#selfChanges.take(values);
    // Per level, a sample may count once per frame of its stack, so sums could exceed the range of exact doubles.
    if (gains !== undefined && this.recursion === 'once' && this.#add(gains)) return;
    const { areWhole } = this.#selfChanges;
    this.#sum(chainSums(areWhole), areWhole);
  }

  /** Adds changes along their stacks. False, with incomplete sums, if summing everything again costs less. */
  #add(gains: SelfGains): boolean {
    const { parent, frame, length } = this.#profile.nodes;
    const { ofFrame: keyOf, methodOf, hasLines } = this.keys;
    const selfCount = (this.selfCount = extended(this.selfCount, this.keys.length));
    const totalCount = (this.totalCount = extended(this.totalCount, this.keys.length));
    this.selfTime.extend(this.keys.length);
    this.totalTime.extend(this.keys.length);
    const selfNs = this.selfTime.ns;
    const totalNs = this.totalTime.ns;
    /** key -> the last change, counted from 1, that was added to it. */
    const seen = new Int32Array(this.keys.length);
    const above = (key: number): number => (hasLines && methodOf[key] !== key ? methodOf[key] : NONE);
    let steps = 0;
    for (let at = 0; at < gains.node.length; at++) {
      const count = gains.count[at];
      const ns = gains.ns[at];
      const leaf = gains.node[at];
      // A line of a split method counts for the method, too.
      for (let key = frame[leaf] < 0 ? NONE : keyOf[frame[leaf]]; key !== NONE; key = above(key)) {
        selfCount[key] += count;
        selfNs[key] += ns;
      }
      for (let node = leaf; parent[node] !== NONE; node = parent[node]) {
        steps++;
        for (let key = keyOf[frame[node]]; key !== NONE; key = above(key)) {
          if (seen[key] === at + 1) continue;
          seen[key] = at + 1;
          totalCount[key] += count;
          totalNs[key] += ns;
        }
      }
      if (steps > length) return false;
    }
    return true;
  }

  #sum(sums: ChainSums, areWhole: boolean): void {
    const keyOf = sums.chains.keyOf(this.keys);
    const { length } = this.keys;
    this.selfCount = new Float64Array(length);
    this.totalCount = new Float64Array(length);
    this.selfTime = new TimeColumn(length);
    this.totalTime = new TimeColumn(length);
    // The usual case: sums are exact as doubles, and a sample counts once.
    if (this.recursion === 'once' && sums.sumsAreExact) this.#sumOnce(sums, keyOf, areWhole);
    else sumBigints(sums, keyOf, this);
    if (this.keys.hasLines) sumBigints(sums, splitMethodKeys(keyOf, this.keys), this);
  }

  #sumOnce(sums: ChainSums, keyOf: Int32Array, areWhole: boolean): void {
    const counted = this.#counted;
    // A sum of fractions depends on the order of its terms.
    if (areWhole && counted.areOf(sums.chains, this.keys)) return sumCounted(sums, keyOf, counted.bits, this);
    counted.restart(sums.chains, this.keys);
    sumDoubles(sums, keyOf, counted.bits, this);
  }
}

/** `frame` of a node -> the key of its split method; NONE for frames of other methods. */
function splitMethodKeys(keyOf: Int32Array, { methodOf }: KeyTable): Int32Array {
  return keyOf.map((key) => (methodOf[key] === key ? NONE : methodOf[key]));
}

/** The sums to fill: key -> self and total values. */
type FlatSums = Pick<
  FlatProfile,
  'selfCount' | 'selfTime' | 'totalCount' | 'totalTime' | 'recursion' | 'length'
>;

/**
 * A key's total is the sum over its nodes that have no node of the same key above them. Chains are visited in pre-order,
 * so a chain's subtree directly follows the chain. When a key is counted in a chain, all its nodes up to the end of the
 * chain's subtree are below the counted one. So `coveredTo` stores this end for each key.
 *
 * Samples end at the last node of a chain, so self values belong to the key of that node. `counted`: the bits of the nodes
 * that count are set.
 */
function sumDoubles(from: ChainSums, keyOf: Int32Array, counted: Uint32Array, sums: FlatSums): void {
  const { chains, totalCount, selfCount } = from;
  const { start, parent, frame } = chains;
  const totalNs = from.totalTime.ns;
  const selfNs = from.selfTime.ns;
  const keySelfCount = sums.selfCount;
  const keyCount = sums.totalCount;
  const keySelfNs = sums.selfTime.ns;
  const keyNs = sums.totalTime.ns;
  const { order, sizes } = preOrder(chains);
  const coveredTo = new Int32Array(sums.length);
  for (let at = 0; at < order.length; at++) {
    const chain = order[at];
    const subtreeEnd = at + sizes[chain];
    const count = totalCount[chain];
    const ns = totalNs[chain];
    const end = start[chain + 1];
    let key = NONE;
    // The root of a thread has no key.
    for (let node = start[chain] + (parent[chain] === NONE ? 1 : 0); node < end; node++) {
      key = keyOf[frame[node]];
      if (at < coveredTo[key]) continue;
      coveredTo[key] = subtreeEnd;
      counted[node >>> 5] |= 1 << (node & 31);
      keyCount[key] += count;
      keyNs[key] += ns;
    }
    if (key === NONE) continue;
    keySelfCount[key] += selfCount[chain];
    keySelfNs[key] += selfNs[chain];
  }
}

/** Sums chains of which it is known which nodes count. */
function sumCounted(from: ChainSums, keyOf: Int32Array, counted: Uint32Array, sums: FlatSums): void {
  const { chains, totalCount, selfCount } = from;
  const { start, parent, frame, length } = chains;
  const totalNs = from.totalTime.ns;
  const selfNs = from.selfTime.ns;
  const keySelfCount = sums.selfCount;
  const keyCount = sums.totalCount;
  const keySelfNs = sums.selfTime.ns;
  const keyNs = sums.totalTime.ns;
  for (let chain = 0; chain < length; chain++) {
    const first = start[chain];
    const last = start[chain + 1] - 1;
    const count = totalCount[chain];
    const ns = totalNs[chain];
    const endWord = count === 0 && ns === 0 ? 0 : (last >>> 5) + 1;
    for (let word = first >>> 5; word < endWord; word++) {
      let bits = counted[word];
      if (word === first >>> 5) bits &= -1 << (first & 31);
      if (word === last >>> 5) bits &= -1 >>> (31 - (last & 31));
      for (; bits !== 0; bits &= bits - 1) {
        const key = keyOf[frame[(word << 5) + 31 - Math.clz32(bits & -bits)]];
        keyCount[key] += count;
        keyNs[key] += ns;
      }
    }
    if ((selfCount[chain] === 0 && selfNs[chain] === 0) || (parent[chain] === NONE && first === last))
      continue;
    const key = keyOf[frame[last]];
    keySelfCount[key] += selfCount[chain];
    keySelfNs[key] += selfNs[chain];
  }
}

/**
 * Sums by key with TimeColumn, whose sums are exact in any range. With recursion `per-level` it counts every occurrence.
 * Nodes without a key are left out.
 */
function sumBigints(from: ChainSums, keyOf: Int32Array, sums: FlatSums): void {
  const { chains } = from;
  const { start, parent, frame } = chains;
  const once = sums.recursion === 'once';
  const { order, sizes } = preOrder(chains);
  const coveredTo = new Int32Array(sums.length);
  for (let at = 0; at < order.length; at++) {
    const chain = order[at];
    const end = start[chain + 1];
    let key = NONE;
    for (let node = start[chain] + (parent[chain] === NONE ? 1 : 0); node < end; node++) {
      key = keyOf[frame[node]];
      if (key === NONE || (once && at < coveredTo[key])) continue;
      coveredTo[key] = at + sizes[chain];
      sums.totalCount[key] += from.totalCount[chain];
      sums.totalTime.addFrom(key, from.totalTime, chain);
    }
    if (key === NONE) continue;
    sums.selfCount[key] += from.selfCount[chain];
    sums.selfTime.addFrom(key, from.selfTime, chain);
  }
}

/**
 * The call nodes, or rows of a tree, whose samples count for their key: no node above has the same key. One bit each. That
 * depends on the structure only, so that other values are summed over the same nodes without looking at their stacks again.
 *
 *   node      0  1  2  3  4      one stack, from the root
 *   key       a  b  a  a  c
 *   counts    1  1  0  0  1
 */
class CountedNodes {
  bits: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  #keys: KeyTable | undefined;
  #tree: GrowingTree | undefined;
  #numbering = 0;
  #nodes = -1;

  /** Whether the bits are those of the nodes in these chains. */
  areOf(chains: Chains, keys: KeyTable): boolean {
    return (
      keys === this.#keys &&
      chains.tree === this.#tree &&
      (chains.tree?.numbering ?? 0) === this.#numbering &&
      chains.start[chains.length] === this.#nodes
    );
  }

  /** No bit is set; set those of the nodes in these chains. */
  restart(chains: Chains, keys: KeyTable): void {
    const nodes = chains.start[chains.length];
    this.bits = zeroed(this.bits, (nodes >>> 5) + 1);
    this.#keys = keys;
    this.#tree = chains.tree;
    this.#numbering = chains.tree?.numbering ?? 0;
    this.#nodes = nodes;
  }
}
