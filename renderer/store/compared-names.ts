import type { Baseline, TimeRange } from '../../shared/scope/scope.ts';
import { threadsText } from '../../shared/scope/thread-pattern.ts';
import { rangeText } from '../../shared/scope/time-text.ts';
import { shownName } from './tab-names.ts';
import type { LogView, WindowState } from './window-state.ts';

/** What a baseline is, in a few words: `0:02 to 0:14`, `old.hpl, main`. */
export function baselineText({ logs }: Pick<WindowState, 'logs'>, log: LogView, baseline: Baseline): string {
  const other = baseline.log === undefined ? log : logs.find(({ key }) => key === baseline.log);
  const parts = [
    ...(baseline.log === undefined ? [] : [other === undefined ? 'a log that was closed' : shownName(other)]),
    ...(baseline.range === undefined ? [] : [timeText(baseline.range, other)]),
    ...(baseline.threads ?? []).map(threadsText),
  ];
  return parts.length === 0 ? 'the same samples' : parts.join(', ');
}

/** Names of both sides, for an exported comparison. */
export function comparedNames(
  state: Pick<WindowState, 'logs'>,
  log: LogView,
): { readonly base: string; readonly next: string } {
  const { baseline, scope } = log;
  const name = shownName(log);
  const details = [
    ...(scope.range === undefined ? [] : [timeText(scope.range, log)]),
    ...scope.threads.map(threadsText),
  ];
  const base = baseline === undefined ? '' : baselineText(state, log, baseline);
  return {
    base: baseline?.log === undefined ? `${name} (${base})` : base,
    next: details.length === 0 ? name : `${name} (${details.join(', ')})`,
  };
}

function timeText(range: TimeRange, log: LogView | undefined): string {
  const first = log?.timeline?.first;
  return rangeText(range, first === undefined ? undefined : BigInt(first));
}
