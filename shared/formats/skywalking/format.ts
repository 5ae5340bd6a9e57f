import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';
import { TAR_BLOCK_BYTES as BLOCK, tarEntryName, tarEntrySize } from '../../read/tar-header.ts';
import { SkyWalkingArchiveDecoder } from './archive-decoder.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { Carry } from '../../read/carry.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { emitRecording, NO_SNAPSHOTS } from './emit-recording.ts';
import { Snapshots, ThreadSnapshotReader } from './thread-snapshot.ts';

const OF_SNAPSHOTS = [
  'the state of a thread',
  'frames next to the root, in stacks deeper than the limit of the agent (500)',
  'what happened between two snapshots',
];

/** Archives of SkyWalking's `profile-exporter.sh`, `{traceId}.tar.gz` (specs: skywalking, section 1). */
export const SKYWALKING_ARCHIVE: ProfileFormat = {
  id: 'skywalking-archive',
  name: 'SkyWalking profile export',
  listed: { group: 'Traces and dumps', entry: 'SkyWalking' },
  extensions: ['.tar.gz', '.tgz', '.tar'],
  follows: false,
  notRecorded: [...OF_SNAPSHOTS, 'the last snapshot of a segment, which the exporter leaves out'],
  recognise: recogniseArchive,
  createDecoder: (sink, chosen) => new SkyWalkingArchiveDecoder(sink, chosen),
};

/** Snapshots as an agent sends them, and the file `snapshot.data` of an export. */
export const SKYWALKING_SNAPSHOTS: ProfileFormat = {
  id: 'skywalking-snapshots',
  name: 'SkyWalking snapshots',
  listed: { group: 'Traces and dumps', entry: 'SkyWalking' },
  extensions: ['.data'],
  follows: false,
  notRecorded: [...OF_SNAPSHOTS, 'spans', 'names of segments, unless the snapshots contain them'],
  recognise: recogniseThreadSnapshots,
  createDecoder: (sink, chosen) => new ThreadSnapshotsDecoder(sink, chosen),
};

/** A tar archive with the exporter's basic.yml, or with snapshots in a file snapshot.data. */
function recogniseArchive(head: Uint8Array): Recognition {
  if (head.length < BLOCK) {
    const mayBe = head.length > 0 && isHeaderPrefix(head);
    return mayBe
      ? isPossible(0.1, 'it is too short for a tar header')
      : isNot(0, 'it does not begin with the header of a tar archive');
  }
  for (let at = 0; at + BLOCK <= head.length;) {
    const size = tarEntrySize(head, at);
    if (size === undefined)
      return isNot(at === 0 ? 0 : 0.5, 'it has no basic.yml and no snapshot.data at its beginning');
    const name = tarEntryName(head, at).split('/').at(-1);
    const content = head.subarray(at + BLOCK, Math.min(head.length, at + BLOCK + size));
    if (name === 'basic.yml') {
      const text = latin1.decode(content);
      if (
        text.startsWith('!!org.apache.skywalking') ||
        /^(config|profiledSegmentSpans|segments):/m.test(text)
      )
        return is('it is a tar archive with SkyWalking’s basic.yml');
    }
    if (name === 'snapshot.data' && recogniseThreadSnapshots(content).verdict === 'is')
      return is('it is a tar archive with SkyWalking’s snapshot.data');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return isPossible(0.6, 'it is a tar archive without basic.yml and snapshot.data at its beginning');
}

/** Whether the bytes can be the start of a tar header: a name, filled up with zeros, then octal numbers. */
function isHeaderPrefix(head: Uint8Array): boolean {
  const name = head.subarray(0, 100);
  const zero = name.indexOf(0);
  const end = zero < 0 ? name.length : zero;
  const isName = end > 0 && name.subarray(0, end).every((byte) => byte >= 0x20);
  const numbers = head.subarray(100, 156);
  return isName && !name.subarray(end).some(Boolean) && /^[0-7 \0]*$/.test(latin1.decode(numbers));
}

const NO_SNAPSHOT = 'it does not begin with the length of a ThreadSnapshot message and the message';

/** ThreadSnapshot messages, each after its length. The first one must be valid, as far as `head` contains it. */
function recogniseThreadSnapshots(head: Uint8Array): Recognition {
  const length = varintAt(head, 0, head.length);
  if (length === undefined) {
    const mayBe = head.length > 0 && head.length < 5 && head.every((byte) => byte >= 0x80);
    return mayBe ? isPossible(0.05, NO_SNAPSHOT) : isNot(0, NO_SNAPSHOT);
  }
  if (length.value < 4) return isNot(0, NO_SNAPSHOT);
  const end = length.next + length.value;
  const seenEnd = Math.min(end, head.length);
  let at = length.next;
  let lastField = 0;
  while (at < seenEnd) {
    const tag = head[at];
    // Ids and stack are length-delimited, time and sequence are varints, and fields are in ascending order.
    if (!FIELDS.includes(tag) || tag <= lastField) return isNot(0, NO_SNAPSHOT);
    lastField = tag;
    const value = varintAt(head, at + 1, seenEnd);
    if (value === undefined) break;
    if (tag === TIME || tag === SEQUENCE) {
      at = value.next;
      continue;
    }
    if (value.next + value.value > end) return isNot(0, NO_SNAPSHOT);
    if (tag === STACK) return recogniseStack(head, value.next, value.next + value.value);
    at = value.next + value.value;
  }
  return seenEnd < end && head.length < 4096
    ? isPossible(0.2, 'it ends before the stack of its first snapshot')
    : isNot(0, NO_SNAPSHOT);
}

function recogniseStack(head: Uint8Array, from: number, stackEnd: number): Recognition {
  const seenEnd = Math.min(stackEnd, head.length);
  let signatures = 0;
  for (let at = from; at < seenEnd;) {
    if (head[at] !== CODE_SIGNATURE) return isNot(0, NO_SNAPSHOT);
    const length = varintAt(head, at + 1, seenEnd);
    if (length === undefined) break;
    at = length.next + length.value;
    if (at > stackEnd) return isNot(0, NO_SNAPSHOT);
    if (at > seenEnd) break;
    if (!SIGNATURE.test(latin1.decode(head.subarray(length.next, at))))
      return isNot(0.3, 'its first stack contains a frame that is not className.methodName:line');
    signatures++;
  }
  if (signatures > 0) return is('it begins with a snapshot of a thread’s stack');
  return isPossible(0.2, 'it ends before the stack of its first snapshot');
}

/** Tags of fields: number and wire type. */
const TIME = 0x18;
const SEQUENCE = 0x20;
const STACK = 0x2a;
const FIELDS = [0x0a, 0x12, TIME, SEQUENCE, STACK];
const CODE_SIGNATURE = 0x0a;
const SIGNATURE = /^[^\0-\x20:]+\.[^\0-\x20.:]+:-?\d+$/;

/** A varint of at most 49 bits, which is enough for times; undefined if it is longer or incomplete. */
function varintAt(bytes: Uint8Array, from: number, end: number): { value: number; next: number } | undefined {
  let value = 0;
  let factor = 1;
  for (let at = from; at < Math.min(end, from + 7); at++, factor *= 128) {
    value += (bytes[at] & 0x7f) * factor;
    if (bytes[at] < 0x80) return { value, next: at + 1 };
  }
  return undefined;
}

const latin1 = new TextDecoder('latin1');

/**
 * Decodes a stream of ThreadSnapshot messages. They are stored until the input ends, because only then it is known
 * which of them count, and in which order. An incomplete message at the end stays pending.
 */
class ThreadSnapshotsDecoder implements ProfileDecoder {
  readonly #sink: SampleSink;
  readonly #chosen: Chosen;
  readonly #reader: ThreadSnapshotReader;
  readonly #carry = new Carry();
  #accepted = 0;
  #skipped = 0;
  #facts: FormatFacts | undefined;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#reader = new ThreadSnapshotReader(new Snapshots(sink.memory));
    this.#chosen = chosen;
  }

  append(bytes: Uint8Array): void {
    if (this.damage !== undefined) {
      this.#skipped += bytes.length;
      return;
    }
    const joined = this.#carry.join(bytes);
    const read = this.#reader.read(joined, 0, joined.length, this.#accepted);
    this.#accepted += read;
    const isDamaged = this.#reader.damage !== undefined;
    if (isDamaged) this.#skipped = joined.length - read;
    this.#carry.keep(joined, isDamaged ? joined.length : read);
  }

  emitOpen(ended: boolean): void {
    if (!ended || this.#facts !== undefined) return;
    const { snapshots, segmentIds } = this.#reader;
    const segments = segmentIds.map((id, at) => ({
      id: id ?? String(at + 1),
      start: undefined,
      end: undefined,
    }));
    const notes = segmentIds.includes(undefined)
      ? ['Snapshots without segment ids: where sequence numbers start again, a new segment is assumed.']
      : [];
    this.#facts = emitRecording({ snapshots, segments, spans: [], notes }, this.#chosen, this.#sink);
  }

  get damage(): Damage | undefined {
    return this.#reader.damage;
  }

  get records(): number {
    return this.#reader.snapshots.length;
  }

  get bytes(): ByteAccount {
    return { accepted: this.#accepted, skipped: this.#skipped, pending: this.#carry.length };
  }

  facts(): FormatFacts {
    return this.#facts ?? NO_SNAPSHOTS;
  }
}
