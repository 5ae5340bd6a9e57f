import { type Choice, type Chosen, chosenNumber } from '../../facts/choice.ts';
import type { TruncatedStacks } from '../../facts/losses.ts';
import { formatQuantity } from '../../text/format-value.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';

/** Id of the method (truncated). No agent writes it: method ids are addresses. */
export const TRUNCATED_ID_HI = -2;
export const TRUNCATED_ID_LO = 0;

const CHOICE_ID = 'cut';

/**
 * The depth of the stacks to be grouped; undefined if none are. The value of the choice is the depth, so that the call
 * tree does not depend on an estimate that changes while the log is read. A depth of 1 is ignored, because error traces
 * have it.
 */
export function chosenTruncation(chosen: Chosen): number | undefined {
  const depth = chosenNumber(chosen, CHOICE_ID);
  return depth !== undefined && Number.isInteger(depth) && depth > 1 ? depth : undefined;
}

/** The choice to group truncated stacks, if stacks look truncated or if it was chosen. */
export function truncationChoices(depths: StackDepths, chosen: number | undefined): Choice[] {
  const limit = chosen ?? depths.limit;
  if (limit === undefined) return [];
  return [
    {
      id: CHOICE_ID,
      name: 'Group truncated stacks',
      hint: `Stacks of ${limit} frames lack callers if this is the agent's limit (maxFrames), which a log does not record. They are grouped below a frame "(truncated)".`,
      kind: 'switch',
      chosen: chosen !== undefined,
      on: String(limit),
    },
  ];
}

/** Undefined if no stacks look truncated. */
export function truncatedStacks({ limit, stacksAtLimit }: StackDepths): TruncatedStacks | undefined {
  return limit === undefined ? undefined : { stacks: stacksAtLimit, depth: limit };
}

export function truncationNotes(depths: StackDepths): string[] {
  const { limit } = depths;
  if (limit === undefined) return [];
  const stacks = formatQuantity(depths.stacksAtLimit, 'stack has', 'stacks have');
  const whose = depths.stacksAtLimit === 1 ? 'its' : 'their';
  return [
    `${stacks} ${limit} frames, probably the agent's limit (maxFrames): ${whose} callers may be missing.`,
  ];
}

/** Required number of stacks of the greatest depth. */
const MIN_STACKS = 3;
/** Required number of root methods that begin only stacks of the greatest depth. */
const MIN_ROOTS = 2;

/**
 * Estimates the agent's `maxFrames`, which a log does not record. Of a deeper stack, the log contains only that many
 * frames, next to the leaf (specs: Honest Profiler agent, maxFrames). Complete stacks begin with one of a few methods,
 * such as `main` and `Thread.run`, which begin shorter stacks too. So the greatest depth is taken for the limit if
 * several stacks have it, at least two methods begin only stacks of this depth, and other methods begin shorter ones:
 *
 *   root of stacks   greatest depth   shorter
 *   DeepRecursion.main       1          436
 *   DeepRecursion.odd       58            0
 *   DeepRecursion.ack      261            0      the limit is this depth
 */
export class StackDepths {
  #greatest = 0;
  #stacks = 0;
  /** Methods that begin stacks of the greatest depth. */
  readonly #roots = new Set<number>();
  /** Method -> depth of the shortest stack that it begins. */
  readonly #shortest = new Map<number, number>();
  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** Adds a stack. `root` is the method of its outermost frame. */
  note(depth: number, root: number): void {
    if (depth > this.#greatest) {
      this.#greatest = depth;
      this.#stacks = 0;
      this.#roots.clear();
    }
    this.noteAgain(depth);
    const shortest = this.#shortest.get(root);
    if (shortest === undefined && !this.#memory.keepRow()) return;
    if (depth === this.#greatest) this.#roots.add(root);
    if (depth < (shortest ?? Infinity)) this.#shortest.set(root, depth);
  }

  /** Adds a stack that has been added before. */
  noteAgain(depth: number): void {
    if (depth === this.#greatest) this.#stacks++;
  }

  /** The estimated limit; undefined if no stacks look truncated. */
  get limit(): number | undefined {
    if (this.#stacks < MIN_STACKS) return undefined;
    let beginNoShorter = 0;
    for (const root of this.#roots) if (this.#shortest.get(root) === this.#greatest) beginNoShorter++;
    const hasShorter = beginNoShorter < this.#shortest.size;
    return beginNoShorter >= MIN_ROOTS && hasShorter ? this.#greatest : undefined;
  }

  /** Number of stacks of the greatest depth. */
  get stacksAtLimit(): number {
    return this.#stacks;
  }
}
