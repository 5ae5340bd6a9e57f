import { grown, NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { TimeColumn } from '../../profile/time-column.ts';
import { preOrder } from '../trees/row-tree.ts';
import { hasNumbers } from '../values/value-columns.ts';
import { NO_VALUES, type Values } from '../columns/column.ts';
import type { SelfValues } from '../values/self-values.ts';

/** A line of a source file, and the samples in which a frame of the method is at this line. */
export interface SourceLine extends Values {
  /** From 1. */
  readonly line: number;
}

/** The lines of a method in one source file. */
export interface FileLines {
  /** As the profile names it; empty if it does not. */
  readonly file: string;
  /** The method in this file; each sample once. The lines may add up to more, because of recursion. */
  readonly whole: Values;
  /** Samples in which a frame of the method has no line. */
  readonly withoutLine: Values;
  /** Lines with samples, ascending. */
  readonly lines: readonly SourceLine[];
}

/** Stands for frames without a line. */
const NO_LINE = 0;

/**
 * Sums values over the lines of a method: self where a sample ended at the line, total where any frame of the method on
 * its stack is at the line, each sample once. One entry per source file, the one with the largest total first: methods of
 * one name may come from several files.
 *
 *   samples                              line   self   total
 *   main  Shop.parse:12  Shop.parse:14   12      0      2
 *   main  Shop.parse:12  read            14      1      1
 *
 * One pass over the call nodes, and one over the values: what is kept of each node is the nearest frame of the method on its
 * stack. These frames are a small tree of their own, in which recursion is found.
 *
 * `nodes`: how many call nodes there are for `values`. `isOfMethod`: frame -> whether it is of the method.
 */
export function sumLines(
  profile: LeanProfile,
  values: SelfValues,
  nodes: number,
  isOfMethod: (frame: number) => boolean,
): readonly FileLines[] {
  const slots = new LineSlots(profile, isOfMethod);
  const { ofFrame, wholeOf } = slots;
  const { nearest, parent, slot } = callsOfMethod(profile, nodes, ofFrame);
  const calls = parent.length;
  const count = slots.length;
  const self = new Float64Array(count);
  const total = new Float64Array(count);
  const selfTime = new TimeColumn(count);
  const totalTime = new TimeColumn(count);
  /** Call of the method -> samples in which it is on the stack. */
  const below = new Float64Array(calls);
  const timeBelow = new TimeColumn(calls);
  const { frame, parent: caller } = profile.nodes;
  for (let row = 0; row < values.length; row++) {
    const node = values.node[row];
    const call = nearest[node];
    if (call === NONE) continue;
    below[call] += values.count[row];
    timeBelow.addFrom(call, values.time, row);
    const ended = caller[node] === NONE ? NONE : ofFrame[frame[node]];
    for (let counted = ended; counted !== NONE; counted = wholeOf[counted]) {
      self[counted] += values.count[row];
      selfTime.addFrom(counted, values.time, row);
    }
  }
  for (let call = calls - 1; call >= 0; call--) {
    if (parent[call] === NONE) continue;
    below[parent[call]] += below[call];
    timeBelow.addFrom(parent[call], timeBelow, call);
  }
  const { order, sizes } = preOrder({ length: calls, parent });
  /** Slot -> the end, in pre-order, of the subtree in which it is counted: see `FlatProfile`. */
  const coveredTo = new Int32Array(count);
  for (let at = 0; at < calls; at++) {
    const call = order[at];
    for (let counted = slot[call]; counted !== NONE; counted = wholeOf[counted]) {
      if (at < coveredTo[counted]) continue;
      coveredTo[counted] = at + sizes[call];
      total[counted] += below[call];
      totalTime.addFrom(counted, timeBelow, call);
    }
  }
  const valuesOf = (of: number): Values => ({
    selfCount: self[of],
    totalCount: total[of],
    selfTime: selfTime.ns[of],
    totalTime: totalTime.ns[of],
  });
  const columns = { selfCount: self, totalCount: total, selfTime, totalTime };
  return slots.files(valuesOf, (of) => hasNumbers(columns, of));
}

/** The call nodes of a method, ascending, as a tree without all other nodes. */
interface CallsOfMethod {
  /** Call node -> the nearest such call, itself or above it; NONE for none. */
  readonly nearest: Int32Array;
  /** Call -> the nearest one above it, a smaller number; NONE for none. */
  readonly parent: Int32Array<ArrayBuffer>;
  /** Call -> the slot of its line. */
  readonly slot: Int32Array;
}

function callsOfMethod({ nodes }: LeanProfile, length: number, ofFrame: Int32Array): CallsOfMethod {
  const { frame, parent: caller } = nodes;
  const nearest = new Int32Array(length);
  let parent = new Int32Array(1024);
  let slot = new Int32Array(1024);
  let calls = 0;
  for (let node = 0; node < length; node++) {
    // The root of a thread has no frame.
    if (caller[node] === NONE) {
      nearest[node] = NONE;
      continue;
    }
    const own = ofFrame[frame[node]];
    const up = nearest[caller[node]];
    if (own === NONE) {
      nearest[node] = up;
      continue;
    }
    if (calls === parent.length) {
      parent = grown(parent, 2 * calls);
      slot = grown(slot, 2 * calls);
    }
    parent[calls] = up;
    slot[calls] = own;
    nearest[node] = calls++;
  }
  return { nearest, parent: parent.slice(0, calls), slot };
}

/** A slot for each file of a method, and one for each of its lines there. */
class LineSlots {
  /** Frame -> the slot of its line; NONE if it is not of the method. */
  readonly ofFrame: Int32Array;
  /** Slot of a line -> that of its file; NONE for that of a file. */
  readonly wholeOf: number[] = [];
  /** Slot of a line -> the line. */
  readonly #line: number[] = [];
  readonly #wholes = new Map<string, number>();
  readonly #lines = new Map<string, number>();

  constructor({ frames, methods }: LeanProfile, isOfMethod: (frame: number) => boolean) {
    this.ofFrame = new Int32Array(frames.length).fill(NONE);
    for (let frame = 0; frame < frames.length; frame++) {
      if (!isOfMethod(frame)) continue;
      const file = methods.names[frames.method[frame]]?.file ?? '';
      const whole = this.#slot(this.#wholes, file, NONE, NO_LINE);
      const line = Math.max(NO_LINE, frames.line[frame]);
      this.ofFrame[frame] = this.#slot(this.#lines, `${line} ${file}`, whole, line);
    }
  }

  get length(): number {
    return this.wholeOf.length;
  }

  files(valuesOf: (slot: number) => Values, hasValues: (slot: number) => boolean): readonly FileLines[] {
    const files = [...this.#wholes].flatMap(([file, whole]): FileLines[] => {
      const slots = Array.from(this.wholeOf.keys()).filter(
        (slot) => this.wholeOf[slot] === whole && hasValues(slot),
      );
      // Negative times of lines may cancel others.
      if (slots.length === 0 && !hasValues(whole)) return [];
      const unknown = slots.find((slot) => this.#line[slot] === NO_LINE);
      const lines = slots
        .filter((slot) => this.#line[slot] !== NO_LINE)
        .map((slot): SourceLine => ({ line: this.#line[slot], ...valuesOf(slot) }))
        .sort((a, b) => a.line - b.line);
      const withoutLine = unknown === undefined ? NO_VALUES : valuesOf(unknown);
      return [{ file, whole: valuesOf(whole), withoutLine, lines }];
    });
    return files.sort((a, b) => b.whole.totalCount - a.whole.totalCount || (a.file < b.file ? -1 : 1));
  }

  #slot(known: Map<string, number>, name: string, whole: number, line: number): number {
    const slot = known.get(name) ?? this.wholeOf.length;
    if (slot === this.wholeOf.length) {
      known.set(name, slot);
      this.wholeOf.push(whole);
      this.#line.push(line);
    }
    return slot;
  }
}
