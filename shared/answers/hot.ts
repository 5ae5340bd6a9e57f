/** The answers about what is hot: a table and a tree. */
import { isRankUndecided } from '../engine/values/share-change.ts';
import type { RowValues } from '../engine/values/row-sums.ts';
import { type SampleSum, sumSelfValues } from '../engine/values/self-values.ts';
import { displayLabel } from '../engine/trees/row-tree.ts';
import type { ThreadGrouping } from '../engine/trees/grouping.ts';
import type { Metric } from '../engine/values/metric.ts';
import { HeaviestTree } from '../export/heaviest-tree.ts';
import { collectText } from '../export/text-sink.ts';
import { exportTop, TOP_GROUPS, type TopOptions, topTable } from '../export/top.ts';
import { hasIntervals } from '../profile/profile-units.ts';
import { formatShare } from '../text/format-value.ts';
import { type Answer, type AskedPart, intervalOf, shareOf } from './answer.ts';
import type { TopData, TreeData } from './schemas.ts';
import type { ProfileView } from '../engine/profile-view.ts';
import { MOST_SUGGESTIONS, nearestTexts } from '../text/nearest-texts.ts';

interface TopQuestion extends Omit<TopOptions, 'units' | 'metric'> {
  /** undefined: that of the first view. */
  readonly metric: Metric | undefined;
}

/** The hottest methods, classes, packages, lines, threads or pools. */
export function topAnswer(
  { view, units, firstMetric }: AskedPart,
  { metric: wanted = firstMetric, ...options }: TopQuestion,
): Answer<TopData> {
  const table = topTable(view.alone.profile, { ...options, metric: wanted, units });
  const { metric, shown, more, top, whole } = table;
  const { group, by } = options;
  const { values, hasSelf } = top;
  let hints: readonly string[] = [];
  const text = collectText((sink) => {
    hints = exportTop(table, sink);
  });
  const counts = by === 'self' && hasSelf ? values.selfCount : values.totalCount;
  const isUndecided = (row: number, other: number | undefined): boolean =>
    metric === 'samples' &&
    hasIntervals(units) &&
    other !== undefined &&
    isRankUndecided(counts[row], counts[other], whole.samples);
  const rows = shown.map((row, at) => ({
    key: values.label(row),
    self: hasSelf ? values.selfCount[row] : null,
    selfShare: hasSelf ? shareOf(values.selfCount[row], whole.samples) : null,
    total: values.totalCount[row],
    totalShare: shareOf(values.totalCount[row], whole.samples),
    interval: intervalOf(counts[row], whole.samples, units),
    selfValue: hasSelf && units.value !== undefined ? values.selfTime.text(row) : null,
    totalValue: units.value === undefined ? null : values.totalTime.text(row),
    mayRankAfterNext: isUndecided(row, shown[at + 1]),
  }));
  const covered = by === 'self' && hasSelf ? rows.reduce((sum, { self }) => sum + (self ?? 0), 0) : null;
  const data: TopData = {
    group,
    by: hasSelf ? by : 'total',
    metric,
    units: unitsData(units),
    whole: wholeData(whole, units),
    rows,
    coverage: covered === null ? null : shareOf(covered, whole.samples),
    leftOut: { rows: more, of: TOP_GROUPS[group] },
  };
  return { data, text, hints };
}

/** The share that all rows cover, and the rows that could change places: a table does not say it. */
export function topCertainty({ rows, coverage, group, whole, units }: TopData): string {
  const lines =
    coverage === null ? [] : [`These rows have ${formatShare(coverage, 1, 1)} of all self samples.`];
  const close = rows.flatMap(({ mayRankAfterNext }, at) => (mayRankAfterNext ? [at + 1] : []));
  if (close.length > 0)
    lines.push(
      `Too close to call: another recording could swap rank n and n + 1 for n = ${close.join(', ')}.`,
    );
  const interval = rows.at(0)?.interval ?? undefined;
  if (interval !== undefined)
    lines.push(
      `95 % interval of the first ${group}: ${formatShare(interval.low, 1, 1)} to ${formatShare(interval.high, 1, 1)} of ${whole.samples} ${units.counted}.`,
    );
  return lines.map((line) => `${line}\n`).join('');
}

type TreeRows = 'calls' | 'callers' | 'callees' | 'bottom-up';

interface TreeQuestion {
  readonly of: TreeRows;
  /** The key of the method whose callers or callees they are. */
  readonly method?: string | undefined;
  readonly threads: ThreadGrouping;
  readonly limit: number;
  /** undefined: that of the first view. */
  readonly metric: Metric | undefined;
}

/** The heaviest part of a tree. Throws UnknownMethod. */
export function treeAnswer(
  { view, units, firstMetric }: AskedPart,
  { of, method, threads, limit, metric: wanted = firstMetric }: TreeQuestion,
): Answer<TreeData> {
  const grouping = { threads, frames: 'fqmn' } as const;
  if (method !== undefined) refuseUnknownMethod(view, method);
  const sums: RowValues = view.rows(of, grouping, method === undefined ? undefined : methodRef(method));
  const metric = units.value === undefined ? 'samples' : wanted;
  const whole = sumSelfValues(view.values);
  const tree = new HeaviestTree(sums, { limit, metric, units, whole });
  const { tree: rows, selfCount, totalCount, totalTime } = sums;
  const all = metric === 'time' ? whole.time : whole.samples;
  const data: TreeData = {
    of,
    method: method ?? null,
    threads,
    metric,
    units: unitsData(units),
    whole: wholeData(whole, units),
    rows: tree.lines.map((line) =>
      'first' in line
        ? {
            depth: line.depth,
            key: displayLabel(rows, line.first),
            last: line.last === line.first ? null : displayLabel(rows, line.last),
            total: totalCount[line.last],
            self: selfCount[line.last],
            share: shareOf(metric === 'time' ? totalTime.ns[line.last] : totalCount[line.last], all),
          }
        : { depth: line.depth, leftOut: line.leftOut, weight: line.weight, share: shareOf(line.weight, all) },
    ),
  };
  return { data, text: collectText((sink) => tree.write(sink)) };
}

/** A method by its key, for `ProfileView.rows`. */
export function methodRef(label: string) {
  return { of: 'callers', id: 0, label } as const;
}

export function unitsData({ counted, value }: AskedPart['units']): TopData['units'] {
  return { counted: counted.many, value: value === undefined ? null : value.unit };
}

export function wholeData({ samples, time }: SampleSum, { value }: AskedPart['units']): TopData['whole'] {
  return { samples, value: value === undefined ? null : time };
}

/** A method that is asked for is not in scope. The message has what to ask for instead. */
export class UnknownMethod extends Error {
  override readonly name = 'UnknownMethod';
}

/** The key of a method in scope. Throws UnknownMethod, with methods of a like name. */
export function refuseUnknownMethod(view: ProfileView, method: string): number {
  const { keys } = view.flat('fqmn');
  const key = keys.find(method);
  if (key >= 0 && view.flat('fqmn').isShown(key)) return key;
  const shown = keys.labels.filter((_, each) => view.flat('fqmn').isShown(each));
  const behind = shown.filter((label) => label.endsWith(`.${method}`) || label.includes(method));
  const near = [...new Set([...behind.slice(0, MOST_SUGGESTIONS), ...nearestTexts(shown, method)])];
  const meant = near.slice(0, MOST_SUGGESTIONS).map((label) => `'${label}'`);
  throw new UnknownMethod(
    `no sample in scope has the method '${method}' on its stack; ${meant.length === 0 ? 'leanscope top lists methods' : `did you mean ${meant.join(' or ')}?`}`,
  );
}
