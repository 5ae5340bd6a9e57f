import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { assert } from '../../shared/assert.ts';
import type { JournaledProfile } from '../../shared/delta/make-delta.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import type { Preallocation } from '../../shared/formats/decoder.ts';
import { ProfileInput } from '../../shared/input/profile-input.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { Epoch } from '../../shared/protocol/messages.ts';
import { openGunzip } from '../source/read-bytes.ts';

const REPLAY_BYTES = 1 << 17;

/** Bytes of a file from `offset` on, fewer at its end; borrowed until the next call. */
export type Peek = (offset: number, length: number) => Uint8Array;

/**
 * The input of one epoch of a log: the content of one run of the writer. Truncation, rotation and replacement begin a
 * new one.
 */
export class LogEpoch extends ProfileInput {
  readonly number: Epoch;
  readonly #peek: Peek;
  #previous: LeanProfile | undefined;

  /**
   * `previous`: the profile of the previous epoch, of which names may be needed: see `#copyNames`. `peek` reads stored
   * bytes of this epoch again.
   */
  constructor(
    number: Epoch,
    previous: LeanProfile | undefined,
    chosen: Chosen,
    peek: Peek,
    mostNodes?: number,
  ) {
    const aggregator = new ProfileAggregator({ journal: true, samples: true });
    super(new ProfileReader(aggregator, chosen), openGunzip, mostNodes);
    this.number = number;
    this.#previous = previous;
    this.#peek = peek;
  }

  get source(): JournaledProfile {
    const { profile, journal } = this.reader.aggregator;
    assert(journal !== undefined, 'the aggregator of an epoch is created with a journal');
    return { profile, journal };
  }

  /**
   * Reads the next stored bytes, borrowed until the result is there; the first of them has this offset. Returns the
   * offset up to which the stored content is final: zeros at the end may still be overwritten.
   */
  append(bytes: Uint8Array, offset: number): number | Promise<number> {
    if (offset === 0 && bytes[0] === 0) this.#copyNames();
    this.#previous = undefined;
    if (this.needsRestart) return this.#replay(bytes, offset);
    const pushed = this.push(bytes);
    const end = offset + bytes.length;
    return pushed === undefined ? this.#finalOffset(end) : pushed.then(() => this.#finalOffset(end));
  }

  /**
   * `bytes` have overwritten zeros from `offset` on, up to which the content was final. Returns the new offset up to
   * which it is final; undefined if some of the zeros have been read as a part of a record since.
   */
  overwritten(bytes: Uint8Array, offset: number): number | undefined {
    const { preallocation } = this;
    if (preallocation === undefined) return undefined;
    const read = preallocation.zerosOffset - offset;
    if (bytes.subarray(0, read).some((byte) => byte !== 0)) return undefined;
    preallocation.overwriteZeros(bytes.subarray(read));
    return preallocation.zerosOffset;
  }

  /** Undefined for compressed files, which are not preallocated. */
  get preallocation(): Preallocation | undefined {
    return this.storage === 'uncompressed' ? this.reader.decoder?.preallocation : undefined;
  }

  #finalOffset(end: number): number {
    return this.preallocation?.zerosOffset ?? end;
  }

  /** Unpacks compressed data that has grown after `end` again, from the first byte. */
  async #replay(bytes: Uint8Array, offset: number): Promise<number> {
    this.restart();
    for (let at = 0; at < offset;) {
      const before = this.#peek(at, Math.min(REPLAY_BYTES, offset - at));
      if (before.length === 0) break;
      at += before.length;
      await this.push(before);
    }
    await this.push(bytes);
    return offset + bytes.length;
  }

  /**
   * Copies the names of the previous epoch. Called when the content begins with zeros: then the file was truncated while
   * its writer had it open. The writer continues at its old offset, so the zeros are a hole, and it does not repeat
   * names. A new writer would begin at offset 0 and write all names.
   */
  #copyNames(): void {
    const { aggregator } = this.reader;
    if (this.#previous === undefined) return;
    const { methods, threads } = this.#previous;
    for (let row = 0; row < methods.length; row++) {
      const names = methods.names[row];
      if (names !== undefined)
        aggregator.defineMethod(aggregator.method(methods.idHi[row], methods.idLo[row]), names);
    }
    for (let row = 0; row < threads.length; row++) {
      const name = threads.name[row];
      if (name !== undefined)
        aggregator.nameThread(aggregator.thread(threads.idHi[row], threads.idLo[row]), name);
    }
  }
}
