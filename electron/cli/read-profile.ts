import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { type Chosen, chosenText } from '../../shared/formats/choice.ts';
import { describeNearest, isProfile, type Stranger } from '../../shared/formats/detect-format.ts';
import { loadDecoders } from '../../shared/formats/load-decoders.ts';
import { ProfileReader } from '../../shared/formats/profile-reader.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import { assert } from '../../shared/assert.ts';
import { NodeReserve } from '../../shared/aggregate/node-reserve.ts';
import type { PartsSetup } from '../parts/parts-setup.ts';
import { ReadAhead } from '../parts/read-ahead.ts';
import { SourceError } from '../source/source-error.ts';
import { readWholeInput, type WholeInput } from '../source/whole-file.ts';
import { CommandError, type CommandIo, type ExitStatus } from './command-io.ts';
import { Intake } from './intake.ts';
import { inputName, printable } from './printable.ts';

export interface ReadProfile {
  readonly format: ProfileFormat;
  readonly input: WholeInput;
  readonly reader: ProfileReader;
  readonly aggregator: ProfileAggregator;
  /** What was wrong with the input, a line each, for standard error; empty when all was read. */
  readonly problems: readonly string[];
  readonly status: ExitStatus;
}

/**
 * Reads an input to its end into a profile; several files where they are one input of their format. Throws CommandError
 * when nothing could be read, UsageError for several files of another format.
 */
export async function readProfile(
  paths: readonly string[],
  chosen: Chosen,
  io: CommandIo,
  partsSetup: PartsSetup,
): Promise<ReadProfile> {
  const aggregator = new ProfileAggregator();
  const reader = new ProfileReader(aggregator, chosen);
  const intake = new Intake(reader, paths);
  const inputs: WholeInput[] = [];
  const readAhead = (file: number, fileBytes: number): ReadAhead | undefined =>
    paths.length > 1 || reader.format === undefined
      ? undefined
      : new ReadAhead({ setup: partsSetup, format: reader.format, chosen, intake }, file, fileBytes);
  for (const [at, path] of paths.entries()) {
    intake.beginFile(path);
    inputs.push(await readFile(path, at === paths.length - 1, { reader, intake, io, readAhead }));
  }
  const { format } = reader;
  assert(format !== undefined, 'an input that is no stranger has a format');
  refuseUnknownChoices(paths[0], chosen, reader);
  const problems = problemsOf(paths, inputs, reader);
  return {
    format,
    input: {
      ...inputs[0],
      fileBytes: inputs.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
      gzip: inputs.some(({ gzip }) => gzip),
      cutGzip: inputs.some(({ cutGzip }) => cutGzip),
      gzipDamage: inputs.find(({ gzipDamage }) => gzipDamage !== undefined)?.gzipDamage,
    },
    reader,
    aggregator,
    problems,
    status: problems.length === 0 ? 0 : 3,
  };
}

interface Reading {
  readonly reader: ProfileReader;
  readonly intake: Intake;
  readonly io: CommandIo;
  readonly readAhead: (file: number, fileBytes: number) => ReadAhead | undefined;
}

async function readFile(
  path: string,
  isLast: boolean,
  { reader, intake, io, readAhead }: Reading,
): Promise<WholeInput> {
  const progress = io.showsProgress ? new Progress(path, io) : undefined;
  const reserve = new NodeReserve(reader.aggregator);
  let ahead: ReadAhead | undefined;
  let waiting: NodeJS.Timeout | undefined;
  try {
    const input = await readWholeInput(path, (bytes) => intake.take(bytes), {
      ...(path === '-' ? { stdin: io.stdin() } : {}),
      accepts: isProfile,
      onHead: (head) => (reader.decoder === undefined ? loadDecoders(head) : undefined),
      onProgress: (readBytes, fileBytes) => {
        intake.stopIfHopeless();
        progress?.show(readBytes + (ahead?.readBytes ?? 0), fileBytes);
        if (fileBytes !== undefined) reserve.note(readBytes, fileBytes);
      },
      ahead: (file, fileBytes) => {
        ahead = readAhead(file, fileBytes);
        // It gets its turn only when there is nothing to do but wait for the other threads.
        if (ahead !== undefined && progress !== undefined)
          waiting = setInterval(
            () => progress.show(reader.bytes.accepted + (ahead?.readBytes ?? 0), fileBytes),
            200,
          );
        return ahead;
      },
    });
    if (input.zip?.refusal !== undefined) throw archiveError(path, input.zip.refusal);
    if (input.gzipDamage !== undefined && intake.isEmpty) throw unpackingError(path, input.gzipDamage.found);
    if (isLast) intake.end();
    intake.stopIfHopeless();
    return input;
  } catch (error) {
    // What the intake stopped for is the reason, however it came back through the streams.
    if (intake.failure instanceof RangeError) throw memoryError(path);
    if (intake.failure !== undefined) throw intake.failure;
    if (reader.stranger !== undefined) throw strangerError(path, reader.stranger);
    if (error instanceof SourceError) throw new CommandError(printable(error.message));
    throw error;
  } finally {
    clearInterval(waiting);
    progress?.clear();
  }
}

/** What was not read, a line each. */
function problemsOf(
  paths: readonly string[],
  inputs: readonly WholeInput[],
  reader: ProfileReader,
): readonly string[] {
  const { accepted, skipped, pending } = reader.bytes;
  if (reader.damage !== undefined) {
    const { what, byteOffset, record, found, expected } = reader.damage;
    const share = percent(accepted, accepted + skipped + pending);
    return [
      `${inputName(paths[0])}: ${what} at byte ${byteOffset} (record ${record}): ${found}, expected ${expected}; read ${share} % of the file`,
    ];
  }
  return inputs.flatMap(({ gzipDamage, zip, fileBytes }, at) => {
    const unpacking = gzipDamage ?? zip?.damage;
    if (unpacking === undefined) return [];
    const { byteOffset, found, expected } = unpacking;
    const share = percent(byteOffset, fileBytes);
    return [
      `${inputName(paths[at])}: compressed data at byte ${byteOffset} (record ${reader.records}): ${printable(found)}, expected ${expected}; read ${share} % of the file`,
    ];
  });
}

/** Rounded down: a file that was not read whole never shows as 100. */
function percent(part: number, whole: number): string {
  return whole === 0 ? '0' : String(Math.floor((part / whole) * 1000) / 10);
}

/** What was asked for must be there: a profile of something else would be believed. */
function refuseUnknownChoices(path: string, chosen: Chosen, reader: ProfileReader): void {
  const { choices } = reader.facts();
  for (const [id, asked] of Object.entries(chosen)) {
    const choice = choices.find((each) => each.id === id);
    if (choice === undefined) {
      const ids = choices.map((each) => each.id);
      const offer = ids.length === 0 ? 'nothing to choose' : `only ${ids.join(', ')}`;
      throw new CommandError(
        `${inputName(path)}: has ${offer}, no '${printable(id)}'; leanscope summary lists them`,
      );
    }
    const isTaken = choice.kind === 'number' ? choice.chosen === Number(asked) : chosenText(choice) === asked;
    if (!isTaken) {
      const values =
        choice.kind === 'one'
          ? choice.options.map(({ value }) => printable(value)).join(', ')
          : choice.kind === 'switch'
            ? 'on, off'
            : `a positive number of ${choice.unit}`;
      throw new CommandError(
        `${inputName(path)}: ${id} cannot be '${printable(asked)}'; it is one of: ${values}`,
      );
    }
  }
}

function strangerError(path: string, stranger: Stranger): CommandError {
  const { guess, reason } = stranger;
  if (guess === 'empty') {
    return new CommandError(`${inputName(path)}: is empty; give a profile that was written to`);
  }
  return new CommandError(
    `${inputName(path)}: is no profile but looks like ${guess} (${reason}). ${printable(describeNearest(stranger))}`,
  );
}

function unpackingError(path: string, found: string): CommandError {
  return new CommandError(
    `${inputName(path)}: begins like gzip, but nothing can be unpacked (${printable(found)}); copy the file anew`,
  );
}

function archiveError(path: string, refusal: string): CommandError {
  return new CommandError(`${inputName(path)}: is a zip archive that ${printable(refusal)}`);
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
