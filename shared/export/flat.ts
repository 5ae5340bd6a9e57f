import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { ROW_QUANTITIES } from '../engine/columns/columns.ts';
import { sumSelfValues, type SelfValues } from '../engine/values/self-values.ts';
import type { TimeBounds } from '../engine/values/time-range.ts';
import { type SortOrder, rowOrder } from '../engine/views/sort-order.ts';
import type { ExportWriter } from './export-input.ts';
import {
  rangeColumns,
  type TableColumn,
  textCell,
  writeCsvTable,
  type TextSink,
  LineWriter,
  numbersText,
} from './text-sink.ts';
import type { Metric } from '../engine/values/metric.ts';
import { shownLabel } from '../text/format-frame.ts';
import { alignedLines, valueColumns } from './value-cells.ts';
import { type RowFilter, shownKeys } from '../engine/views/filter.ts';
import { FlatProfile } from '../engine/views/flat-profile.ts';
import type { FrameKeys, Recursion } from '../engine/trees/grouping.ts';
import { Chains } from '../engine/trees/chains.ts';
import { ChainSums } from '../engine/values/value-columns.ts';

export interface FlatExportOptions {
  readonly frames: FrameKeys;
  readonly recursion: Recursion;
  readonly filter: RowFilter;
  /** The values to sum; undefined: all. */
  readonly values?: SelfValues | undefined;
}

export const writeFlat: ExportWriter = (input, sink) => exportFlat(input.profile, input, sink);

/**
 * The flat profile as canonical text (specs: cli, `flat`), sorted by key in UTF-16 code units:
 *
 *   key selfCnt totalCnt selfTime totalTime
 */
export function exportFlat(profile: LeanProfile, options: FlatExportOptions, sink: TextSink): void {
  const flat = flatProfileOf(profile, options);
  const keys = shownKeys({ next: flat }, options.filter);
  const writer = new LineWriter(sink, keys.length);
  for (const key of keys) {
    writer.line(`${flat.keys.labels[key]}\t${numbersText(flat, key)}`);
  }
  writer.flush();
}

export function flatProfileOf(
  profile: LeanProfile,
  options: Pick<FlatExportOptions, 'frames' | 'recursion' | 'values'>,
): FlatProfile {
  const flat = new FlatProfile(profile, options.frames, options.recursion);
  const values = options.values ?? profile.selfValues;
  const chains = new Chains(profile);
  chains.update();
  const sums = new ChainSums(chains);
  sums.update(values);
  flat.update(values, () => sums);
  return flat;
}

/** `shownKeys` in another order: methods with their lines behind them, as in the window. */
export function orderedKeys(flat: FlatProfile, filter: RowFilter, order: SortOrder): number[] {
  const { methodOf } = flat.keys;
  const isLast = (key: number): boolean => flat.keys.isNoStack(key);
  const { selfCount, totalCount, selfTime, totalTime } = flat;
  const label = (key: number): string => flat.label(key);
  const compare = rowOrder({ label, isLast, selfCount, totalCount, selfTime, totalTime }, order);
  const isLine = (key: number): number => (methodOf[key] === key ? 0 : 1);
  return shownKeys({ next: flat }, filter).sort(
    (a, b) => compare(methodOf[a], methodOf[b]) || isLine(a) - isLine(b) || compare(a, b),
  );
}

export interface MethodsExportOptions extends FlatExportOptions {
  readonly order: SortOrder;
  /** What percentages are of; samples where the profile has no second value. */
  readonly metric: Metric;
  readonly units: ProfileUnits;
}

export const writeMethods: ExportWriter = (input, sink) => exportMethods(input.profile, input, sink);

/**
 * The flat profile for people, as in the window's methods pane: sorted, with a header, aligned columns and rounded numbers.
 * Percentages are of all samples, or by time of all time, including rows that are filtered out. Names are those that the
 * window shows; the other formats have keys.
 *
 *    Self %  Self samples  Self time   Total %  Total samples  Total time  Method
 *   67.57 %            25     139 ms  72.97 %             27      151 ms  Shop.parse
 */
export function exportMethods(profile: LeanProfile, options: MethodsExportOptions, sink: TextSink): void {
  const { order, filter } = options;
  const flat = flatProfileOf(profile, options);
  const { labels } = flat.keys;
  const { selfCount, totalCount, selfTime, totalTime } = flat;
  const keys = orderedKeys(flat, filter, order);
  const all = sumSelfValues(options.values ?? profile.selfValues);

  const cells = { ...options, whole: all };
  const columns = [
    ...valueColumns(keys, { title: 'Self', count: selfCount, time: selfTime }, cells),
    ...valueColumns(keys, { title: 'Total', count: totalCount, time: totalTime }, cells),
  ];
  const writer = new LineWriter(sink, keys.length + 1);
  const names = ['Method', ...keys.map((key) => shownLabel(labels[key]))];
  for (const line of alignedLines(columns, names)) writer.line(line);
  writer.flush();
}

export interface CsvExportOptions extends FlatExportOptions {
  readonly order: SortOrder;
  readonly units: ProfileUnits;
  /** When the samples were taken; undefined: at any time. */
  readonly range?: TimeBounds | undefined;
}

export const writeCsv: ExportWriter = (input, sink) =>
  exportCsv(input.profile, { ...input, range: input.range?.bounds }, sink);

/**
 * The flat profile for spreadsheets. Percentages refer to all samples and all time, including rows that are filtered out.
 * They are empty if the sum is not positive. Methods have the keys of the other formats, so that tables can be joined: a
 * negative line or BCI is an unknown one. A time range is in columns of its own: ns, empty for an open end.
 */
export function exportCsv(profile: LeanProfile, options: CsvExportOptions, sink: TextSink): void {
  const { units, range, order, filter } = options;
  const flat = flatProfileOf(profile, options);
  const all = sumSelfValues(options.values ?? profile.selfValues);
  const columns: TableColumn<number>[] = [
    { title: 'Method', cell: (key) => textCell(flat.keys.labels[key]) },
    ...ROW_QUANTITIES.filter(({ text }) => text(units) !== undefined).map(({ csvTitle, csvCell }) => ({
      title: csvTitle(units),
      cell: (key: number) => csvCell(flat, key, all),
    })),
  ];
  if (range !== undefined) columns.push(...rangeColumns(range));
  writeCsvTable(columns, orderedKeys(flat, filter, order), sink);
}
