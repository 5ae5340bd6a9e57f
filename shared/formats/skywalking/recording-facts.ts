import type { Choice } from '../../facts/choice.ts';
import { factTable, type FactTable, MOST_FACT_ROWS } from '../../facts/format-facts.ts';
import { MAX_SNAPSHOTS } from './choose-snapshots.ts';
import type { Snapshots } from './thread-snapshot.ts';

export const ALL = 'all';
export const NO_SPAN = 'none';

/** The number of the segment, from 1, and the id of the span: `1.0` is the entry span of the first segment. */
export function spanValue({ segment, id }: Pick<RecordedSpan, 'segment' | 'id'>): string {
  return `${segment + 1}.${id}`;
}

export interface Settings {
  readonly segmentId: string;
  readonly isSelected: (segment: number) => boolean;
  readonly span: RecordedSpan | undefined;
  readonly withChildren: boolean;
  readonly limit: number | undefined;
}

export function choicesOf({ segments, spans }: Recording, settings: Settings): Choice[] {
  const { segmentId, isSelected, span, withChildren, limit } = settings;
  const choices: Choice[] = [];
  if (segments.length > 1) {
    // At most MOST_FACT_ROWS segments, and the chosen one.
    const offered = segments.filter(({ id }, at) => at < MOST_FACT_ROWS || id === segmentId);
    choices.push({
      id: 'segment',
      name: 'Segment',
      hint: 'Which segment of the trace to show. A segment is what one thread did for the trace.',
      kind: 'one',
      options: [{ value: ALL, text: 'All segments' }, ...offered.map(({ id }) => ({ value: id, text: id }))],
      chosen: segmentId,
    });
  }
  const offered = spans.filter(({ segment }) => isSelected(segment));
  if (offered.length > 0) {
    choices.push(
      {
        id: 'span',
        name: 'Span',
        hint: 'Only snapshots from the time of one span.',
        kind: 'one',
        options: [
          { value: NO_SPAN, text: 'The whole segment' },
          ...offered
            .filter((each, at) => at < MOST_FACT_ROWS || each === span)
            .map((each) => ({
              value: spanValue(each),
              text: `${spanValue(each)} ${each.endpoint} (${each.end - each.start} ms)`,
            })),
        ],
        chosen: span === undefined ? NO_SPAN : spanValue(span),
      },
      {
        id: 'children',
        name: 'Include children',
        hint: 'If a span is chosen: also show the time of its child spans.',
        kind: 'switch',
        chosen: withChildren,
      },
    );
  }
  choices.push({
    id: 'limit',
    name: 'Snapshot limit',
    hint: 'Maximum number of snapshots per time range; later ones are not counted. SkyWalking has the same limit.',
    kind: 'number',
    unit: 'snapshots',
    suggested: MAX_SNAPSHOTS,
    chosen: limit,
  });
  return choices;
}

export function tablesOf({ snapshots, segments, spans }: Recording): FactTable[] {
  const counts = new Float64Array(segments.length);
  const first = new Float64Array(segments.length).fill(Infinity);
  const last = new Float64Array(segments.length).fill(-Infinity);
  for (let row = 0; row < snapshots.length; row++) {
    const segment = snapshots.segment[row];
    counts[segment]++;
    first[segment] = Math.min(first[segment], snapshots.ms[row]);
    last[segment] = Math.max(last[segment], snapshots.ms[row]);
  }
  const tables = [
    factTable(
      'Segments',
      'Segment | Start | Duration:ns | Snapshots:count',
      segments.slice(0, MOST_FACT_ROWS + 1).map(({ id, start, end }, at) => {
        const from = start ?? first[at];
        const to = end ?? last[at];
        return [id, dateText(from), to >= from ? (to - from) * 1e6 : undefined, counts[at]];
      }),
    ),
  ];
  if (spans.length > 0) {
    const values = new Set(spans.map((span) => spanValue(span)));
    tables.push(
      factTable(
        'Spans',
        'Span | Below | Service | Endpoint | Type | Start | Duration:ns',
        spans.map((span) => {
          const parent = spanValue({ segment: span.segment, id: span.parent });
          return [
            spanValue(span),
            values.has(parent) ? parent : undefined,
            span.service === '' ? undefined : span.service,
            span.endpoint,
            span.type === '' ? undefined : span.type,
            dateText(span.start),
            (span.end - span.start) * 1e6,
          ];
        }),
      ),
    );
  }
  return tables.map((table) => ({
    ...table,
    leftOut: table.title === 'Spans' ? table.leftOut : Math.max(0, segments.length - table.rows.length),
  }));
}

/** 2026-11-20T11:36:18.459Z; undefined if it is not a date. */
function dateText(ms: number): string | undefined {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}

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
