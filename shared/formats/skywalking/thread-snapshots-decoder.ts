import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { Carry } from '../../read/carry.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { emitRecording, NO_SNAPSHOTS } from './merge.ts';
import { Snapshots, ThreadSnapshotReader } from './thread-snapshot.ts';

/**
 * Decodes a stream of ThreadSnapshot messages. They are stored until the input ends, because only then it is known
 * which of them count, and in which order. An incomplete message at the end stays pending.
 */
export class ThreadSnapshotsDecoder implements ProfileDecoder {
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
