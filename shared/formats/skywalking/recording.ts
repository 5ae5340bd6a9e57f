import type { SnapshotQuery } from './choose-snapshots.ts';
import type { Snapshots } from './snapshots.ts';

export interface RecordedSegment {
  readonly id: string;
  /** ms since 1970; undefined if unknown. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/** A span: an operation of a trace, within a segment. */
export interface RecordedSpan {
  /** Index in `Recording.segments`. */
  readonly segment: number;
  readonly id: string;
  readonly parent: string;
  readonly endpoint: string;
  /** Entry, Exit or Local. */
  readonly type: string;
  readonly service: string;
  /** ms since 1970. */
  readonly start: number;
  readonly end: number;
}

/** What is read from a SkyWalking file of any format. */
export interface Recording {
  readonly snapshots: Snapshots;
  /** The index is the segment number in `snapshots`. */
  readonly segments: readonly RecordedSegment[];
  readonly spans: readonly RecordedSpan[];
  /** What the segments are: segments of a trace, or cases of a test. */
  readonly segmentKind: 'segment' | 'case';
  /** The queries if no span is chosen; undefined to select all snapshots. */
  readonly queries: readonly SnapshotQuery[] | undefined;
  readonly maxSnapshots: number;
  readonly notes: readonly string[];
}
