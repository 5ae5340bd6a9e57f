import type { FileState } from './tail-files.ts';

/** Time stamps of one event may differ by this much: the kernel's clock for files advances in steps of up to 10 ms. */
const TICK_MS = 10;

/** Two successive looks at a path, in milliseconds since 1970, and what it named. */
export interface Looks {
  readonly lastLook: number;
  /** The file that the path named at the last look, in its present state; undefined if there was none. */
  readonly old: FileState | undefined;
  readonly now: number;
  /** The file that it names now. */
  readonly present: FileState | undefined;
}

/**
 * For how long, in milliseconds, a third file may have been at the path between two looks; 0 if not for longer than a
 * tick. A file that leaves its path gets a new time of change:
 *
 *   last look                                now
 *   old ───────┤ changed        ├─ present ───
 *              └─ a third file? ┘ born
 */
export function unseenMs({ lastLook, old, now, present }: Looks): number {
  const left = old === undefined ? lastLook : ms(old.changedNs);
  const arrived = present === undefined ? now : ms(present.bornNs);
  // The present file was made elsewhere and took the place of the old one in one step.
  if (old !== undefined && present !== undefined && Math.abs(ms(present.changedNs) - left) <= TICK_MS)
    return 0;
  // Otherwise the old file was written after it had left, or the clocks differ.
  const isLeftKnown = left >= lastLook - TICK_MS && left <= arrived + TICK_MS;
  const from = isLeftKnown ? left : lastLook;
  const isArrivalKnown = arrived >= from - TICK_MS && arrived <= now + TICK_MS;
  const unseen = (isArrivalKnown ? arrived : now) - from;
  return unseen > TICK_MS ? unseen : 0;
}

function ms(ns: bigint): number {
  return Number(ns) / 1e6;
}
