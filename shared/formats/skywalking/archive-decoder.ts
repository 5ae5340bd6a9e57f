import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { WholeInputDecoder } from '../whole-input.ts';
import { type BasicInfo, type BasicSegment, readBasicInfo } from './basic-info.ts';
import { MOST_SNAPSHOTS } from './choose-snapshots.ts';
import { handOn, NO_SNAPSHOTS } from './merge.ts';
import type { RecordedSegment, RecordedSpan } from './recording.ts';
import { Snapshots } from './snapshots.ts';
import { listTar, type TarEntry } from './tar.ts';
import { ThreadSnapshotReader } from './thread-snapshot.ts';

/**
 * The exporter's archive, unpacked from gzip: the snapshots of one trace, and beside them its segments and spans. It is
 * read as a whole, because either file may come first.
 *
 *   work/basic.yml        segments [{segmentId, segmentStartTime, minSequence, …}], profiledSegmentSpans [{…}]
 *   work/snapshot.data    ThreadSnapshot messages without ids: the segments one behind the other
 */
export class SkyWalkingArchiveDecoder extends WholeInputDecoder {
  readonly #sink: SampleSink;
  readonly #chosen: Chosen;
  #facts = NO_SNAPSHOTS;

  constructor(sink: SampleSink, chosen: Chosen) {
    super();
    this.#sink = sink;
    this.#chosen = chosen;
  }

  facts(): FormatFacts {
    return this.#facts;
  }

  protected readWhole(archive: Uint8Array): { accepted: number; damage?: Damage } {
    const { entries, damage: tarDamage } = listTar(archive);
    const data = entries.find(({ name }) => isNamed(name, 'snapshot.data'));
    const basic = entries.find(({ name }) => isNamed(name, 'basic.yml'));
    const reader = new ThreadSnapshotReader(new Snapshots());
    const read = data === undefined ? 0 : reader.read(archive, data.from, data.to, 0);
    this.records = reader.snapshots.length;

    const notes: string[] = [];
    const info = this.#basicInfo(archive, basic, notes);
    const { segments, numbers } = attributed(reader, info, notes);
    const spans = info.spans.flatMap((span): RecordedSpan[] => {
      const segment = numbers.get(span.segmentId);
      const isTimed = span.end >= span.start;
      return segment !== undefined && isTimed ? [{ ...span, segment }] : [];
    });
    const lost = info.spans.length - spans.length;
    if (lost > 0)
      notes.push(`${lost} spans are left out: they have no time, or are of a segment without snapshots.`);
    this.#facts = handOn(
      {
        snapshots: reader.snapshots,
        segments,
        spans,
        partsAre: 'segment',
        queries: undefined,
        mostSnapshots: MOST_SNAPSHOTS,
        notes,
      },
      this.#chosen,
      this.#sink,
    );
    const damage = reader.damage ?? tarDamage ?? this.#cutDamage(data, read, archive.length);
    return damage === undefined ? { accepted: archive.length } : { accepted: damage.byteOffset, damage };
  }

  #basicInfo(archive: Uint8Array, basic: TarEntry | undefined, notes: string[]): BasicInfo {
    if (basic === undefined) {
      notes.push('The archive has no basic.yml: segments have no names, and there are no spans.');
      return { traceId: '', taskId: '', segments: [], spans: [] };
    }
    const { info, problem } = readBasicInfo(archive.subarray(basic.from, basic.to));
    if (problem !== undefined) {
      notes.push('basic.yml cannot be read: segments have no names, and there are no spans.');
    } else notes.push(`Trace ${info.traceId || 'without an id'}, task ${info.taskId || 'without an id'}.`);
    return info;
  }

  #cutDamage(data: TarEntry | undefined, read: number, length: number): Damage | undefined {
    const where = { what: 'snapshot.data', record: this.records };
    if (data === undefined)
      return { ...where, byteOffset: length, found: 'no such file in the archive', expected: 'snapshots' };
    if (read === data.to && !data.isCut) return undefined;
    return { ...where, byteOffset: read, found: 'the end of the file', expected: 'a whole snapshot' };
  }
}

function isNamed(path: string, name: string): boolean {
  return path === name || path.endsWith(`/${name}`);
}

/**
 * Which segment of basic.yml a run of snapshots is: the next one that its sequences and times fit; the next one at all
 * when they fit none, and a note says so.
 */
function attributed(
  { snapshots, segmentIds }: ThreadSnapshotReader,
  { segments: known }: BasicInfo,
  notes: string[],
): { segments: RecordedSegment[]; numbers: Map<string, number> } {
  const first = new Int32Array(segmentIds.length).fill(-1);
  const last = new Int32Array(segmentIds.length);
  for (let row = 0; row < snapshots.length; row++) {
    const run = snapshots.segment[row];
    if (first[run] < 0) first[run] = row;
    last[run] = row;
  }
  const numbers = new Map<string, number>();
  let next = 0;
  let misfits = 0;
  const segments = segmentIds.map((id, run): RecordedSegment => {
    const fitting = known.findIndex(
      (segment, at) =>
        (id === undefined ? at >= next : segment.id === id) &&
        fits(segment, snapshots, first[run], last[run]),
    );
    if (fitting < 0 && known.length > 0) misfits++;
    const at = fitting < 0 ? next : fitting;
    next = at + 1;
    const segment = at < known.length && (id === undefined || known[at].id === id) ? known[at] : undefined;
    const name = id ?? (segment === undefined || segment.id === '' ? String(run + 1) : segment.id);
    if (!numbers.has(name)) numbers.set(name, run);
    return { id: name, start: defined(segment?.start), end: defined(segment?.end) };
  });
  if (misfits > 0)
    notes.push(
      `${misfits} segments have snapshots outside what basic.yml says: they may have the wrong name.`,
    );
  const missing = known.length - segments.length;
  if (missing > 0) notes.push(`${missing} segments of basic.yml have no snapshots.`);
  return { segments, numbers };
}

function fits(segment: BasicSegment, snapshots: Snapshots, first: number, last: number): boolean {
  const { start, end, minSequence, maxSequence } = segment;
  // What basic.yml does not say is NaN, and excludes nothing.
  return !(
    snapshots.sequence[first] < minSequence ||
    snapshots.sequence[last] > maxSequence ||
    snapshots.ms[first] < start ||
    snapshots.ms[last] > end
  );
}

function defined(ms: number | undefined): number | undefined {
  return ms === undefined || Number.isNaN(ms) ? undefined : ms;
}
