import { conditionOf, OPERATION } from '../../../shared/scope/context-condition.ts';
import { attributeOf, rowKeys, withErrorsJoined } from '../../../shared/engine/trees/grouping.ts';
import type { ComparisonView } from '../../../shared/engine/query.ts';
import { isTyped } from '../../../shared/scope/thread-pattern.ts';
import type { MirrorRequest } from '../../profile-worker/mirror-messages.ts';
import {
  chanceOfSides,
  detailOf,
  hasContexts,
  hasSamples,
  hasSampleTimes,
  isFrozen,
  mayGrow,
  shownCompareBy,
  shownMetric,
  shownSort,
  shownThreads,
  showsHottestLines,
  showsTimeline,
  unitsOf,
} from '../state/selectors.ts';
import { panesOnScreen } from '../state/shown-panes.ts';
import type { PaneSpec, SpreadSpec } from '../../profile-worker/pane-specs.ts';
import { definitionOf, isFlamePane, isRowsPane, PANE_IDS, type PaneId, PANES } from '../panes/panes.ts';
import { type ColumnLayout, tableName } from '../state/preferences.ts';
import { NO_LOG_FACTS } from '../../../shared/facts/log-facts.ts';
import { computingSamples } from '../../../shared/facts/sample-kind.ts';
import type { LogView, WindowState } from '../state/window-state.ts';
import { zoomInForce, zoomOf } from '../state/scope-history.ts';
import { showsOnlyPart, shownParts } from '../state/spread-parts.ts';
import { hasIntervals } from '../../../shared/profile/profile-units.ts';
import { columnWithId } from '../../../shared/engine/columns/columns.ts';

/** The view of one log: requests that are sent to its mirror whenever they differ. */
export function mirrorRequests(state: WindowState, log: LogView): readonly MirrorRequest[] {
  const { preferences } = state;
  const { merge, status } = log;
  const threads = shownThreads(log, preferences.threads);
  const zoom = zoomInForce(log);
  const isFront = log.key === state.active;
  const onScreen = isFront ? panesOnScreen(state) : [];
  const hasSummary = onScreen.includes('summary');
  const hasCallers = onScreen.includes('callers');
  // Assumed until the first status: the first delta rarely has all.
  const isReading = (status?.state ?? 'reading') === 'reading';
  const requests: readonly (MirrorRequest | undefined)[] = [
    merge && {
      type: 'union',
      parts: merge.parts.map((part, at) => ({ log: part, tag: merge.names[at] })),
      threads: merge.threads,
    },
    { type: 'reading', reading: isReading, upTo: log.readUpTo },
    {
      type: 'view',
      frames: preferences.frames,
      keys: withErrorsJoined(rowKeys(preferences.frames, log.split)),
      metric: shownMetric(log, preferences),
      search: log.searchText,
      hidesErrors: log.hidesErrors,
      scope: log.scope,
      comparison: comparisonOf(state, log),
      attribute: attributeOf(threads),
      narrowing: log.keepsZoom && zoom !== undefined ? { threads, zoom } : undefined,
      where: log.where,
      // Frames that are watched or compared keep their places.
      siblings: log.hasGrown || isReading || log.baseline !== undefined ? 'name' : 'weight',
    },
    isFront ? timelineRequest(state, log, onScreen) : { type: 'timeline', view: undefined },
    {
      type: 'about',
      of: 'method',
      method: hasCallers || onScreen.includes('source') ? detailOf(log) : undefined,
    },
    isFront ? threadsRequest(state, log, onScreen) : { type: 'threads', shown: false },
    {
      type: 'growth',
      measured: isFront && mayGrow(log),
      frozen: isFrozen(log),
      held: log.isHeld,
      shown: hasSummary && log.hasGrown,
    },
    hasSummary && status !== undefined
      ? {
          type: 'facts',
          // The summary says nothing of these, and they can be large.
          facts: { ...status, tables: [], notes: [] },
          project: state.project,
          epoch: log.hostLog === undefined ? undefined : status.epoch,
        }
      : undefined,
    { type: 'hold', pane: isFront ? state.heldPane : undefined },
    ...PANE_IDS.map((pane): MirrorRequest => {
      // The lines of a method are on screen with its callers.
      const isActive = onScreen.includes(pane) || (pane === 'source' && hasCallers && showsHottestLines(log));
      return { type: 'pane', pane, spec: isActive ? specOf(pane, state, log) : undefined };
    }),
  ];
  return requests.filter((request) => request !== undefined);
}

/** The threads are listed, or a pane needs to know which of them a typed expression selects. */
function threadsRequest(state: WindowState, log: LogView, onScreen: readonly PaneId[]): MirrorRequest {
  const { dialog, preferences } = state;
  const isListed = dialog?.kind === 'threads';
  const asks = preferences.lanes && showsTimeline(state, log) && log.scope.threads.some(isTyped);
  const search = isListed ? dialog.search?.trim() : undefined;
  return { type: 'threads', shown: isListed || asks || onScreen.includes('chart'), search };
}

/** Pixels of a bucket of the timeline. */
const BUCKET_PIXELS = 2;
/** Least pixels of a column of the heatmap. */
const COLUMN_PIXELS = 4;
/** Least pixels of a column of durations. */
const DURATION_PIXELS = 7;

function timelineRequest(state: WindowState, log: LogView, onScreen: readonly PaneId[]): MirrorRequest {
  const { summary, status, merge, timelineZoom } = log;
  const { lanes, heatmap, durations } = state.preferences;
  const fit = (pixels: number): number => Math.max(1, Math.floor(state.timelineWidth / pixels));
  if (!showsTimeline(state, log)) {
    // The times of a range are since the earliest sample, and a mark is at the latest one: only the columns say when these are.
    const needsTimes = log.scope.range !== undefined || log.baseline !== undefined || mayGrow(log);
    const needsFirst = needsTimes && hasSampleTimes(log) && hasSamples(log);
    return { type: 'timeline', view: needsFirst ? { zoom: undefined, buckets: 1 } : undefined };
  }
  const { by = OPERATION, marked } = log.panes.operations;
  const hasOperations = onScreen.includes('operations');
  const marks = marked === undefined || !hasOperations ? undefined : conditionOf(by, marked);
  // Making requests of the calls of a trace takes a second for two million: they are made when somebody looks at them.
  const hasDurations = durations && hasContexts(log) && (hasOperations || summary?.areCalls !== true);
  // Where logs are merged, one may have samples while another has none.
  const hasGaps = lanes && merge === undefined && (status?.gaps?.count ?? 0) > 0;
  return {
    type: 'timeline',
    // Until it is measured.
    view: state.timelineWidth === 0 ? undefined : { zoom: timelineZoom, buckets: fit(BUCKET_PIXELS) },
    tracks: lanes ? { ...state.tracksView, holds: log.hasGrown } : undefined,
    heatmap: heatmap ? { fit: fit(COLUMN_PIXELS) } : undefined,
    durations: hasDurations ? { fit: fit(DURATION_PIXELS), marks } : undefined,
    leastGap: hasGaps ? status?.gaps?.leastNs : undefined,
  };
}

/** undefined: nothing is compared. */
function comparisonOf(state: WindowState, log: LogView): ComparisonView | undefined {
  const { baseline } = log;
  if (baseline === undefined) return undefined;
  const { isSampled, isDependent } = chanceOfSides(state, log);
  const by = shownCompareBy(log, state.preferences);
  return { baseline, by, isSampled, ...(isDependent && { isDependent }) };
}

/** The user wants to see how much methods grew of late, or when rows have their samples. */
function showsGroup(layout: ColumnLayout | undefined, group: 'rates' | 'times'): boolean {
  return layout?.shown.some((id) => columnWithId(id)?.group === group) === true;
}

/** undefined for a pane that cannot be shown yet: no method is chosen, or its width is not measured. */
function specOf(pane: PaneId, state: WindowState, log: LogView): PaneSpec | undefined {
  const { preferences, flameWidth: pixels } = state;
  const threads = shownThreads(log, preferences.threads);
  const detail = detailOf(log);
  const { isOfMethod = false } = definitionOf(pane);
  if (isOfMethod && detail === undefined) return undefined;
  const method = isOfMethod ? detail : undefined;
  if (isRowsPane(pane)) {
    const { of } = PANES[pane];
    const table = preferences.columns[tableName(pane, log.baseline !== undefined)];
    const withRates = mayGrow(log) && showsGroup(preferences.columns[pane], 'rates');
    return {
      kind: 'rows',
      of,
      sort: shownSort(log, preferences, pane),
      withTimes: hasSampleTimes(log) && showsGroup(table, 'times'),
      ...(of === 'methods' ? { withRates } : { method, threads, opensHotPath: of !== 'bottom-up' }),
    };
  }
  if (isFlamePane(pane))
    return pixels === 0
      ? undefined
      : { kind: 'flame', of: PANES[pane].of, threads, pixels, zoom: zoomOf(log, pane), method };
  if (pane === 'operations') {
    const { by = OPERATION } = log.panes.operations;
    const computing = computingSamples(log.status ?? NO_LOG_FACTS);
    return { kind: 'operations', of: 'calls', by, units: unitsOf(log), computing };
  }
  if (pane === 'summary') return { kind: 'answer', of: 'methods' };
  if (pane === 'spread') return spreadSpec(log);
  if (pane === 'source') return detail && { kind: 'lines', of: 'methods', method: detail };
  if (!hasSampleTimes(log) || pixels === 0) return undefined;
  const { only } = log.panes.chart;
  const isEqual = preferences.chartIsEqual;
  return { kind: 'chart', of: 'calls', threads, pixels, only, zoom: log.timelineZoom, isEqual };
}

/** undefined: the log has no parts. */
function spreadSpec(log: LogView): SpreadSpec | undefined {
  const choice = shownParts(log);
  if (choice === undefined) return undefined;
  const { value: parts, inOrder = false } = choice;
  const { by, isOfCall } = log.panes.spread;
  return {
    kind: 'spread',
    of: 'methods',
    parts,
    inOrder,
    by,
    isOfCall,
    method: detailOf(log),
    isIndependent: hasIntervals(unitsOf(log)),
    isOfAll: showsOnlyPart(log, parts),
  };
}
