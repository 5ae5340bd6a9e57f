import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { sumSelfValues } from '../engine/values/self-values.ts';
import type { Metric } from '../engine/values/metric.ts';
import { shownLabel } from '../text/format-frame.ts';
import type { SortOrder } from '../engine/views/sort-order.ts';
import { type FlatExportOptions, flatProfileOf, orderedKeys } from './flat.ts';
import type { ExportWriter } from './export-input.ts';
import { LineWriter, type TextSink } from './text-sink.ts';
import { alignedLines, valueColumns } from './value-cells.ts';

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
