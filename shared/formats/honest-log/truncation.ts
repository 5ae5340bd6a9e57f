import { type Choice, type Chosen, chosenNumber } from '../../facts/choice.ts';
import type { TruncatedStacks } from '../../facts/losses.ts';
import { formatQuantity } from '../../text/format-value.ts';
import type { StackDepths } from './stack-depths.ts';

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
