import { Carry } from '../read/carry.ts';
import {
  type DetectedFormat,
  detectFormat,
  detectInText,
  MOST_DETECTION_BYTES,
  nextDetection,
  SEARCHED_BYTES,
  SHARED_BYTES,
  type UnrecognisedInput,
} from './detect-format.ts';

/** Collects the first bytes of an unpacked input until its format is known. */
export class FormatSearch {
  /** Bytes of long texts before their profiles. */
  passedBytes = 0;
  readonly #head = new Carry();
  /** Number of bytes from which detection is tried again. */
  #detectAt = 1;
  /** Set while a profile is searched in a long text: what the input is if it has none. */
  #withoutProfile: UnrecognisedInput | undefined;

  /** Bytes that are kept. */
  get length(): number {
    return this.#head.length;
  }

  add(bytes: Uint8Array): void {
    this.#head.keep(this.#head.join(bytes), 0);
  }

  /** The format of the input, if it is known. `ended`: it has no more bytes. */
  detect(ended: boolean): DetectedFormat | undefined {
    if (this.#withoutProfile !== undefined) return this.#searchText(this.#withoutProfile, ended);
    const head = this.#head.bytes;
    if (!ended && head.length < this.#detectAt) return undefined;
    const detected = detectFormat(head, ended);
    this.#detectAt = detected === undefined ? nextDetection(head.length) : 1;
    if (detected === undefined || detected.format !== undefined || detected.mayFollow !== true)
      return detected;
    this.#withoutProfile = detected;
    this.#pass(MOST_DETECTION_BYTES - SHARED_BYTES);
    return this.#searchText(detected, false);
  }

  /** The bytes from the profile on. Nothing is kept after it. */
  take(): Uint8Array {
    const head = this.#head.bytes;
    this.#head.clear();
    return head;
  }

  /** Searches the profile in the next parts of a long text, and keeps only what may belong to it. */
  #searchText(without: UnrecognisedInput, ended: boolean): DetectedFormat | undefined {
    for (let bytes = this.#head.bytes; ended || bytes.length >= SEARCHED_BYTES; bytes = this.#head.bytes) {
      const found = detectInText(bytes.subarray(0, SEARCHED_BYTES));
      if (found !== undefined || (ended && bytes.length <= SEARCHED_BYTES)) {
        this.#withoutProfile = undefined;
        return found ?? without;
      }
      this.#pass(SEARCHED_BYTES - SHARED_BYTES);
    }
    return undefined;
  }

  /** Skips the first bytes. */
  #pass(count: number): void {
    this.#head.keep(this.#head.bytes, count);
    this.passedBytes += count;
  }
}
