import * as z from 'zod/mini';
import { SORT_COLUMNS } from '../../../shared/engine/columns/columns.ts';
import {
  FRAME_GROUPINGS,
  parseThreadGrouping,
  type ThreadGrouping,
} from '../../../shared/engine/trees/grouping.ts';
import { COMPARE_BY } from '../../../shared/engine/values/row-change.ts';
import { METRICS } from '../../../shared/engine/values/metric.ts';
import { RECORDED_TYPES, RECORDING_SETTINGS } from '../../../shared/facts/recording-choice.ts';
import { THEMES } from '../../../shared/protocol/desktop-bridge.ts';
import { SAMPLE_KINDS } from '../../../shared/facts/sample-kind.ts';
import { COLOUR_BY } from '../../../shared/text/frame-colour.ts';
import type { SortOrder } from '../../../shared/engine/views/sort-order.ts';
import { columnWithId } from '../../../shared/engine/columns/columns.ts';
import { PANE_LIST, type Place, PLACES } from '../panes/pane-list.ts';
import { choicesOf, type FlameChoice, isRowsPane, type RowsPaneId, type TreeChoice } from '../panes/panes.ts';

// The content security policy forbids to compile schemas.
z.config({ jitless: true });

/** The value, or the default where there is none or an invalid one. */
export function fallingBack<Schema extends z.ZodMiniType>(
  schema: Schema,
  otherwise: z.output<Schema>,
): z.ZodMiniType<z.output<Schema>> {
  return z.catch(schema, () => otherwise);
}

/** The value; undefined where there is none or an invalid one. */
export function ifValid<Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniType<z.output<Schema> | undefined> {
  return z.catch(z.optional(schema), undefined);
}

/** The valid elements of a list, none of anything else. */
export function listOf<Schema extends z.ZodMiniType>(
  element: Schema,
  most = Infinity,
): z.ZodMiniType<readonly z.output<Schema>[]> {
  return z.pipe(
    fallingBack(z.array(ifValid(element)), []),
    z.transform((values) => values.flatMap((value) => value ?? []).slice(0, most)),
  );
}

/** undefined: the text is missing, or no JSON. */
export function parsedJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}

export type PaneChoice = Place | 'all';
export type Orientation = 'flame' | 'icicle';

export const CLOCKS = ['since', 'local', 'utc'] as const;
export type Clock = (typeof CLOCKS)[number];

const ATTACH_WITH = ['flight', 'dumps'] as const;

const SPLITS = ['summary', 'rows', 'columns', 'detail', 'sandwich'] as const;
export type SplitName = (typeof SPLITS)[number];

/** Order of each pane of rows. */
export type Sorts = Readonly<Record<RowsPaneId, SortOrder>>;

/** At least one, and no more than a large screen has. */
export const MOST_TRACKS_VISIBLE = 60;

const COMPARED_TABLE = 'compared ';

/** The name of a pane's table: while something is compared it is another one, with other columns. */
export function tableName(pane: RowsPaneId, isCompared: boolean): string {
  return isCompared ? `${COMPARED_TABLE}${pane}` : pane;
}

const isTable = (name: string): boolean => isRowsPane(name.replace(COMPARED_TABLE, ''));

/** The valid values of an object under valid names, none of anything else. */
function recordOf<Schema extends z.ZodMiniType>(
  schema: Schema,
  isName: (name: string) => boolean,
): z.ZodMiniType<Readonly<Record<string, z.output<Schema> | undefined>>> {
  return z.pipe(
    fallingBack(z.record(z.string(), ifValid(schema)), {}),
    z.transform((values) =>
      Object.fromEntries(
        Object.entries(values).filter(([name, value]) => isName(name) && value !== undefined),
      ),
    ),
  );
}

const SORT = z.object({ by: z.enum(SORT_COLUMNS), descending: fallingBack(z.boolean(), false) });

/** Every pane of rows, methods sorted by what they do themselves, trees by totals; another order may be stored. */
function sorts(what: 'Count' | 'Change'): z.ZodMiniType<Sorts> {
  const usual = PANE_LIST.flatMap((pane) =>
    pane.kind === 'rows'
      ? [[pane.id, { by: `${pane.of === 'methods' ? 'self' : 'total'}${what}`, descending: true }]]
      : [],
  );
  return z.pipe(
    recordOf(SORT, isRowsPane),
    z.transform((own) => ({ ...Object.fromEntries(usual), ...own }) as Sorts),
  );
}

/** Limits of a column's width, CSS pixels. */
export const LEAST_COLUMN_WIDTH = 48;
const MOST_COLUMN_WIDTH = 2000;

export function clampedWidth(width: number): number {
  return Math.round(Math.min(Math.max(width, LEAST_COLUMN_WIDTH), MOST_COLUMN_WIDTH));
}

const isColumn = (id: string): boolean => columnWithId(id) !== undefined;

/** The columns of a table, as the user arranged them. */
const COLUMN_LAYOUT = z.object({
  /** From left to right, behind the names; at least one. Columns that are not listed are not shown. */
  shown: z
    .pipe(
      listOf(z.string().check(z.refine(isColumn))),
      z.transform((ids: readonly string[]): readonly string[] => [...new Set(ids)]),
    )
    .check(z.refine((ids) => ids.length > 0)),
  /** Widths set by the user, CSS pixels; `name`: that of the names. */
  widths: recordOf(
    z.pipe(z.number(), z.transform(clampedWidth)),
    (name) => name === 'name' || isColumn(name),
  ),
});

export type ColumnLayout = Readonly<z.output<typeof COLUMN_LAYOUT>>;

const RECORDING = z.object({
  settings: fallingBack(z.enum(RECORDING_SETTINGS), 'profile'),
  types: z.pipe(
    listOf(z.enum(RECORDED_TYPES)),
    z.transform((types) => (types.length > 0 ? types : RECORDED_TYPES)),
  ),
});

/** A choice of a place. */
function choiceOf<Choice extends string>(place: Place): z.ZodMiniType<Choice> {
  return z.custom<Choice>((value) => choicesOf(place).some(({ choice }) => choice === value));
}

/** The grouping of threads; by attributes that only some logs have, too. */
const THREADS = z.custom<ThreadGrouping>(
  (value) => typeof value === 'string' && parseThreadGrouping(value) !== undefined,
);

/** Stored settings: how profiles are displayed, never which files were open. Each invalid one is its default. */
const PREFERENCES = z.object({
  theme: fallingBack(z.enum(THEMES), 'system'),
  panes: fallingBack(z.enum<readonly PaneChoice[]>([...PLACES.map(({ id }) => id), 'all']), 'all'),
  tree: fallingBack(choiceOf<TreeChoice>('tree'), 'calls'),
  flame: fallingBack(choiceOf<FlameChoice>('flame'), 'calls'),
  frames: fallingBack(z.enum(FRAME_GROUPINGS), 'fqmn'),
  threads: fallingBack(THREADS, 'all'),
  /** The metric of each kind of samples, where the user has chosen one. */
  metrics: recordOf(z.enum(METRICS), (name) => SAMPLE_KINDS.some((kind) => kind === name)),
  /** Idle threads are left out of the first view of a log where they hide what others do. */
  leavesOutIdle: fallingBack(z.boolean(), true),
  /** Samples without a stack are left out of the first view of a log. */
  leavesOutErrors: fallingBack(z.boolean(), true),
  /** As they are while the metric is samples. */
  sorts: sorts('Count'),
  /** While something is compared. */
  comparedSorts: sorts('Change'),
  compareBy: fallingBack(z.enum(COMPARE_BY), 'share'),
  /** An icicle has its root at the top, as a tree. */
  orientation: fallingBack(z.enum(['flame', 'icicle']), 'icicle'),
  /** The summary is beside the panes. */
  summary: fallingBack(z.boolean(), true),
  /** Samples over time are shown above the panes, for logs that have times. */
  timeline: fallingBack(z.boolean(), true),
  /** Samples are shown in squares of time above the panes. */
  heatmap: fallingBack(z.boolean(), false),
  /** When requests began and how long they took is drawn below the timeline, for logs that tell of some. */
  durations: fallingBack(z.boolean(), true),
  /** Below the timeline is a track for each pool of threads. */
  lanes: fallingBack(z.boolean(), false),
  /** Measured series -> whether it is a track; the usual ones are where nothing was chosen. */
  measured: fallingBack(z.record(z.string(), z.boolean()), {}),
  /** Times are told since the earliest sample, or as a time of day, where the file knows it. */
  clock: fallingBack(z.enum(CLOCKS), 'since'),
  /** All samples are equally wide in the chart, instead of as wide as their time. */
  chartIsEqual: fallingBack(z.boolean(), false),
  /** So many tracks of threads are visible at once. */
  tracksVisible: fallingBack(z.int().check(z.gte(1), z.lte(MOST_TRACKS_VISIBLE)), 8),
  /** The property by which frames are coloured. */
  colourBy: fallingBack(z.enum(COLOUR_BY), 'package'),
  /** `tableName` of a pane of rows -> its columns, if the user has changed them. */
  columns: recordOf(COLUMN_LAYOUT, isTable),
  /** Percent of a split view for its first part. */
  splits: recordOf(z.number().check(z.gt(0), z.lt(100)), (name) => SPLITS.some((split) => split === name)),
  /** Settings and sample types of recordings. */
  record: fallingBack(RECORDING, RECORDING.parse({})),
  /** A click on a JVM starts a flight recording, or samples its threads by thread dumps. */
  attachWith: fallingBack(z.enum(ATTACH_WITH), 'flight'),
});

export type Preferences = Readonly<z.output<typeof PREFERENCES>>;

export const DEFAULT_PREFERENCES: Preferences = PREFERENCES.parse({});

/** Reads stored preferences of any version: each invalid value is replaced by its default. Never throws. */
export function readPreferences(text: string | null): Preferences {
  return fallingBack(PREFERENCES, DEFAULT_PREFERENCES).parse(parsedJson(text));
}
