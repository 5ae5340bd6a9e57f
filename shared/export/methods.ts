import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { sumSelfValues } from '../values/self-values.ts';
import type { Metric } from '../values/metric.ts';
import { shownLabel } from '../text/format-frame.ts';
import { formatAmount, formatCount, formatShare } from '../text/format-value.ts';
import type { SortOrder } from '../views/sort-order.ts';
import { type FlatExportOptions, flatProfileOf, orderedKeys } from './flat.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

export interface MethodsExportOptions extends FlatExportOptions {
  readonly order: SortOrder;
  /** What percentages are of; samples where the profile has no second value. */
  readonly metric: Metric;
  readonly units: ProfileUnits;
}

const GAP = '  ';

/**
 * The flat profile for people, as in the window's methods pane: sorted, with a header, aligned columns and rounded numbers.
 * Percentages are of all samples, or by time of all time, including rows that are filtered out. Names are those that the
 * window shows; the other formats have keys.
 *
 *    Self %  Self samples  Self time   Total %  Total samples  Total time  Method
 *   67.57 %            25     139 ms  72.97 %             27      151 ms  Shop.parse
 */
export function exportMethods(profile: LeanProfile, options: MethodsExportOptions, sink: TextSink): void {
  const { units, order, filter } = options;
  const flat = flatProfileOf(profile, options);
  const { labels } = flat.keys;
  const { selfCount, totalCount, selfTime, totalTime } = flat;
  const keys = orderedKeys(flat, filter, order);
  const all = sumSelfValues(options.values ?? profile.selfValues);

  const columns: string[][] = [];
  const column = (title: string, cellOf: (key: number) => string): void => {
    columns.push([title, ...keys.map(cellOf)]);
  };
  const { value } = units;
  const name = value?.name.toLowerCase();
  const byValue = options.metric === 'time' && name !== undefined;
  for (const [title, count, time] of [
    ['Self', selfCount, selfTime],
    ['Total', totalCount, totalTime],
  ] as const) {
    if (byValue) column(`${title} ${name} %`, (key) => formatShare(time.ns[key], all.time));
    else column(`${title} %`, (key) => formatShare(count[key], all.samples));
    column(`${title} ${units.counted.many}`, (key) => formatCount(count[key]));
    if (value !== undefined) column(`${title} ${name}`, (key) => formatAmount(time.ns[key], value.unit));
  }
  const widths = columns.map((cells) => cells.reduce((most, { length }) => Math.max(most, length), 0));

  const writer = new LineWriter(sink, keys.length + 1);
  for (let line = 0; line <= keys.length; line++) {
    const cells = columns.map((column, at) => column[line].padStart(widths[at]));
    cells.push(line === 0 ? 'Method' : shownLabel(labels[keys[line - 1]]));
    writer.line(cells.join(GAP));
  }
  writer.flush();
}
