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

/** The contents of a SkyWalking file of any format. */
export interface Recording {
  readonly snapshots: Snapshots;
  /** The index is the segment number in `snapshots`. */
  readonly segments: readonly RecordedSegment[];
  readonly spans: readonly RecordedSpan[];
  readonly notes: readonly string[];
}
