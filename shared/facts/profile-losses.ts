import type { LeanProfile } from '../profile/lean-profile.ts';
import { countUnnamedMethods } from '../profile/method-table.ts';
import type { FormatFacts } from './format-facts.ts';
import type { LogFacts } from './log-facts.ts';
import { type ErrorThreads, MOST_ERROR_THREADS, type ThreadSamples } from './losses.ts';

/** What is missing in a profile, with the names that it has so far. */
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
