import type { SnapshotQuery } from './choose-snapshots.ts';
import type { Snapshots } from './snapshots.ts';

export interface RecordedSegment {
  readonly id: string;
  /** ms since 1970; undefined where the file does not say. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/** A span of a segment: what a thread did for one trace between two moments. */
export interface RecordedSpan {
  /** Number of the segment in `Recording.segments`. */
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

/** What every input of SkyWalking's trace profiling comes down to. */
export interface Recording {
  readonly snapshots: Snapshots;
  /** By the numbers that `snapshots` has. */
  readonly segments: readonly RecordedSegment[];
  readonly spans: readonly RecordedSpan[];
  /** What the segments are: parts of a trace, or cases of a test. */
  readonly partsAre: 'segment' | 'case';
  /** What is asked for when nothing is chosen; undefined: everything. */
  readonly queries: readonly SnapshotQuery[] | undefined;
  readonly mostSnapshots: number;
  readonly notes: readonly string[];
}
