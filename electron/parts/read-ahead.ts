import { readSync } from 'node:fs';
import type { Chosen } from '../../shared/facts/choice.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import type { Ahead } from '../source/read-bytes.ts';
import type { ProfileReader } from '../../shared/input/profile-reader.ts';
import type { PartReading } from './part-thread.ts';
import type { PartsSetup } from './parts-setup.ts';

export interface ReadAheadOptions {
  readonly setup: PartsSetup;
  readonly format: ProfileFormat;
  readonly chosen: Chosen;
  readonly intake: ProfileReader;
}

interface PartAhead {
  readonly start: number;
  readonly reading: PartReading;
}

/** The parts of a plain file behind the first, each read by a thread of its own while the first one is read here. */
export class ReadAhead implements Ahead {
  readonly #parts: PartAhead[];
  readonly #intake: ProfileReader;

  constructor({ setup, chosen, format, intake }: ReadAheadOptions, file: number, fileBytes: number) {
    const starts = partStarts(setup, file, fileBytes, format);
    this.#intake = intake;
    this.#parts = starts.map((start, at) => ({
      start,
      reading: setup.start({ file, start, end: starts[at + 1] ?? fileBytes, format: format.id, chosen }),
    }));
  }

  get nextStart(): number | undefined {
    return this.#parts[0]?.start;
  }

  /** Bytes of parts that have not been taken yet. */
  get readBytes(): number {
    return this.#parts.reduce((sum, { reading }) => sum + reading.readBytes, 0);
  }

  async take(): Promise<number | undefined> {
    const [{ reading }] = this.#parts;
    // Behind a damage no part fits any more.
    const read = this.#intake.damage === undefined ? await reading.read : undefined;
    this.#parts.shift();
    if (read !== undefined && this.#intake.takeOver(read.state, read.part)) return read.end;
    await reading.stop();
    return undefined;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#parts.splice(0).map(({ reading }) => reading.stop()));
  }
}

function partStarts(
  { parts, fromBytes, firstExtraBytes }: PartsSetup,
  file: number,
  size: number,
  format: ProfileFormat,
): readonly number[] {
  if (format.parts === undefined || parts < 2 || size < fromBytes * format.parts.pace) return [];
  const partBytes = Math.max(0, size - firstExtraBytes) / parts;
  const wanted = Array.from({ length: parts - 1 }, (_, at) =>
    Math.floor(size - (parts - 1 - at) * partBytes),
  );
  const peek = (offset: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
  };
  const starts = format.parts.findStarts(peek, size, wanted);
  return starts.filter((start, at) => start > (at === 0 ? 0 : starts[at - 1]) && start < size);
}
