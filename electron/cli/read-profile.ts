import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import {
  DETECTION_BYTES,
  type DetectedFormat,
  detectFormat,
  type FormatId,
} from '../../shared/formats/detect-format.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { SourceError } from '../source/source-error.ts';
import { readWholeInput, type WholeInput } from '../source/whole-file.ts';
import { CommandError, type CommandIo, type ExitStatus } from './command-io.ts';
import { printable } from './printable.ts';

export interface ReadProfile {
  readonly format: FormatId;
  readonly input: WholeInput;
  readonly decoder: HonestLogDecoder;
  readonly aggregator: ProfileAggregator;
  /** What was wrong with the input, a line each, for standard error; empty when all was read. */
  readonly problems: readonly string[];
  readonly status: ExitStatus;
}

/** From here on the tables' final size can be guessed from the nodes so far; again at four times as much. */
const FIRST_ESTIMATE_BYTES = 4 << 20;
/** A little more than a straight line says: what is reserved and never written costs no memory. */
const ESTIMATE_MARGIN = 1.15;

/** A name for messages: `-` is standard input. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : printable(path);
}

/** Reads a log to its end into a profile. Throws CommandError when nothing could be read. */
export async function readProfile(path: string, io: CommandIo): Promise<ReadProfile> {
  const aggregator = new ProfileAggregator();
  const decoder = new HonestLogDecoder(aggregator);
  const intake = new Intake(decoder);
  const progress = io.showsProgress ? new Progress(path, io) : undefined;
  let nextEstimate = FIRST_ESTIMATE_BYTES;

  let input: WholeInput;
  try {
    input = await readWholeInput(path, (bytes) => intake.take(bytes), {
      ...(path === '-' ? { stdin: io.stdin() } : {}),
      onProgress: (readBytes, fileBytes) => {
        intake.stopIfHopeless();
        progress?.show(readBytes, fileBytes);
        if (fileBytes === undefined || readBytes < nextEstimate) return;
        nextEstimate = readBytes * 4;
        const nodes = aggregator.profile.nodes.length;
        aggregator.reserveNodes(Math.ceil(((nodes * fileBytes) / readBytes) * ESTIMATE_MARGIN));
      },
    });
    if (input.gzipDamage !== undefined && intake.isEmpty) throw unpackingError(path, input.gzipDamage.found);
    intake.end();
    intake.stopIfHopeless();
  } catch (error) {
    // What the intake stopped for is the reason, however it came back through the streams.
    if (intake.failure instanceof RangeError) throw memoryError(path);
    if (intake.failure !== undefined) throw intake.failure;
    if (intake.stranger !== undefined) throw strangerError(path, intake.stranger);
    if (error instanceof SourceError) throw new CommandError(printable(error.message));
    throw error;
  } finally {
    progress?.clear();
  }
  decoder.settle(true);

  const { accepted, skipped, pending } = decoder.bytes;
  const problems: string[] = [];
  if (decoder.damage !== undefined) {
    const { what, byteOffset, record, found, expected } = decoder.damage;
    const share = percent(accepted, accepted + skipped + pending);
    problems.push(
      `${inputName(path)}: ${what} at byte ${byteOffset} (record ${record}): ${found}, expected ${expected}; read ${share} % of the file`,
    );
  } else if (input.gzipDamage !== undefined) {
    const { byteOffset, found, expected } = input.gzipDamage;
    const share = percent(byteOffset, input.fileBytes);
    problems.push(
      `${inputName(path)}: compressed data at byte ${byteOffset} (record ${recordsRead(decoder)}): ${printable(found)}, expected ${expected}; read ${share} % of the file`,
    );
  }
  return {
    format: intake.format,
    input,
    decoder,
    aggregator,
    problems,
    status: problems.length === 0 ? 0 : 3,
  };
}

/** Rounded down: a file that was not read whole never shows as 100. */
function percent(part: number, whole: number): string {
  return whole === 0 ? '0' : String(Math.floor((part / whole) * 1000) / 10);
}

function recordsRead({ counts }: HonestLogDecoder): number {
  return counts.traceStarts + counts.frameRecords + counts.methodRecords + counts.threadRecords;
}

/** Looks at the first bytes before the decoder gets them. Never throws into the stream that brings the bytes. */
class Intake {
  format: FormatId = 'honest-log';
  /** The input is of no known format. */
  stranger: (DetectedFormat & { readonly format: undefined }) | undefined;
  /** Thrown while decoding. */
  failure: Error | undefined;

  readonly #decoder: HonestLogDecoder;
  #head = new Uint8Array(0);
  #isDetected = false;

  constructor(decoder: HonestLogDecoder) {
    this.#decoder = decoder;
  }

  take(bytes: Uint8Array): void {
    if (this.stranger !== undefined || this.failure !== undefined) return;
    if (this.#isDetected) {
      this.#decode(bytes);
    } else if (this.#head.length + bytes.length < DETECTION_BYTES) {
      this.#head = joined(this.#head, bytes);
    } else {
      this.#detect(joined(this.#head, bytes.subarray(0, DETECTION_BYTES)), false);
      this.#decode(this.#head);
      this.#decode(bytes);
    }
  }

  get isEmpty(): boolean {
    return !this.#isDetected && this.#head.length === 0;
  }

  end(): void {
    if (this.#isDetected) return;
    this.#detect(this.#head, true);
    this.#decode(this.#head);
  }

  /** Throws when reading on makes no sense. */
  stopIfHopeless(): void {
    if (this.failure !== undefined) throw this.failure;
    if (this.stranger !== undefined) throw new Error('not a log');
  }

  #detect(head: Uint8Array, ended: boolean): void {
    this.#isDetected = true;
    const detected = detectFormat(head, ended);
    if (detected === undefined) return;
    if (detected.format === undefined) this.stranger = detected;
    else this.format = detected.format;
  }

  #decode(bytes: Uint8Array): void {
    if (this.stranger !== undefined || bytes.length === 0) return;
    try {
      this.#decoder.append(bytes);
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function strangerError(path: string, { guess, reason }: { guess: string; reason: string }): CommandError {
  if (guess === 'empty') {
    return new CommandError(`${inputName(path)}: is empty; give a log that the agent has written to`);
  }
  return new CommandError(
    `${inputName(path)}: is no profile log but looks like ${guess} (${reason}); give an Honest Profiler log (.hpl), plain or gzip`,
  );
}

function unpackingError(path: string, found: string): CommandError {
  return new CommandError(
    `${inputName(path)}: begins like gzip, but nothing can be unpacked (${printable(found)}); copy the file anew`,
  );
}

function memoryError(path: string): CommandError {
  return new CommandError(
    `${inputName(path)}: needs more memory than there is; close other programs or use a larger machine`,
  );
}

/** One line on the terminal that is written over. */
class Progress {
  readonly #io: CommandIo;
  readonly #name: string;
  #shownAt = performance.now();
  #isShown = false;

  constructor(path: string, io: CommandIo) {
    this.#io = io;
    this.#name = inputName(path);
  }

  show(readBytes: number, fileBytes: number | undefined): void {
    const now = performance.now();
    if (now - this.#shownAt < 200) return;
    this.#shownAt = now;
    this.#isShown = true;
    const share =
      fileBytes === undefined ? `${(readBytes / 1e6).toFixed(0)} MB` : `${percent(readBytes, fileBytes)} %`;
    this.#io.stderr(`\r\x1b[KReading ${this.#name}: ${share}`);
  }

  clear(): void {
    if (this.#isShown) this.#io.stderr('\r\x1b[K');
  }
}
