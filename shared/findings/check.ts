import type { FramePattern } from './frame-classes.ts';
import type { Finding, FindingFacts, Thresholds } from './finding.ts';
import type { StackFacts } from './stack-facts.ts';

/** The kind of samples that a check needs. */
export type FindingNeed = 'cpu' | 'allocations' | 'locks' | 'anything';

/** The result of a check, before the rules for all checks decide whether it is told. */
export interface Claim {
  readonly subject?: string;
  /** Row of the values -> 1 where its samples carry it; undefined: it is no part of the samples. */
  readonly rows?: Uint8Array;
  /** Row of the values -> the call node at which the cause stands; NONE where none does. O(call nodes). */
  readonly nodes?: () => Int32Array;
  /** The rows of which it is a part; undefined: those that are running. */
  readonly among?: Uint8Array;
  /** A quantity that was measured, instead of the share of the rows. */
  readonly measured?: {
    readonly share: number;
    readonly samples: number;
    readonly of: string;
    /** The ends of its interval, where it has one. */
    readonly low?: number;
    readonly high?: number;
  };
  readonly period?: Finding['period'];
  /** Instead of those of the check. */
  readonly thresholds?: Thresholds;
  /** Counted in the second half of the time alone. */
  readonly isLate?: boolean;
  readonly show?: Finding['show'];
  /** When this claim is wrong, besides what the check says. */
  readonly doubt?: string | undefined;
}

/** A reason why a check says nothing of a profile. */
export interface NotAssessed {
  readonly notAssessed: string;
}

/** A check: one object with all that it is, in the list of `check-list.ts`. */
export interface FindingCheck {
  readonly id: string;
  readonly title: string;
  readonly needs: FindingNeed;
  readonly thresholds: Thresholds;
  /**
   * Frames whose presence on a stack is all that is looked for. They are looked for together, in one pass over the
   * stacks: see `FramePattern`.
   */
  readonly frames?: FramePattern;
  /** It says only where, not why: another warning with the frame, and at least its share, turns its own into a note. */
  readonly isSymptom?: true;
  /** Counts what frames alone do not tell. */
  readonly check?: (stacks: StackFacts, facts: FindingFacts) => readonly Claim[] | NotAssessed;
  readonly words: Pick<Finding, 'why' | 'doubt' | 'next'>;
}
