import type { LeanProfile } from '../profile/lean-profile.ts';
import { countUnnamedMethods } from '../profile/method-table.ts';
import type { Damage } from './damage.ts';
import { type FormatFacts, NO_FACTS } from './format-facts.ts';
import type { FormatId } from './format-list.ts';
import { type ErrorThreads, MOST_ERROR_THREADS, type ThreadSamples } from './losses.ts';

/** Why an input cannot be shown as a profile at all. */
export interface InputProblem {
  /** A sentence: 'Not a supported profile: this looks like plain text.' */
  readonly text: string;
  /** Advice, a clause in the imperative: 'copy the file again'. */
  readonly advice: string;
  /** Why it is not a supported profile: one reason for each format, the main one first, or for each file of an archive. */
  readonly reasons: readonly { readonly name: string; readonly because: string }[];
}

/** The part of a status that concerns the content of a log, as far as it was read. */
export interface LogFacts extends ReturnType<typeof factsOfLog> {
  /** Undefined until the format is recognised. */
  readonly format: FormatId | undefined;
  /** Name of the format for users; empty until then. */
  readonly formatName: string;
  /** Information that this format does not record, one clause each. */
  readonly notRecorded: readonly string[];
  readonly damage: Damage | undefined;
  /** Set if the input cannot be shown. Then nothing more is read. */
  readonly problem: InputProblem | undefined;
  readonly acceptedBytes: number;
  readonly skippedBytes: number;
  readonly pendingBytes: number;
  readonly samples: number;
  readonly threads: number;
  readonly methods: number;
  /** Methods that have frames and no name (yet). */
  readonly unnamedMethods: number;
  readonly errorThreads: ErrorThreads;
  readonly frames: number;
  readonly nodes: number;
  /** Time of the last sample minus that of the first, ns; undefined for logs without times. */
  readonly spanNs: number | undefined;
  /** Time of the last sample or event, by the clock of the samples, ns, decimal; undefined for logs without times. */
  readonly lastTime: string | undefined;
  readonly deepestStack: number;
  /** Samples in methods that wait, in recordings that take some of threads that wait; 0 for others. */
  readonly waitingSamples: number;
}

/** The facts before anything is read. */
export const NO_LOG_FACTS: LogFacts = {
  ...factsOfLog(NO_FACTS),
  format: undefined,
  formatName: '',
  notRecorded: [],
  damage: undefined,
  problem: undefined,
  acceptedBytes: 0,
  skippedBytes: 0,
  pendingBytes: 0,
  samples: 0,
  threads: 0,
  methods: 0,
  unnamedMethods: 0,
  frames: 0,
  nodes: 0,
  errorThreads: {},
  spanNs: undefined,
  lastTime: undefined,
  deepestStack: 0,
  waitingSamples: 0,
};

/** The facts of a format that are facts of a log as they are. */
export function factsOfLog({
  errorThreads: _threads,
  firstTime: _first,
  lastTime: _last,
  deepestStack: _deepest,
  counts: _counts,
  ...facts
}: FormatFacts) {
  return facts;
}

/** Losses of a profile, with the names that it has so far. */
export function profileLosses(
  { methods, threads }: LeanProfile,
  { errorThreads }: Pick<FormatFacts, 'errorThreads'>,
): Pick<LogFacts, 'unnamedMethods' | 'errorThreads'> {
  return {
    unnamedMethods: countUnnamedMethods(methods),
    errorThreads: namedThreads(errorThreads, (thread) => threads.name[thread] ?? ''),
  };
}

/** The threads with most samples of each code; threads of one name together. */
function namedThreads(
  errorThreads: FormatFacts['errorThreads'],
  nameOf: (thread: number) => string,
): ErrorThreads {
  const named: Record<string, readonly ThreadSamples[]> = {};
  for (const [code, samplesOf] of errorThreads) {
    const byName = new Map<string, number>();
    for (const [thread, samples] of samplesOf) {
      const name = nameOf(thread);
      byName.set(name, (byName.get(name) ?? 0) + samples);
    }
    named[code] = Array.from(byName, ([thread, samples]) => ({ thread, samples }))
      .sort((a, b) => b.samples - a.samples)
      .slice(0, MOST_ERROR_THREADS);
  }
  return named;
}
