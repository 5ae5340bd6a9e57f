import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { type FormatFacts, NO_FACTS, OTHER_ERRORS } from '../../facts/format-facts.ts';
import { type ProfileUnits, SAMPLES, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import type { LogClock } from './log-clock.ts';
import { truncatedStacks, truncationChoices, truncationNotes, type StackDepths } from './truncation.ts';

/**
 * Error codes that are counted one by one. AsyncGetCallTrace has eleven, but damaged logs may have as many as traces, and
 * the counts are sent to the window several times a second.
 */
const MOST_ERROR_CODES = 100;

/** Numbers of records in a log, by type. */
export interface HonestLogCounts {
  /** Types 1 and 11. */
  traceStarts: number;
  /** Type 11. */
  timedTraceStarts: number;
  /** Types 2 and 21. */
  frameRecords: number;
  /** Type 2. */
  bciOnlyFrames: number;
  /** Types 3 and 31. */
  methodRecords: number;
  /** Type 31. */
  signedMethods: number;
  /** Type 4. */
  threadRecords: number;
  /** numFrames <= 0, which is an error code -> number of traces. */
  readonly errorTraces: Map<number, number>;
  /** Traces with further error codes, after MOST_ERROR_CODES others. */
  otherErrorTraces: number;
  /** Error code -> thread -> number of traces. */
  readonly errorThreads: Map<number, Map<number, number>>;
}

const LOG_UNITS: ProfileUnits = {
  counted: SAMPLES,
  value: { name: 'Time', unit: 'ns', meaning: 'time to the next sample in the log' },
};

export function noCounts(): HonestLogCounts {
  return {
    traceStarts: 0,
    timedTraceStarts: 0,
    frameRecords: 0,
    bciOnlyFrames: 0,
    methodRecords: 0,
    signedMethods: 0,
    threadRecords: 0,
    errorTraces: new Map(),
    otherErrorTraces: 0,
    errorThreads: new Map(),
  };
}

/** Counts a trace of a thread with an error code instead of a stack. */
export function countError(
  counts: HonestLogCounts,
  code: number,
  thread: number,
  memory: MemoryBudget,
): void {
  const { errorTraces, errorThreads } = counts;
  if (errorTraces.size === MOST_ERROR_CODES && !errorTraces.has(code)) {
    counts.otherErrorTraces++;
    return;
  }
  errorTraces.set(code, (errorTraces.get(code) ?? 0) + 1);
  const threads = errorThreads.get(code) ?? new Map<number, number>();
  errorThreads.set(code, threads);
  const known = threads.get(thread);
  if (known !== undefined || memory.keepRow()) threads.set(thread, (known ?? 0) + 1);
}

export function logFacts(
  counts: HonestLogCounts,
  clock: LogClock,
  depths: StackDepths,
  truncatedDepth: number | undefined,
): FormatFacts {
  return {
    ...NO_FACTS,
    // The oldest logs have no times.
    units: counts.traceStarts > 0 && counts.timedTraceStarts === 0 ? SAMPLES_ONLY : LOG_UNITS,
    choices: truncationChoices(depths, truncatedDepth),
    notes: truncationNotes(depths),
    errorSamples: {
      ...Object.fromEntries(counts.errorTraces),
      ...(counts.otherErrorTraces === 0 ? {} : { [OTHER_ERRORS]: counts.otherErrorTraces }),
    },
    errorThreads: counts.errorThreads,
    truncated: truncatedStacks(depths),
    gaps: counts.timedTraceStarts === 0 ? undefined : clock.pauses.gaps,
    firstTime: clock.firstTime,
    lastTime: clock.lastTime,
    hasSampleTimes: counts.timedTraceStarts > 0,
    backwardSteps: clock.backwardSteps,
    counts: {
      samples: counts.traceStarts,
      frames: counts.frameRecords,
      methods: counts.methodRecords,
      records: recordCounts(counts),
    },
  };
}

/** Record type -> number of records, without types that do not occur. */
function recordCounts(counts: HonestLogCounts): Record<string, number> {
  const all: Record<string, number> = {
    '1': counts.traceStarts - counts.timedTraceStarts,
    '2': counts.bciOnlyFrames,
    '3': counts.methodRecords - counts.signedMethods,
    '4': counts.threadRecords,
    '11': counts.timedTraceStarts,
    '21': counts.frameRecords - counts.bciOnlyFrames,
    '31': counts.signedMethods,
  };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}
