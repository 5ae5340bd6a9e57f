import type { Snapshots } from './thread-snapshot.ts';

/** A time range in one segment, ms since 1970, both ends inclusive. */
export interface SnapshotQuery {
  readonly segment: number;
  readonly start: number;
  readonly end: number;
}

interface ChosenSnapshots {
  /** Rows of `Snapshots`, sorted by segment and sequence, without duplicates. */
  readonly rows: Int32Array;
  /**
   * The message of SkyWalking's analyser if there are no snapshots, or if all queries together have more than the limit
   * of one query. Otherwise undefined.
   */
  readonly tip: string | undefined;
  /** Number of snapshots that the limit excluded. */
  readonly leftOut: number;
}

export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** The analyser's default limit of snapshots per query (maxSizeOfAnalyzeProfileSnapshot). */
export const MAX_SNAPSHOTS = 12_000;

/**
 * The snapshots that queries select (specs: skywalking, section 2). A query is a time range, but selects a range of
 * sequence numbers: from the first to the last snapshot within the time range, at most `limit`. A snapshot that several
 * queries select counts once. Snapshots are identified by segment and sequence; the reference uses the sequence alone
 * and so loses snapshots of other segments (section 5).
 */
export function chooseSnapshots(
  snapshots: Snapshots,
  ordered: Int32Array,
  queries: readonly SnapshotQuery[],
  limit: number,
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
      if (sequence[ordered[at]] - minSequence < limit) isChosen[at] = 1;
      else isBeyond[at] = 1;
    }
  }
  const rows = ordered.filter((_, at) => isChosen[at] === 1);
  let leftOut = 0;
  for (let at = 0; at < ordered.length; at++) if (isBeyond[at] > isChosen[at]) leftOut++;
  return { rows, tip: tipFor(total, limit), leftOut };
}

function tipFor(total: number, limit: number): string | undefined {
  if (total === 0) return 'Data not found';
  if (total <= limit) return undefined;
  return `Out of snapshot analyze limit, ${total} snapshots found, but analysis first ${limit} snapshots only.`;
}

/** Rows sorted by segment and sequence. Of rows with the same sequence, only the first in the file. */
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

/** The time ranges of a span without its direct children, as the exporter requests them. */
export function rangesWithout({ start, end }: TimeRange, children: readonly TimeRange[]): TimeRange[] {
  if (children.length === 0) return [{ start, end }];
  const ranges: TimeRange[] = [];
  let from = start;
  for (const child of [...children].sort((a, b) => a.start - b.start)) {
    if (child.start > from) ranges.push({ start: from, end: child.start - 1 });
    // Unlike the reference, which goes back in time if children overlap.
    from = Math.max(from, child.end);
  }
  if (from < end) ranges.push({ start: from, end });
  return ranges;
}
