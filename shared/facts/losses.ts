import { formatQuantity } from '../text/format-value.ts';

/** Pauses between samples that are much longer than usual. */
export interface Gaps {
  readonly count: number;
  /** ns, of all together and of the longest. */
  readonly totalNs: number;
  readonly longestNs: number;
  /** ns from which on a pause counts. */
  readonly leastNs: number;
}

/** Stacks that probably lack callers, because they are as deep as the profiler records. */
export interface TruncatedStacks {
  readonly stacks: number;
  /** Frames of each. */
  readonly depth: number;
}

/** Samples or parts of stacks that a file lacks, as far as its decoder counts them. */
export interface FormatLoss {
  /** `truncated`: stacks without callers. `failed`: samples without a stack. `uncounted`: in no sum. */
  readonly kind: 'truncated' | 'failed' | 'uncounted';
  /** `12 samples` */
  readonly amount: string;
  /** Sentences for users. */
  readonly why: string;
  /** Sentences for users; undefined: there is nothing to do. */
  readonly advice: string | undefined;
}

/** A loss of so many; none for 0. */
export function lossOf(
  kind: FormatLoss['kind'],
  amount: readonly [count: number, one: string, many?: string],
  why: string,
  advice?: string,
): readonly FormatLoss[] {
  return amount[0] === 0 ? [] : [{ kind, amount: formatQuantity(...amount), why, advice }];
}

/** A sentence about so many things, such as `3 calls unfinished: …`; none for 0. */
export function noteOf(amount: readonly [count: number, one: string, many?: string], what: string): string[] {
  return amount[0] === 0 ? [] : [`${formatQuantity(...amount)} ${what}`];
}

const LOST = { truncated: 'truncated', failed: 'without a stack', uncounted: 'not counted' };

/** A sentence for each loss: for who reads notes only. */
export function lossNotes(losses: readonly FormatLoss[]): readonly string[] {
  return losses.map(({ kind, amount, why }) => `${amount} ${LOST[kind]}. ${why}`);
}

/** Why truncated stacks matter. */
export const WITHOUT_CALLERS =
  'Callers next to the root are missing. The tree has further roots, and totals of those callers are too small. Self values are right.';

/** Samples of one kind in one thread. */
export interface ThreadSamples {
  /** The name of the thread; empty if it has none. */
  readonly thread: string;
  readonly samples: number;
}

/** AsyncGetCallTrace code -> threads with such samples, most samples first; at most MOST_ERROR_THREADS. */
export type ErrorThreads = Readonly<Record<string, readonly ThreadSamples[]>>;

/** Most threads that are named for an error, because facts are sent to the window several times a second. */
export const MOST_ERROR_THREADS = 5;
