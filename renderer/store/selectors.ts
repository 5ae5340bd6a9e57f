import { type ProfileUnits, SAMPLES_AND_TIME } from '../../shared/profile/profile-units.ts';
import type { LogState, LogStatus } from '../../shared/protocol/messages.ts';
import type { Metric } from '../../shared/values/metric.ts';
import type { ProfileSummary } from '../profile-worker/mirror-messages.ts';
import type { SortOrder } from '../profile-worker/pane-messages.ts';
import type { PaneId } from './panes.ts';
import type { Orientation, PaneChoice } from './preferences.ts';
import { sortedBy } from './sorted-by.ts';
import type { LogView, WindowState } from './window-state.ts';

export function activeLog(state: WindowState): LogView | undefined {
  return state.logs.find((log) => log.key === state.active);
}

export function isDark({ preferences, systemIsDark }: WindowState): boolean {
  return preferences.theme === 'system' ? systemIsDark : preferences.theme === 'dark';
}

type Panes = Pick<WindowState, 'preferences' | 'isSmall' | 'focusedPane'>;

/** The visible panes. A small window shows one pane: of all, the one used last. */
export function shownPanes({ preferences, isSmall, focusedPane }: Panes): PaneChoice {
  return isSmall && preferences.panes === 'all' ? focusedPane : preferences.panes;
}

/** The pane that keys apply to: the only visible one, or of several the one used last. */
export function currentPane(state: Panes): PaneId {
  const shown = shownPanes(state);
  return shown === 'all' ? state.focusedPane : shown;
}

/** Units are in the status. */
type Said = { readonly status: Pick<LogStatus, 'format' | 'units'> | undefined } | undefined;

/** Units of the two values; the default until they are known. */
export function unitsOf(log: Said): ProfileUnits {
  return log?.status?.format === undefined ? SAMPLES_AND_TIME : log.status.units;
}

/** The metric for shares, widths and order: samples, if the file sums nothing else. */
export function shownMetric(log: Said, preferred: Metric): Metric {
  return unitsOf(log).value === undefined ? 'samples' : preferred;
}

/** Likewise the order: rows cannot be sorted by a missing value. */
export function shownSort(log: Said, preferred: SortOrder): SortOrder {
  return unitsOf(log).value === undefined ? sortedBy('samples', preferred) : preferred;
}

/** Samples that the host has and the frozen window does not show. */
export function waitingSamples(log: LogView): number {
  if (log.status === undefined) return 0;
  const isSameRun = log.status.epoch === log.shownEpoch;
  return Math.max(0, log.status.samples - (isSameRun ? (log.summary?.samples ?? 0) : 0));
}

/**
 * The log's state as far as it is on screen: 'reading' until all that the host has read is shown. A live log is always a
 * moment ahead of the screen.
 */
export function shownState(log: LogView): LogState | undefined {
  const { status, summary, mirrored, frozen } = log;
  if (status === undefined || frozen) return status?.state;
  const { state, samples } = status;
  if (state !== 'live' && state !== 'idle' && state !== 'damaged' && state !== 'full') return state;
  const isOfRun = log.hostLog === undefined || log.shownEpoch === status.epoch;
  const shown = isOfRun ? (summary?.samples ?? 0) : 0;
  const isBehind =
    state === 'live' ? mirrored?.complete === false || (shown === 0 && samples > 0) : shown < samples;
  return isBehind ? 'reading' : state;
}

/** True while neither rows nor an empty state can be shown: the log is being read, or its samples have not arrived. */
export function awaitsSamples({ status, summary }: LogView): boolean {
  if (status === undefined || (summary?.samples ?? 0) > 0 || status.state === 'failed') return false;
  return status.state === 'reading' || status.samples > 0;
}

/** Share of the file that is read and in the mirror; 0 to 1. */
export function shareRead({ status, hostLog, mirrored }: LogView): number {
  if (status === undefined || status.fileBytes === 0) return 0;
  const read = Math.min(1, status.readBytes / status.fileBytes);
  if (hostLog === undefined || status.nodes === 0) return read;
  return read * Math.min(1, (mirrored?.nodes ?? 0) / status.nodes);
}

/** Samples whose stack could not be walked, of all codes. */
export function errorSamples(log: LogView): number {
  return Object.values(log.status?.errorSamples ?? {}).reduce((sum, count) => sum + count, 0);
}

/** The summary without hidden samples. Shares refer to its sums. The same object when nothing is hidden. */
export function shownSummary(summary: ProfileSummary): ProfileSummary {
  const { samples, totalTime, hidden } = summary;
  if (hidden.samples === 0 && hidden.time === 0) return summary;
  return { ...summary, samples: samples - hidden.samples, totalTime: totalTime - hidden.time };
}

/** Orientation of a log's flame graph: as chosen, otherwise from the top when the root would be out of sight. */
export function orientationOf(
  { preferences }: Pick<WindowState, 'preferences'>,
  log: Pick<LogView, 'flameIsDeep'> | undefined,
): Orientation {
  return preferences.orientation ?? (log?.flameIsDeep === true ? 'icicle' : 'flame');
}
