import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { ROW_QUANTITIES } from '../engine/columns/columns.ts';
import { sumSelfValues } from '../engine/values/self-values.ts';
import type { TimeBounds } from '../engine/values/time-range.ts';
import type { SortOrder } from '../engine/views/sort-order.ts';
import type { ExportWriter } from './export-input.ts';
import { type FlatExportOptions, flatProfileOf, orderedKeys } from './flat.ts';
import { rangeColumns, type TableColumn, textCell, writeCsvTable, type TextSink } from './text-sink.ts';

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
