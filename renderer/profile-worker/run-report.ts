/** Tabs as the runs of two sides: the report of the command `compare … --against`. */
import { Engine } from '../../shared/engine/engine.ts';
import type { Run } from '../../shared/engine/comparison/run-changes.ts';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import { compareRuns, writeRuns, runOfProfile } from '../../shared/export/compare-runs.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { type ComparedRecording, comparability } from '../../shared/facts/comparability.ts';
import { threadNames } from '../../shared/scope/filters.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { NamedRun, RunsQuestion, RunsReport } from './mirror-messages.ts';

/** Compares the runs, by shares of methods. `profileOf`: of a tab. */
export function runReport(
  { base, next, scope, hidesErrors, metric, units }: RunsQuestion,
  profileOf: (log: string) => LeanProfile | undefined,
): RunsReport {
  const problems: string[] = [];
  const runsOf = (side: readonly NamedRun[]): readonly Run[] =>
    side.flatMap(({ log, name }) => {
      const profile = profileOf(log);
      if (profile === undefined) return [];
      const engine = new Engine();
      engine.add(log, profile);
      const part = engine.view(log, { ...INITIAL_QUERY, scope, hidesErrors }, 'name', true).alone.profile;
      const run = runOfProfile(name, part, { frames: 'fqmn', metric });
      if (run.whole > 0) return [run];
      problems.push(`${name} has no samples in scope.`);
      return [];
    });
  const [before, after] = [runsOf(base), runsOf(next)];
  if (before.length === 0 || after.length === 0)
    return { text: '', markdown: '', problem: problems.at(0) ?? 'A side has no run.' };
  const recordings = (side: readonly NamedRun[]): readonly ComparedRecording[] =>
    side.flatMap(({ log, facts }) => {
      const profile = profileOf(log);
      return profile === undefined ? [] : [{ facts, threads: threadNames(profile, scope.threads) }];
    });
  const compared = compareRuns(before, after, {
    title: 'Comparison of runs',
    units,
    comparability: comparability(recordings(base), recordings(next)).text,
  });
  const written = (format: 'report' | 'report-md'): string =>
    collectText((sink) => writeRuns(compared, format, sink));
  return { text: written('report'), markdown: written('report-md'), problem: problems.at(0) };
}
