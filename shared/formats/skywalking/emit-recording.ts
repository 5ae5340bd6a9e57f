import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { type Chosen, chosenNumber, chosenOption, chosenSwitch } from '../../facts/choice.ts';
import type { ProfileUnits } from '../../profile/profile-units.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { SNAPSHOT_CELLS, SnapshotMerge } from '../snapshot-merge.ts';
import {
  MAX_SNAPSHOTS,
  type SnapshotQuery,
  chooseSnapshots,
  inOrder,
  rangesWithout,
} from './choose-snapshots.ts';
import {
  ALL,
  NO_SPAN,
  choicesOf,
  spanValue,
  tablesOf,
  type RecordedSpan,
  type Recording,
} from './recording-facts.ts';
import { FIRST_ROWS } from '../../profile/columns.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { NamedMethods } from '../named-frames.ts';
import type { Snapshots } from './thread-snapshot.ts';

const UNITS: ProfileUnits = {
  counted: { one: 'snapshot', many: 'snapshots', isSampled: true },
  value: { name: 'Time', unit: 'ns' },
};

export const NO_SNAPSHOTS: FormatFacts = { ...NO_FACTS, units: UNITS };

/** Emits the chosen snapshots of a recording to the sink, merged. Each segment is a thread of the profile. */
export function emitRecording(recording: Recording, chosen: Chosen, sink: SampleSink): FormatFacts {
  const { segments, spans } = recording;
  const segmentId = chosenOption(chosen, 'segment', [ALL, ...segments.map(({ id }) => id)], ALL);
  const isSelected = (segment: number): boolean => segmentId === ALL || segments[segment].id === segmentId;
  const spanValues = spans.map((span) => spanValue(span));
  const spanAsked = chosenOption(chosen, 'span', [NO_SPAN, ...spanValues], NO_SPAN);
  const span = spans.find((each) => spanValue(each) === spanAsked && isSelected(each.segment));
  const withChildren = chosenSwitch(chosen, 'children', true);
  const limit = Math.max(1, Math.floor(chosenNumber(chosen, 'limit') ?? MAX_SNAPSHOTS));
  const queries = span === undefined ? wholeQueries(recording) : spanQueries(span, spans, withChildren);
  const wanted = queries.filter(({ segment }) => isSelected(segment));
  const { notes, ...times } = emitQueried(recording, wanted, limit, sink);
  if (times.hasSampleTimes) emitSpans(recording, isSelected, sink);
  return {
    ...NO_SNAPSHOTS,
    ...times,
    choices: choicesOf(recording, {
      segmentId,
      isSelected,
      span,
      withChildren,
      limit: chosenNumber(chosen, 'limit'),
    }),
    notes: [...recording.notes, ...notes],
    tables: tablesOf(recording),
  };
}

const NS_PER_MS = 1_000_000;

/** Spans are contexts of their segment. Their last millisecond is in them, as for the analyser of SkyWalking. */
function emitSpans(
  { segments, spans }: Recording,
  isSelected: (segment: number) => boolean,
  sink: SampleSink,
): void {
  if (!sink.keepsTimes || spans.length === 0) return;
  const first = spans.reduce((least, { start }) => Math.min(least, start), Infinity);
  const base = BigInt(first) * BigInt(NS_PER_MS);
  for (const { segment, start, end, endpoint, service, type } of spans) {
    if (!isSelected(segment)) continue;
    const [from, to] = [(start - first) * NS_PER_MS, (end - first) * NS_PER_MS + 1];
    const attributes = ['segment', segments[segment].id, 'service', service, 'type', type];
    sink.addContext(sink.thread(0, segment + 1), base, from, to, endpoint || '(no name)', attributes);
  }
}

type EmittedFacts = Pick<
  FormatFacts,
  'notes' | 'firstTime' | 'lastTime' | 'hasSampleTimes' | 'backwardSteps'
>;

/** Emits the snapshots that the queries select, at most `limit` per query. */
export function emitQueried(
  { snapshots, segments }: Pick<Recording, 'snapshots' | 'segments'>,
  queries: readonly SnapshotQuery[],
  limit: number,
  sink: SampleSink,
): EmittedFacts {
  const { rows, tip, leftOut } = chooseSnapshots(snapshots, inOrder(snapshots), queries, limit);
  const notes: string[] = [];
  if (tip !== undefined) {
    const all = leftOut === 0 && rows.length > 0 ? ' No single query has more, so all are shown.' : '';
    notes.push(`${tip}${all}`);
  }
  const merge = new SnapshotMerge(sink);
  const signatures = new SignatureFrames(snapshots, sink);
  let firstMs = Infinity;
  let lastMs = -Infinity;
  let withoutStack = 0;
  for (const row of rows) {
    firstMs = Math.min(firstMs, snapshots.ms[row]);
    lastMs = Math.max(lastMs, snapshots.ms[row]);
    if (snapshots.node[row] === 0) {
      withoutStack++;
      continue;
    }
    const segment = snapshots.segment[row];
    const thread = sink.thread(0, segment + 1);
    sink.nameThread(thread, `segment ${segments[segment].id}`);
    const depth = signatures.stackOf(snapshots.node[row]);
    merge.add(thread, snapshots.sequence[row], snapshots.ms[row], signatures.stack, depth);
  }
  if (withoutStack > 0)
    notes.push(`${formatQuantity(withoutStack, 'snapshot')} with an empty stack: not counted.`);
  return {
    notes,
    firstTime: timeOf(firstMs),
    lastTime: timeOf(lastMs),
    hasSampleTimes: Number.isFinite(firstMs),
    backwardSteps: merge.backwardSteps,
  };
}

function wholeQueries({ segments }: Recording): readonly SnapshotQuery[] {
  return segments.map((_, segment) => ({ segment, start: -Infinity, end: Infinity }));
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

function timeOf(ms: number): bigint | undefined {
  return Number.isFinite(ms) ? BigInt(ms) * 1_000_000n : undefined;
}

const utf8 = new TextDecoder();
/** `java.lang.Thread.run:840`. Lines with leading zeros do not match, so that different signatures stay different. */
const SIGNATURE = /^(.*):(0|-?[1-9]\d{0,9})$/s;
/** The line of a native method in StackTraceElement. */
const NATIVE_LINE = -2;

/** Converts code signatures to frames of method and line. */
class SignatureFrames {
  /** The latest stack of `stackOf`: SNAPSHOT_CELLS cells per frame, root first. */
  stack = new Int32Array(FIRST_ROWS * SNAPSHOT_CELLS);
  readonly #snapshots: Snapshots;
  readonly #methods: NamedMethods;
  /** Signature -> cells of its frame; the method id is -1 before the signature is first used. */
  readonly #cells: Int32Array;

  constructor(snapshots: Snapshots, sink: SampleSink) {
    this.#snapshots = snapshots;
    this.#methods = new NamedMethods(sink);
    this.#cells = new Int32Array(snapshots.signatures.length * SNAPSHOT_CELLS).fill(-1);
  }

  /** Fills `stack` with the path to a node; returns its depth. */
  stackOf(leaf: number): number {
    const { parent, frame } = this.#snapshots.stacks;
    let depth = 0;
    for (let node = leaf; node > 0; node = parent[node]) depth++;
    if (depth * SNAPSHOT_CELLS > this.stack.length) this.stack = new Int32Array(depth * SNAPSHOT_CELLS * 2);
    let at = depth * SNAPSHOT_CELLS;
    for (let node = leaf; node > 0; node = parent[node]) {
      at -= SNAPSHOT_CELLS;
      const cell = frame[node] * SNAPSHOT_CELLS;
      if (this.#cells[cell] < 0) this.#define(frame[node]);
      this.stack[at] = this.#cells[cell];
      this.stack[at + 1] = this.#cells[cell + 1];
      this.stack[at + 2] = this.#cells[cell + 2];
    }
    return depth;
  }

  #define(signature: number): void {
    const text = utf8.decode(this.#snapshots.signatures.bytesOf(signature));
    const found = SIGNATURE.exec(text);
    const number = Number(found?.[2]);
    const isLine = number === (number | 0) && number !== NO_LINE;
    const method = found !== null && isLine ? found[1] : text;
    const line = isLine ? number : NO_LINE;
    const dot = method.lastIndexOf('.');
    const id = this.#methods.numberOf(method, {
      file: '',
      className: method.slice(0, Math.max(0, dot)),
      methodName: method.slice(dot + 1),
    });
    const cell = signature * SNAPSHOT_CELLS;
    this.#cells[cell] = id;
    this.#cells[cell + 1] = line;
    this.#cells[cell + 2] = line === NATIVE_LINE ? NATIVE_BCI : NO_BCI;
  }
}
