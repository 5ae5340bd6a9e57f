import { type ColumnLayout, readColumnLayout } from './column-layout.ts';
import { isRowsPane, type Place, type RowsPaneId } from './panes.ts';
import { COLOUR_BY, type ColourBy } from '../../shared/text/frame-colour.ts';
import {
  FRAME_GROUPINGS,
  type FrameGrouping,
  THREAD_GROUPINGS,
  type ThreadGrouping,
} from '../../shared/engine/trees/grouping.ts';
import { type ThemeChoice, THEMES } from '../../shared/protocol/desktop-bridge.ts';
import { COMPARE_BY, type CompareBy } from '../../shared/engine/values/compared-to.ts';
import { type Metric, METRICS } from '../../shared/engine/values/metric.ts';
import {
  MOST_THREAD_NAME_CHARACTERS,
  MOST_THREAD_NAMES,
  RECORDED_TYPES,
  RECORDING_SETTINGS,
  type RecordingChoice,
  SAMPLING_RANGES,
  type SamplingChoice,
  THREAD_STATES,
} from '../../shared/facts/recording-choice.ts';
import { SORT_COLUMNS } from '../../shared/engine/columns/columns.ts';
import type { SortOrder } from '../profile-worker/pane-messages.ts';

/** `sandwich`: the callers of a method as a flame graph, below it the callees. */
export type PaneChoice = Place | 'all';
/** `chart`: stacks in the order in which they were sampled. */
export type FlameChoice = 'calls' | 'bottom-up' | 'chart';
/** The pane at the place of the tree. `detail`: callers and callees of the selected method; `source`: its source. */
export type TreeChoice = 'calls' | 'bottom-up' | 'detail' | 'source';
export type Orientation = 'flame' | 'icicle';

/** The whole of percentages: all samples, those on screen, or in the tree the caller. */
export type SharesOf = 'all' | 'view' | 'parent';

export const ATTACH_WITH = ['flight', 'dumps'] as const;
export type AttachWith = (typeof ATTACH_WITH)[number];

export type SplitName = 'rows' | 'columns' | 'detail' | 'sandwich' | 'heatmap';
/** Percent of a split view for its first part. */
export type Splits = Readonly<Partial<Record<SplitName, number>>>;

/** Order of each pane of rows. */
export type Sorts = Readonly<Record<RowsPaneId, SortOrder>>;

/** Stored settings: how profiles are displayed, never which files were open. */
export interface Preferences {
  readonly theme: ThemeChoice;
  readonly panes: PaneChoice;
  readonly tree: TreeChoice;
  /** The pane at the place of the flame graph. */
  readonly flame: FlameChoice;
  readonly frames: FrameGrouping;
  readonly threads: ThreadGrouping;
  readonly metric: Metric;
  readonly sorts: Sorts;
  /** While something is compared. */
  readonly comparedSorts: Sorts;
  readonly compareBy: CompareBy;
  /** undefined: icicle where the graph is deeper than its pane. */
  readonly orientation: Orientation | undefined;
  readonly sharesOf: SharesOf;
  /** A zoom of the flame graph narrows the call tree and the methods. */
  readonly zoomNarrows: boolean;
  /** Show samples over time above the panes, for logs that have times. */
  readonly timeline: boolean;
  /** Show samples in squares of time above the panes. */
  readonly heatmap: boolean;
  /** Below the timeline a track for each pool of threads. */
  readonly lanes: boolean;
  /** All samples are equally wide in the chart, instead of as wide as their time. */
  readonly chartIsEqual: boolean;
  /** So many tracks of threads are visible at once. */
  readonly tracksVisible: number;
  /** The property by which frames are coloured. */
  readonly colourBy: ColourBy;
  /** `tableName` of a pane of rows -> its columns, if the user has changed them. */
  readonly columns: Readonly<Record<string, ColumnLayout | undefined>>;
  readonly splits: Splits;
  /** Settings and sample types of recordings. */
  readonly record: RecordingChoice;
  /** A click on a JVM starts a flight recording, or samples its threads by thread dumps. */
  readonly attachWith: AttachWith;
  readonly sampling: SamplingChoice;
}

export const TREES: readonly TreeChoice[] = ['calls', 'bottom-up', 'detail', 'source'];
export const PANES: readonly PaneChoice[] = ['tree', 'flat', 'flame', 'all', 'sandwich'];
export const FLAMES: readonly FlameChoice[] = ['calls', 'bottom-up', 'chart'];
const SHARES_OF: readonly SharesOf[] = ['all', 'view', 'parent'];
export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  panes: 'all',
  tree: 'calls',
  flame: 'calls',
  frames: 'fqmn',
  threads: 'all',
  metric: 'samples',
  sorts: {
    tree: { by: 'totalCount', descending: true },
    flat: { by: 'selfCount', descending: true },
    bottomUp: { by: 'totalCount', descending: true },
    callers: { by: 'totalCount', descending: true },
    callees: { by: 'totalCount', descending: true },
  },
  comparedSorts: {
    tree: { by: 'totalChange', descending: true },
    flat: { by: 'selfChange', descending: true },
    bottomUp: { by: 'totalChange', descending: true },
    callers: { by: 'totalChange', descending: true },
    callees: { by: 'totalChange', descending: true },
  },
  compareBy: 'share',
  orientation: undefined,
  sharesOf: 'view',
  zoomNarrows: false,
  timeline: true,
  heatmap: false,
  lanes: false,
  chartIsEqual: false,
  tracksVisible: 8,
  colourBy: 'package',
  columns: {},
  splits: {},
  record: { settings: 'profile', types: RECORDED_TYPES },
  attachWith: 'flight',
  sampling: { intervalMs: 20, sharePercent: 1, threads: [], states: [] },
};

const COMPARED_TABLE = 'compared ';

/** The name of a pane's table: while something is compared it is another one, with other columns. */
export function tableName(pane: RowsPaneId, isCompared: boolean): string {
  return isCompared ? `${COMPARED_TABLE}${pane}` : pane;
}

/** Reads stored preferences of any version: each invalid value is replaced by its default. */
export function readPreferences(text: string | null): Preferences {
  const stored = parseObject(text);
  const defaults = DEFAULT_PREFERENCES;
  return {
    theme: oneOf(THEMES, stored.theme, defaults.theme),
    panes: oneOf(PANES, stored.panes, defaults.panes),
    tree: oneOf(TREES, stored.tree, defaults.tree),
    flame: oneOf(FLAMES, stored.flame, defaults.flame),
    frames: oneOf(FRAME_GROUPINGS, stored.frames, defaults.frames),
    threads: oneOf(THREAD_GROUPINGS, stored.threads, defaults.threads),
    metric: oneOf(METRICS, stored.metric, defaults.metric),
    sorts: sortOrders(stored.sorts, defaults.sorts),
    comparedSorts: sortOrders(stored.comparedSorts, defaults.comparedSorts),
    compareBy: oneOf(COMPARE_BY, stored.compareBy, defaults.compareBy),
    orientation: oneOf<Orientation | ''>(['flame', 'icicle'], stored.orientation, '') || undefined,
    columns: columnLayouts(stored.columns),
    sharesOf: oneOf(SHARES_OF, stored.sharesOf, defaults.sharesOf),
    zoomNarrows: stored.zoomNarrows === true,
    timeline: stored.timeline !== false,
    heatmap: stored.heatmap === true,
    lanes: stored.lanes === true,
    chartIsEqual: stored.chartIsEqual === true,
    tracksVisible: tracksVisible(stored.tracksVisible, defaults.tracksVisible),
    colourBy: oneOf(COLOUR_BY, stored.colourBy, defaults.colourBy),
    splits: splitShares(stored.splits),
    record: recordingChoice(stored.record, defaults.record),
    attachWith: oneOf(ATTACH_WITH, stored.attachWith, defaults.attachWith),
    sampling: samplingChoice(stored.sampling, defaults.sampling),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string | null): Fields {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function oneOf<Choice extends string>(choices: readonly Choice[], value: unknown, otherwise: Choice): Choice {
  return choices.find((choice) => choice === value) ?? otherwise;
}

/** At least one, and no more than a large screen has. */
export const MOST_TRACKS_VISIBLE = 60;

function tracksVisible(value: unknown, otherwise: number): number {
  const isNumber = typeof value === 'number' && Number.isInteger(value);
  return isNumber && value >= 1 && value <= MOST_TRACKS_VISIBLE ? value : otherwise;
}

function sortOrder(value: unknown, otherwise: SortOrder): SortOrder {
  if (!isObject(value)) return otherwise;
  const by = SORT_COLUMNS.find((sort) => sort === value.by);
  return by === undefined ? otherwise : { by, descending: value.descending === true };
}

function sortOrders(value: unknown, otherwise: Sorts): Sorts {
  const stored = isObject(value) ? value : {};
  const entries = Object.entries(otherwise).map(([pane, sort]) => [pane, sortOrder(stored[pane], sort)]);
  return Object.fromEntries(entries) as Sorts;
}

function recordingChoice(value: unknown, otherwise: RecordingChoice): RecordingChoice {
  const { settings, types } = isObject(value) ? value : {};
  const known = Array.isArray(types) ? RECORDED_TYPES.filter((type) => types.includes(type)) : [];
  return {
    settings: oneOf(RECORDING_SETTINGS, settings, otherwise.settings),
    types: known.length > 0 ? known : otherwise.types,
  };
}

function samplingChoice(value: unknown, otherwise: SamplingChoice): SamplingChoice {
  const stored = isObject(value) ? value : {};
  const number = (key: keyof typeof SAMPLING_RANGES): number | undefined => {
    const given = stored[key];
    const { least, most } = SAMPLING_RANGES[key];
    return typeof given === 'number' && given >= least && given <= most ? given : undefined;
  };
  const texts = (given: unknown): readonly string[] =>
    Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [];
  const depth = number('depth');
  return {
    intervalMs: number('intervalMs') ?? otherwise.intervalMs,
    sharePercent: number('sharePercent') ?? otherwise.sharePercent,
    ...(Number.isInteger(depth) ? { depth } : {}),
    threads: texts(stored.threads)
      .filter((name) => name !== '' && name.length <= MOST_THREAD_NAME_CHARACTERS)
      .slice(0, MOST_THREAD_NAMES),
    states: THREAD_STATES.filter((state) => texts(stored.states).includes(state)),
  };
}

function splitShares(value: unknown): Splits {
  const splits: Partial<Record<SplitName, number>> = {};
  if (!isObject(value)) return splits;
  for (const split of ['rows', 'columns', 'detail', 'sandwich', 'heatmap'] as const) {
    const share = value[split];
    if (typeof share === 'number' && share > 0 && share < 100) splits[split] = share;
  }
  return splits;
}

function columnLayouts(value: unknown): Preferences['columns'] {
  const layouts: Record<string, ColumnLayout> = {};
  if (!isObject(value)) return layouts;
  for (const [table, stored] of Object.entries(value)) {
    const isTable = isRowsPane(table) || isRowsPane(table.replace(COMPARED_TABLE, ''));
    const layout = isTable ? readColumnLayout(stored) : undefined;
    if (layout !== undefined) layouts[table] = layout;
  }
  return layouts;
}
