/** The answer to how long requests took, and where their samples are. */
import {
  type ComparedDurations,
  LEAST_PERIODS,
  viewComparedDurations,
  viewOperations,
} from '../engine/view-operations.ts';
import type { ComputingSamples } from '../facts/sample-kind.ts';
import { MOST_CALLS } from '../engine/contexts/calls.ts';
import type { CallsLeftOut } from '../engine/contexts/contexts.ts';
import type { Operation } from '../engine/contexts/operations.ts';
import { OPERATION, spanText } from '../scope/context-condition.ts';
import { dayOfParts, nameInDay } from '../scope/parts-of-time.ts';
import { alignedLines } from '../text/aligned-lines.ts';
import { formatCount, formatQuantity, formatShare, formatSpan } from '../text/format-value.ts';
import { shownLabel } from '../text/format-frame.ts';
import { printable } from '../text/printable.ts';
import { type Answer, type AskedPart, shareOf } from './answer.ts';
import { unitsData } from './hot.ts';
import type { OperationsData } from './schemas.ts';

interface OperationsQuestion {
  /** The attribute whose values are rows. */
  readonly by: string;
  /** Rows are parts of the time of this length instead; they have no limit. */
  readonly everyNs?: bigint | undefined;
  readonly limit: number;
  readonly computing: ComputingSamples;
}

/** Undefined for a profile without contexts. Throws TooManyParts. */
export function operationsAnswer(
  { view, units }: Pick<AskedPart, 'view' | 'units'>,
  { by, everyNs, limit, computing }: OperationsQuestion,
): Answer<OperationsData> | undefined {
  const found = viewOperations(view, everyNs ?? by, typeof computing === 'object' ? undefined : computing);
  if (found === undefined) return undefined;
  const { rows, samples, whole, keys, unsampled, namesCarriers, leftOut, nameOf, tooShort } = found;
  const listed = everyNs === undefined ? Math.min(limit, rows.length) : rows.length;
  const data: OperationsData = {
    by: everyNs === undefined ? by : 'began',
    keys: [...keys],
    units: unitsData(units),
    whole,
    samples,
    rows: rows.slice(0, listed).map((row) => ({
      ...rowData(row),
      share: shareOf(row.samples, whole),
      hottest: row.hottest === undefined ? null : { ...row.hottest, method: nameOf(row.hottest.method) },
    })),
    leftOut: rows.length - listed,
    unsampled: { ...unsampled, seconds: unsampled.ns / 1e9, namesCarriers },
  };
  const hints = [
    ...unknownTexts(computing, tooShort, units),
    ...unsampledTexts(data),
    ...(leftOut === undefined ? [] : [callsLeftOutText(leftOut)]),
  ];
  return { data, text: operationsText(data), hints };
}

function rowData({ name, began, count, samples, onCpu, hottest: _hottest, ...durations }: Operation) {
  const seconds = Object.fromEntries(Object.entries(durations).map(([of, ns]) => [of, ns / 1e9]));
  const { total, mean, p50, p95, p99, longest } = seconds;
  return {
    name,
    ...(began && { began: spanText(began) }),
    count,
    total,
    mean,
    p50,
    p95,
    p99,
    longest,
    onCpu: onCpu === undefined ? null : shareOf(onCpu, 1),
    samples,
  };
}

function operationsText({ by, rows, leftOut, samples, whole, units }: OperationsData): string {
  const isTold = tellsCpu(rows);
  const day = by === 'began' ? dayOfParts(rows.map(({ name }) => name)) : undefined;
  const head = [
    day === undefined ? by : `${by} ${day} UTC`,
    'count',
    'mean',
    'p50',
    'p95',
    'p99',
    'longest',
    ...(isTold ? ['on CPU'] : []),
    units.counted,
    'share',
    'mostly in',
  ];
  const cells = rows.map(({ name, count, mean, p50, p95, p99, longest, onCpu, samples: own, hottest }) => [
    printable(nameInDay(name, day)),
    formatCount(count),
    ...[mean, p50, p95, p99, longest].map((seconds) => formatSpan(seconds * 1e9)),
    ...(isTold ? [onCpuText(onCpu)] : []),
    formatCount(own),
    formatShare(own, whole),
    mostlyIn(own, hottest),
  ]);
  const lines = [
    ...alignedLines([head, ...cells], (column) => column > 0 && column < head.length - 1),
    ...(leftOut === 0 ? [] : [`… ${formatCount(leftOut)} more rows: a larger --limit shows them`]),
    `${formatCount(samples)} of ${formatCount(whole)} ${units.counted} are in them. Durations are from start to end; a sample counts for each row that it is inside.`,
    ...(isTold ? [ON_CPU] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const ON_CPU =
  'On CPU: the part of their time in which their own threads computed, by these samples. The rest is waiting, for a processor, too.';

/** Some row says whether its requests computed. */
export function tellsCpu(rows: readonly Pick<OperationsData['rows'][number], 'onCpu'>[]): boolean {
  return rows.some(({ onCpu }) => onCpu !== null);
}

/** `12 %`. */
export function onCpuText(onCpu: number | null): string {
  return onCpu === null ? 'unknown' : formatShare(onCpu, 1, 0);
}

/** Why it is not known of some operations, or of all, whether they computed. */
function unknownTexts(
  computing: ComputingSamples,
  tooShort: number,
  { counted }: AskedPart['units'],
): readonly string[] {
  if (typeof computing === 'object')
    return [`whether requests compute or wait is unknown: ${computing.unknown}`];
  if (tooShort === 0) return [];
  return [
    `whether they compute or wait is unknown of ${formatQuantity(tooShort, 'row')}: their time is shorter than ${LEAST_PERIODS} periods of ${counted.many}`,
  ];
}

/** `Ranking.top 62 %`: the method where most samples ended, and its part of them. */
export function mostlyIn(samples: number, hottest: OperationsData['rows'][number]['hottest']): string {
  return hottest === null
    ? ''
    : `${printable(shownLabel(hottest.method))} ${formatShare(hottest.samples, samples, 0)}`;
}

/** From so many times as long on, a change is told as a factor. */
const MANY_TIMES = 10;

/** `40.0 ms → 80.0 ms, +100 %`: of a percentile, from the base to the new side. */
export function changeText({ base, next }: ComparedDurations, of: 'p50' | 'p99'): string {
  if (base === undefined || next === undefined)
    return base === undefined
      ? `only new ${formatSpan(next?.[of] ?? 0)}`
      : `only base ${formatSpan(base[of])}`;
  const times = next[of] / base[of];
  const text =
    times < MANY_TIMES
      ? `${times < 1 ? '' : '+'}${(100 * (times - 1)).toFixed(0)} %`
      : `×${times.toFixed(0)}`;
  return `${formatSpan(base[of])} → ${formatSpan(next[of])}${base[of] > 0 ? `, ${text.replace('-', '−')}` : ''}`;
}

/** Operations that a report of a comparison names. */
const NAMED_OPERATIONS = 5;

/** Sentences about how long requests took on both sides of a comparison, for a report; none without requests. */
export function comparedNotes(view: Parameters<typeof viewComparedDurations>[0]): readonly string[] {
  const compared = viewComparedDurations(view, OPERATION) ?? [];
  const told = compared.slice(0, NAMED_OPERATIONS).map((each) => {
    const counts = `${formatCount(each.base?.count ?? 0)} → ${formatCount(each.next?.count ?? 0)}`;
    return `Requests of ${printable(each.name)}, ${counts}: p50 ${changeText(each, 'p50')}; p99 ${changeText(each, 'p99')}.`;
  });
  return told.length === 0 ? [] : [...told, 'Changes of few requests may be chance.'];
}

/** A sentence about calls that are no requests, and the reason. */
export function callsLeftOutText({ calls, methods }: CallsLeftOut): string {
  return `${formatQuantity(calls, 'call')} of ${formatQuantity(methods.size, 'method')} are in no list: at most ${formatCount(MOST_CALLS)} calls are, those of the methods that are called least`;
}

/** Work that no sample can be in, and why. */
function unsampledTexts({ unsampled, units }: OperationsData): readonly string[] {
  const { count, threads, seconds, namesCarriers } = unsampled;
  if (count === 0) return [];
  const why = namesCarriers
    ? 'samples name the threads that carry virtual threads (ForkJoinPool-1-worker-1), not the virtual threads themselves'
    : 'these threads only waited, ran between two samples, or have another name in them';
  return [
    `${formatQuantity(count, 'request')} of ${formatQuantity(threads, 'thread')} without ${units.counted}, ${formatSpan(seconds * 1e9)} of their time: ${why}`,
  ];
}
