import { NodeEstimate, NodeReserve } from '../aggregate/node-reserve.ts';
import type { Damage } from '../facts/damage.ts';
import { factsOfLog, profileLosses, type InputProblem, type LogFacts } from '../facts/log-facts.ts';
import { detectFormat, type FormatMismatch, EMPTY_FILE, type UnrecognisedInput } from './detect-format.ts';
import { decodedShare } from '../formats/decoder.ts';
import { mayHoldWaits, WaitingSamples } from '../facts/waiting-samples.ts';
import { formatOf } from '../formats/formats.ts';
import type { ProfileFormat } from '../formats/profile-format.ts';
import { InputUnpacker, type Storage } from './input-unpacker.ts';
import type { ProfileReader } from './profile-reader.ts';
import { TarUnpacker } from '../read/unpack/tar.ts';
import { TRIAL_BYTES, tryDecoding } from './archive-profiles.ts';
import { isFolder } from '../read/tar-header.ts';
import { formatCount, formatShare } from '../text/format-value.ts';
import type { OpenGunzip, UnpackDamage } from '../read/unpack/unpacker.ts';
import type { Accepts } from '../read/unpack/zip-entry.ts';
import { printableProblem } from '../facts/printable-facts.ts';

/** Entries of an archive that a problem message lists. */
const MAX_ENTRIES = 20;

/** Bytes that make an input full are read to their end, but add at most this many call nodes beyond the limit. */
export const MOST_NODES_BEYOND = 1 << 20;

const COMMAND_LINE = 'The command line reads all of it: leanscope summary, leanscope export.';

/** Why an input is not shown as a complete one: a state of its log, with a sentence for the user. */
export type Outcome =
  | { readonly state: 'failed' | 'full'; readonly detail: string }
  | { readonly state: 'damaged'; readonly detail?: undefined };

/**
 * Reads a profile from the stored bytes of a file: detects storage and format, unpacks and decodes.
 * The command line, the log worker and the page all read files through it and only supply the bytes: it reserves
 * memory, estimates call nodes, stops at a limit of them, and says how reading has ended.
 *
 *   push ─▶ InputUnpacker ─▶ ProfileReader ─▶ decoder ─▶ aggregator
 */
export class ProfileInput {
  readonly reader: ProfileReader;
  readonly #unpacker: InputUnpacker;
  readonly #mostNodes: number;
  readonly #reserve: NodeReserve;
  readonly #estimate = new NodeEstimate();
  readonly #waiting = new WaitingSamples();
  /** Entries of an archive that are not profiles. */
  readonly #entries: FormatMismatch[] = [];
  /** Entries of an archive that are profiles -> whether they are read. */
  readonly #profiles = new Map<string, boolean>();
  /** Set when the input is a tar archive, compressed or not. */
  #tar: TarUnpacker | undefined;

  /**
   * Files of a series are read one after the other: each through its own ProfileInput, all with the same reader. The
   * input is full when the profile has `mostNodes` call nodes.
   */
  constructor(reader: ProfileReader, openGunzip: OpenGunzip, mostNodes = Infinity) {
    this.reader = reader;
    this.#mostNodes = mostNodes;
    reader.aggregator.limitNodes(mostNodes + MOST_NODES_BEYOND);
    this.#reserve = new NodeReserve(reader.aggregator, mostNodes);
    this.#unpacker = new InputUnpacker({
      take: (bytes) => this.#takeBytes(bytes),
      onStored: (bytes) => reader.allow(bytes),
      accepts: this.#accepts,
      openGunzip,
    });
  }

  /** Reads the next stored bytes, borrowed until the promise resolves. Without a promise, they have been read. */
  push(bytes: Uint8Array): Promise<void> | undefined {
    return this.#unpacker.push(bytes);
  }

  /** Call it when `readBytes` of the `fileBytes` stored bytes have been pushed: memory is reserved for the rest. */
  note(readBytes: number, fileBytes: number): void {
    this.#reserve.note(readBytes * decodedShare(this.reader.bytes), fileBytes);
    this.#estimate.note(readBytes, fileBytes, this.reader.aggregator.profile.nodes.length);
  }

  /** Further bytes would not be used. */
  get isDone(): boolean {
    return this.reader.unrecognised !== undefined || this.#isFull;
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

  /**
   * The file has ended. `isLast`: see `ProfileReader.end`. If the file grows later, uncompressed bytes are pushed as
   * before, compressed bytes after `restart`.
   */
  async end(isLast = true): Promise<void> {
    await this.#unpacker.end();
    // The format of an empty input is not detected, because bytes may still arrive.
    if (this.#unpacker.unpackedBytes === 0) return;
    if (this.#tar === undefined) {
      this.reader.end(isLast);
      this.#beginTar();
    }
    if (this.#tar === undefined) return;
    this.#tar.end();
    if (this.reader.format !== undefined) this.reader.end(isLast);
  }

  /** True when new bytes can only be unpacked together with all bytes before them: see `restart`. */
  get needsRestart(): boolean {
    return this.#unpacker.hasEnded && (this.storage === 'gzip' || this.storage === 'zip');
  }

  /** The caller then pushes all stored bytes again, from the first; reading continues where it stopped. */
  restart(): void {
    this.#entries.length = 0;
    this.#unpacker.restart();
  }

  /** Nothing more will be pushed. */
  close(): void {
    this.#unpacker.close();
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
    const { unpackDamage } = this;
    const tarDamage = this.#tar?.damage;
    const record = this.reader.records;
    if (this.reader.damage !== undefined) return this.reader.damage;
    if (unpackDamage !== undefined)
      return { what: this.storage === 'zip' ? 'zip archive' : 'gzip data', record, ...unpackDamage };
    return (
      tarDamage && {
        what: this.reader.archive.what === 'folder' ? 'file' : 'tar archive',
        record,
        ...tarDamage,
      }
    );
  }

  /** Why the input cannot be shown. Undefined if it can, or if this is not yet known. */
  get problem(): InputProblem | undefined {
    const { unrecognised } = this.reader;
    if (unrecognised !== undefined) return unrecognisedProblem(unrecognised);
    const { damage, hasEnded, unpackedBytes } = this.#unpacker;
    const refusal = this.#tar?.refusal ?? this.#unpacker.refusal;
    if (this.reader.refusal !== undefined)
      return refusedProblem(this.reader.refusal, this.reader.decoder?.instead);
    if (refusal !== undefined) {
      const { archive } = this.reader;
      const what = archive.what === 'folder' ? 'a folder without a profile' : refusal;
      return archiveProblem(archive.refusal ?? what, this.#entries);
    }
    if (!hasEnded || unpackedBytes > 0) return undefined;
    return damage === undefined ? emptyProblem() : unpackingProblem(damage.found);
  }

  /** The number of methods includes the eleven error methods of an Honest Profiler log. */
  facts(): LogFacts {
    const { reader } = this;
    const known = reader.facts();
    const { firstTime, lastTime } = known;
    const { sampleCount, profile } = reader.aggregator;
    const { threads, methods, frames, nodes } = profile;
    return {
      ...factsOfLog(known),
      format: reader.format?.id,
      formatName: reader.format?.name ?? '',
      notRecorded: reader.format?.notRecorded ?? [],
      damage: this.damage,
      problem: this.problem,
      acceptedBytes: reader.bytes.accepted,
      skippedBytes: reader.bytes.skipped,
      pendingBytes: reader.bytes.pending,
      samples: sampleCount,
      threads: threads.length,
      methods: methods.length,
      frames: frames.length,
      nodes: nodes.length,
      ...profileLosses(profile, known),
      spanNs: firstTime === undefined || lastTime === undefined ? undefined : Number(lastTime - firstTime),
      lastTime: lastTime?.toString(),
      waitingSamples: mayHoldWaits(known.choices) ? this.#waiting.count(profile) : 0,
      deepestStack: Math.min(known.deepestStack ?? Infinity, reader.aggregator.deepestStack),
    };
  }

  get #isFull(): boolean {
    return this.reader.aggregator.profile.nodes.length >= this.#mostNodes;
  }

  #takeBytes(bytes: Uint8Array): undefined {
    if (this.#tar !== undefined) this.#tar.write(bytes);
    else {
      this.reader.append(bytes);
      this.#beginTar();
    }
  }

  /** Unpacks the input from now on if it has turned out to be a tar archive. */
  #beginTar(): void {
    const head = this.reader.takeTar();
    if (head === undefined) return;
    if (isFolder(head)) this.reader.archive.what = 'folder';
    this.#tar = new TarUnpacker(this.#accepts, (bytes) => this.reader.append(bytes));
    this.#tar.write(head);
  }

  /** Detects the format of an archive's entry. `isLast`: no other entry is a profile, so that this spare one is read. */
  readonly #accepts: Accepts = (head, ended, name, isLast = false) => {
    if (isLast) {
      this.reader.archive.showSpare();
      this.reader.recognise(head, ended);
      this.#profiles.set(name, true);
      return true;
    }
    const detected = detectFormat(head, ended);
    if (detected === undefined) return undefined;
    if (detected.format !== undefined) return this.#take(head, ended, name, formatOf(detected.format));
    if (this.#entries.length < MAX_ENTRIES)
      this.#entries.push({ name, because: `it looks like ${detected.guess}` });
    return false;
  };

  /** Whether an entry that is a profile is read. */
  #take(head: Uint8Array, ended: boolean, name: string, format: ProfileFormat): ReturnType<Accepts> {
    // After `restart`, the entries that were read before are unpacked again.
    const known = this.#profiles.get(name);
    if (known !== undefined) return known;
    const { archive, chosen } = this.reader;
    if (archive.isOpen && !ended && head.length < TRIAL_BYTES) return undefined;
    const taken = archive.add(name, format, () => tryDecoding(format, head, ended, chosen));
    if (taken === 'first') this.reader.recognise(head, ended);
    if (taken === 'next') this.reader.beginEntry();
    const isRead = taken === 'first' || taken === 'next';
    this.#profiles.set(name, isRead);
    return taken === 'spare' ? taken : isRead;
  }
}

function inMillions(count: number): string {
  return count < 1e6 ? formatCount(count) : `${(count / 1e6).toFixed(0)} million`;
}

const OPEN_ANOTHER = 'open an Honest Profiler log (.hpl), a JFR recording or another supported profile';

/** An input of no known format. */
function unrecognisedProblem({ guess, advice, reasons }: UnrecognisedInput): InputProblem {
  return guess === EMPTY_FILE
    ? emptyProblem()
    : problem(`looks like ${guess}`, advice ?? OPEN_ANOTHER, reasons);
}

function emptyProblem(): InputProblem {
  return problem(`is ${EMPTY_FILE}`, 'open a profile that has been written to', []);
}

/** `refusal` describes the archive, with an article. `entries` are those that were checked. */
function archiveProblem(refusal: string, entries: readonly FormatMismatch[]): InputProblem {
  return problem(`is ${refusal}`, OPEN_ANOTHER, entries);
}

/** `refusal` describes an input of a known format of which nothing can be shown, with an article. */
function refusedProblem(refusal: string, instead: string | undefined): InputProblem {
  return problem(`is ${refusal}`, instead ?? OPEN_ANOTHER, []);
}

/** The problem of gzip data of which not a single byte can be unpacked. `found`: what is wrong with it. */
function unpackingProblem(found: string): InputProblem {
  return problem(`is gzip data that cannot be unpacked (${found})`, 'copy the file again', []);
}

function problem(what: string, advice: string, reasons: readonly FormatMismatch[]): InputProblem {
  return printableProblem({ text: `Not a supported profile: this ${what}.`, advice, reasons });
}
