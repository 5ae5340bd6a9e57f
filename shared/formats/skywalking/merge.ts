import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { type Chosen, chosenNumber, chosenOption, chosenSwitch } from '../../facts/choice.ts';
import type { ProfileUnits } from '../../profile/profile-units.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { SnapshotMerge } from '../snapshot-merge.ts';
import { chooseSnapshots, inOrder, rangesWithout, type SnapshotQuery } from './choose-snapshots.ts';
import { ALL, choicesOf, NO_SPAN, spanValue, tablesOf } from './recording-facts.ts';
import type { RecordedSpan, Recording } from './recording.ts';
import { SignatureFrames } from './signature-frames.ts';

const UNITS: ProfileUnits = {
  counted: { one: 'snapshot', many: 'snapshots', isSampled: true },
  value: { name: 'Time', unit: 'ns' },
};

export const NO_SNAPSHOTS: FormatFacts = { ...NO_FACTS, units: UNITS };

/** Selects snapshots, merges them and emits them to the sink. Each segment is a thread of the profile. */
export function emitRecording(recording: Recording, chosen: Chosen, sink: SampleSink): FormatFacts {
  const { snapshots, segments, spans, segmentKind } = recording;
  const isCase = segmentKind === 'case';
  const segmentId = chosenOption(chosen, segmentKind, [ALL, ...segments.map(({ id }) => id)], ALL);
  const spanValues = spans.map((span) => spanValue(span));
  const spanAsked = chosenOption(chosen, 'span', [NO_SPAN, ...spanValues], NO_SPAN);
  const span = spans.find((each) => spanValue(each) === spanAsked && isSelected(each.segment));
  const withChildren = chosenSwitch(chosen, 'children', true);
  const limit = Math.max(1, Math.floor(chosenNumber(chosen, 'limit') ?? recording.maxSnapshots));

  function isSelected(segment: number): boolean {
    return segmentId === ALL || segments[segment].id === segmentId;
  }

  const ordered = inOrder(snapshots);
  const notes = [...recording.notes];
  const merge = new SnapshotMerge(sink);
  const signatures = new SignatureFrames(snapshots, sink);
  let firstMs = Infinity;
  let lastMs = -Infinity;
  let withoutStack = 0;
  // The limit applies to each case of a test separately, but to all segments of a trace together.
  const queries = span === undefined ? wholeQueries(recording) : spanQueries(span, spans, withChildren);
  const wanted = queries.filter(({ segment }) => isSelected(segment));
  const analyses = isCase ? bySegment(wanted) : [wanted];
  for (const analysis of analyses) {
    const { rows, tip, leftOut } = chooseSnapshots(snapshots, ordered, analysis, limit);
    if (tip !== undefined) {
      const where = isCase && analysis.length > 0 ? `Case ${segments[analysis[0].segment].id}: ` : '';
      const all = leftOut === 0 && rows.length > 0 ? ' No single query has more, so all are shown.' : '';
      notes.push(`${where}${tip}${all}`);
    }
    for (const row of rows) {
      firstMs = Math.min(firstMs, snapshots.ms[row]);
      lastMs = Math.max(lastMs, snapshots.ms[row]);
      if (snapshots.node[row] === 0) {
        withoutStack++;
        continue;
      }
      const segment = snapshots.segment[row];
      const thread = sink.thread(0, segment + 1);
      sink.nameThread(thread, `${segmentKind} ${segments[segment].id}`);
      const depth = signatures.stackOf(snapshots.node[row]);
      merge.add(thread, snapshots.sequence[row], snapshots.ms[row], signatures.stack, depth);
    }
  }
  if (withoutStack > 0)
    notes.push(`${formatQuantity(withoutStack, 'snapshot')} with an empty stack: not counted.`);
  return {
    ...NO_SNAPSHOTS,
    choices: choicesOf(recording, {
      segmentId,
      isSelected,
      span,
      withChildren,
      limit: chosenNumber(chosen, 'limit'),
    }),
    notes,
    tables: tablesOf(recording),
    firstTime: timeOf(firstMs),
    lastTime: timeOf(lastMs),
    hasSampleTimes: Number.isFinite(firstMs),
    backwardSteps: merge.backwardSteps,
  };
}

function wholeQueries({ queries, segments }: Recording): readonly SnapshotQuery[] {
  return queries ?? segments.map((_, segment) => ({ segment, start: -Infinity, end: Infinity }));
}

function spanQueries(
  span: RecordedSpan,
  spans: readonly RecordedSpan[],
  withChildren: boolean,
): readonly SnapshotQuery[] {
  const { segment, start, end, id } = span;
  if (withChildren) return [{ segment, start, end }];
  const children = spans.filter(
    (each) => each !== span && each.segment === segment && each.parent === id && each.id !== id,
  );
  return rangesWithout(span, children).map((range) => ({ segment, ...range }));
}

function bySegment(queries: readonly SnapshotQuery[]): readonly (readonly SnapshotQuery[])[] {
  const groups = new Map<number, SnapshotQuery[]>();
  for (const query of queries) {
    const group = groups.get(query.segment);
    if (group === undefined) groups.set(query.segment, [query]);
    else group.push(query);
  }
  return [...groups.values()];
}

function timeOf(ms: number): bigint | undefined {
  return Number.isFinite(ms) ? BigInt(ms) * 1_000_000n : undefined;
}
