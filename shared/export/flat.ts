import type { LeanProfile } from '../profile/lean-profile.ts';
import { ROW_QUANTITIES } from '../engine/columns/columns.ts';
import { sumSelfValues } from '../engine/values/self-values.ts';
import { type SortOrder, rowOrder } from '../engine/views/sort-order.ts';
import type { ExportInput } from './export-input.ts';
import {
  rangeColumns,
  type TableColumn,
  textCell,
  writeCsvTable,
  type TextSink,
  LineWriter,
  numbersText,
  writeLines,
} from './text-sink.ts';
import { rowLines } from './value-cells.ts';
import { type RowFilter, shownKeys } from '../engine/views/filter.ts';
import { FlatProfile } from '../engine/views/flat-profile.ts';
import { Chains } from '../engine/trees/chains.ts';
import { ChainSums } from '../engine/values/value-columns.ts';

type FlatInput = Pick<ExportInput, 'profile' | 'frames' | 'recursion' | 'filter' | 'values'>;

/**
 * The flat profile as canonical text (specs: cli, `flat`), sorted by key in UTF-16 code units:
 *
 *   key selfCnt totalCnt selfTime totalTime
 */
export function writeFlat(input: FlatInput, sink: TextSink): void {
  const flat = flatProfileOf(input.profile, input);
  const keys = shownKeys({ next: flat }, input.filter);
  const writer = new LineWriter(sink, keys.length);
  for (const key of keys) {
    writer.line(`${flat.keys.labels[key]}\t${numbersText(flat, key)}`);
  }
  writer.flush();
}

export function flatProfileOf(
  profile: LeanProfile,
  options: Pick<ExportInput, 'frames' | 'recursion' | 'values'>,
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

/**
 * The flat profile for people, as in the window's methods pane: sorted, with a header, aligned columns and rounded numbers.
 * Percentages are of all samples, or by time of all time, including rows that are filtered out. Names are those that the
 * window shows; the other formats have keys.
 *
 *    Self %  Self samples  Self time   Total %  Total samples  Total time  Method
 *   67.57 %            25     139 ms  72.97 %             27      151 ms  Shop.parse
 */
export function writeMethods(
  input: FlatInput & Pick<ExportInput, 'order' | 'metric' | 'units'>,
  sink: TextSink,
): void {
  const { profile, order, filter } = input;
  const flat = flatProfileOf(profile, input);
  const cells = { ...input, whole: sumSelfValues(input.values ?? profile.selfValues) };
  writeLines(rowLines(orderedKeys(flat, filter, order), flat, 'Method', cells), sink);
}

/**
 * The flat profile for spreadsheets. Percentages refer to all samples and all time, including rows that are filtered out.
 * They are empty if the sum is not positive. Methods have the keys of the other formats, so that tables can be joined: a
 * negative line or BCI is an unknown one. A time range is in columns of its own: ns, empty for an open end.
 */
export function writeCsv(
  input: FlatInput & Pick<ExportInput, 'order' | 'units' | 'range'>,
  sink: TextSink,
): void {
  const { profile, units, range, order, filter } = input;
  const flat = flatProfileOf(profile, input);
  const all = sumSelfValues(input.values ?? profile.selfValues);
  const columns: TableColumn<number>[] = [
    { title: 'Method', cell: (key) => textCell(flat.keys.labels[key]) },
    ...ROW_QUANTITIES.filter(({ text }) => text(units) !== undefined).map(({ csvTitle, csvCell }) => ({
      title: csvTitle(units),
      cell: (key: number) => csvCell(flat, key, all),
    })),
  ];
  if (range !== undefined) columns.push(...rangeColumns(range.bounds));
  writeCsvTable(columns, orderedKeys(flat, filter, order), sink);
}
