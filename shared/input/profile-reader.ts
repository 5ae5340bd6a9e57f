import { memoryAllowed, MOST_FRAMES } from '../aggregate/memory-budget.ts';
import { NodeEstimate, NodeReserve } from '../aggregate/node-reserve.ts';
import type { ProfileAggregator } from '../aggregate/profile-aggregator.ts';
import type { Chosen } from '../facts/choice.ts';
import { type Damage, tooManyFrames, tooMuchMemory } from '../facts/damage.ts';
import { type FormatFacts, NO_FACTS } from '../facts/format-facts.ts';
import { factsOfLog, type InputProblem, type LogFacts, profileLosses } from '../facts/log-facts.ts';
import { printableDamage, printableFacts } from '../facts/printable-facts.ts';
import { mayHoldWaits, WaitingSamples } from '../facts/waiting-samples.ts';
import {
  type ByteAccount,
  decodedShare,
  type Preallocation,
  type ProfileDecoder,
} from '../formats/decoder.ts';
import { formatOf } from '../formats/formats.ts';
import type { ProfileFormat } from '../formats/profile-format.ts';
import { isFolder } from '../read/tar-header.ts';
import { TarUnpacker } from '../read/unpack/tar.ts';
import type { OpenGunzip, UnpackDamage } from '../read/unpack/unpacker.ts';
import { formatCount, formatShare } from '../text/format-value.ts';
import { ArchiveProfiles } from './archive-profiles.ts';
import type { DetectedFormat, UnrecognisedInput } from './detect-format.ts';
import { FormatSearch } from './format-search.ts';
import { emptyProblem, refusedProblem, unpackingProblem, unrecognisedProblem } from './input-problem.ts';
import { InputUnpacker, type Storage } from './input-unpacker.ts';

/** Bytes that make an input full are read to their end, but add at most this many call nodes beyond the limit. */
export const MOST_NODES_BEYOND = 1 << 20;

const COMMAND_LINE = 'The command line reads all of it: leanscope summary, leanscope export.';

const LF = 0x0a;

/** Why an input is not shown as a complete one: a state of its log, with a sentence for the user. */
type Outcome =
  | { readonly state: 'failed' | 'full'; readonly detail: string }
  | { readonly state: 'damaged'; readonly detail?: undefined };

interface ReaderOptions {
  /** The input is full when the profile has so many call nodes; without a limit when not given. */
  readonly mostNodes?: number;
  /**
   * The profile of the content before this one. Its names are copied if this content begins with zeros: then the file was
   * truncated while its writer had it open. The writer continues at its old offset, so the zeros are a hole, and it
   * does not repeat names. A new writer would begin at offset 0 and write all names.
   */
  readonly before?: ProfileAggregator['profile'] | undefined;
}

/**
 * Reads a profile from the stored bytes of a file: detects storage and format, unpacks and decodes, reserves memory, stops
 * at a limit of call nodes, and says how reading has ended. Keeps the laws of a decoder: any chunking, every byte
 * accounted for, no exception because of the input.
 *
 *   push ─▶ unpack ─▶ detect the format, at first ─▶ decoder ─▶ aggregator
 */
export class ProfileReader {
  readonly aggregator: ProfileAggregator;
  /** The choices with which the input is read. */
  readonly chosen: Chosen;
  /** Set as soon as the format is known. */
  format: ProfileFormat | undefined;
  /** Set as soon as the format is known. */
  decoder: ProfileDecoder | undefined;
  /** Set if the input has no known format; its bytes are skipped. */
  unrecognised: UnrecognisedInput | undefined;
  /** Set if a further file has another format than the first; its bytes are not read. */
  mismatch: DetectedFormat | undefined;

  readonly #openGunzip: OpenGunzip;
  readonly #mostNodes: number;
  readonly #reserve: NodeReserve;
  readonly #estimate = new NodeEstimate();
  readonly #waiting = new WaitingSamples();
  /** The profiles of the archive, if the input is one. */
  readonly #archive: ArchiveProfiles;
  readonly #search = new FormatSearch();
  #unpacker: InputUnpacker;
  /** Set when the input is a tar archive, compressed or not. */
  #tar: TarUnpacker | undefined;
  #before: ReaderOptions['before'];
  /** A further file has begun, and its format is not known yet. */
  #isFileUnchecked = false;
  #hasEnded = false;
  /** The writer goes on after the end. */
  #isFollowed = false;
  #lastByte = LF;
  #skippedBytes = 0;
  /** Stored bytes announced to `allow`. */
  #announcedBytes = 0;
  /** Offset in the unpacked input of the present step. */
  #stepOffset = 0;
  /** The aggregator is full since the step before: further bytes are skipped. */
  #isStopped = false;

  constructor(
    aggregator: ProfileAggregator,
    chosen: Chosen,
    openGunzip: OpenGunzip,
    { mostNodes = Infinity, before }: ReaderOptions = {},
  ) {
    this.aggregator = aggregator;
    this.chosen = chosen;
    this.#openGunzip = openGunzip;
    this.#mostNodes = mostNodes;
    this.#before = before;
    this.#archive = new ArchiveProfiles(chosen, (format, isFirst) => this.#beginEntry(format, isFirst));
    this.#reserve = new NodeReserve(aggregator, mostNodes);
    this.#unpacker = this.#newUnpacker();
    aggregator.limitNodes(mostNodes + MOST_NODES_BEYOND);
  }

  /** Reads the next stored bytes, borrowed until the promise resolves. Without a promise, they have been read. */
  push(bytes: Uint8Array): Promise<void> | undefined {
    if (bytes[0] === 0 && this.#before !== undefined) copyNames(this.#before, this.aggregator);
    this.#before = undefined;
    return this.#unpacker.push(bytes);
  }

  /** Another file follows, which has the same format and continues those before it. */
  beginFile(): void {
    this.#isFileUnchecked = true;
    this.#tar = undefined;
    this.#archive.restart(true);
    this.#unpacker = this.#newUnpacker();
  }

  /** Call it when `readBytes` of the `fileBytes` stored bytes have been pushed: memory is reserved for the rest. */
  note(readBytes: number, fileBytes: number): void {
    this.#reserve.note(readBytes * decodedShare(this.bytes), fileBytes);
    this.#estimate.note(readBytes, fileBytes, this.aggregator.profile.nodes.length);
  }

  /**
   * `bytes` more stored bytes of the input are about to be read: raises the memory budget by those before them. When the
   * aggregator has overflowed, the bytes up to the end of the step are still decoded, so that what is read does not depend
   * on how the input is divided into chunks.
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

  /** No more bytes are available for now: the last sample of a live log is shown. See `ProfileDecoder.emitOpen`. */
  emitOpen(): void {
    this.decoder?.emitOpen(false);
  }

  /**
   * The file has ended. The format of a very short file is detected only now. Unless `isLast`, another file follows; see
   * `beginFile`. If the file grows later, uncompressed bytes are pushed as before, compressed bytes after `restart`.
   * `isFollowed`: the writer goes on; see `ProfileDecoder.emitOpen`.
   */
  end(isLast = true, isFollowed = false): Promise<void> | undefined {
    this.#isFollowed = isFollowed;
    // Packed data that was not read to its end is not damaged.
    const packed = this.isDone ? undefined : this.#unpacker.end();
    if (packed !== undefined) return packed.then(() => this.#endContent(isLast));
    this.#endContent(isLast);
    return undefined;
  }

  /** True when new bytes can only be unpacked together with all bytes before them: see `restart`. */
  get needsRestart(): boolean {
    return this.#unpacker.hasEnded && (this.storage === 'gzip' || this.storage === 'zip');
  }

  /** The caller then pushes all stored bytes again, from the first; reading continues where it stopped. */
  restart(): void {
    this.#archive.restart(false);
    this.#unpacker.restart();
  }

  /** Nothing more will be pushed. */
  close(): void {
    this.#unpacker.close();
  }

  /** Undefined for compressed files, which are not preallocated. */
  get preallocation(): Preallocation | undefined {
    return this.storage === 'uncompressed' ? this.decoder?.preallocation : undefined;
  }

  /**
   * `bytes` have overwritten zeros from `offset` on, up to which the content was final. Returns the new offset up to
   * which it is final; undefined if some of the zeros have been read as a part of a record since.
   */
  overwriteZeros(bytes: Uint8Array, offset: number): number | undefined {
    const { preallocation } = this;
    if (preallocation === undefined) return undefined;
    const read = preallocation.zerosOffset - offset;
    if (bytes.subarray(0, read).some((byte) => byte !== 0)) return undefined;
    preallocation.overwriteZeros(bytes.subarray(read));
    return preallocation.zerosOffset;
  }

  /** Further bytes would not be used. */
  get isDone(): boolean {
    return this.unrecognised !== undefined || this.#isFull;
  }

  /** A warning that the input will be full before its end; undefined if it will not, or this is not known yet. */
  get forecast(): string | undefined {
    const { expected } = this.#estimate;
    if (expected === undefined || expected <= this.#mostNodes) return undefined;
    return `This log will have about ${inMillions(expected)} call nodes, and a window holds ${inMillions(this.#mostNodes)}: reading stops there. ${COMMAND_LINE}`;
  }

  /** Undefined: nothing is wrong with what was read up to now, which is this share of the file, 0 to 1. */
  outcome(share: number): Outcome | undefined {
    const { problem } = this;
    if (problem !== undefined) return { state: 'failed', detail: problem.text };
    if (this.#isFull) {
      const { expected } = this.#estimate;
      const of = expected === undefined ? '' : `, of about ${inMillions(expected)} call nodes`;
      const read = `Only the first ${formatShare(share, 1, 0)} of this log are shown${of}: a window holds no more.`;
      return { state: 'full', detail: `${read} ${COMMAND_LINE}` };
    }
    return this.damage === undefined ? undefined : { state: 'damaged' };
  }

  /** Undefined until it is known from the first bytes. */
  get storage(): Storage | undefined {
    return this.#unpacker.storage;
  }

  /** Damage of the compressed data; its offset counts stored bytes. */
  get unpackDamage(): UnpackDamage | undefined {
    return this.#unpacker.damage;
  }

  /** Damage of the profile or of its compressed data; everything before it was read. */
  get damage(): Damage | undefined {
    const { decodingDamage, unpackDamage, records: record } = this;
    if (decodingDamage !== undefined) return decodingDamage;
    if (unpackDamage !== undefined)
      return { what: this.storage === 'zip' ? 'zip archive' : 'gzip data', record, ...unpackDamage };
    const tarDamage = this.#tar?.damage;
    return (
      tarDamage && { what: this.#archive.what === 'folder' ? 'file' : 'tar archive', record, ...tarDamage }
    );
  }

  /**
   * The limit at which reading stopped, or damage of the unpacked input. The limit is the first of the two: nothing is
   * counted after it, but further bytes are decoded. A profile that has as many call nodes as its window shows is not
   * damaged.
   */
  get decodingDamage(): Damage | undefined {
    const { overflow, memory } = this.aggregator;
    const place = { byteOffset: this.#stepOffset, record: this.records };
    if (overflow === 'frames') return tooManyFrames(place, MOST_FRAMES);
    if (overflow === 'memory') return tooMuchMemory(place, memory.exceeded ?? memory.most);
    const damage = this.decoder?.damage;
    return damage && printableDamage(damage);
  }

  /** Why the input cannot be shown. Undefined if it can, or if this is not yet known. */
  get problem(): InputProblem | undefined {
    if (this.unrecognised !== undefined) return unrecognisedProblem(this.unrecognised);
    const { damage, hasEnded, unpackedBytes } = this.#unpacker;
    const refused = this.#hasEnded ? this.decoder?.refusal : undefined;
    if (refused !== undefined) return refusedProblem(refused, this.decoder?.instead);
    const refusal = this.#tar?.refusal ?? this.#unpacker.refusal;
    if (refusal !== undefined) return this.#archive.problem(refusal);
    if (!hasEnded || unpackedBytes > 0) return undefined;
    return damage === undefined ? emptyProblem() : unpackingProblem(damage.found);
  }

  /** The account of the unpacked input. */
  get bytes(): ByteAccount {
    const { passedBytes, length } = this.#search;
    if (this.decoder === undefined)
      return { accepted: 0, skipped: this.#skippedBytes + passedBytes, pending: length };
    const decoded = this.decoder.bytes;
    const { accepted, pending } = decoded;
    const skipped = decoded.skipped + passedBytes;
    if (!this.#isStopped) return { accepted, skipped, pending };
    return { accepted, skipped: skipped + pending + this.#skippedBytes, pending: 0 };
  }

  /** Complete records read. */
  get records(): number {
    return this.decoder?.records ?? 0;
  }

  /** The facts that the format tells. */
  formatFacts(): FormatFacts {
    return this.decoder === undefined ? NO_FACTS : printableFacts(this.#archive.addTo(this.decoder.facts()));
  }

  /** The number of methods includes the eleven error methods of an Honest Profiler log. */
  facts(): LogFacts {
    const { aggregator, bytes, format } = this;
    const known = this.formatFacts();
    const { firstTime, lastTime } = known;
    const { sampleCount, profile } = aggregator;
    const { threads, methods, frames, nodes } = profile;
    return {
      ...factsOfLog(known),
      format: format?.id,
      formatName: format?.name ?? '',
      notRecorded: format?.notRecorded ?? [],
      damage: this.damage,
      problem: this.problem,
      acceptedBytes: bytes.accepted,
      skippedBytes: bytes.skipped,
      pendingBytes: bytes.pending,
      samples: sampleCount,
      threads: threads.length,
      methods: methods.length,
      frames: frames.length,
      nodes: nodes.length,
      ...profileLosses(profile, known),
      spanNs: firstTime === undefined || lastTime === undefined ? undefined : Number(lastTime - firstTime),
      lastTime: lastTime?.toString(),
      waitingSamples: mayHoldWaits(known.choices) ? this.#waiting.count(profile) : 0,
      deepestStack: Math.min(known.deepestStack ?? Infinity, aggregator.deepestStack),
    };
  }

  get #isFull(): boolean {
    return this.aggregator.profile.nodes.length >= this.#mostNodes;
  }

  #newUnpacker(): InputUnpacker {
    return new InputUnpacker({
      take: (bytes) => this.#append(bytes),
      onStored: (bytes) => this.allow(bytes),
      accepts: this.#archive.accepts,
      openGunzip: this.#openGunzip,
    });
  }

  /** The next unpacked bytes. */
  #append(bytes: Uint8Array): void {
    if (this.#tar === undefined) this.#read(bytes);
    else this.#tar.write(bytes);
  }

  /** The next bytes of a profile, borrowed for the call. */
  #read(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#hasEnded = false;
    if (this.#isStopped) this.#skippedBytes += bytes.length;
    else if (this.decoder !== undefined && !this.#isFileUnchecked) this.#decode(this.decoder, bytes);
    else if (this.unrecognised !== undefined) this.#skippedBytes += bytes.length;
    else if (this.mismatch === undefined) {
      this.#search.add(bytes);
      this.#recognise(this.#search.detect(false));
    }
  }

  #decode(decoder: ProfileDecoder, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    decoder.append(bytes);
    this.#lastByte = bytes[bytes.length - 1];
  }

  /** Undefined: it is not known yet what the file is. */
  #recognise(detected: DetectedFormat | undefined): void {
    if (detected === undefined) return;
    if (this.decoder !== undefined) this.#join(this.decoder, detected);
    else if (detected.format !== undefined) this.#begin(formatOf(detected.format));
    else {
      const head = this.#search.take();
      if (detected.isTar === true) {
        this.#beginTar(head);
        return;
      }
      this.unrecognised = detected;
      this.#skippedBytes += head.length;
    }
  }

  #begin(format: ProfileFormat): void {
    this.format = format;
    this.decoder = format.createDecoder(this.aggregator, this.chosen);
    this.#decode(this.decoder, this.#search.take());
  }

  /** Decodes a further file if it has the format of the first. */
  #join(decoder: ProfileDecoder, detected: DetectedFormat): void {
    const head = this.#search.take();
    if (detected.format === this.format?.id) {
      this.#isFileUnchecked = false;
      this.#decode(decoder, head);
    } else this.mismatch = detected;
  }

  /** Unpacks the input from now on: its first bytes have turned out to be a tar archive. */
  #beginTar(head: Uint8Array): void {
    if (isFolder(head)) this.#archive.what = 'folder';
    this.#tar = new TarUnpacker(this.#archive.accepts, (bytes) => this.#read(bytes));
    this.#tar.write(head);
  }

  #endContent(isLast: boolean): void {
    // The format of an empty input is not detected, because bytes may still arrive.
    if (this.#unpacker.unpackedBytes === 0) return;
    if (this.isDone || this.#tar === undefined) this.#endProfile(isLast);
    if (this.isDone || this.#tar === undefined) return;
    this.#tar.end();
    if (this.format !== undefined) this.#endProfile(isLast);
  }

  #endProfile(isLast: boolean): void {
    if (this.#search.length > 0) this.#recognise(this.#search.detect(true));
    this.#hasEnded = isLast;
    // Now, so that what is wrong in the last line is found in this file and not in the next one.
    if (isLast) this.decoder?.emitOpen(true, this.#isFollowed);
    else this.#endLine();
  }

  /** The last line is complete, also without a line break. */
  #endLine(): void {
    if (this.#lastByte !== LF && this.decoder !== undefined) this.#decode(this.decoder, Uint8Array.of(LF));
  }

  /** An entry of an archive follows. Unless it `isFirst`, it continues those before it; see `ProfileFormat.joinsEntries`. */
  #beginEntry(format: ProfileFormat, isFirst: boolean): void {
    if (this.format === undefined) this.#begin(format);
    if (isFirst) return;
    if (format.joinsEntries === 'files') this.decoder?.beginFile?.();
    if (format.joinsEntries === 'lines' && this.#lastByte !== LF) this.#read(Uint8Array.of(LF));
  }
}

function copyNames({ methods, threads }: ProfileAggregator['profile'], into: ProfileAggregator): void {
  for (let row = 0; row < methods.length; row++) {
    const names = methods.names[row];
    if (names !== undefined) into.defineMethod(into.method(methods.idHi[row], methods.idLo[row]), names);
  }
  for (let row = 0; row < threads.length; row++) {
    const name = threads.name[row];
    if (name !== undefined) into.nameThread(into.thread(threads.idHi[row], threads.idLo[row]), name);
  }
}

function inMillions(count: number): string {
  return count < 1e6 ? formatCount(count) : `${(count / 1e6).toFixed(0)} million`;
}
