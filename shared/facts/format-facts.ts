import { type ProfileUnits, SAMPLES_ONLY } from '../profile/profile-units.ts';
import { formatAmount, formatCount } from '../text/format-value.ts';
import type { Choice } from './choice.ts';
import type { MeasuredSeries } from './measured-series.ts';
import type { FormatLoss, Gaps, TruncatedStacks } from './losses.ts';

/** A small table for users about what a file contains besides samples: threads, events, segments. */
export interface FactTable {
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly kind: 'text' | 'count' | 'ns' | 'bytes' }[];
  /** Numbers are in the unit of their column; undefined: not in the file. */
  readonly rows: readonly (readonly (string | number | undefined)[])[];
  /** Number of rows that were left out: see MOST_FACT_ROWS. */
  readonly leftOut: number;
  /** It may hold secrets, as command lines do: not in what is exported, because files are passed on. */
  readonly isPrivate?: true;
}

/** The title of the table of methods of which the JVM has timed each call, by their names with parameters. */
export const TIMED_METHODS = 'Timed methods';
/** Most rows of a fact table, because it is sent to the window several times a second. */
export const MOST_FACT_ROWS = 200;
/** Most rows of the table of threads, from which the list of threads has their groups and states. */
export const MOST_THREAD_ROWS = 2_000;

/** Contents of an input besides its samples, as far as it was read. */
export interface FormatFacts {
  readonly units: ProfileUnits;
  readonly choices: readonly Choice[];
  /** Skipped parts after which reading went on: a sentence each. Such an input is read in part. */
  readonly skips: readonly string[];
  /** Notes for users on the numbers of this file: a sentence each, the most important first. */
  readonly notes: readonly string[];
  readonly tables: readonly FactTable[];
  /** Version of the Java that ran the program: `17.0.15`, `1.8.0_412`. Undefined if the input does not name it. */
  readonly javaVersion: string | undefined;
  /** Series that were measured over time besides samples. */
  readonly series: readonly MeasuredSeries[];
  /** AsyncGetCallTrace code, or OTHER_ERRORS -> samples. */
  readonly errorSamples: Readonly<Record<string, number>>;
  /** Errors of each thread: code -> row of the ThreadTable -> samples. */
  readonly errorThreads: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** Undefined if no stacks look truncated, or the format does not tell. */
  readonly truncated: TruncatedStacks | undefined;
  /** Further losses of the input, the most important first. */
  readonly losses: readonly FormatLoss[];
  /** Frames of the deepest stack without "(truncated)". Undefined: the call tree has no such frames and is as deep. */
  readonly deepestStack: number | undefined;
  /** Undefined for formats without times, and for those in which pauses are no gaps. */
  readonly gaps: Gaps | undefined;
  /**
   * ns since 1970 of the earliest and the latest sample, whatever their order in the file. Undefined if the file has no
   * times.
   */
  readonly firstTime: bigint | undefined;
  readonly lastTime: bigint | undefined;
  /** The times of single samples are known. */
  readonly hasSampleTimes: boolean;
  /** The number of times that the clock ran backwards; undefined for formats in which that cannot be detected. */
  readonly backwardSteps: number | undefined;
  /** Numbers of records, for `summary`; undefined for formats that do not count them. */
  readonly counts: RecordCounts | undefined;
}

/** Numbers of records of an input. */
export interface RecordCounts {
  readonly samples: number;
  readonly frames: number;
  readonly methods: number;
  /** Record type -> records. */
  readonly records: Readonly<Record<string, number>>;
}

/** Key of `errorSamples` for all codes that are not counted one by one, because there are too many. */
export const OTHER_ERRORS = 'other';

/** The facts of an input that contains only samples. Decoders override what they know. */
export const NO_FACTS: FormatFacts = {
  units: SAMPLES_ONLY,
  choices: [],
  skips: [],
  notes: [],
  tables: [],
  javaVersion: undefined,
  series: [],
  errorSamples: {},
  errorThreads: new Map(),
  truncated: undefined,
  losses: [],
  deepestStack: undefined,
  gaps: undefined,
  firstTime: undefined,
  lastTime: undefined,
  hasSampleTimes: false,
  backwardSteps: undefined,
  counts: undefined,
};

type Column = FactTable['columns'][number];

/** A fact table of the first rows. `columns`: their names, with their kinds if they are not texts: `Thread | Calls:count`. */
export function factTable(
  title: string,
  columns: string | readonly Column[],
  rows: FactTable['rows'],
  most = MOST_FACT_ROWS,
): FactTable {
  const named = typeof columns === 'string' ? columns.split(' | ').map(columnOf) : columns;
  return { title, columns: named, rows: rows.slice(0, most), leftOut: Math.max(0, rows.length - most) };
}

function columnOf(text: string): Column {
  const [name, kind = 'text'] = text.split(':');
  return { name, kind: kind as Column['kind'] };
}

/** The rows of a fact table that are listed. */
export function listedFacts({ title, columns, rows, leftOut }: FactTable): FactTable {
  const listed = factTable(title, columns, rows);
  return { ...listed, leftOut: listed.leftOut + leftOut };
}

/** The text of a cell of a fact table; null, which JSON has in its place, is undefined. */
export function factText(
  value: string | number | null | undefined,
  kind: FactTable['columns'][number]['kind'],
): string {
  if (value === undefined || value === null) return '\u2013';
  if (typeof value === 'string') return value;
  return kind === 'ns' || kind === 'bytes' ? formatAmount(value, kind) : formatCount(value);
}
