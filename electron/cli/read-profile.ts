import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { assert } from '../../shared/assert.ts';
import { NodeSource } from '../../shared/scope/scope-source.ts';
import {
  type Choice,
  type Chosen,
  chosenText,
  switchText,
  type MergedThreads,
} from '../../shared/facts/choice.ts';
import { type Damage, damageText } from '../../shared/facts/damage.ts';
import type { ByteAccount } from '../../shared/formats/decoder.ts';
import { formatOf } from '../../shared/formats/formats.ts';
import { DATASET } from './options/command-options.ts';
import type { FormatFacts, RecordCounts } from '../../shared/facts/format-facts.ts';
import type { InputProblem, LogFacts } from '../../shared/facts/log-facts.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import { mergedFacts } from '../../shared/merge/merged-facts.ts';
import { ProfileUnion } from '../../shared/engine/comparison/profile-union.ts';
import { partNames } from '../../shared/merge/part-names.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
import { PieceSource, type Pieces, readToEnd } from '../../shared/input/read-source.ts';
import { fleetAddress, fleetName, type FleetOptions, isFleet } from '../fleet/fleet-address.ts';
import { FleetError } from '../fleet/fleet-engine.ts';
import { fleetBytes } from '../fleet/fleet-source.ts';
import { openGunzip, openPieces } from '../source/read-bytes.ts';
import {
  CommandError,
  type CommandIo,
  type ExitStatus,
  inputName,
  Progress,
  roundedPercent,
} from './io/command-io.ts';
import { didYouMean, UsageError } from './options/usage-error.ts';
import { type Arguments, filesOf } from './options/options.ts';

/** The inputs of a command line. */
export interface InputFiles {
  /** The first of them is what messages name. */
  readonly paths: readonly [string, ...string[]];
  readonly chosen: Chosen;
  /** The way in which several files are merged; undefined: they are one input. */
  readonly merge?: MergedThreads | undefined;
  /** The questions to files that are a dataset or a database. */
  readonly fleet: FleetOptions;
}

/** The options of a command that say how its files are read. */
export interface InputOptions extends FleetOptions {
  readonly choose: Chosen;
  readonly 'merge-files': MergedThreads | undefined;
}

/** The files of a command line. Throws UsageError. */
export function inputFiles(
  command: string,
  { files, values }: Pick<Arguments<InputOptions>, 'files' | 'values'>,
): InputFiles {
  const paths = filesOf(command, { files });
  const merge = values['merge-files'];
  if (merge !== undefined && paths.length < 2) throw new UsageError('--merge-files needs at least two FILEs');
  return { paths, chosen: values.choose, merge, fleet: values };
}

/** The content of an input, or of several that were merged. */
export interface ReadProfile extends Pick<FormatFacts, 'counts' | 'firstTime' | 'lastTime'> {
  readonly paths: InputFiles['paths'];
  readonly profile: LeanProfile;
  /** The format of the first file, or that of the answer of a dataset or database. */
  readonly format: Pick<ProfileFormat, 'name' | 'notRecorded'> & { readonly id: string };
  readonly files: readonly ReadFile[];
  readonly facts: LogFacts;
  /** Damage of the unpacked input; undefined: there is none. */
  readonly damage: Damage | undefined;
  /** Damage of the input, one line each, for standard error; empty if everything was read. */
  readonly problems: readonly string[];
  readonly status: ExitStatus;
}

/** A file of the input, and what the reader said at its end. */
interface ReadFile extends Pick<ProfileReader, 'storage' | 'damage' | 'unpackDamage'> {
  readonly path: string;
  /** Size of the file on disk in bytes, compressed if it is. */
  readonly fileBytes: number;
  /** Choices with which a dataset can be asked again. */
  readonly choices?: readonly Choice[];
  /** The damage of the input of all files is in this one. */
  readonly hasDamage: boolean;
  /** Something in it was skipped. */
  readonly hasSkips: boolean;
  /** Its offset in the input of all files, in bytes. */
  readonly startsAt: number;
}

/**
 * Reads an input, or several that are merged, to the end. Several files are read as one input if their format allows it.
 * `samples`: the profile gets a SampleTable. Throws CommandError when nothing could be read, or for files that cannot be
 * merged; UsageError for several files of a format that does not allow it.
 */
export async function readProfile(input: InputFiles, io: CommandIo, samples: boolean): Promise<ReadProfile> {
  return input.merge === undefined
    ? readInput(input, io, samples)
    : readMerged(input, input.merge, io, samples);
}

async function readInput(
  { paths, chosen, fleet }: InputFiles,
  io: CommandIo,
  samples: boolean,
): Promise<ReadProfile> {
  const aggregator = new ProfileAggregator({ samples });
  const reader = new ProfileReader(aggregator, chosen, openGunzip);
  const files: ReadFile[] = [];
  for (const [at, path] of paths.entries()) {
    const isLast = at === paths.length - 1;
    if (at > 0) reader.beginFile();
    files.push(await readFile(path, isLast, { paths, reader, io, fleet }));
  }
  const { format } = reader;
  assert(format !== undefined, 'an input without a problem has a format');
  const facts = reader.facts();
  const choices = files[0].choices ?? facts.choices;
  refuseUnknownChoices(paths[0], chosen, choices);
  const problems = problemsOf(files, reader);
  if (isUnread(reader)) throw new CommandError(problems[0]);
  const { counts, firstTime, lastTime } = reader.formatFacts();
  return {
    paths,
    profile: aggregator.profile,
    format: files[0].choices === undefined ? format : ANSWER,
    files,
    facts: { ...facts, choices },
    counts,
    firstTime,
    lastTime,
    damage: reader.decodingDamage,
    problems,
    status: problems.length === 0 ? 0 : 3,
  };
}

interface Reading {
  readonly paths: readonly string[];
  readonly reader: ProfileReader;
  readonly io: CommandIo;
  readonly fleet: FleetOptions;
}

/** The format of the answer of a dataset or database. */
const ANSWER = {
  id: DATASET,
  name: DATASET,
  notRecorded: ['single samples: they are sums by interval and stack'],
};

async function readFile(
  path: string,
  isLast: boolean,
  { paths, reader, io, fleet }: Reading,
): Promise<ReadFile> {
  const progress = io.showsProgress ? new Progress(path, io) : undefined;
  const before = problemsIn(reader);
  try {
    const { pieces, size, choices } = await open(path, { reader, io, fleet });
    const source = new PieceSource({ pieces, size });
    await readToEnd(source, reader, {
      isLast,
      onPiece: () => {
        progress?.show(source.offset, source.size);
        return mayJoin(paths, reader);
      },
    });
    if (reader.problem !== undefined) throw unreadableError(path, reader.problem);
    refuseOtherFormats(path, paths, reader);
    const after = problemsIn(reader);
    const { storage, damage, unpackDamage } = reader;
    return {
      path,
      storage,
      damage,
      unpackDamage,
      fileBytes: source.offset,
      ...(choices && { choices }),
      hasDamage: after.damage !== undefined && before.damage === undefined,
      hasSkips: after.skips !== before.skips,
      startsAt: before.bytes,
    };
  } catch (error) {
    if (error instanceof RangeError) throw memoryError(path);
    throw error;
  } finally {
    progress?.clear();
  }
}

/** Opens a file, or asks a dataset or a database. Rejects with CommandError or SourceError. */
async function open(
  path: string,
  { reader, io, fleet }: Omit<Reading, 'paths'>,
): Promise<Pieces & Pick<ReadFile, 'choices'>> {
  if (!isFleet(path)) {
    refuseFleetOptions(path, fleet);
    return openPieces(path, io.stdin);
  }
  try {
    const { bytes, choices } = await fleetBytes(path, fleet, reader.chosen, reader.aggregator.keepsTimes);
    return { pieces: [bytes], size: bytes.length, choices };
  } catch (error) {
    if (error instanceof FleetError) throw new CommandError(`${fleetName(path)}: ${error.message}`);
    throw error;
  }
}

/** The address of a dataset or a database with a question. Throws CommandError. */
export function questionTo(path: string, fleet: FleetOptions | undefined): string {
  try {
    return fleetAddress(path, fleet);
  } catch (error) {
    throw error instanceof FleetError ? new CommandError(`${fleetName(path)}: ${error.message}`) : error;
  }
}

/** Throws UsageError where a file is to be asked by SQL. */
export function refuseFleetOptions(path: string, { where, sql }: FleetOptions): void {
  const option = where !== undefined ? '--where' : sql !== undefined ? '--sql' : undefined;
  if (option !== undefined)
    throw new UsageError(
      `${option} asks a dataset or a database, and ${inputName(path)} is neither: leanscope export ${inputName(path)} --format dataset -o DIR makes one`,
    );
}

/** Whether all files can be read as one input: there is one, or the format allows several and all have it. */
function mayJoin(paths: readonly string[], { format, mismatch }: ProfileReader): boolean {
  return (
    paths.length === 1 || ((format === undefined || format.joinsFiles === true) && mismatch === undefined)
  );
}

function refuseOtherFormats(path: string, paths: readonly string[], reader: ProfileReader): void {
  if (mayJoin(paths, reader)) return;
  const { format, mismatch } = reader;
  assert(format !== undefined, 'a first file without a problem has a format');
  if (mismatch === undefined) {
    throw new UsageError(
      `only thread dumps can be read as several FILEs, and ${inputName(paths[0])} has another format, ${format.name}: give one FILE, or use --merge-files`,
    );
  }
  const what =
    mismatch.format === undefined
      ? `looks like ${mismatch.guess}`
      : `is of another format, ${formatOf(mismatch.format).name},`;
  throw new CommandError(
    `${inputName(path)}: ${what} and cannot follow ${inputName(paths[0])}, a ${format.name}`,
  );
}

/**
 * Whether what was read counts as nothing: no sample, and a limit stopped it, or of what is not all accepted no record or
 * less than a thousandth is.
 */
function isUnread({ decodingDamage: damage, bytes, aggregator, records }: ProfileReader): boolean {
  if (aggregator.sampleCount > 0) return false;
  const { accepted } = bytes;
  const all = allOf(bytes);
  return damage?.isLimit === true || (accepted < all && (records === 0 || accepted * 1000 < all));
}

/** Damage, skipped parts and size in bytes of what was read up to now. */
function problemsIn(reader: ProfileReader): {
  readonly damage: Damage | undefined;
  readonly skips: string;
  readonly bytes: number;
} {
  return {
    damage: reader.decodingDamage,
    skips: reader.formatFacts().skips.join('\n'),
    bytes: allOf(reader.bytes),
  };
}

function namesOf(files: readonly ReadFile[]): string {
  return files.map(({ path }) => inputName(path)).join(', ');
}

function allOf({ accepted, skipped, pending }: ByteAccount): number {
  return accepted + skipped + pending;
}

/**
 * Problems, one line each: the damage of the decoded input; if there is none, that of each compressed file, then what was
 * skipped.
 */
function problemsOf(files: readonly ReadFile[], reader: ProfileReader): readonly string[] {
  const share = roundedPercent(reader.bytes.accepted, allOf(reader.bytes));
  const { decodingDamage } = reader;
  if (decodingDamage !== undefined) {
    const damaged = files.find(({ hasDamage }) => hasDamage) ?? files[0];
    const damage = { ...decodingDamage, byteOffset: decodingDamage.byteOffset - damaged.startsAt };
    return [damageLine(damaged.path, damage, share, isUnread(reader))];
  }
  const withSkips = files.filter(({ hasSkips }) => hasSkips);
  const skipping = namesOf(withSkips.length === 0 ? files : withSkips);
  const ofFiles = files.flatMap(({ path, damage, fileBytes }) =>
    damage === undefined ? [] : [damageLine(path, damage, roundedPercent(damage.byteOffset, fileBytes))],
  );
  const problems = [...ofFiles, ...reader.formatFacts().skips.map((skip) => `${skipping}: ${skip}`)];
  if (problems.length > 0 || reader.format === undefined || !isUnread(reader)) return problems;
  return [
    `${namesOf(files)}: begins like a file of the format ${reader.format.name}, but no complete record follows, read ${share} % of the file; copy it again, or wait until it is written`,
  ];
}

/** A line about the damage of a file. `share`: how much of it was read, in percent. `isNothing`: nothing of it counts. */
function damageLine(path: string, damage: Damage, share: string, isNothing = false): string {
  const end = isNothing ? 'nothing was read' : 'read in part';
  return `${inputName(path)}: ${damageText(damage)}; ${damage.isLimit === true ? end : `read ${share} % of the file`}`;
}

/** Throws CommandError for a choice or value that the file does not offer; decoders would ignore it. */
function refuseUnknownChoices(path: string, chosen: Chosen, choices: readonly Choice[]): void {
  for (const [id, asked] of Object.entries(chosen)) {
    const choice = choices.find((each) => each.id === id);
    if (choice === undefined) {
      const ids = choices.map((each) => each.id);
      const offered = ids.length === 0 ? 'there are none' : `there are ${ids.join(', ')}`;
      throw new CommandError(
        `${inputName(path)}: has no choice '${id}', ${offered}; leanscope summary lists them${didYouMean(id, ids)}`,
      );
    }
    const isTaken = choice.kind === 'number' ? choice.chosen === Number(asked) : chosenText(choice) === asked;
    if (!isTaken) {
      const values =
        choice.kind === 'one'
          ? choice.options.map(optionText).join(', ')
          : choice.kind === 'switch'
            ? `${switchText(choice, true)}, off`
            : `a number of ${choice.unit} above 0, at most 1e12`;
      const options = choice.kind === 'one' ? choice.options.map(({ value }) => value) : [];
      const meant = didYouMean(asked, options);
      throw new CommandError(
        `${inputName(path)}: ${id} cannot be '${asked}'; it is one of: ${values}${meant}`,
      );
    }
  }
}

function unreadableError(path: string, { text, advice }: InputProblem): CommandError {
  // A sentence becomes part of a line: without its capital letter and full stop.
  const problem = `${text.charAt(0).toLowerCase()}${text.slice(1, -1)}`;
  return new CommandError(`${inputName(path)}: ${problem}; ${advice}`);
}

function memoryError(path: string): CommandError {
  return new CommandError(
    `${inputName(path)}: not enough memory; close other programs or use a larger machine`,
  );
}

// ---- Several inputs as one profile ----

async function readMerged(
  { paths, chosen, fleet }: InputFiles,
  threads: MergedThreads,
  io: CommandIo,
  samples: boolean,
): Promise<ReadProfile> {
  const names = partNames(paths.map(inputName));
  const union = new ProfileUnion({ threads, samples });
  const read: Omit<ReadProfile, 'profile'>[] = [];
  for (const [part, path] of paths.entries()) {
    const { profile, ...others } = await readInput({ paths: [path], chosen, fleet }, io, samples);
    union.add(names[part], new NodeSource(profile));
    read.push(others);
  }
  union.update();
  const inOrder = (times: readonly (bigint | undefined)[]): readonly bigint[] =>
    times.filter((time) => time !== undefined).sort((a, b) => (a < b ? -1 : 1));
  const firstTime = inOrder(read.map((each) => each.firstTime)).at(0);
  const lastTime = inOrder(read.map((each) => each.lastTime)).at(-1);
  const facts = mergedFacts(
    read.map((each, part) => ({ name: names[part], facts: each.facts, state: undefined })),
    {
      threads,
      timesAgree: union.timesAgree,
      spanNs: firstTime === undefined || lastTime === undefined ? undefined : Number(lastTime - firstTime),
      lastTime: lastTime?.toString(),
    },
  );
  if (facts.problem !== undefined) {
    const { text, advice } = facts.problem;
    throw new CommandError(`${text.slice(0, -1)}; ${advice}`);
  }
  return {
    paths,
    profile: union.profile,
    format: read[0].format,
    files: read.flatMap(({ files }) => files),
    // How threads are merged is an option of its own here.
    facts: { ...facts, choices: [] },
    counts: sumOf(read.map(({ counts }) => counts)),
    firstTime,
    lastTime,
    damage: read.find(({ damage }) => damage !== undefined)?.damage,
    problems: read.flatMap(({ problems }) => problems),
    status: read.some(({ status }) => status === 3) ? 3 : 0,
  };
}

/** Undefined if a format does not count its records. */
function sumOf(all: readonly (RecordCounts | undefined)[]): RecordCounts | undefined {
  return all.reduce((sum, counts) => {
    if (sum === undefined || counts === undefined) return undefined;
    const records: Record<string, number> = { ...sum.records };
    for (const [type, count] of Object.entries(counts.records)) records[type] = (records[type] ?? 0) + count;
    return {
      samples: sum.samples + counts.samples,
      frames: sum.frames + counts.frames,
      methods: sum.methods + counts.methods,
      records,
    };
  });
}

// ---- Choices ----

/** The value of an option; with its name, if the value is a mere number: `2 = threads.txt`. */
export function optionText({ value, text }: { readonly value: string; readonly text: string }): string {
  return /^\d+$/.test(value) && text !== value ? `${value} = ${text}` : value;
}
