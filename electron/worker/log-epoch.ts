import { NodeEstimate } from '../../shared/aggregate/node-estimate.ts';
import { NodeReserve } from '../../shared/aggregate/node-reserve.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { assert } from '../../shared/assert.ts';
import type { JournaledProfile } from '../../shared/delta/make-delta.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import type { Preallocation } from '../../shared/formats/decoder.ts';
import type { Peek } from '../../shared/formats/byte-ranges.ts';
import { ProfileInput } from '../../shared/input/profile-input.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { Epoch } from '../../shared/protocol/messages.ts';
import { WINDOW_MAX_NODES } from '../../shared/protocol/window-limit.ts';
import { openGunzip } from '../source/open-gunzip.ts';

/** How many of the zeros at the end are read again to find out whether the writer has overwritten them. */
const ZEROS_CHECKED = 4096;
const REPLAY_BYTES = 1 << 17;

/** Reads the profile that one run of the writer has stored. Truncation, rotation and replacement begin a new epoch. */
export class LogEpoch {
  readonly number: Epoch;
  readonly aggregator = new ProfileAggregator({ journal: true });
  readonly input: ProfileInput;
  readonly estimate = new NodeEstimate();
  readonly nodeReserve = new NodeReserve(this.aggregator, WINDOW_MAX_NODES);

  readonly #peek: Peek;
  #previous: LeanProfile | undefined;
  /** The pending bytes are zeros: 'not written yet'. */
  #pendingIsZeros = false;

  /**
   * `previous`: the profile of the previous epoch, because a writer that continues does not repeat its names. `peek`
   * reads stored bytes of this epoch again.
   */
  constructor(number: Epoch, previous: LeanProfile | undefined, chosen: Chosen, peek: Peek) {
    this.number = number;
    this.#previous = previous;
    this.#peek = peek;
    this.input = new ProfileInput(new ProfileReader(this.aggregator, chosen), openGunzip);
  }

  get reader(): ProfileReader {
    return this.input.reader;
  }

  get source(): JournaledProfile {
    const { profile, journal } = this.aggregator;
    assert(journal !== undefined, 'the aggregator of a log that is followed keeps a journal');
    return { profile, journal };
  }

  /**
   * Reads the stored bytes from `offset` on, borrowed until the result is there. Returns the offset up to which the
   * stored content is final: zeros at the end may still be overwritten.
   */
  append(bytes: Uint8Array, offset: number): number | Promise<number> {
    if (offset === 0 && bytes[0] === 0) this.#copyNames();
    this.#previous = undefined;
    if (this.input.needsRestart) return this.#replay(bytes, offset);
    const pushed = this.input.push(bytes);
    return pushed === undefined
      ? this.#finalOffset(bytes, offset)
      : pushed.then(() => this.#finalOffset(bytes, offset));
  }

  /**
   * Call it when no growth is expected: the last trace counts with the frames it has, and compressed data must be
   * complete.
   */
  async end(): Promise<void> {
    await this.input.end();
  }

  /** The offset from which zeros at the end of the file have been overwritten and are to be read again. */
  overwrittenFrom(): number | undefined {
    const { preallocation } = this;
    const { pending } = this.reader.bytes;
    if (!this.#pendingIsZeros || preallocation === undefined || pending === 0) return undefined;
    const from = preallocation.resumeOffset;
    if (!this.#peek(from, Math.min(ZEROS_CHECKED, pending)).some((byte) => byte !== 0)) return undefined;
    preallocation.rewind();
    return from;
  }

  close(): void {
    this.input.close();
  }

  /** Only plain files are preallocated. */
  get preallocation(): Preallocation | undefined {
    return this.input.storage === 'plain' ? this.reader.decoder?.preallocation : undefined;
  }

  #finalOffset(bytes: Uint8Array, offset: number): number {
    const end = offset + bytes.length;
    const { preallocation } = this;
    if (preallocation === undefined) return end;
    const { resumeOffset } = preallocation;
    if (resumeOffset >= end) this.#pendingIsZeros = false;
    else if (resumeOffset >= offset) this.#pendingIsZeros = bytes[resumeOffset - offset] === 0;
    return this.#pendingIsZeros ? resumeOffset : end;
  }

  /** For compressed data that has grown after its end was processed: unpacks it again from the first byte. */
  async #replay(bytes: Uint8Array, offset: number): Promise<number> {
    this.input.restart();
    for (let at = 0; at < offset;) {
      const before = this.#peek(at, Math.min(REPLAY_BYTES, offset - at));
      if (before.length === 0) break;
      at += before.length;
      await this.input.push(before);
    }
    await this.input.push(bytes);
    return offset + bytes.length;
  }

  /**
   * Copies names from the previous epoch if the content begins with zeros: then the file was truncated while its writer
   * continued at its old offset (the zeros are a hole), and the writer does not repeat names. A new writer begins at
   * offset 0 and writes all names.
   */
  #copyNames(): void {
    const { aggregator } = this;
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
