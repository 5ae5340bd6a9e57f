import { Int64Index } from '../../aggregate/int64-index.ts';
import { FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import type { ChunkConstants } from './chunk-constants.ts';
import type { SampleEvents } from './event-types.ts';
import type { SampleGroups } from './sample-groups.ts';
import type { StackNumbers } from './stack-numbers.ts';
import { StackTraces } from './stack-traces.ts';

/** Instead of the number of a stack. */
const LOST = -2;
export const NO_ROOM = -1;

/** The stacks of one chunk as the profile is to show them: each read once, however many threads have it. */
export class ChunkStacks {
  /** What `find` found; NO_ROOM where it is not kept. */
  number = NO_ROOM;
  /** The JVM cut it. */
  isTruncated = false;

  readonly #groups: SampleGroups;
  readonly #classType: number;
  readonly #constants: ChunkConstants;
  readonly #numbers: StackNumbers;
  readonly #groupsTruncated: boolean;
  readonly #traces: StackTraces;
  /** (stack, class) -> row of the two lists. */
  readonly #rows = new Int64Index();
  /** What was looked for last, and its row. */
  #stack = NONE;
  #class = NONE;
  #row = NONE;
  readonly #numberOf: number[] = [];
  readonly #isCut: boolean[] = [];
  /** Of the stack that was read last. */
  #frames: Int32Array = new Int32Array(0);

  constructor(
    bytes: Uint8Array,
    { stackType, classType }: SampleEvents,
    groups: SampleGroups,
    constants: ChunkConstants,
    numbers: StackNumbers,
    groupsTruncated: boolean,
  ) {
    this.#groups = groups;
    this.#classType = classType;
    this.#constants = constants;
    this.#numbers = numbers;
    this.#groupsTruncated = groupsTruncated;
    this.#traces = new StackTraces(bytes, constants, stackType);
  }

  /** By rows of the chunk's keys; the class is NONE or called by the leaf. False where the chunk lacks the stack. */
  find(stack: number, klass: number): boolean {
    // Samples come stack by stack.
    const isLast = this.#row >= 0 && stack === this.#stack && klass === this.#class;
    let row = isLast ? this.#row : this.#rows.find(stack, klass);
    this.#stack = stack;
    this.#class = klass;
    this.#row = row;
    if (row < 0) {
      row = this.#rows.add(stack, klass);
      this.#row = row;
      const isRead = this.#read(stack, klass);
      this.#numberOf.push(isRead ? this.#numbers.of(this.#frames) : LOST);
      this.#isCut.push(isRead && this.isTruncated);
    }
    const number = this.#numberOf[row];
    if (number === LOST) return false;
    this.number = number;
    this.isTruncated = this.#isCut[row];
    return number !== NO_ROOM || this.#read(stack, klass);
  }

  /** The frames that `find` found, leaf first; borrowed until the next `find`. */
  frames(): Int32Array {
    return this.number === NO_ROOM ? this.#frames : this.#numbers.cellsOf(this.number);
  }

  #read(stack: number, klass: number): boolean {
    const { stacks, classes } = this.#groups;
    const { methods } = this.#constants;
    const traces = this.#traces;
    const leaf = klass === NONE ? 0 : 1;
    if (!traces.read(stacks.hi[stack], stacks.lo[stack], leaf)) return false;
    if (leaf > 0) {
      const name = this.#constants.className(this.#classType, classes.hi[klass], classes.lo[klass]);
      traces.putPseudo(0, methods.ofPseudo(name ?? '(unknown class)'));
    }
    let { depth } = traces;
    this.isTruncated = traces.isTruncated;
    if (traces.isTruncated && this.#groupsTruncated)
      traces.putPseudo(depth++, methods.ofPseudo('(truncated)'));
    this.#frames = traces.stack.subarray(0, depth * FRAME_CELLS);
    return true;
  }
}
