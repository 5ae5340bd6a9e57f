import { noStackText } from '../../../shared/facts/agct-errors.ts';
import type { MethodRef } from '../../../shared/engine/query.ts';
import type { CompareBy } from '../../../shared/engine/values/row-change.ts';
import {
  chanceInBoth,
  type ChanceInCounts,
  type ProfileUnits,
  SAMPLES_AND_TIME,
} from '../../../shared/profile/profile-units.ts';
import type { LogState } from '../../../shared/protocol/messages.ts';
import type { ColourBy } from '../../../shared/text/frame-colour.ts';
import { selectingOf } from '../../../shared/scope/scope.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import { attributeOf, type ThreadGrouping } from '../../../shared/engine/trees/grouping.ts';
import type { SampleSum } from '../../../shared/engine/values/self-values.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { ShareReference } from '../../../shared/engine/columns/column.ts';
import type { SortOrder } from '../../../shared/engine/views/sort-order.ts';
import type { RowsPaneId } from '../panes/panes.ts';
import { sortedBy, withOtherValue } from '../panes/pane-views.ts';
import { firstMetric, sampleKind } from '../../../shared/facts/sample-kind.ts';
import type { Preferences } from './preferences.ts';
import type { LogView, WindowState } from './window-state.ts';

/**
 * The grouping of threads in the panes of a log. Groups are those of merged logs, attributes those of its requests:
 * without them all threads are together.
 */
export function shownThreads({ merge, summary }: LogView, threads: ThreadGrouping): ThreadGrouping {
  const attribute = attributeOf(threads);
  const isMissing =
    attribute === undefined
      ? threads === 'group' && merge === undefined
      : summary?.contextKeys.includes(attribute) !== true;
  return isMissing ? 'all' : threads;
}

export function activeLog(state: Pick<WindowState, 'logs' | 'active'>): LogView | undefined {
  return state.logs.find((log) => log.key === state.active);
}

/** No log is open, as far as the host can be asked. Before its first answer it may be about to show one. */
export function isKnownEmpty({ logs, hostRun, connection }: WindowState): boolean {
  return logs.length === 0 && (hostRun !== '' || connection.state !== 'connecting');
}

export function isDark({ preferences, systemIsDark }: WindowState): boolean {
  return preferences.theme === 'system' ? systemIsDark : preferences.theme === 'dark';
}

/** The log tells of requests. */
export function hasContexts({ summary }: LogView): boolean {
  return summary !== undefined && (summary.contextKeys.length > 0 || summary.areCalls);
}

/** The times of single samples are known. */
export function hasSampleTimes({ status }: LogView): boolean {
  return status?.hasSampleTimes === true;
}

/** The samples over time are shown above the panes. */
export function showsTimeline({ preferences }: WindowState, log: LogView): boolean {
  return preferences.timeline && hasSampleTimes(log) && hasSamples(log);
}

/** The method whose callers and callees are shown. */
export function detailOf({ detail }: LogView): MethodRef | undefined {
  return detail.at(-1);
}

/** Where lines need a copy of all call nodes: so many are copied in less than a tenth of a second. */
const MOST_NODES_COPIED = 1_000_000;

/**
 * Callers and callees have the hottest lines of their method above them. Where the scope changes stacks or another log is
 * compared with, lines need a copy of all call nodes: in a large profile the user has to ask for them.
 */
export function showsHottestLines({ scope, summary, baseline, linesAsked }: LogView): boolean {
  const needsCopy = baseline?.log !== undefined || selectingOf(scope) === undefined;
  if (!needsCopy || (summary?.nodes ?? Infinity) <= MOST_NODES_COPIED) return true;
  return linesAsked?.transforms === scope.transforms && linesAsked.base === baseline?.log;
}

/** Units of the two values; the default until they are known. */
export function unitsOf(log: LogView | undefined): ProfileUnits {
  return log?.status?.format === undefined ? SAMPLES_AND_TIME : log.status.units;
}

/**
 * The metric for shares, widths and order: samples, if the file sums nothing else; otherwise what the user has chosen for
 * samples of this kind, or what these tell most by.
 */
export function shownMetric(log: LogView | undefined, { metrics }: Pick<Preferences, 'metrics'>): Metric {
  const { value } = unitsOf(log);
  const { status } = log ?? {};
  if (value === undefined || status === undefined || log?.baseline?.onlySamples === true) return 'samples';
  return metrics[sampleKind(status)] ?? firstMetric(status);
}

/**
 * The order of the rows of a pane: another one while something is compared. Orders are kept as they are by samples: where the
 * metric is another one, both values change places.
 */
export function shownSort(
  log: LogView | undefined,
  preferences: Pick<Preferences, 'metrics' | 'sorts' | 'comparedSorts'>,
  pane: RowsPaneId,
): SortOrder {
  const kept = (log?.baseline === undefined ? preferences.sorts : preferences.comparedSorts)[pane];
  if (unitsOf(log).value === undefined) return sortedBy('samples', kept);
  return shownMetric(log, preferences) === 'time' ? withOtherValue(kept) : kept;
}

/** The quantity that is compared: shares, where the time that a side covers is not known. */
export function shownCompareBy(
  { summary }: LogView,
  { compareBy }: Pick<Preferences, 'compareBy'>,
): CompareBy {
  if (compareBy !== 'rate') return compareBy;
  const seconds = summary?.compared?.seconds;
  return seconds !== undefined && seconds.base > 0 && seconds.next > 0 ? 'rate' : 'share';
}

/** Whether chance has a part in the counts of a log and of the log that it is compared with; see `Counted`. */
export function chanceOfSides({ logs }: Pick<WindowState, 'logs'>, log: LogView): Required<ChanceInCounts> {
  const base = logs.find(({ key }) => key === log.baseline?.log) ?? log;
  return chanceInBoth(unitsOf(base), unitsOf(log));
}

/** The sentence that says why frames have no thread that could colour them; undefined: they have, or no log is open. */
export function lackOfThreads(log: LogView | undefined, { threads }: Preferences): string | undefined {
  if (log?.summary === undefined) return undefined;
  const shown = shownThreads(log, threads);
  if (shown === 'all') return 'Needs threads by pool, name or id';
  return log.summary.threads < 2 && attributeOf(shown) === undefined ? 'This log has one thread' : undefined;
}

/** The property that colours show: packages instead of threads while all threads are one. */
export function shownColourBy(log: LogView | undefined, preferences: Preferences): ColourBy {
  const { colourBy } = preferences;
  return colourBy === 'thread' && lackOfThreads(log, preferences) !== undefined ? 'package' : colourBy;
}

/** The end of the range in scope, where it does not go on with the log; ns as text. */
export function fixedEnd({ scope: { range } }: LogView): string | undefined {
  return range?.kind === 'between' ? range.to : undefined;
}

/**
 * Whether the view stands still while the log grows: a range in scope has an end, or nothing is delivered, where samples
 * have no times. If the log has not grown, a range is an ordinary one and not a freeze, unless the user froze the log.
 */
export function isFrozen(log: LogView): boolean {
  const { isHeld, frozenBy, hasGrown, status } = log;
  const end = fixedEnd(log);
  if (isHeld) return true;
  if (!isFollowed(log) || end === undefined) return false;
  return frozenBy?.to === end || hasGrown || status?.state === 'live';
}

/** More may come: it is not a file that the window reads itself. */
export function isFollowed({ hostLog, merge }: LogView): boolean {
  return hostLog !== undefined || merge !== undefined;
}

/** Samples that the log has gained since the view was frozen; undefined: it is not known of a range that was dragged. */
export function newerSamples(log: LogView): number | undefined {
  const { status, isHeld, frozenBy, shownEpoch, summary } = log;
  if (status === undefined) return 0;
  // Another run of the writer is newer as a whole.
  const isSameRun = status.epoch === shownEpoch;
  if (isHeld) return Math.max(0, status.samples - (isSameRun ? (summary?.samples ?? 0) : 0));
  if (frozenBy === undefined || frozenBy.to !== fixedEnd(log)) return undefined;
  return Math.max(0, status.samples - (isSameRun ? frozenBy.samples : 0));
}

/**
 * The log's state as far as it is on screen: 'reading' until all that the host has read is shown. A live log is always a
 * moment ahead of the screen.
 */
export function shownState(log: LogView): LogState | undefined {
  const { status, summary, mirrored } = log;
  if (status === undefined || isFrozen(log)) return status?.state;
  const { state, samples } = status;
  if (state !== 'live' && state !== 'idle' && state !== 'damaged' && state !== 'full') return state;
  const isOfRun = log.hostLog === undefined || log.shownEpoch === status.epoch;
  const shown = isOfRun ? (summary?.samples ?? 0) : 0;
  const isBehind =
    state === 'live' ? mirrored?.complete === false || (shown === 0 && samples > 0) : shown < samples;
  return isBehind ? 'reading' : state;
}

/** The state of a log at whose end nothing has come for a while: a file that has never grown here is complete. */
export function restText({ hasGrown, isRecording }: LogView): string {
  return hasGrown || isRecording ? 'idle' : 'complete';
}

/** False while a log of the host cannot grow, because the connection to the host is lost. */
export function isConnected({ connection }: WindowState, log: LogView): boolean {
  return !isFollowed(log) || (connection.state !== 'lost' && connection.state !== 'closed');
}

/** Something is on screen that can be searched, measured and exported. */
export function hasSamples({ summary }: LogView): boolean {
  return (summary?.samples ?? 0) > 0;
}

/** The numbers on screen are those of a part of the file: it is still being read. */
export function isPartial(log: LogView): boolean {
  const state = shownState(log);
  return state === undefined || state === 'reading';
}

/** Whether the panes on screen show a part of their log. */
export function showsPart(state: WindowState): boolean {
  const log = activeLog(state);
  return log !== undefined && isPartial(log);
}

/** Samples in scope, with hidden errors among them. */
export function samplesInScope({ samples, outside, hidden, errors }: ProfileSummary): number {
  const without = samples - outside.samples - hidden.samples;
  return hidden.samples > 0 ? without + errors : without;
}

/** More samples may come: the log is followed, and what there is has been read. */
export function mayGrow(log: LogView): boolean {
  const state = log.status?.state;
  return isFollowed(log) && (state === 'live' || state === 'idle');
}

/** Samples were added while the window was open, and more may come. */
export function isGrowing(log: LogView): boolean {
  return mayGrow(log) && (log.hasGrown || log.status?.state === 'live');
}

/** Share of the file that is read and in the mirror; 0 to 1. */
export function shareRead({ status, hostLog, mirrored }: LogView): number {
  if (status === undefined || status.fileBytes === 0) return 0;
  const read = Math.min(1, status.readBytes / status.fileBytes);
  if (hostLog === undefined || status.nodes === 0) return read;
  return read * Math.min(1, (mirrored?.nodes ?? 0) / status.nodes);
}

/** A sentence about samples without a stack. */
export function noStackNote({ summary }: LogView): string {
  return noStackText(summary?.errorKinds ?? {});
}

/** Samples without a stack are left out, and there are some. */
export function leavesErrorsOut({ hidesErrors, summary }: LogView): boolean {
  return hidesErrors && (summary?.hidden.samples ?? 0) > 0;
}

/** The summary without hidden samples and those outside the scope: shares refer to its sums. */
export function shownSummary(summary: ProfileSummary): ProfileSummary {
  return without(without(summary, summary.hidden), summary.outside);
}

/** The whole of percentages in rows. */
export function wholeOfRows(summary: ProfileSummary): ProfileSummary {
  return without(shownSummary(summary), summary.beyondZoom);
}

/** The name of this whole. */
export function shareReference({
  outside,
  beyondZoom,
}: Pick<ProfileSummary, 'outside' | 'beyondZoom'>): ShareReference {
  // Rows may have time and no sample.
  const isAll = [outside, beyondZoom].every(({ samples, time }) => samples === 0 && time === 0);
  return isAll ? 'all' : 'scope';
}

/** The summary without these samples; the same object if there are none. */
function without(summary: ProfileSummary, { samples, time }: SampleSum): ProfileSummary {
  if (samples === 0 && time === 0) return summary;
  return { ...summary, samples: summary.samples - samples, totalTime: summary.totalTime - time };
}
