import { describeNearest, DETECTION_BYTES, detectFormat } from '../../shared/formats/detect-format.ts';
import { formatOf } from '../../shared/formats/formats.ts';
import type { ProfileReader } from '../../shared/formats/profile-reader.ts';
import type { ReadPart } from '../parts/part-messages.ts';
import type { PartIntake } from '../parts/read-ahead.ts';
import { CommandError, UsageError } from './command-io.ts';
import { inputName, printable } from './printable.ts';

/** Hands the bytes of one or several files on. Never throws into the stream that brings them. */
export class Intake implements PartIntake {
  /** Thrown while decoding, or for files that do not go together. */
  failure: Error | undefined;
  /** No byte of the file has come. */
  isEmpty = true;
  readonly #reader: ProfileReader;
  readonly #paths: readonly string[];
  #path = '';
  #files = 0;
  #lastByte = LF;

  constructor(reader: ProfileReader, paths: readonly string[]) {
    this.#reader = reader;
    this.#paths = paths;
  }

  beginFile(path: string): void {
    this.#path = path;
    this.#files++;
    this.isEmpty = true;
  }

  take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#attempt(() => {
      if (this.isEmpty && this.#files > 1) this.#beginFurtherFile(bytes);
      this.isEmpty = false;
      this.#reader.append(bytes);
      this.#lastByte = bytes[bytes.length - 1];
      this.#refuseSeveral(false);
    });
  }

  get takesParts(): boolean {
    return this.failure === undefined && this.#reader.damage === undefined;
  }

  /** Goes on behind a part that was read elsewhere; false when it does not fit. */
  takeOver(read: ReadPart): boolean {
    let isTaken = false;
    this.#attempt(() => {
      isTaken = this.#reader.takeOver(read.state, read.part);
    });
    return isTaken;
  }

  end(): void {
    this.#attempt(() => {
      this.#reader.settle(true);
      this.#refuseSeveral(true);
    });
  }

  /** Throws when reading on makes no sense. */
  stopIfHopeless(): void {
    if (this.failure !== undefined) throw this.failure;
    if (this.#reader.stranger !== undefined) throw new Error('not a profile');
  }

  /** It must be of the format of the first, and begins a line of its own. */
  #beginFurtherFile(bytes: Uint8Array): void {
    this.#refuseSeveral(true);
    const { format } = this.#reader;
    const detected = detectFormat(bytes.subarray(0, DETECTION_BYTES), true);
    if (format !== undefined && detected?.format !== format.id) {
      const first = `${inputName(this.#paths[0])}, a ${format.name}`;
      if (detected?.format !== undefined) {
        throw new CommandError(
          `${inputName(this.#path)}: is of another format, ${formatOf(detected.format).name}, and cannot follow ${first}`,
        );
      }
      const [guess, why] =
        detected === undefined ? ['nothing', ''] : [detected.guess, describeNearest(detected)];
      throw new CommandError(
        `${inputName(this.#path)}: looks like ${guess} and cannot follow ${first}. ${printable(why)}`,
      );
    }
    if (this.#lastByte !== LF) this.#reader.append(Uint8Array.of(LF));
  }

  /** Several files are several profiles, but for formats that say otherwise; `isTold`: it must be known by now. */
  #refuseSeveral(isTold: boolean): void {
    const { format, stranger } = this.#reader;
    if (this.#paths.length === 1 || format?.joinsFiles === true || stranger !== undefined) return;
    if (format === undefined && !isTold) return;
    const what =
      format === undefined ? 'is too short to be told what it is' : `is of the format ${format.name}`;
    throw new UsageError(
      `only thread dumps are one profile together, and ${inputName(this.#paths[0])} ${what}: give one FILE, not ${this.#paths.length}`,
    );
  }

  #attempt(read: () => void): void {
    if (this.failure !== undefined) return;
    try {
      read();
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}

const LF = 0x0a;
