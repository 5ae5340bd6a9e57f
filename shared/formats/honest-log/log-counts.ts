import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { type ProfileUnits, SAMPLES, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import type { TraceClock } from './trace-clock.ts';

/** What the log's records say besides the profile itself. */
export interface HonestLogCounts {
  /** Types 1 and 11, and of these type 11. */
  traceStarts: number;
  timedTraceStarts: number;
  /** Types 2 and 21, and of these type 2. */
  frameRecords: number;
  bciOnlyFrames: number;
  /** Types 3 and 31, and of these type 31. */
  methodRecords: number;
  signedMethods: number;
  threadRecords: number;
  /** numFrames (0 … -10, or an unknown code below) -> traces. */
  readonly errorTraces: Map<number, number>;
}

const LOG_UNITS: ProfileUnits = {
  counted: SAMPLES,
  value: { name: 'Time', unit: 'ns', meaning: 'time to the next sample in the log' },
};

/** The counts of an empty log. */
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
  };
}

/** Of what has been read, and of a part behind it. */
export function addCounts(counts: HonestLogCounts, part: HonestLogCounts): void {
  counts.traceStarts += part.traceStarts;
  counts.timedTraceStarts += part.timedTraceStarts;
  counts.frameRecords += part.frameRecords;
  counts.bciOnlyFrames += part.bciOnlyFrames;
  counts.methodRecords += part.methodRecords;
  counts.signedMethods += part.signedMethods;
  counts.threadRecords += part.threadRecords;
  const { errorTraces } = counts;
  for (const [numFrames, traces] of part.errorTraces)
    errorTraces.set(numFrames, (errorTraces.get(numFrames) ?? 0) + traces);
}

/** What a log says beside its samples. */
export function logFacts(counts: HonestLogCounts, clock: TraceClock): FormatFacts {
  return {
    ...NO_FACTS,
    // The oldest logs have no times.
    units: counts.traceStarts > 0 && counts.timedTraceStarts === 0 ? SAMPLES_ONLY : LOG_UNITS,
    errorSamples: Object.fromEntries(counts.errorTraces),
    firstTime: clock.firstTime,
    lastTime: clock.lastTime,
    backwardSteps: clock.backwardSteps,
    counts: {
      samples: counts.traceStarts,
      frames: counts.frameRecords,
      methods: counts.methodRecords,
      records: recordCounts(counts),
    },
  };
}

/** Record type -> records, of those that there are. */
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
