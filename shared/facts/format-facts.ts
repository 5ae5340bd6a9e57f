import { type ProfileUnits, SAMPLES_ONLY } from '../profile/profile-units.ts';
import { formatAmount, formatCount } from '../text/format-value.ts';
import type { Choice } from './choice.ts';

/** A small table for people about what is in a file beside its samples: threads, events, segments. */
export interface FactTable {
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly kind: 'text' | 'count' | 'ns' | 'bytes' }[];
  /** undefined: the file does not say. Numbers in the unit of their column. */
  readonly rows: readonly (readonly (string | number | undefined)[])[];
  /** Rows that were left out, because there are too many to read. */
  readonly leftOut: number;
}

/** Enough for every reader, and little enough to send several times a second. */
export const MOST_FACT_ROWS = 200;

/** What an input says beside its samples, as far as it was read. */
export interface FormatFacts {
  readonly units: ProfileUnits;
  readonly choices: readonly Choice[];
  /** What a reader of the numbers should know of this very file: a sentence each, the most important first. */
  readonly notes: readonly string[];
  readonly tables: readonly FactTable[];
  /** AsyncGetCallTrace code -> samples. */
  readonly errorSamples: Readonly<Record<string, number>>;
  /** ns since 1970 of the first and last sample; undefined where the file has no times. */
  readonly firstTime: bigint | undefined;
  readonly lastTime: bigint | undefined;
  /** How often the clock ran backwards; undefined where it cannot be seen. */
  readonly backwardSteps: number | undefined;
  /** What was counted while reading, for `summary`; undefined where the format has nothing of the kind. */
  readonly counts: RecordCounts | undefined;
}

/** Records of an input that consists of records. */
export interface RecordCounts {
  readonly samples: number;
  readonly frames: number;
  readonly methods: number;
  /** Record type -> records. */
  readonly records: Readonly<Record<string, number>>;
}

/** The facts of a format with samples only; decoders override what they know. */
export const NO_FACTS: FormatFacts = {
  units: SAMPLES_ONLY,
  choices: [],
  notes: [],
  tables: [],
  errorSamples: {},
  firstTime: undefined,
  lastTime: undefined,
  backwardSteps: undefined,
  counts: undefined,
};

/** A fact table with as many rows as people read. */
export function factTable(title: string, columns: FactTable['columns'], rows: FactTable['rows']): FactTable {
  return {
    title,
    columns,
    rows: rows.slice(0, MOST_FACT_ROWS),
    leftOut: Math.max(0, rows.length - MOST_FACT_ROWS),
  };
}

/** A cell of a fact table, for people. */
export function factText(
  value: string | number | undefined,
  kind: FactTable['columns'][number]['kind'],
): string {
  if (value === undefined) return '\u2013';
  if (typeof value === 'string') return value;
  return kind === 'ns' || kind === 'bytes' ? formatAmount(value, kind) : formatCount(value);
}
