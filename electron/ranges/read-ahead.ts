import { readSync } from 'node:fs';
import type { Chosen } from '../../shared/facts/choice.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import type { Ahead } from '../source/read-bytes.ts';
import type { ProfileReader } from '../../shared/input/profile-reader.ts';
import type { RangeReading } from './range-thread.ts';
import type { RangesSetup } from './ranges-setup.ts';

export interface ReadAheadOptions {
  readonly setup: RangesSetup;
  readonly format: ProfileFormat;
  readonly chosen: Chosen;
  readonly intake: ProfileReader;
}

interface RangeAhead {
  readonly start: number;
  readonly reading: RangeReading;
}

/**
 * The byte ranges of an uncompressed file after the first one. Each is read by its own thread while the caller reads
 * the first.
 */
export class ReadAhead implements Ahead {
  readonly #ranges: RangeAhead[];
  readonly #intake: ProfileReader;

  constructor({ setup, chosen, format, intake }: ReadAheadOptions, file: number, fileBytes: number) {
    const starts = rangeStarts(setup, file, fileBytes, format);
    this.#intake = intake;
    this.#ranges = starts.map((start, at) => ({
      start,
      reading: setup.start({ file, start, end: starts[at + 1] ?? fileBytes, format: format.id, chosen }),
    }));
  }

  get nextStart(): number | undefined {
    return this.#ranges[0]?.start;
  }

  /** Bytes of ranges that have not been taken yet. */
  get readBytes(): number {
    return this.#ranges.reduce((sum, { reading }) => sum + reading.readBytes, 0);
  }

  async take(): Promise<number | undefined> {
    const [{ reading }] = this.#ranges;
    // After damage no range can be appended.
    const read = this.#intake.damage === undefined ? await reading.read : undefined;
    this.#ranges.shift();
    if (read !== undefined && this.#intake.appendRange(read.state, read.range)) return read.end;
    await reading.stop();
    return undefined;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#ranges.splice(0).map(({ reading }) => reading.stop()));
  }
}

function rangeStarts(
  { ranges, fromBytes, firstExtraBytes }: RangesSetup,
  file: number,
  size: number,
  format: ProfileFormat,
): readonly number[] {
  if (format.byteRanges === undefined || ranges < 2 || size < fromBytes * format.byteRanges.pace) return [];
  const rangeBytes = Math.max(0, size - firstExtraBytes) / ranges;
  const wanted = Array.from({ length: ranges - 1 }, (_, at) =>
    Math.floor(size - (ranges - 1 - at) * rangeBytes),
  );
  const peek = (offset: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
  };
  const starts = format.byteRanges.findStarts(peek, size, wanted);
  return starts.filter((start, at) => start > (at === 0 ? 0 : starts[at - 1]) && start < size);
}
