import { NONE, release } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { isErrorMethod, type MethodNames } from '../profile/method-table.ts';
import { sampleSpan } from '../profile/sample-table.ts';
import type { Part } from '../engine/values/share-change.ts';
import { SelfThreads } from '../engine/values/self-threads.ts';
import type { SelfValues } from '../engine/values/self-values.ts';
import { boundsAfterOrigin, withinTest } from '../engine/values/time-range.ts';
import type { TimedSamples } from '../engine/views/row-times.ts';
import { TIME_PARTS, timePattern, type TimePattern } from '../engine/views/time-pattern.ts';
import type { FindingFacts, FindingPeriod } from './finding.ts';
import { clockText } from '../scope/time-range.ts';
import { WAITING_METHODS } from '../text/waiting-methods.ts';
import { EMPTY_STACK_NAME } from '../text/pseudo-frames.ts';
import { FrameClasses, type FramePattern, fullName, ownCode } from './frame-classes.ts';

/** A sample that ended in such a method used no processor. */
const WAITING: FramePattern = { any: WAITING_METHODS, isLeaf: true };

/** Frames that stand for callers which are missing. */
const TRUNCATED: FramePattern = { any: ['(truncated)', '(truncated at depth *)'] };

export interface StackQuestion {
  readonly profile: LeanProfile;
  readonly values: SelfValues;
  readonly timed: TimedSamples | undefined;
  readonly facts: FindingFacts;
  readonly own: readonly string[];
  readonly patterns: readonly FramePattern[];
}

/**
 * All that checks ask of the stacks of a profile, found in passes over its call nodes and over its samples. It is of the
 * profile as it was then: checks are made one after the other, while a log grows. A pass over the call nodes has a column as
 * long as they are, which is freed with it: only what it found for the rows of the values stays.
 *
 *   row of the values   node   bits       own
 *   0                   17     F3 F5      the call node of Shop.parse
 */
export class StackFacts {
  readonly profile: LeanProfile;
  /** Rows with samples. */
  readonly length: number;
  readonly node: Int32Array;
  /** The weight of a row: samples, or the value where these are no samples. */
  readonly weight: Float64Array;
  /** The number of independent samples of a row. */
  readonly draws: Float64Array;
  /** Parts of the weight that are in the first tenth and in the second half of the time; undefined: times are not known. */
  readonly early: Float64Array | undefined;
  readonly late: Float64Array | undefined;
  /** 1: the thread was running, on a stack that is known. */
  readonly running: Uint8Array;
  readonly waiting: Uint8Array;
  readonly truncated: Uint8Array;
  readonly errors: Uint8Array;
  /** The condition of `running` rows in words, behind the noun of the samples. Empty: all are. */
  readonly whole: string;
  /** Samples do not tell more than `draws`, because one follows from the one before. */
  readonly areDependent: boolean;
  /** The nearest call node of own code on the stack; NONE: there is none. */
  readonly own: Int32Array;
  readonly classes: FrameClasses;
  /** Times of the samples in scope; undefined: not known. */
  spanNs: number | undefined;
  /** The beginning of that time, as in the column `at`. */
  #fromNs = 0;
  readonly #timed: TimedSamples | undefined;
  /** The number of samples, and their first and last time. */
  readonly #samples: number;
  readonly #span: ReturnType<typeof sampleSpan>;
  readonly #patterns: number;
  /** Patterns on the stack of a row, those of leaves only where the sample ended in one. */
  readonly #bits: Int32Array;
  readonly #count: Float64Array;
  /** Row of the SelfTable that the samples name -> row of the values; NONE outside of the scope. */
  #rowOfSelf: Int32Array | undefined;
  #threads: Int32Array | undefined;
  /** Row of the MethodTable -> its name, as far as it was asked for. */
  readonly #names: string[] = [];

  constructor({ profile, values, timed, facts, own, patterns }: StackQuestion) {
    this.profile = profile;
    this.length = values.length;
    this.node = values.node.slice(0, this.length);
    this.#timed = timed;
    this.#samples = timed?.samples.length ?? 0;
    this.#span = timed && sampleSpan(timed.samples);
    this.#count = values.count.slice(0, this.length);
    this.#patterns = patterns.length;
    this.classes = new FrameClasses(profile, [...patterns, WAITING, TRUNCATED], ownCode(own));
    this.#bits = this.#patternsOnPath();
    this.own = this.ownAbove(this.node);
    const { counted, value } = facts.units;
    const isTime = counted.isSampled !== true && value !== undefined;
    const isBytes = value?.unit === 'bytes';
    this.weight = isTime || isBytes ? values.time.ns.slice(0, this.length) : this.#count;
    this.areDependent = facts.format === 'thread-dump' || counted.isDependent === true;
    this.running = new Uint8Array(this.length);
    this.waiting = new Uint8Array(this.length);
    this.truncated = new Uint8Array(this.length);
    this.errors = new Uint8Array(this.length);
    this.#sortRows(facts.truncated?.depth);
    this.whole = `${this.waiting.includes(1) ? ' of running threads' : ''}${this.errors.includes(1) ? ' with a stack' : ''}`;
    this.draws = this.areDependent ? this.#runs() : this.#count;
    ({ early: this.early, late: this.late } = this.#parts());
  }

  countOf(row: number): number {
    return this.#count[row];
  }

  /** The number of samples of some rows that are among others. */
  samplesOf(rows: Uint8Array, among: Uint8Array): number {
    let sum = 0;
    for (let row = 0; row < this.length; row++)
      if (rows[row] === 1 && among[row] === 1) sum += this.#count[row];
    return sum;
  }

  /** Whether the frames of a pattern are on the stack of a row. */
  has(row: number, pattern: number): boolean {
    return (this.#bits[row] & (1 << pattern)) !== 0;
  }

  /** Row of the values -> 1 where a pattern is on the stack. */
  rowsWith(pattern: number): Uint8Array {
    const rows = new Uint8Array(this.length);
    for (let row = 0; row < this.length; row++) rows[row] = (this.#bits[row] >>> pattern) & 1;
    return rows;
  }

  /** Row of the values -> the outermost call node of a pattern on its stack; NONE: there is none. O(call nodes). */
  outermost(pattern: number): Int32Array {
    const { parent, length } = this.profile.nodes;
    const found = new Int32Array(length).fill(NONE);
    const bit = 1 << pattern;
    for (let node = 0; node < length; node++) {
      const up = parent[node];
      if (up === NONE) continue;
      found[node] = found[up] === NONE && (this.#patternsOf(node) & bit) !== 0 ? node : found[up];
    }
    return valuesAt(this.node, found);
  }

  /** Row -> the nearest call node of own code at or above `nodes[row]`; NONE: there is none. O(call nodes). */
  ownAbove(nodes: Int32Array): Int32Array {
    const { parent, frame, length } = this.profile.nodes;
    const { method } = this.profile.frames;
    const { isOwn } = this.classes;
    const own = new Int32Array(length).fill(NONE);
    for (let node = 0; node < length; node++)
      if (parent[node] !== NONE) own[node] = isOwn[method[frame[node]]] === 1 ? node : own[parent[node]];
    return valuesAt(nodes, own);
  }

  /** The row of the MethodTable of a call node; NONE: it is the root of a thread. */
  methodOf(node: number): number {
    const frame = this.profile.nodes.frame[node];
    return frame < 0 ? NONE : this.profile.frames.method[frame];
  }

  /** The name of the method of a call node. */
  nameOf(node: number): string {
    const method = this.methodOf(node);
    const names = this.profile.methods.names[method];
    return (this.#names[method] ??= names === undefined ? '?' : fullName(names));
  }

  /** Row of the values -> row of the ThreadTable. O(nodes). */
  get threads(): Int32Array {
    return (this.#threads ??= new SelfThreads(this.profile.nodes).of(this));
  }

  /** When rows have their samples; undefined where that is not known. `groupOf`: row -> group, NONE for none. */
  whenOf(groupOf: ArrayLike<number>, groups: number): readonly (TimePattern | undefined)[] {
    const counts = new Uint32Array(groups * TIME_PARTS);
    this.eachSample((row, share) => {
      if (groupOf[row] !== NONE)
        counts[groupOf[row] * TIME_PARTS + Math.min(TIME_PARTS - 1, Math.floor(share * TIME_PARTS))]++;
    });
    return Array.from({ length: groups }, (_, group) => timePattern(counts, group * TIME_PARTS));
  }

  /** A part of the time that is looked at, in fractions of it. */
  periodOf(from: number, to: number): Omit<FindingPeriod, 'usual'> {
    const samples = this.#timed?.samples;
    const first = this.#span?.first ?? 0n;
    const at = (share: number): bigint =>
      (samples?.origin ?? 0n) + BigInt(Math.round(this.#fromNs + share * (this.spanNs ?? 0)));
    const clock = (time: bigint): string => clockText(time - first, 0);
    // The last sample is within.
    const end = at(to) + (to === 1 ? 1n : 0n);
    return { from: String(at(from)), to: String(end), text: `${clock(at(from))} to ${clock(end)}` };
  }

  /**
   * Samples with a method on their stack, and all that have a stack, in a time and outside of it: those that a range of
   * this time selects. O(call nodes + samples).
   */
  partsOf(
    name: string,
    { from, to }: Pick<FindingPeriod, 'from' | 'to'>,
  ): Readonly<Record<'inside' | 'outside', Part>> {
    const { parent, frame, length } = this.profile.nodes;
    const { method } = this.profile.frames;
    const isIt = Uint8Array.from(this.profile.methods.names, (names) =>
      names !== undefined && fullName(names) === name ? 1 : 0,
    );
    const onStack = new Int32Array(length);
    for (let node = 0; node < length; node++)
      if (parent[node] !== NONE) onStack[node] = onStack[parent[node]] | isIt[method[frame[node]]];
    const hasIt = valuesAt(this.node, onStack);
    const parts = { inside: { part: 0, whole: 0 }, outside: { part: 0, whole: 0 } };
    const samples = this.#timed?.samples;
    if (samples === undefined) return parts;
    const isInside = withinTest(samples, { from: BigInt(from), to: BigInt(to) });
    this.eachSample((row, _, sample) => {
      if (this.errors[row] === 1) return;
      const counted = isInside(sample) ? parts.inside : parts.outside;
      counted.whole++;
      counted.part += hasIt[row];
    });
    return parts;
  }

  #patternsOnPath(): Int32Array {
    const { parent, frame, length } = this.profile.nodes;
    const { method } = this.profile.frames;
    const { asksLeaf, any } = this.classes;
    const mask = new Int32Array(length);
    for (let node = 0; node < length; node++)
      if (parent[node] !== NONE) mask[node] = mask[parent[node]] | this.#patternsOf(node);
    return valuesAt(this.node, mask).map((bits, row) => {
      const leaf = frame[this.node[row]];
      return bits & (~asksLeaf | (leaf < 0 ? 0 : any[method[leaf]]));
    });
  }

  /** The patterns of a call node that is no root. */
  #patternsOf(node: number): number {
    const { parent, frame } = this.profile.nodes;
    const { method } = this.profile.frames;
    const { any, below, asksBelow } = this.classes;
    const bits = any[method[frame[node]]];
    if ((bits & asksBelow) === 0) return bits;
    const caller = frame[parent[node]];
    return bits & (~asksBelow | (caller < 0 ? 0 : below[method[caller]]));
  }

  /** `cutDepth`: frames of the deepest stack that is recorded, where some have probably more. */
  #sortRows(cutDepth: number | undefined): void {
    const depth = cutDepth === undefined ? undefined : this.#depths();
    const count = this.#count;
    const waits = this.#patterns;
    const { names } = this.profile.methods;
    for (let row = 0; row < this.length; row++) {
      if (count[row] === 0 && this.weight[row] === 0) continue;
      const method = this.methodOf(this.node[row]);
      const leaf = method === NONE ? undefined : names[method];
      if (method === NONE || (leaf !== undefined && isStackless(leaf))) this.errors[row] = 1;
      else if (this.has(row, waits)) this.waiting[row] = 1;
      else this.running[row] = 1;
      if (this.has(row, waits + 1) || (depth !== undefined && depth[row] === cutDepth))
        this.truncated[row] = 1;
    }
  }

  /** Row of the values -> frames on its stack. */
  #depths(): Int32Array {
    const { parent, length } = this.profile.nodes;
    const depth = new Int32Array(length);
    for (let node = 0; node < length; node++)
      if (parent[node] !== NONE) depth[node] = depth[parent[node]] + 1;
    return valuesAt(this.node, depth);
  }

  /**
   * Independent samples of each row: of those that follow each other in one thread with one stack, one. Where the times of
   * samples are not known, one of each stack.
   */
  #runs(): Float64Array {
    const count = this.#count;
    const runs = new Float64Array(this.length);
    const last = new Int32Array(this.profile.threads.length).fill(NONE);
    if (this.#timed === undefined) return runs.map((_, row) => (count[row] > 0 ? 1 : 0));
    const { threads } = this;
    this.eachSample((row) => {
      const thread = threads[row];
      if (last[thread] !== row) runs[row]++;
      last[thread] = row;
    });
    return runs;
  }

  #parts(): { early: Float64Array | undefined; late: Float64Array | undefined } {
    if (this.#timed === undefined) return { early: undefined, late: undefined };
    const early = new Float64Array(this.length);
    const late = new Float64Array(this.length);
    this.eachSample((row, share) => {
      if (share < START_UP) early[row]++;
      else if (share >= 1 / 2) late[row]++;
    });
    return { early, late };
  }

  /**
   * Calls `take` for each sample in scope, in the order of the file. `share`: of the time that is looked at, 0 to 1.
   * `sample`: its row of the SampleTable.
   */
  eachSample(take: (row: number, share: number, sample: number) => void): void {
    const span = this.#span;
    if (this.#timed === undefined || span === undefined) return;
    const { samples, bounds } = this.#timed;
    const within = boundsAfterOrigin(samples, bounds);
    const all = boundsAfterOrigin(samples, { from: span.first, to: span.last });
    const from = Math.max(all.least, within.least);
    const width = Math.max(1, Math.min(all.end, within.end) - from);
    const isBounded = bounds.from !== undefined || bounds.to !== undefined || bounds.except !== undefined;
    const isWithin = withinTest(samples, bounds);
    this.spanNs = width;
    this.#fromNs = from;
    const rowOf = (this.#rowOfSelf ??= this.#rowsOf(this.#timed.leaves));
    const { self, at } = samples;
    const length = Math.min(this.#samples, samples.length);
    for (let sample = 0; sample < length; sample++) {
      // A provisional sample may have been replaced by one whose stack is new.
      const row = self[sample] < rowOf.length ? rowOf[self[sample]] : NONE;
      if (row === NONE || (isBounded && !isWithin(sample))) continue;
      take(row, Math.min(1, Math.max(0, (at.ns[sample] - from) / width)), sample);
    }
  }

  /** Call nodes -> their rows of the values; NONE for NONE, and for a node that has none. */
  #rowsOf(nodes: Int32Array): Int32Array {
    const rows = new Int32Array(this.profile.nodes.length).fill(NONE);
    for (let row = 0; row < this.length; row++) rows[this.node[row]] = row;
    return valuesAt(nodes, rows);
  }
}

/** The values of these call nodes in a column of all call nodes, which is freed; NONE for NONE. */
export function valuesAt(nodes: Int32Array, column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const values = new Int32Array(nodes.length);
  for (let at = 0; at < nodes.length; at++) values[at] = nodes[at] === NONE ? NONE : column[nodes[at]];
  release(column);
  return values;
}

/** Whether a frame stands for a stack that is not known. */
function isStackless(leaf: MethodNames): boolean {
  return isErrorMethod(leaf) || leaf.methodName === EMPTY_STACK_NAME;
}

/** The part of the time in which a program starts. */
const START_UP = 1 / 10;
