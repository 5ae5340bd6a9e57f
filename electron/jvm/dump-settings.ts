import { typedThreads } from '../../shared/scope/thread-pattern.ts';
import { threadTest } from '../../shared/scope/thread-test.ts';
import type { SamplingChoice } from '../../shared/facts/sampling-choice.ts';
import type { DumpSettings } from './dump-recording.ts';

/** Throws a SyntaxError for a thread that is an invalid expression. */
export function dumpSettings(choice: SamplingChoice): DumpSettings {
  const { intervalMs, sharePercent, depth, threads, states } = choice;
  return {
    intervalMs,
    mostShare: sharePercent / 100,
    depth,
    wants: threads.length === 0 ? undefined : threadTest(typedThreads(threads)),
    chosen: states.length === 0 ? undefined : { state: states.join() },
  };
}
