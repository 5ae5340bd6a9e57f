import { noteOf } from '../../facts/losses.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { WholeInputDecoder } from '../whole-input.ts';
import { NO_SNAPSHOTS, emitRecording } from './emit-recording.ts';
import type { RecordedSegment, RecordedSpan } from './recording-facts.ts';
import { Snapshots, ThreadSnapshotReader } from './thread-snapshot.ts';
import { isObject, textOf } from '../json.ts';
import { FAILSAFE_SCHEMA, load, Type, YAMLException } from 'js-yaml';
import {
  tarEntryName,
  tarEntrySize,
  TarEntryType,
  tarText,
  TAR_BLOCK_BYTES as BLOCK,
  paxPath,
} from '../../read/tar-header.ts';

/**
 * Decodes the exporter's tar archive: the snapshots of one trace, and its segments and spans. The complete archive is
 * needed, because its two files may be in any order.
 *
 *   work/basic.yml        segments [{segmentId, segmentStartTime, minSequence, …}], profiledSegmentSpans [{…}]
 *   work/snapshot.data    ThreadSnapshot messages without ids, segment by segment
 */
export class SkyWalkingArchiveDecoder extends WholeInputDecoder {
  readonly #chosen: Chosen;
  #facts = NO_SNAPSHOTS;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#chosen = chosen;
  }

  facts(): FormatFacts {
    return this.#facts;
  }

  protected decodeInput(archive: Uint8Array): { accepted: number; damage?: Damage } {
    const { entries, damage: tarDamage } = listTar(archive);
    const data = entries.find(({ name }) => isNamed(name, 'snapshot.data'));
    const basic = entries.find(({ name }) => isNamed(name, 'basic.yml'));
    const reader = new ThreadSnapshotReader(new Snapshots(this.sink.memory));
    const read = data === undefined ? 0 : reader.read(archive, data.from, data.to, 0);
    this.records = reader.snapshots.length;

    const notes: string[] = [];
    const info = this.#basicInfo(archive, basic, notes);
    const { segments, numbers } = namedSegments(reader, info, notes);
    const spans = info.spans.flatMap((span): RecordedSpan[] => {
      const segment = numbers.get(span.segmentId);
      const isTimed = span.end >= span.start;
      return segment !== undefined && isTimed ? [{ ...span, segment }] : [];
    });
    const skipped = info.spans.length - spans.length;
    notes.push(...noteOf([skipped, 'span'], 'skipped: without a time, or of a segment without snapshots.'));
    const recording = { snapshots: reader.snapshots, segments, spans, notes };
    this.#facts = emitRecording(recording, this.#chosen, this.sink);
    const damage = reader.damage ?? tarDamage ?? this.#missingData(data, read, archive.length);
    return damage === undefined ? { accepted: archive.length } : { accepted: damage.byteOffset, damage };
  }

  #basicInfo(archive: Uint8Array, basic: TarEntry | undefined, notes: string[]): BasicInfo {
    if (basic === undefined) {
      notes.push('The archive has no basic.yml: segments have no names, and there are no spans.');
      return { traceId: '', taskId: '', segments: [], spans: [] };
    }
    const { info, problem } = readBasicInfo(archive.subarray(basic.from, basic.to));
    if (problem !== undefined) {
      const why = problem.isTooLong
        ? `has ${problem.message}`
        : `is not YAML as SkyWalking writes it (${problem.message})`;
      notes.push(`basic.yml ${why}: segments have no names, and there are no spans.`);
    } else notes.push(`Trace ${info.traceId || 'without an id'}, task ${info.taskId || 'without an id'}.`);
    return info;
  }

  #missingData(data: TarEntry | undefined, read: number, length: number): Damage | undefined {
    const where = { what: 'snapshot.data', record: this.records };
    if (data === undefined)
      return { ...where, byteOffset: length, found: 'no such file in the archive', expected: 'snapshots' };
    if (read === data.to && !data.isIncomplete) return undefined;
    return { ...where, byteOffset: read, found: 'the end of the file', expected: 'a complete snapshot' };
  }
}

function isNamed(path: string, name: string): boolean {
  return path === name || path.endsWith(`/${name}`);
}

/**
 * Finds the segment of basic.yml for each segment of the snapshots: the next one with matching sequence numbers and
 * times. If none matches, it is the next one, and a note says so.
 */
function namedSegments(
  { snapshots, segmentIds }: ThreadSnapshotReader,
  { segments: known }: BasicInfo,
  notes: string[],
): { segments: RecordedSegment[]; numbers: Map<string, number> } {
  const first = new Int32Array(segmentIds.length).fill(-1);
  const last = new Int32Array(segmentIds.length);
  for (let row = 0; row < snapshots.length; row++) {
    const number = snapshots.segment[row];
    if (first[number] < 0) first[number] = row;
    last[number] = row;
  }
  const numbers = new Map<string, number>();
  let next = 0;
  let unmatched = 0;
  const segments = segmentIds.map((id, number): RecordedSegment => {
    const matching = known.findIndex(
      (segment, at) =>
        (id === undefined ? at >= next : segment.id === id) &&
        matches(segment, snapshots, first[number], last[number]),
    );
    if (matching < 0 && known.length > 0) unmatched++;
    const at = matching < 0 ? next : matching;
    next = at + 1;
    const segment = at < known.length && (id === undefined || known[at].id === id) ? known[at] : undefined;
    const name = id ?? (segment === undefined || segment.id === '' ? String(number + 1) : segment.id);
    if (!numbers.has(name)) numbers.set(name, number);
    return { id: name, start: defined(segment?.start), end: defined(segment?.end) };
  });
  const missing = Math.max(0, known.length - segments.length);
  notes.push(
    ...noteOf([unmatched, 'segment'], 'may have a wrong name: basic.yml does not match the snapshots.'),
    ...noteOf([missing, 'segment'], 'of basic.yml without snapshots.'),
  );
  return { segments, numbers };
}

function matches(segment: BasicSegment, snapshots: Snapshots, first: number, last: number): boolean {
  const { start, end, minSequence, maxSequence } = segment;
  // Values missing in basic.yml are NaN, so they exclude nothing.
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

/** Contents of `basic.yml` in an exporter's archive (ProfiledBasicInfo, written by SnakeYAML). */
interface BasicInfo {
  readonly traceId: string;
  readonly taskId: string;
  readonly segments: readonly BasicSegment[];
  readonly spans: readonly BasicSpan[];
}

/** Times in ms since 1970; NaN if unknown, like sequence numbers. */
interface BasicSegment {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly minSequence: number;
  readonly maxSequence: number;
}

type BasicSpan = Omit<RecordedSpan, 'segment'> & { readonly segmentId: string };

function readBasicInfo(bytes: Uint8Array): { info: BasicInfo; problem: YamlText['problem'] } {
  const { root, problem } = readSnakeYaml(bytes);
  const config = field(root, 'config');
  const info: BasicInfo = {
    traceId: textOf(field(config, 'traceId')),
    taskId: textOf(field(config, 'taskId')),
    segments: listOf(field(root, 'segments')).map((segment) => ({
      id: textOf(field(segment, 'segmentId')),
      start: wholeNumberOf(field(segment, 'segmentStartTime')),
      end: wholeNumberOf(field(segment, 'segmentEndTime')),
      minSequence: wholeNumberOf(field(segment, 'minSequence')),
      maxSequence: wholeNumberOf(field(segment, 'maxSequence')),
    })),
    spans: listOf(field(root, 'profiledSegmentSpans')).map((span) => ({
      segmentId: textOf(field(span, 'segmentId')),
      id: textOf(field(span, 'spanId')),
      parent: textOf(field(span, 'parentSpanId')),
      endpoint: textOf(field(span, 'endpointName')),
      type: textOf(field(span, 'type')),
      service: textOf(field(span, 'serviceCode')),
      start: wholeNumberOf(field(span, 'startTime')),
      end: wholeNumberOf(field(span, 'endTime')),
    })),
  };
  return { info, problem };
}

/** The value of a key; undefined if `value` is not a map or does not have the key. */
function field(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** NaN if `value` is not a safe integer. */
function wholeNumberOf(value: unknown): number {
  const number = /^-?\d{1,16}$/.test(textOf(value)) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? number : NaN;
}

/** SkyWalking's files have a few kilobytes. */
const MAX_BYTES = 1 << 20;

interface YamlText {
  /** Texts, lists and objects; undefined if the text cannot be read. */
  readonly root: unknown;
  readonly problem: { readonly message: string; readonly isTooLong?: true } | undefined;
}

/** Tags are ignored: the first line of a file is the tag of a Java class. */
const TAGS = (['scalar', 'sequence', 'mapping'] as const).flatMap((kind) =>
  ['!', 'tag:yaml.org,2002:'].map((tag) => new Type(tag, { kind, multi: true })),
);
/** Every scalar stays a text, because YAML 1.1 makes 1200 of `20:0`. */
const SCHEMA = FAILSAFE_SCHEMA.extend({ explicit: TAGS });

/** Reads YAML as SnakeYAML dumps Java beans. Aliases are references, and a hundred levels are the most. */
export function readSnakeYaml(bytes: Uint8Array): YamlText {
  if (bytes.length > MAX_BYTES)
    return {
      root: undefined,
      problem: { message: `more than ${MAX_BYTES >> 20} MB of YAML`, isTooLong: true },
    };
  try {
    return { root: load(utf8.decode(bytes), { schema: SCHEMA, json: true }), problem: undefined };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { root: undefined, problem: { message: `${error.reason} at character ${error.mark.position}` } };
  }
}

const utf8 = new TextDecoder();

/** A file of a tar archive: bytes[from … to) of the archive. */
interface TarEntry {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The archive ends within the file. */
  readonly isIncomplete: boolean;
}

interface TarListing {
  readonly entries: readonly TarEntry[];
  /** The first invalid header. */
  readonly damage: Damage | undefined;
}

/**
 * Lists the files of a tar archive (POSIX ustar, with the long names of GNU tar and pax).
 *
 *   ▐header 512▐ content, filled up to a multiple of 512 ▐header▐ … ▐two blocks of zeros▐
 */
export function listTar(archive: Uint8Array): TarListing {
  const entries: TarEntry[] = [];
  let longName: string | undefined;
  let headers = 0;
  for (let at = 0; at + BLOCK <= archive.length;) {
    if (archive[at] === 0) return { entries, damage: undefined };
    const size = tarEntrySize(archive, at);
    if (size === undefined) {
      const damage: Damage = {
        what: 'tar header',
        byteOffset: at,
        record: headers,
        found: 'a header with a wrong checksum or size',
        expected: 'a tar header or zeros',
      };
      return { entries, damage };
    }
    headers++;
    const from = at + BLOCK;
    const to = Math.min(archive.length, from + size);
    const type = archive[at + 156];
    if (type === TarEntryType.gnuLongName) longName = tarText(archive, from, to);
    else if (type === TarEntryType.pax) longName = paxPath(archive, from, to);
    else {
      if (type === TarEntryType.file || type === TarEntryType.oldFile) {
        const name = longName ?? tarEntryName(archive, at);
        entries.push({ name, from, to, isIncomplete: from + size > archive.length });
      }
      longName = undefined;
    }
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { entries, damage: undefined };
}
