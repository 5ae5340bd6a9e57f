import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { Carry } from '../../bytes/carry.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { MOST_SNAPSHOTS } from './choose-snapshots.ts';
import { handOn, NO_SNAPSHOTS } from './merge.ts';
import { Snapshots } from './snapshots.ts';
import { ThreadSnapshotReader } from './thread-snapshot.ts';

/**
 * A stream of ThreadSnapshot messages. Which of them count, and in which order, is known at the end only; until then
 * they are columns. A message that is cut by the end stays pending.
 */
export class ThreadSnapshotsDecoder implements ProfileDecoder {
  readonly #sink: SampleSink;
  readonly #chosen: Chosen;
  readonly #reader = new ThreadSnapshotReader(new Snapshots());
  readonly #carry = new Carry();
  #accepted = 0;
  #skipped = 0;
  #facts: FormatFacts | undefined;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
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

  settle(ended: boolean): void {
    if (!ended || this.#facts !== undefined) return;
    const { snapshots, segmentIds } = this.#reader;
    const segments = segmentIds.map((id, at) => ({
      id: id ?? String(at + 1),
      start: undefined,
      end: undefined,
    }));
    const notes = segmentIds.includes(undefined)
      ? ['Snapshots name no segment: wherever their sequence starts anew, another segment is taken to begin.']
      : [];
    this.#facts = handOn(
      {
        snapshots,
        segments,
        spans: [],
        partsAre: 'segment',
        queries: undefined,
        mostSnapshots: MOST_SNAPSHOTS,
        notes,
      },
      this.#chosen,
      this.#sink,
    );
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
