import { conditionOf, OPERATION } from '../../../shared/scope/context-condition.ts';
import { attributeOf, rowKeys, withErrorsJoined } from '../../../shared/engine/trees/grouping.ts';
import type { ComparisonView, MethodRef } from '../../../shared/engine/query.ts';
import { isTyped } from '../../../shared/scope/thread-pattern.ts';
import type { MirrorRequest } from '../../profile-worker/mirror-messages.ts';
import type { TimelineView } from '../../../shared/engine/views/timeline-columns.ts';
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
import { isFlamePane, isHalf, isRowsPane, PANE_IDS, type PaneId, PANES } from '../panes/panes.ts';
import { type ColumnLayout, tableName } from '../state/preferences.ts';
import { type LogFacts, NO_LOG_FACTS } from '../../../shared/facts/log-facts.ts';
import { computingSamples } from '../../../shared/facts/sample-kind.ts';
import type { LogStatus } from '../../../shared/protocol/messages.ts';
import type { LogView, WindowState } from '../state/window-state.ts';
import { zoomInForce } from '../state/scope-history.ts';
import { showsOnlyPart, shownParts } from '../state/spread-parts.ts';
import { hasIntervals } from '../../../shared/profile/profile-units.ts';
import { columnWithId } from '../../../shared/engine/columns/columns.ts';

function isPaneShown(state: WindowState, pane: PaneId): boolean {
  return panesOnScreen(state).includes(pane);
}

/** The view of one log: requests that are sent to its mirror whenever they differ. */
export function mirrorRequests(state: WindowState, log: LogView): readonly MirrorRequest[] {
  const { preferences } = state;
  const threads = shownThreads(log, preferences.threads);
  const isFront = log.key === state.active;
  const zoom = zoomInForce(log);
  const { merge } = log;
  // Assumed until the first status: the first delta rarely has all.
  const isReading = (log.status?.state ?? 'reading') === 'reading';
  return [
    ...(merge === undefined
      ? []
      : [
          {
            type: 'union',
            parts: merge.parts.map((part, at) => ({ log: part, tag: merge.names[at] })),
            threads: merge.threads,
          } as const,
        ]),
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
    isFront ? timelineRequest(state, log) : { type: 'timeline', view: undefined },
    { type: 'about', of: 'method', method: isFront ? detailOnScreen(state, log) : undefined },
    isFront ? threadsRequest(state, log) : { type: 'threads', shown: false },
    {
      type: 'growth',
      measured: isFront && mayGrow(log),
      frozen: isFrozen(log),
      held: log.isHeld,
      shown: isFront && log.hasGrown && isPaneShown(state, 'summary'),
    },
    ...(isFront && isPaneShown(state, 'summary') && log.status !== undefined
      ? [
          {
            type: 'facts',
            facts: factsOf(log.status),
            project: state.project,
            epoch: log.hostLog === undefined ? undefined : log.status.epoch,
          } as const,
        ]
      : []),
    { type: 'hold', pane: isFront ? state.heldPane : undefined },
    ...PANE_IDS.map((pane): MirrorRequest => {
      const isActive = isFront && (isPaneShown(state, pane) || (pane === 'source' && needsLines(state, log)));
      return { type: 'pane', pane, spec: isActive ? specOf(pane, state, log) : undefined };
    }),
  ];
}

const FACTS = new WeakMap<LogStatus, LogFacts>();

/** The facts of a status for the summary; one object for one status. Tables can be large. */
function factsOf(status: LogStatus): LogFacts {
  const known = FACTS.get(status);
  if (known !== undefined) return known;
  const facts = { ...status, tables: [], notes: [] };
  FACTS.set(status, facts);
  return facts;
}

/** The threads are listed, or a pane needs to know which of them a typed expression selects. */
function threadsRequest(state: WindowState, log: LogView): MirrorRequest {
  const { dialog, preferences } = state;
  const isListed = dialog?.kind === 'threads';
  const asks = preferences.lanes && showsTimeline(state, log) && log.scope.threads.some(isTyped);
  const search = isListed ? dialog.search?.trim() : undefined;
  return { type: 'threads', shown: isListed || asks || isPaneShown(state, 'chart'), search };
}

/** The lines of a method are on screen with its callers. */
function needsLines(state: WindowState, log: LogView): boolean {
  return isPaneShown(state, 'callers') && showsHottestLines(log);
}

function timelineRequest(state: WindowState, log: LogView): MirrorRequest {
  const { lanes, heatmap, durations } = state.preferences;
  const fit = (pixels: number): number => Math.max(1, Math.floor(state.timelineWidth / pixels));
  const isShown = showsTimeline(state, log);
  // Making requests of the calls of a trace takes a second for two million: they are made when somebody looks at them.
  const hasOperations = isPaneShown(state, 'operations');
  return {
    type: 'timeline',
    view: timelineView(state, log),
    tracks: isShown && lanes ? { ...state.tracksView, holds: log.hasGrown } : undefined,
    heatmap: isShown && heatmap ? { fit: fit(COLUMN_PIXELS) } : undefined,
    durations:
      isShown && durations && hasContexts(log) && (hasOperations || log.summary?.areCalls !== true)
        ? { fit: fit(DURATION_PIXELS), marks: markedRequests(state, log) }
        : undefined,
    // Where logs are merged, one may have samples while another has none.
    leastGap:
      isShown && lanes && log.merge === undefined && (log.status?.gaps?.count ?? 0) > 0
        ? log.status?.gaps?.leastNs
        : undefined,
  };
}

/** The condition that the requests of the selected row of operations meet. */
function markedRequests(state: WindowState, log: LogView): string | undefined {
  const { by = OPERATION, marked } = log.panes.operations;
  return marked === undefined || !isPaneShown(state, 'operations') ? undefined : conditionOf(by, marked);
}

/** The method that is shown with its callers and callees, or its source. */
function detailOnScreen(state: WindowState, log: LogView): MethodRef | undefined {
  return isPaneShown(state, 'callers') || isPaneShown(state, 'source') ? detailOf(log) : undefined;
}

/** undefined: nothing is compared. */
function comparisonOf(state: WindowState, log: LogView): ComparisonView | undefined {
  const { baseline } = log;
  if (baseline === undefined) return undefined;
  const { isSampled, isDependent } = chanceOfSides(state, log);
  return {
    baseline,
    by: shownCompareBy(log, state.preferences),
    isSampled,
    ...(isDependent ? { isDependent } : {}),
  };
}

/** Pixels of a bucket of the timeline. */
const BUCKET_PIXELS = 2;
/** Least pixels of a column of the heatmap. */
const COLUMN_PIXELS = 4;
/** Least pixels of a column of durations. */
const DURATION_PIXELS = 7;

/**
 * undefined for a log without times, until the width is measured, and where it is not wanted. A time range needs it all
 * the same: its times are since the earliest sample, which only these columns say. So does a mark: it is at the latest one.
 */
function timelineView(state: WindowState, log: LogView): TimelineView | undefined {
  if (!showsTimeline(state, log)) {
    const needsTimes = log.scope.range !== undefined || log.baseline !== undefined || mayGrow(log);
    const needsFirst = needsTimes && hasSampleTimes(log) && hasSamples(log);
    return needsFirst ? { zoom: undefined, buckets: 1 } : undefined;
  }
  if (state.timelineWidth === 0) return undefined;
  return { zoom: log.timelineZoom, buckets: Math.max(1, Math.floor(state.timelineWidth / BUCKET_PIXELS)) };
}

/** The user wants to see how much methods grew of late, or when rows have their samples. */
function showsGroup(layout: ColumnLayout | undefined, group: 'rates' | 'times'): boolean {
  return layout?.shown.some((id) => columnWithId(id)?.group === group) === true;
}

/** undefined for a pane that cannot be shown yet. */
function specOf(pane: PaneId, state: WindowState, log: LogView): PaneSpec | undefined {
  const { preferences, flameWidth: pixels } = state;
  const threads = shownThreads(log, preferences.threads);
  const method = detailOf(log);
  if (isRowsPane(pane)) {
    const sort = shownSort(log, preferences, pane);
    const table = preferences.columns[tableName(pane, log.baseline !== undefined)];
    const rows = {
      kind: 'rows',
      sort,
      withTimes: hasSampleTimes(log) && showsGroup(table, 'times'),
    } as const;
    const { of } = PANES[pane];
    if (of === 'methods')
      return { ...rows, of, withRates: mayGrow(log) && showsGroup(preferences.columns[pane], 'rates') };
    if (of === 'calls' || of === 'bottom-up') return { ...rows, of, threads, opensHotPath: of === 'calls' };
    return method && { ...rows, of, method, threads, opensHotPath: true };
  }
  if (isFlamePane(pane)) {
    const flame = { kind: 'flame', of: PANES[pane].of, threads, pixels } as const;
    // Until the width is measured.
    if (pixels === 0) return undefined;
    if (!isHalf(pane)) return { ...flame, zoom: log.zoom, method: undefined };
    return method && { ...flame, zoom: log.panes[pane].zoom, method };
  }
  if (pane === 'operations') {
    const { by = OPERATION } = log.panes.operations;
    const computing = computingSamples(log.status ?? NO_LOG_FACTS);
    return { kind: 'operations', of: 'calls', by, units: unitsOf(log), computing };
  }
  if (pane === 'summary') return { kind: 'answer', of: 'methods' };
  if (pane === 'spread') return spreadSpec(log);
  if (pane === 'source') return method && { kind: 'lines', of: 'methods', method };
  if (log.status?.hasSampleTimes !== true || pixels === 0) return undefined;
  return {
    kind: 'chart',
    of: 'calls',
    threads,
    pixels,
    only: log.panes.chart.only,
    zoom: log.timelineZoom,
    isEqual: preferences.chartIsEqual,
  };
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
