import type { Snapshots } from './snapshots.ts';

/** A span of time of one segment, ms since 1970, both ends inclusive. */
export interface SnapshotQuery {
  readonly segment: number;
  readonly start: number;
  readonly end: number;
}

export interface ChosenSnapshots {
  /** Rows of `Snapshots`, by segment and sequence, each sequence of a segment once. */
  readonly rows: Int32Array;
  /** The message of SkyWalking's analyser when there are too many snapshots; else undefined. */
  readonly tip: string | undefined;
  /** Snapshots that the limit left out. */
  readonly leftOut: number;
}

export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** What the analyser takes of one query when it is not configured otherwise (maxSizeOfAnalyzeProfileSnapshot). */
export const MOST_SNAPSHOTS = 12_000;

/**
 * The snapshots that queries select (specs: skywalking, section 2). A query is a time range, but selects a range of
 * sequences: from the first to the last snapshot within it, at most `most`. Snapshots selected by several queries count
 * once. They are identified by segment and sequence; the reference uses the sequence alone and so drops snapshots of
 * other segments (section 5).
 */
export function chooseSnapshots(
  snapshots: Snapshots,
  ordered: Int32Array,
  queries: readonly SnapshotQuery[],
  most: number,
): ChosenSnapshots {
  const { segment, sequence, ms } = snapshots;
  const firstOf = new Map<number, number>();
  for (let at = 0; at < ordered.length; at++)
    if (!firstOf.has(segment[ordered[at]])) firstOf.set(segment[ordered[at]], at);

  const isChosen = new Uint8Array(ordered.length);
  const isBeyond = new Uint8Array(ordered.length);
  let total = 0;
  for (const { segment: asked, start, end } of queries) {
    const first = firstOf.get(asked);
    if (first === undefined) continue;
    let min = -1;
    let max = -1;
    let at = first;
    for (; at < ordered.length && segment[ordered[at]] === asked; at++) {
      const time = ms[ordered[at]];
      if (time < start || time > end) continue;
      if (min < 0) min = at;
      max = at;
    }
    if (min < 0) continue;
    const minSequence = sequence[ordered[min]];
    total += sequence[ordered[max]] - minSequence + 1;
    for (at = min; at <= max; at++) {
      if (sequence[ordered[at]] - minSequence < most) isChosen[at] = 1;
      else isBeyond[at] = 1;
    }
  }
  const rows = ordered.filter((_, at) => isChosen[at] === 1);
  let leftOut = 0;
  for (let at = 0; at < ordered.length; at++) if (isBeyond[at] > isChosen[at]) leftOut++;
  return { rows, tip: tipFor(total, most), leftOut };
}

function tipFor(total: number, most: number): string | undefined {
  if (total === 0) return 'Data not found';
  if (total <= most) return undefined;
  return `Out of snapshot analyze limit, ${total} snapshots found, but analysis first ${most} snapshots only.`;
}

/** Rows by segment and sequence; of several with the same the first in the file. */
export function inOrder({ length, segment, sequence }: Snapshots): Int32Array {
  const compare = (a: number, b: number): number =>
    segment[a] - segment[b] || sequence[a] - sequence[b] || a - b;
  const rows = Int32Array.from({ length }, (_, row) => row);
  rows.sort(compare);
  return rows.filter(
    (row, at) =>
      at === 0 || segment[row] !== segment[rows[at - 1]] || sequence[row] !== sequence[rows[at - 1]],
  );
}

/** The time of a span without its direct children, as the exporter asks for it; all of it when there are none. */
export function rangesWithout({ start, end }: TimeRange, children: readonly TimeRange[]): TimeRange[] {
  if (children.length === 0) return [{ start, end }];
  const ranges: TimeRange[] = [];
  let from = start;
  for (const child of [...children].sort((a, b) => a.start - b.start)) {
    if (child.start > from) ranges.push({ start: from, end: child.start - 1 });
    // Children that overlap would set the reference back.
    from = Math.max(from, child.end);
  }
  if (from < end) ranges.push({ start: from, end });
  return ranges;
}
