import { formatQuantity } from '../../text/format-value.ts';
import type { Guesses } from './call-builder.ts';

/** A sentence for each kind of guess. `unfinishedEvents`: waits and collections without an end. */
export function guessNotes(guesses: Guesses, unfinishedEvents: number, hasAggregated: boolean): string[] {
  const { inferred, unfinished, unknownExits, negative } = guesses;
  const notes: string[] = [];
  if (unfinished > 0)
    notes.push(
      `${formatQuantity(unfinished, 'call')} unfinished: counted until the last event of the thread.`,
    );
  if (inferred > 0)
    notes.push(
      `${formatQuantity(inferred, 'call')} without an exit: counted until a later event shows the end.`,
    );
  if (unknownExits > 0)
    notes.push(`${formatQuantity(unknownExits, 'exit')} of calls that were not open: ignored.`);
  if (negative > 0)
    notes.push(`${formatQuantity(negative, 'call')} with a clock that ran backwards: counted as 0 ns.`);
  if (unfinishedEvents > 0)
    notes.push(
      `${formatQuantity(unfinishedEvents, 'wait or collection', 'waits and collections')} without an end: not counted.`,
    );
  if (hasAggregated)
    notes.push('The trace does not say whether the shortest and longest call include callees.');
  return notes;
}
