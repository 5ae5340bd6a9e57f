import { Int64Index } from '../../aggregate/int64-index.ts';
import { FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { EMPTY_STACK_NAME, TRUNCATED_NAME } from '../../text/pseudo-frames.ts';
import type { ChunkConstants } from './chunk-constants.ts';
import type { SampleEvents } from './event-types.ts';
import type { SampleGroups } from './sample-groups.ts';
import type { StackNumbers } from './stack-numbers.ts';
import { StackTraces } from './stack-traces.ts';

/** Instead of a number: the chunk does not contain the stack trace. */
const LOST = -2;
/** Instead of a number: StackNumbers had no capacity for the stack. */
export const NOT_KEPT = -1;

/** The stacks of one chunk as the profile shows them. A stack of several threads is read once. */
export class ChunkStacks {
  /** Number of the stack found last, or NOT_KEPT. */
  number = NOT_KEPT;
  /** The JVM truncated the stack found last. */
  isTruncated = false;
  /** Frames of the deepest stack found, without "(truncated)". */
  deepest = 0;
  /** The stack found last has no frames in the file. */
  isEmpty = false;

  readonly #groups: SampleGroups;
  readonly #classType: number;
  readonly #hasLeafMethod: boolean;
  readonly #constants: ChunkConstants;
  readonly #numbers: StackNumbers;
  readonly #groupsTruncated: boolean;
  readonly #traces: StackTraces;
  /** (stack, class) -> index in #numberOf and #wasTruncated. */
  readonly #rows = new Int64Index();
  /** Arguments of the latest `find`, and their row. */
  #stack = NONE;
  #class = NONE;
  #row = NONE;
  readonly #numberOf: number[] = [];
  readonly #wasTruncated: boolean[] = [];
  readonly #wasEmpty: boolean[] = [];
  /** Frames of the stack read last. */
  #frames: Int32Array = new Int32Array(0);

  constructor(
    bytes: Uint8Array,
    { stackType, classType, type }: SampleEvents,
    groups: SampleGroups,
    constants: ChunkConstants,
    numbers: StackNumbers,
    groupsTruncated: boolean,
  ) {
    this.#groups = groups;
    this.#classType = classType;
    this.#hasLeafMethod = type?.hasLeafMethod === true;
    this.#constants = constants;
    this.#numbers = numbers;
    this.#groupsTruncated = groupsTruncated;
    this.#traces = new StackTraces(bytes, constants, stackType);
  }

  /**
   * Finds a stack by rows of the chunk's KeyColumns. A class becomes a frame called by the leaf, or is the method that is
   * the leaf; NONE for neither.
   * False if the chunk does not contain the stack trace.
   */
  find(stack: number, klass: number): boolean {
    // Groups of samples with the same stack are often consecutive.
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
      this.#wasTruncated.push(isRead && this.isTruncated);
      this.#wasEmpty.push(isRead && this.isEmpty);
    }
    const number = this.#numberOf[row];
    if (number === LOST) return false;
    this.number = number;
    this.isTruncated = this.#wasTruncated[row];
    this.isEmpty = this.#wasEmpty[row];
    return number !== NOT_KEPT || this.#read(stack, klass);
  }

  /** Frames of the stack found last, leaf first; borrowed until the next `find`. */
  frames(): Int32Array {
    return this.number === NOT_KEPT ? this.#frames : this.#numbers.cellsOf(this.number);
  }

  #read(stack: number, klass: number): boolean {
    const { stacks, classes } = this.#groups;
    const { methods } = this.#constants;
    const traces = this.#traces;
    const free = klass === NONE ? 0 : 1;
    const [hi, lo] = [stacks.hi[stack], stacks.lo[stack]];
    const hasLeaf = free > 0 && this.#hasLeafMethod;
    // Without a stack trace, the method is known still.
    if (hasLeaf && (hi | lo) === 0) traces.readNone(free);
    else if (!traces.read(hi, lo, free)) return false;
    if (free > 0) traces.put(0, this.#leaf(classes.hi[klass], classes.lo[klass]));
    let { depth } = traces;
    this.isTruncated = traces.isTruncated;
    this.isEmpty = depth === free && !hasLeaf;
    if (this.isEmpty) traces.put(depth++, methods.ofPseudo(EMPTY_STACK_NAME));
    this.deepest = Math.max(this.deepest, depth);
    if (!this.isEmpty && traces.isTruncated && this.#groupsTruncated)
      traces.put(depth++, methods.ofPseudo(TRUNCATED_NAME));
    this.#frames = traces.stack.subarray(0, depth * FRAME_CELLS);
    return true;
  }

  /** The method of the frame for a class or method of the event. */
  #leaf(hi: number, lo: number): number {
    const constants = this.#constants;
    if (this.#hasLeafMethod) return constants.method(this.#classType, hi, lo);
    return constants.methods.ofPseudo(constants.className(this.#classType, hi, lo) ?? '(unknown class)');
  }
}
