import { memoryAllowed, MOST_FRAMES } from '../aggregate/memory-budget.ts';
import type { ProfileAggregator } from '../aggregate/profile-aggregator.ts';
import { Carry } from '../read/carry.ts';
import type { Chosen } from '../facts/choice.ts';
import { ArchiveProfiles } from './archive-profiles.ts';
import { type Damage, tooManyFrames, tooMuchMemory } from '../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../formats/decoder.ts';
import { type FormatFacts, NO_FACTS } from '../facts/format-facts.ts';
import { printableDamage, printableFacts } from '../facts/printable-facts.ts';
import { formatOf } from '../formats/formats.ts';
import type { FormatId } from '../facts/format-list.ts';
import type { ProfileFormat } from '../formats/profile-format.ts';
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

const LF = 0x0a;

/**
 * Reads a profile from unpacked bytes of any format. Detects the format once, and buffers the first bytes until it is
 * known. Keeps the laws of a decoder: any chunking, every byte accounted for, no exception
 * because of the input.
 */
export class ProfileReader {
  readonly aggregator: ProfileAggregator;
  /** How the input is to be read. */
  readonly chosen: Chosen;
  /** Set as soon as the format is known. */
  format: ProfileFormat | undefined;
  /** Set as soon as the format is known. */
  decoder: ProfileDecoder | undefined;
  /** Set if the input has no known format; its bytes are skipped. */
  unrecognised: UnrecognisedInput | undefined;
  /** The profiles of the archive, if the input is one. */
  readonly archive: ArchiveProfiles;
  /** Set if a further file has another format than the first; its bytes are not read. */
  mismatch: DetectedFormat | undefined;

  /** Stored bytes announced to `allow`. */
  #announcedBytes = 0;
  /** Offset in the unpacked input at which the latest step of the stored bytes begins. */
  #stepOffset = 0;
  /** The aggregator is full since the step before: further bytes are skipped. */
  #isStopped = false;
  /** The first bytes: too few to detect the format. */
  readonly #head = new Carry();
  /** Number of bytes from which detection is tried again. */
  #detectAt = 1;
  /** Set while a profile is searched in a long text: what the input is if it has none. */
  #withoutProfile: UnrecognisedInput | undefined;
  /** Bytes of long texts before their profiles. */
  #passedBytes = 0;
  #skippedBytes = 0;
  #hasEnded = false;
  #lastByte = LF;
  /** The bytes of a tar archive, until they are taken. */
  #tar: Uint8Array | undefined;
  /** A further file has begun, and its format is not checked yet: its first bytes are collected in #head. */
  #isFileUnchecked = false;

  constructor(aggregator: ProfileAggregator, chosen: Chosen) {
    this.aggregator = aggregator;
    this.chosen = chosen;
    this.archive = new ArchiveProfiles(chosen);
  }

  /**
   * `bytes` more stored bytes of the input are about to be read: raises the memory budget by those before them. When the
   * aggregator has overflowed, the bytes up to the end of the step are still decoded, so that what is read does not depend
   * on how the input is divided into chunks. Without calls there is no limit.
   */
  allow(bytes: number): void {
    const { aggregator } = this;
    aggregator.withdrawProvisional();
    this.#isStopped = aggregator.isFull;
    if (this.#isStopped) return;
    const { accepted, skipped, pending } = this.bytes;
    this.#stepOffset = accepted + skipped + pending;
    aggregator.memory.most = memoryAllowed(this.#announcedBytes);
    this.#announcedBytes += bytes;
  }

  /** The next bytes, borrowed for the call. */
  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#hasEnded = false;
    if (this.#isStopped) this.#skippedBytes += bytes.length;
    else if (this.#isFileUnchecked || this.decoder === undefined) this.#appendToHead(bytes);
    else this.#decode(this.decoder, bytes);
  }

  /**
   * Detects the format of an input that begins with `head`, and creates its decoder. Undefined if more bytes are
   * needed. Does not decode `head`, which must be appended as well.
   */
  recognise(head: Uint8Array, ended: boolean): DetectedFormat | undefined {
    const detected = detectFormat(head, ended);
    if (detected?.format !== undefined && this.format === undefined) this.#begin(detected.format);
    return detected;
  }

  /**
   * The bytes so far of an input that is a tar archive. Whoever takes them unpacks it from then on, and appends the
   * content of its files.
   */
  takeTar(): Uint8Array | undefined {
    const tar = this.#tar;
    if (tar === undefined) return undefined;
    this.#tar = undefined;
    this.unrecognised = undefined;
    this.#skippedBytes = 0;
    return tar;
  }

  /** Another entry of an archive follows and continues those before it; see `ProfileFormat.joinsEntries`. */
  beginEntry(): void {
    if (this.format?.joinsEntries === 'files') this.decoder?.beginFile?.();
    if (this.format?.joinsEntries === 'lines' && this.#lastByte !== LF) this.append(Uint8Array.of(LF));
  }

  /** No more bytes are available for now: the last sample of a live log is shown. See `ProfileDecoder.emitOpen`. */
  emitOpen(): void {
    this.decoder?.emitOpen(false);
  }

  /**
   * The file has ended. The format of a very short file is detected only now. Unless `isLast`, another file of the same
   * format follows and continues this one.
   */
  end(isLast = true): void {
    if (this.#isFileUnchecked) this.#checkFile(true);
    else if (this.format === undefined && this.unrecognised === undefined) this.#detect(true);
    this.#hasEnded = isLast;
    // Now, so that what is wrong in the last line is found in this file and not in the next one.
    if (isLast) this.decoder?.emitOpen(true);
    else this.#endLine();
    if (!isLast) this.#isFileUnchecked = true;
  }

  get bytes(): ByteAccount {
    if (this.decoder === undefined)
      return { accepted: 0, skipped: this.#skippedBytes + this.#passedBytes, pending: this.#head.length };
    const decoded = this.decoder.bytes;
    const { accepted, pending } = decoded;
    const skipped = decoded.skipped + this.#passedBytes;
    if (!this.#isStopped) return { accepted, skipped, pending };
    return { accepted, skipped: skipped + pending + this.#skippedBytes, pending: 0 };
  }

  /**
   * The limit at which reading stopped, or damage. The limit is the first of the two: nothing is counted after it, but
   * further bytes are decoded. A profile that has as many call nodes as its window shows is not damaged.
   */
  get damage(): Damage | undefined {
    const limit = this.#limitDamage;
    if (limit !== undefined) return limit;
    const damage = this.decoder?.damage;
    return damage && printableDamage(damage);
  }

  /** Why nothing can be shown of an input of a known format that has ended; see `ProfileDecoder.refusal`. */
  get refusal(): string | undefined {
    return this.#hasEnded ? this.decoder?.refusal : undefined;
  }

  get #limitDamage(): Damage | undefined {
    const { overflow, memory } = this.aggregator;
    const place = { byteOffset: this.#stepOffset, record: this.records };
    if (overflow === 'frames') return tooManyFrames(place, MOST_FRAMES);
    if (overflow !== 'memory') return undefined;
    return tooMuchMemory(place, memory.exceeded ?? memory.most);
  }

  /** Complete records read. */
  get records(): number {
    return this.decoder?.records ?? 0;
  }

  facts(): FormatFacts {
    return this.decoder === undefined ? NO_FACTS : printableFacts(this.archive.addTo(this.decoder.facts()));
  }

  /** Another file follows: the last line of this one is complete, also without a line break. */
  #endLine(): void {
    if (this.#lastByte === LF) return;
    this.decoder?.append(Uint8Array.of(LF));
    this.#lastByte = LF;
  }

  #appendToHead(bytes: Uint8Array): void {
    if (this.mismatch !== undefined) return;
    if (this.unrecognised !== undefined) {
      this.#skippedBytes += bytes.length;
      return;
    }
    this.#head.keep(this.#head.join(bytes), 0);
    if (!this.#isFileUnchecked) this.#lastByte = bytes[bytes.length - 1];
    if (this.#isFileUnchecked) this.#checkFile(false);
    else if (this.format === undefined) this.#detect(false);
  }

  #detect(ended: boolean): void {
    if (this.#withoutProfile !== undefined) {
      this.#search(ended);
      return;
    }
    if (!ended && this.#head.length < this.#detectAt) return;
    const detected = this.recognise(this.#head.bytes, ended);
    this.#detectAt = nextDetection(this.#head.length);
    if (detected === undefined || detected.format !== undefined) return;
    if (detected.mayFollow === true) this.#beginSearch(detected);
    else this.#give(detected);
  }

  /** Gives up: the input has no profile. */
  #give(up: UnrecognisedInput): void {
    this.unrecognised = up;
    if (up.isTar === true) this.#tar = this.#head.bytes.slice();
    this.#skippedBytes = this.#head.length;
    this.#head.clear();
  }

  #beginSearch(without: UnrecognisedInput): void {
    this.#withoutProfile = without;
    this.#pass(MOST_DETECTION_BYTES - SHARED_BYTES);
    this.#search(false);
  }

  /** Searches the profile in the next parts of a long text, and keeps only what may belong to it. */
  #search(ended: boolean): void {
    const without = this.#withoutProfile;
    for (let bytes = this.#head.bytes; ended || bytes.length >= SEARCHED_BYTES; bytes = this.#head.bytes) {
      const found = detectInText(bytes.subarray(0, SEARCHED_BYTES));
      const isLast = ended && bytes.length <= SEARCHED_BYTES;
      if (found === undefined && !isLast) {
        this.#pass(SEARCHED_BYTES - SHARED_BYTES);
        continue;
      }
      this.#withoutProfile = undefined;
      const detected = found ?? without;
      if (this.#isFileUnchecked) this.#joinFile(detected);
      else if (detected?.format !== undefined) this.#begin(detected.format);
      else if (detected !== undefined) this.#give(detected);
      return;
    }
  }

  /** Skips the first bytes of #head. */
  #pass(count: number): void {
    this.#head.keep(this.#head.bytes, count);
    this.#passedBytes += count;
  }

  #begin(id: FormatId): void {
    this.format = formatOf(id);
    this.decoder = this.format.createDecoder(this.aggregator, this.chosen);
    this.#decodeHead(this.decoder);
  }

  #decodeHead(decoder: ProfileDecoder): void {
    const head = this.#head.bytes;
    this.#head.clear();
    if (head.length > 0) this.#decode(decoder, head);
  }

  #decode(decoder: ProfileDecoder, bytes: Uint8Array): void {
    decoder.append(bytes);
    this.#lastByte = bytes[bytes.length - 1];
  }

  /** Checks that a further file has the format of the first, and begins to decode it. */
  #checkFile(ended: boolean): void {
    if (this.#withoutProfile !== undefined) {
      this.#search(ended);
      return;
    }
    const head = this.#head.bytes;
    if (head.length === 0 || this.decoder === undefined || (!ended && head.length < this.#detectAt)) return;
    const detected = detectFormat(head, ended);
    this.#detectAt = detected === undefined ? nextDetection(head.length) : 1;
    if (detected?.format === undefined && detected?.mayFollow === true) this.#beginSearch(detected);
    else this.#joinFile(detected);
  }

  /** Undefined: it is not known yet what the further file is. */
  #joinFile(detected: DetectedFormat | undefined): void {
    const { decoder } = this;
    if (detected === undefined || decoder === undefined) return;
    if (detected.format !== this.format?.id) {
      this.mismatch = detected;
      this.#head.clear();
      return;
    }
    this.#isFileUnchecked = false;
    this.#decodeHead(decoder);
  }
}
