import type { SortableRows } from '../engine/columns/column.ts';
import { LeanProfile } from '../profile/lean-profile.ts';
import { isErrorMethod, type MethodNames, MethodTable } from '../profile/method-table.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { splitFrameLabel } from '../text/format-frame.ts';
import { capitalised, formatAmount, formatQuantity } from '../text/format-value.ts';
import type { Metric } from '../engine/values/metric.ts';
import { NO_STACK, withErrorsJoined } from '../engine/trees/grouping.ts';
import { type SampleSum, sumSelfValues } from '../engine/values/self-values.ts';
import { containsAll, type RowFilter } from '../engine/views/filter.ts';
import { rowOrder, type SortOrder } from '../engine/views/sort-order.ts';
import { flatProfileOf, orderedKeys } from './flat.ts';
import { type TextSink, writeLines } from './text-sink.ts';
import { callTreeOf } from './tree.ts';
import { rowLines } from './value-cells.ts';

/** The subject of one row of the table, in the order in which the command line lists them, with its plural. */
export const TOP_GROUPS = {
  method: 'methods',
  class: 'classes',
  package: 'packages',
  line: 'lines',
  thread: 'threads',
  pool: 'pools',
} as const;

export type TopGroup = keyof typeof TOP_GROUPS;

export interface TopOptions {
  readonly group: TopGroup;
  /** The value by which rows are sorted; threads have only totals. */
  readonly by: 'self' | 'total';
  /** Most rows. */
  readonly limit: number;
  readonly metric: Metric;
  readonly units: ProfileUnits;
  readonly filter: RowFilter;
}

/** The rows of a table, sorted. */
interface TopRows {
  readonly rows: readonly number[];
  readonly values: SortableRows;
  readonly hasSelf: boolean;
  readonly isError: (row: number) => boolean;
}

/** The table before it is text. */
interface TopTable {
  readonly options: TopOptions;
  /** The metric of order and shares. */
  readonly metric: Metric;
  readonly shown: readonly number[];
  /** Rows that are not shown. */
  readonly more: number;
  readonly top: TopRows;
  readonly whole: SampleSum;
}

export function topTable(profile: LeanProfile, options: TopOptions): TopTable {
  const { group, limit, units } = options;
  const metric = units.value === undefined ? 'samples' : options.metric;
  const top =
    group === 'thread' || group === 'pool'
      ? topThreads(profile, group, { ...options, metric })
      : topFrames(profile, group, { ...options, metric });
  const shown = top.rows.slice(0, limit);
  const whole = sumSelfValues(profile.selfValues);
  return { options, metric, shown, more: top.rows.length - shown.length, top, whole };
}

/**
 * The hottest methods, classes, packages, lines, threads or pools for people: aligned columns, rounded numbers, and in the
 * last line what is not shown. A sample counts once for a row, however often it is on the stack. Returns hints.
 *
 *    Self %  Self samples   Total %  Total samples  Method
 *   67.57 %            25   72.97 %             27  Shop.parse
 *   … 12 more methods, of 37 samples in all
 */
export function exportTop(
  { options, metric, shown, more, top, whole }: TopTable,
  sink: TextSink,
): readonly string[] {
  const { group, units } = options;
  const { values, hasSelf, isError } = top;
  const all = formatQuantity(whole.samples, units.counted.one, units.counted.many);
  const value = units.value === undefined ? '' : `, ${formatAmount(whole.time, units.value.unit)}`;
  const hidden =
    more === 0 ? '' : `… ${formatQuantity(more, `more ${group}`, `more ${TOP_GROUPS[group]}`)}, of `;
  const lines = rowLines(shown, values, capitalised(group), { units, metric, whole, hasSelf });
  writeLines([...lines, `${hidden}${all}${value} in all`], sink);
  return shown.some(isError) ? [`${NO_STACK}: errors of the profiler, and threads of the JVM`] : [];
}

function topFrames(profile: LeanProfile, group: TopGroup, { by, metric, filter }: TopOptions): TopRows {
  const frames = withErrorsJoined(group === 'line' ? 'line' : 'fqmn');
  const grouped = group === 'class' || group === 'package' ? renamed(profile, group) : profile;
  const flat = flatProfileOf(grouped, { frames, recursion: 'once' });
  return {
    rows: orderedKeys(flat, filter, orderOf(by, metric)),
    values: flat,
    hasSelf: true,
    isError: (key) => flat.keys.isError[key],
  };
}

function topThreads(profile: LeanProfile, group: 'thread' | 'pool', { metric, filter }: TopOptions): TopRows {
  const threads = group === 'pool' ? 'pool' : 'name';
  const sums = callTreeOf(profile, { threads, frames: 'fqmn' });
  const { tree, selfCount, totalCount, selfTime, totalTime } = sums;
  const label = (row: number): string => tree.label(row);
  const values = { label, selfCount, totalCount, selfTime, totalTime };
  const rows = tree
    .roots()
    .filter((row) => (totalCount[row] > 0 || totalTime.ns[row] !== 0) && containsAll(filter, label(row)));
  rows.sort(rowOrder(values, orderOf('total', metric)));
  return { rows, values, hasSelf: false, isError: () => false };
}

function orderOf(by: 'self' | 'total', metric: Metric): SortOrder {
  const time = metric === 'time';
  return {
    by: by === 'self' ? (time ? 'selfTime' : 'selfCount') : time ? 'totalTime' : 'totalCount',
    descending: true,
  };
}

/** The profile with the names of classes or packages in place of methods, and all else shared with it. */
function renamed(profile: LeanProfile, group: 'class' | 'package'): LeanProfile {
  const names = profile.methods.names.map((each) => each && renamedMethod(each, group));
  const methods = Object.assign(new MethodTable(), profile.methods, { names });
  return Object.assign(new LeanProfile(), profile, { methods });
}

function renamedMethod(names: MethodNames, group: 'class' | 'package'): MethodNames {
  if (isErrorMethod(names)) return names;
  const { className, methodName } = names;
  const label = className === '' ? methodName : `${className}.${methodName}`;
  const { package: path, name } = splitFrameLabel(label);
  const inPackage = path.replace(/[./]$/, '');
  const methodDot = name.lastIndexOf('.');
  const inClass = className === '' ? path + (methodDot > 0 ? name.slice(0, methodDot) : name) : className;
  const shown = group === 'class' ? inClass : inPackage === '' ? '(no package)' : inPackage;
  return { file: '', className: '', methodName: shown };
}
