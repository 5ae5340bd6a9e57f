import { byteOffsetOf } from '../../bytes/text-offset.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { WholeInputDecoder } from '../whole-input.ts';
import { MAX_SNAPSHOTS, type SnapshotQuery } from './choose-snapshots.ts';
import { emitRecording, NO_SNAPSHOTS } from './merge.ts';
import { field, listOf, readPlainYaml, textOf, wholeNumberOf } from './plain-yaml.ts';
import type { RecordedSpan, Recording } from './recording.ts';
import { Snapshots } from './snapshots.ts';

/** The analyser's limit of snapshots per query in SkyWalking's own test. */
const MAX_SNAPSHOTS_OF_CASE = 10;

/**
 * Decodes SkyWalking's test data: cases of its analyser (a `list`), or one segment with its spans. Snapshot n, counted
 * from 0, is at n · limit ms.
 *
 *   list:                          segmentId: 1.1.1
 *     - data:                      limit: 10
 *         limit: 10                snapshots:
 *         timeRanges: 0-2            - a-b-c
 *         snapshots:               spans:
 *           - A-B-C                  - operation: a
 *           - A-B                      start: 0 …
 */
export class SkyWalkingYamlDecoder extends WholeInputDecoder {
  readonly #chosen: Chosen;
  #facts = NO_SNAPSHOTS;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#chosen = chosen;
  }

  facts(): FormatFacts {
    return this.#facts;
  }

  protected decodeInput(input: Uint8Array): { accepted: number; damage?: Damage } {
    const { root, problem } = readPlainYaml(input);
    if (problem !== undefined) {
      const byteOffset = Math.min(input.length, byteOffsetOf(input, problem.at));
      return this.#failed(byteOffset, problem.message);
    }
    const snapshots = new Snapshots(this.sink.keeps);
    const cases = listOf(field(root, 'list'));
    const recording =
      cases.length > 0 ? recordingOfCases(cases, snapshots) : recordingOfSegment(root, snapshots);
    this.records = recording.snapshots.length;
    if (this.records === 0) return this.#failed(0, 'YAML without a list of snapshots');
    this.#facts = emitRecording(recording, this.#chosen, this.sink);
    return { accepted: input.length };
  }

  #failed(byteOffset: number, found: string): { accepted: number; damage: Damage } {
    const damage = { what: 'file', byteOffset, record: 0, found, expected: 'YAML with snapshots' };
    return { accepted: 0, damage };
  }
}

function recordingOfCases(cases: readonly unknown[], snapshots: Snapshots): Recording {
  const collector = new StackCollector(snapshots);
  const queries: SnapshotQuery[] = [];
  for (const [segment, each] of cases.entries()) {
    const data = field(each, 'data');
    const limit = wholeNumberOf(field(data, 'limit')) || 0;
    collector.addAll(segment, listOf(field(data, 'snapshots')), limit);
    for (const [, from, to] of textOf(field(data, 'timeRanges')).matchAll(/(\d{1,9})-(\d{1,9})/g))
      queries.push({ segment, start: Number(from) * limit, end: Number(to) * limit });
  }
  return {
    snapshots,
    segments: cases.map((_, at) => ({ id: String(at + 1), start: undefined, end: undefined })),
    spans: [],
    segmentKind: 'case',
    queries,
    maxSnapshots: MAX_SNAPSHOTS_OF_CASE,
    notes: [],
  };
}

function recordingOfSegment(root: unknown, snapshots: Snapshots): Recording {
  const collector = new StackCollector(snapshots);
  collector.addAll(0, listOf(field(root, 'snapshots')), wholeNumberOf(field(root, 'limit')) || 0);
  const spans = listOf(field(root, 'spans')).flatMap((span): RecordedSpan[] => {
    const start = wholeNumberOf(field(span, 'start'));
    const end = wholeNumberOf(field(span, 'end'));
    if (!(start <= end)) return [];
    return [
      {
        segment: 0,
        id: textOf(field(span, 'id')),
        parent: textOf(field(span, 'parentId')),
        endpoint: textOf(field(span, 'operation')),
        type: '',
        service: '',
        start,
        end,
      },
    ];
  });
  const traceId = textOf(field(root, 'traceId'));
  const taskId = textOf(field(root, 'taskId'));
  return {
    snapshots,
    segments: [{ id: textOf(field(root, 'segmentId')) || '1', start: undefined, end: undefined }],
    spans,
    segmentKind: 'segment',
    queries: undefined,
    maxSnapshots: MAX_SNAPSHOTS,
    notes: [`Trace ${traceId || 'without an id'}, task ${taskId || 'without an id'}.`],
  };
}

/** Collects snapshots whose stacks are texts such as `A-B-C`, root first. */
class StackCollector {
  readonly #snapshots: Snapshots;

  constructor(snapshots: Snapshots) {
    this.#snapshots = snapshots;
  }

  addAll(segment: number, stacks: readonly unknown[], msBetween: number): void {
    for (const [sequence, stack] of stacks.entries()) {
      const text = textOf(stack);
      const names = text === '' ? [] : text.split('-');
      const numbers = Int32Array.from(names, (name) => {
        const bytes = utf8.encode(name);
        return this.#snapshots.signatures.intern(bytes, 0, bytes.length);
      });
      this.#snapshots.append(segment, sequence, sequence * msBetween, numbers, numbers.length);
    }
  }
}

const utf8 = new TextEncoder();
