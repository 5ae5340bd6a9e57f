import type { StackFrame } from '../formats/stack-frame.ts';
import { ChildIndex } from '../profile/child-index.ts';
import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../profile/frame-table.ts';
import { int64Text } from '../profile/int64.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { NodeTable } from '../profile/node-table.ts';
import { EMPTY_STACK_NAME, truncatedAt } from '../text/pseudo-frames.ts';
import { formatQuantity } from '../text/format-value.ts';
import { type AddNote, roundedCounts } from './export-input.ts';

export interface HprofThread {
  /** Four bytes, not 0. A thread that was read from an hprof file keeps its number. */
  readonly serial: number;
  readonly name: string;
}

/** The first numbers of threads and traces that Android uses. */
const FIRST_THREAD = 200_001;
const FIRST_TRACE = 300_001;
/** The depth limit in a binary file has two bytes, signed. */
const MOST_DEPTH = 32_767;

/**
 * A profile for both forms of hprof: threads, and stack traces with their counts. Frames that hprof cannot distinguish
 * are merged. Stacks deeper than `depth` keep their innermost frames, as from a profiler with that limit. Equal stacks
 * are one trace. Counts are rounded to integers, and traces whose count is 0 are left out. Needs memory for a second
 * call tree as large as the profile's.
 */
export class HprofTraces {
  /** Rows as in the profile's ThreadTable. */
  readonly threads: readonly HprofThread[];
  readonly frames: readonly StackFrame[];
  readonly total: number;
  /** Number of traces whose count was rounded, including those that were left out. */
  readonly rounded: number;
  /** The depth limit: stacks of this length may be truncated. If there is no limit, more than the longest stack has. */
  readonly depthLimit: number;

  /** The call tree of the traces. The frame of a root is the complement of its thread. */
  readonly #tree = new NodeTable();
  readonly #children = new ChildIndex(this.#tree);
  readonly #roots: (number | undefined)[] = [];
  /** node -> samples that ended there. */
  #counts = new Float64Array(1024);
  /** The nodes at which traces end, heaviest first. */
  readonly #leaves: readonly number[];

  constructor(profile: LeanProfile, depth: number | undefined) {
    const named = hprofFrames(profile);
    const limit = Math.min(depth ?? Infinity, named.truncatedDepth ?? Infinity);
    const longest = this.#addStacks(profile, named, limit);
    this.threads = hprofThreads(profile);
    this.frames = named.frames;
    this.depthLimit = Math.min(limit === Infinity ? longest + 1 : limit, MOST_DEPTH);
    const counts = this.#counts;
    const leaves: number[] = [];
    let total = 0;
    let rounded = 0;
    for (let node = 0; node < this.#tree.length; node++) {
      const whole = Math.round(counts[node]);
      if (whole !== counts[node]) rounded++;
      counts[node] = whole;
      if (counts[node] === 0) continue;
      total += counts[node];
      leaves.push(node);
    }
    this.#leaves = leaves.sort((a, b) => counts[b] - counts[a] || a - b);
    this.total = total;
    this.rounded = rounded;
  }

  get length(): number {
    return this.#leaves.length;
  }

  serial(trace: number): number {
    return FIRST_TRACE + trace;
  }

  count(trace: number): number {
    return this.#counts[this.#leaves[trace]];
  }

  /** Row of `threads`. */
  thread(trace: number): number {
    const { parent, frame } = this.#tree;
    let node = this.#leaves[trace];
    while (parent[node] !== NONE) node = parent[node];
    return ~frame[node];
  }

  /** Rows of `frames`, innermost first. */
  stack(trace: number): number[] {
    const { parent, frame } = this.#tree;
    const stack: number[] = [];
    for (let node = this.#leaves[trace]; parent[node] !== NONE; node = parent[node]) stack.push(frame[node]);
    return stack;
  }

  /** Adds all stacks with samples. Returns the length of the longest one. */
  #addStacks(
    { nodes, selfValues }: LeanProfile,
    { numberOf, emptyStack }: HprofFrames,
    limit: number,
  ): number {
    let longest = 0;
    let path = new Int32Array(256);
    for (let self = 0; self < selfValues.length; self++) {
      if (!(selfValues.count[self] > 0)) continue;
      let length = 0;
      let node = selfValues.node[self];
      for (; !nodes.isRoot(node); node = nodes.parent[node]) {
        const number = numberOf[nodes.frame[node]];
        if (number === NONE || length >= limit) continue;
        if (length === path.length) path = grown(path, nextCapacity(length, length + 1));
        path[length++] = number;
      }
      if (length === 1 && path[0] === emptyStack) length = 0;
      longest = Math.max(longest, length);
      const leaf = this.#place(~nodes.frame[node], path, length);
      if (leaf >= this.#counts.length) this.#counts = grown(this.#counts, this.#tree.capacity);
      this.#counts[leaf] += selfValues.count[self];
    }
    return longest;
  }

  #place(thread: number, path: Int32Array, length: number): number {
    let node = (this.#roots[thread] ??= this.#append(NONE, ~thread));
    for (let at = length - 1; at >= 0; at--) {
      const known = this.#children.find(node, path[at]);
      node = known === NONE ? this.#append(node, path[at]) : known;
    }
    return node;
  }

  #append(parent: number, frame: number): number {
    const node = this.#tree.append(parent, frame);
    this.#children.reserve(this.#tree.capacity);
    if (parent !== NONE) this.#children.add(parent, node);
    return node;
  }
}

/** All threads of a profile. A thread whose id is not a valid number in hprof gets an unused one. */
function hprofThreads({ threads }: LeanProfile): HprofThread[] {
  let next = FIRST_THREAD;
  for (let row = 0; row < threads.length; row++) {
    if (threads.idHi[row] === 0 && threads.idLo[row] >= next) next = threads.idLo[row] + 1;
  }
  // Logs that were merged may have used the same id.
  const kept = new Set<number>();
  return Array.from({ length: threads.length }, (_, row) => {
    const isKept = threads.idHi[row] === 0 && threads.idLo[row] > 0 && !kept.has(threads.idLo[row]);
    if (isKept) kept.add(threads.idLo[row]);
    const name = threads.name[row] ?? `thread ${int64Text(threads.idHi[row], threads.idLo[row])}`;
    return { serial: isKept ? threads.idLo[row] : next++, name };
  });
}

interface HprofFrames {
  readonly frames: readonly StackFrame[];
  /** Row of the FrameTable -> row of `frames`; NONE for a frame that stands for truncated callers. */
  readonly numberOf: Int32Array;
  /** The depth in the name of such a frame, if there is one. */
  readonly truncatedDepth: number | undefined;
  /** The frame that stands for an empty stack; NONE when there is none. */
  readonly emptyStack: number;
}

/** The frames of a profile as hprof stores them: frames that differ only in their BCI or method id are one. */
function hprofFrames({ frames: table, methods }: LeanProfile): HprofFrames {
  const frames: StackFrame[] = [];
  const numbers = new Map<string, number>();
  const numberOf = new Int32Array(table.length);
  let truncatedDepth: number | undefined;
  let emptyStack = NONE;
  for (let row = 0; row < table.length; row++) {
    const method = table.method[row];
    const names = methods.namesOf(method);
    const line = table.line[row] > 0 ? table.line[row] : NO_LINE;
    const bci = table.bci[row] === NATIVE_BCI ? NATIVE_BCI : NO_BCI;
    const depth = names.className === '' ? truncatedAt(names.methodName) : undefined;
    if (depth !== undefined) {
      truncatedDepth ??= depth;
      numberOf[row] = NONE;
      continue;
    }
    const key = [names.className, names.methodName, names.file, line, bci].join('\n');
    let number = numbers.get(key);
    if (number === undefined) {
      number = frames.length;
      frames.push({ ...names, line, bci });
      numbers.set(key, number);
    }
    numberOf[row] = number;
    if (names.className === '' && names.methodName === EMPTY_STACK_NAME) emptyStack = number;
  }
  return { frames, numberOf, truncatedDepth, emptyStack };
}

/** Tells what both forms of hprof round and leave out. */
export function addTraceNotes({ selfValues }: LeanProfile, traces: HprofTraces, addNote: AddNote): void {
  addNote(traces.rounded, roundedCounts);
  const { length, count, time } = selfValues;
  let stacks = 0;
  for (let self = 0; self < length; self++) if (count[self] === 0 && time.ns[self] !== 0) stacks++;
  addNote(stacks, () => `${formatQuantity(stacks, 'stack')} without samples left out`);
}
