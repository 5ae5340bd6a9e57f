/** The answer to when samples were taken: how many in each part of the time, and the bursts, as ranges of a scope. */
import { NONE } from '../profile/columns.ts';
import { type LeanProfile, threadsOfNodes } from '../profile/lean-profile.ts';
import { sampleSpan } from '../profile/sample-table.ts';
import { KeyTable, threadKeys } from '../engine/trees/keys.ts';
import { poolOf } from '../text/thread-pools.ts';
import { boundedBy, lengthOf } from '../engine/values/time-range.ts';
import { PATTERN_TEXTS, timePattern, TIME_PARTS } from '../engine/views/time-pattern.ts';
import type { TimedSamples } from '../engine/views/row-times.ts';
import { shownLabel } from '../text/format-frame.ts';
import { formatCount, formatShare } from '../text/format-value.ts';
import { clockText } from '../scope/time-range.ts';
import { type Answer, type AskedPart, shareOf } from './answer.ts';
import { unitsData } from './hot.ts';
import type { TimelineData } from './schemas.ts';

/** The subjects of the rows of a timeline. `method`: where samples ended. */
export const TIMELINE_ROWS = ['all', 'thread', 'pool', 'method'] as const;
type TimelineRows = (typeof TIMELINE_ROWS)[number];

interface TimelineQuestion {
  readonly by: TimelineRows;
  /** Equal parts of the time. */
  readonly parts: number;
  /** Most rows. */
  readonly limit: number;
}

/** Parts with samples in numbers that chance gives less than once in a thousand. */
const BURST_Z = 3.1;
/** A burst has at least so many times the mean of all parts. */
const BURST_FACTOR = 1.5;

/** Undefined for a profile that does not say when samples were taken, and without samples. */
export function timelineAnswer(
  { view, units }: AskedPart,
  { by, parts, limit }: TimelineQuestion,
): Answer<TimelineData> | undefined {
  const { timed } = view.samples;
  const span = timed && sampleSpan(timed.samples);
  if (timed === undefined || span === undefined) return undefined;
  const all = boundedBy(timed.bounds, { from: span.first, to: span.last + 1n });
  const length = lengthOf(all);
  if (length <= 0n) return undefined;
  const { groupOf, labels } = groupsOf(view.profile, by);
  const counts = countedIn(timed, groupOf, { labels: labels.length, from: all.from, length, parts });
  const sums = labels.map((_, at) => counts[at].reduce((sum, each) => sum + each, 0));
  const order = Array.from(labels.keys())
    .filter((at) => sums[at] > 0)
    .sort((a, b) => sums[b] - sums[a] || a - b);
  const total = Array.from({ length: parts }, (_, part) =>
    counts.reduce((sum, ofRow) => sum + ofRow[part], 0),
  );
  const whole = total.reduce((sum, each) => sum + each, 0);
  const startOf = (part: number): bigint => all.from - span.first + (length * BigInt(part)) / BigInt(parts);
  const shown = order.slice(0, limit);
  const left = order.slice(limit);
  const data: TimelineData = {
    by,
    units: unitsData(units),
    whole,
    from: secondsText(startOf(0)),
    to: secondsText(startOf(parts)),
    firstSample: String(span.first),
    partSeconds: Number(length) / 1e9 / parts,
    total,
    rows:
      by === 'all'
        ? []
        : shown.map((at) => ({
            key: labels[at],
            samples: sums[at],
            share: shareOf(sums[at], whole),
            parts: [...counts[at]],
            pattern: parts === TIME_PARTS ? (timePattern(counts[at]) ?? null) : null,
          })),
    leftOut: {
      rows: by === 'all' ? 0 : left.length,
      samples: by === 'all' ? 0 : left.reduce((sum, at) => sum + sums[at], 0),
    },
    bursts: burstsOf(total).map(({ first, last }) => {
      const samples = total.slice(first, last + 1).reduce((sum, each) => sum + each, 0);
      return {
        from: secondsText(startOf(first)),
        to: secondsText(startOf(last + 1)),
        samples,
        timesMean: Math.round((10 * samples * parts) / (whole * (last + 1 - first))) / 10,
      };
    }),
  };
  return { data, text: timelineText(data) };
}

/** Seconds since the earliest sample, as --from and --to take them, exact. */
export function secondsText(ns: bigint): string {
  const sign = ns < 0n ? '-' : '';
  const size = ns < 0n ? -ns : ns;
  const fraction = (size % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** Call node -> the row that its samples count for. */
function groupsOf(
  profile: LeanProfile,
  by: TimelineRows,
): { groupOf: Int32Array; labels: readonly string[] } {
  const { nodes } = profile;
  const groupOf = new Int32Array(nodes.length);
  if (by === 'all') return { groupOf, labels: ['all'] };
  if (by === 'method') {
    const keys = new KeyTable(profile, 'fqmn');
    keys.update();
    for (let node = 0; node < nodes.length; node++)
      groupOf[node] = nodes.parent[node] === NONE ? NONE : keys.ofFrame[nodes.frame[node]];
    return { groupOf, labels: keys.labels };
  }
  const labels: string[] = [];
  const known = new Map<string, number>();
  const ofThread = threadKeys(profile, 'name').map((name) => {
    const label = by === 'pool' ? poolOf(name) : name;
    const at = known.get(label) ?? labels.length;
    if (at === labels.length) labels.push(label);
    known.set(label, at);
    return at;
  });
  return { groupOf: threadsOfNodes(nodes).map((thread) => ofThread[thread]), labels };
}

function countedIn(
  { samples, bounds, leaves }: TimedSamples,
  groupOf: Int32Array,
  { labels, from, length, parts }: { labels: number; from: bigint; length: bigint; parts: number },
): readonly Float64Array[] {
  const { origin = 0n, self, at } = samples;
  const counts = Array.from({ length: labels }, () => new Float64Array(parts));
  const start = Number(from - origin);
  const width = Number(length) / parts;
  const except = bounds.except && boundedBy(bounds.except, { from, to: from + length });
  const gap = except && { from: Number(except.from - origin), to: Number(except.to - origin) };
  for (let row = 0; row < samples.length; row++) {
    const leaf = self[row] < leaves.length ? leaves[self[row]] : NONE;
    const group = leaf === NONE ? NONE : groupOf[leaf];
    if (group === NONE) continue;
    const ns = at.ns[row];
    if (gap !== undefined && ns >= gap.from && ns < gap.to) continue;
    const part = Math.floor((ns - start) / width);
    if (part >= 0 && part < parts) counts[group][part]++;
  }
  return counts;
}

/** Adjacent parts with more samples than chance puts into one part, if all had equally many. */
function burstsOf(total: readonly number[]): readonly { readonly first: number; readonly last: number }[] {
  const mean = total.reduce((sum, each) => sum + each, 0) / total.length;
  const least = Math.max(mean * BURST_FACTOR, mean + BURST_Z * Math.sqrt(mean));
  const bursts: { first: number; last: number }[] = [];
  for (const [part, count] of total.entries()) {
    if (count <= least) continue;
    const before = bursts.at(-1);
    if (before?.last === part - 1) before.last = part;
    else bursts.push({ first: part, last: part });
  }
  return bursts;
}

const BARS = ' ▁▂▃▄▅▆▇█';
const BAR_CHARACTERS = 40;

function timelineText(data: TimelineData): string {
  const { total, rows, bursts, leftOut, whole, units, by, partSeconds } = data;
  const most = Math.max(...total);
  const fromNs = (text: string): bigint => BigInt(Math.round(Number(text.slice(0, -1)) * 1e9));
  const [from, to] = [fromNs(data.from), fromNs(data.to)];
  const lines = [
    `${formatCount(whole)} ${units.counted} from ${data.from} to ${data.to}, in ${total.length} parts of ${Number(partSeconds.toPrecision(4))} s`,
  ];
  if (by === 'all')
    for (const [part, count] of total.entries()) {
      const at = clockText(from + ((to - from) * BigInt(part)) / BigInt(total.length), 3);
      const bar = '█'.repeat(Math.round((count / most) * BAR_CHARACTERS));
      lines.push(`${at.padStart(12)}  ${formatCount(count).padStart(9)}  ${bar}`.trimEnd());
    }
  else {
    const bars = (parts: readonly number[]): string => {
      const top = Math.max(...parts);
      return parts
        .map((count) => BARS[count === 0 ? 0 : Math.max(1, Math.round((count / top) * 8))])
        .join('');
    };
    lines.push(`${bars(total)}  100 %  all`);
    for (const { key, share, parts, pattern } of rows)
      lines.push(
        `${bars(parts)}  ${formatShare(share, 1, 1)}  ${shownLabel(key)}${pattern === null ? '' : `, ${PATTERN_TEXTS[pattern]}`}`,
      );
    if (leftOut.rows > 0)
      lines.push(
        `… ${formatCount(leftOut.rows)} more rows with ${formatCount(leftOut.samples)} ${units.counted}: a larger limit shows them`,
      );
    lines.push('Each row is drawn to its own height.');
  }
  if (bursts.length === 0)
    lines.push(
      'No burst: no part has more than 1.5 times the mean beyond chance. For bursts of single methods, see the summary.',
    );
  for (const burst of bursts)
    lines.push(
      `Burst: --from ${burst.from} --to ${burst.to} has ${formatCount(burst.samples)} of ${formatCount(whole)} ${units.counted}, ${burst.timesMean} times the mean`,
    );
  return lines.map((line) => `${line}\n`).join('');
}
