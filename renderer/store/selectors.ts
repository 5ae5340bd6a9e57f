import type { PaneChoice } from './preferences.ts';
import type { LogView, PaneKind, WindowState } from './window-state.ts';

export function activeLog(state: WindowState): LogView | undefined {
  return state.logs.find((log) => log.key === state.active);
}

export function isDark({ preferences, systemIsDark }: WindowState): boolean {
  return preferences.theme === 'system' ? systemIsDark : preferences.theme === 'dark';
}

/** The pane that keys apply to: the only one, or of several the one that was used last. */
export function currentPane(panes: PaneChoice, focused: PaneKind): PaneKind {
  return panes === 'all' ? focused : panes;
}

/** Samples that the host has and the frozen window does not show. */
export function waitingSamples(log: LogView): number {
  if (log.status === undefined) return 0;
  const isSameRun = log.status.epoch === log.shownEpoch;
  return Math.max(0, log.status.samples - (isSameRun ? (log.summary?.samples ?? 0) : 0));
}

/** Samples whose stack could not be walked, of all codes. */
export function errorSamples(log: LogView): number {
  return Object.values(log.status?.errorSamples ?? {}).reduce((sum, count) => sum + count, 0);
}
