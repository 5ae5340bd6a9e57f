import { AttachedJvm, AttachError, firstLine, jvmName, isRunning } from '../jvm/attach.ts';
import { isAbandoned, isOwnName, newRecordingName } from './recording-name.ts';
import { RECORDED_TYPES, type RecordedType } from '../../shared/facts/recording-choice.ts';
import { majorVersion } from '../../shared/text/java-version.ts';
import { IS_MAC } from '../jvm/platform.ts';
import type { Jvm } from '../jvm/jvm.ts';
import type { JvmRecording } from './jvm-recording.ts';
import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { chunkPaths, isChunkName, isOpenHeader, RECORDING_HEADER_BYTES } from '../source/recording-chunks.ts';
import { errnoOf } from '../source/source-error.ts';
import { TimeLimit } from '../source/open-file.ts';
import { findVisiblePath } from '../jvm/process-places.ts';

/** A recording that `JFR.check` lists. */
interface Recording {
  readonly id: number;
  readonly name: string;
  /** `running`, `stopped`, `new` … as the JVM names it. */
  readonly state: string;
}

export interface RecordingSettings {
  /** `profile` samples every 10 ms on JDK 17 and 20 ms before, `default` every 20 ms. */
  readonly settings: 'default' | 'profile';
  /** Only JDK 17 and later know this option; 14 to 16 always flush each second. */
  readonly flushes: boolean;
  /** Bound of the repository on disk. */
  readonly maxMegabytes: number;
  /** Options for single events: see `eventOptions`. */
  readonly events?: readonly string[];
}

/** `JFR.configure` names this as the path while the JVM has no repository. */
const NO_REPOSITORY = 'N/A';

/** The Java runtime of a JVM was made without the flight recorder. */
export class NoRecorderError extends AttachError {
  /** A clause. */
  static readonly reason = 'its Java runtime has no flight recorder (module jdk.jfr)';

  constructor(jvm: string) {
    super(`${jvm}: ${NoRecorderError.reason}`);
  }
}

/** Controls flight recordings of a JVM. Stops only recordings that it started. */
export class FlightRecorder {
  readonly #jvm: AttachedJvm;

  constructor(jvm: AttachedJvm) {
    this.#jvm = jvm;
  }

  async list(): Promise<readonly Recording[]> {
    return parseRecordings(await this.#ask('JFR.check'));
  }

  /** The folder of the chunk files. Throws AttachError if the JVM does not tell. */
  async repository(): Promise<string> {
    const found = await this.findRepository();
    if (found === undefined)
      throw new AttachError(`${this.#jvm.name}: does not name its repository of recordings`);
    return found;
  }

  /** The repository; undefined if the JVM has not recorded to the disk so far. Throws AttachError. */
  async findRepository(): Promise<string | undefined> {
    // Starts JFR if nobody did, as JFR.start does too.
    const found = /^Repository path: (.+)$/m.exec(await this.#ask('JFR.configure'))?.[1]?.trim() ?? '';
    if (found === NO_REPOSITORY) return undefined;
    return found === '' ? (await this.#jvm.properties()).get('jdk.jfr.repository') : found;
  }

  /** Starts a recording on disk without a limit of time. Throws AttachError. */
  async start(
    name: string,
    { settings, flushes, maxMegabytes, events = [] }: RecordingSettings,
  ): Promise<void> {
    const output = await this.#ask(
      `JFR.start name=${name} settings=${settings} maxsize=${maxMegabytes}m path-to-gc-roots=false` +
        (flushes ? ' flush-interval=1s' : '') +
        events.map((event) => ` ${event}`).join(''),
    );
    if (!/^Started recording/m.test(output)) throw this.#refusal(output);
  }

  /** Copies what a recording has into a file of the JVM's user; the path is as the JVM sees it. */
  async dump(name: string, path: string): Promise<void> {
    const output = await this.#ask(`JFR.dump name=${name} filename=${quoted(path)} path-to-gc-roots=false`);
    if (!/^Dumped recording/m.test(output)) throw this.#refusal(output);
  }

  /** Ends a recording. One that is not there any more is no error. */
  async stop(name: string): Promise<void> {
    await this.#ask(`JFR.stop name=${name}`).catch((error: unknown) => {
      if (!(error instanceof AttachError)) throw error;
    });
  }

  /** Ends a recording and writes it to a file of the JVM's user; the path is as the JVM sees it. */
  async stopTo(name: string, path: string): Promise<void> {
    const output = await this.#ask(`JFR.stop name=${name} filename=${quoted(path)}`);
    if (!output.includes('written to:')) throw this.#refusal(output);
  }

  /** Stops recordings of Leanscope processes that have ended without stopping them, because they were killed. */
  async stopAbandoned(): Promise<void> {
    for (const { name } of await this.list()) if (isAbandoned(name)) await this.stop(name);
  }

  /** The answer to a diagnostic command of JFR. Throws AttachError. */
  async #ask(command: string): Promise<string> {
    const output = await this.#jvm.jcmd(command);
    if (!/^Module jdk\.jfr not found/m.test(output)) return output;
    throw new NoRecorderError(this.#jvm.name);
  }

  #refusal(output: string): AttachError {
    const said = firstLine(output).replace(/\.$/, '');
    return new AttachError(`${this.#jvm.name}: ${said === '' ? 'gave no answer' : said}`);
  }
}

const LINE =
  /^Recording:? (?:recording=)?(\d+):? name="?(.*?)"?(?: (?:duration|maxsize|maxage|filename|compress|delay)=.*)? \((\w+)\)$/;
/** The longest name and file of a recording fit. Longer lines are ignored: matching them would take long. */
const MOST_LINE_CHARACTERS = 8_192;
const MOST_RECORDINGS = 1_000;

/** `text`: the output of `JFR.check`, `Recording 1: name=… duration=… (running)` or, in JDK 8 to 10, `recording=1 …`. */
export function parseRecordings(text: string): readonly Recording[] {
  const found: Recording[] = [];
  for (const line of text.split('\n')) {
    const match = line.length > MOST_LINE_CHARACTERS ? null : LINE.exec(line);
    if (match !== null) found.push({ id: Number(match[1]), name: match[2], state: match[3] });
    if (found.length === MOST_RECORDINGS) break;
  }
  return found;
}

/** Diagnostic commands split their arguments at blanks outside of quotes, and know no escapes. */
function quoted(path: string): string {
  const quote = path.includes('"') ? "'" : '"';
  return `${quote}${path}${quote}`;
}

/** The oldest chunks of a recording are removed from the disk beyond this. They are read long before. */
const MAX_MEGABYTES = 250;
/** JDK 14 to 16 flush each second and do not know the option. */
const FLUSHES_ON_REQUEST = 17;

/**
 * A flight recording that this process has started in a JVM, and stops. If this process is killed, it goes on, bounded,
 * until the next Leanscope records the JVM.
 */
export class OwnRecording implements JvmRecording {
  readonly folder: string;
  readonly leftOut: readonly string[];
  readonly #jvm: Jvm;
  readonly #recorder: FlightRecorder;
  readonly #name: string;
  #stopping: Promise<void> | undefined;
  /** The JVM had another recording besides this one, which may have the same chunks. */
  #hasOthers: boolean;

  private constructor(
    jvm: Jvm,
    hasOthers: boolean,
    folder: string,
    leftOut: readonly string[],
    recorder: FlightRecorder,
    name: string,
  ) {
    this.#jvm = jvm;
    this.#hasOthers = hasOthers;
    this.folder = folder;
    this.leftOut = leftOut;
    this.#recorder = recorder;
    this.#name = name;
  }

  /** Starts a recording, and stops those of Leanscope processes that were killed. Throws AttachError. */
  static async start(
    jvm: Jvm,
    settings: RecordingSettings['settings'],
    types: readonly RecordedType[] = RECORDED_TYPES,
  ): Promise<OwnRecording> {
    const reason = noSamplesReason(jvm.version, types);
    if (reason !== undefined) throw new AttachError(`${jvmName(jvm)}: ${reason}`);
    const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
    await recorder.stopAbandoned();
    const name = newRecordingName();
    try {
      // Chunks written before ours began. Their time stamps cannot decide this: the first chunk starts when the JVM began
      // to record into memory.
      const hasOthers = (await recorder.list()).length > 0;
      const earlier = await recorder.findRepository();
      const leftOut = earlier === undefined ? [] : await chunksIn(jvm, await repositoryFolder(jvm, earlier));
      await recorder.start(name, {
        settings,
        flushes: (majorVersion(jvm.version) ?? FLUSHES_ON_REQUEST) >= FLUSHES_ON_REQUEST,
        maxMegabytes: MAX_MEGABYTES,
        events: eventOptions(jvm.version, types),
      });
      const folder = await repositoryFolder(jvm, await recorder.repository());
      return new OwnRecording(jvm, hasOthers, folder, leftOut, recorder, name);
    } catch (error) {
      await recorder.stop(name);
      throw error;
    }
  }

  async isThere(): Promise<boolean> {
    const recordings = await this.#recorder.list();
    this.#hasOthers ||= recordings.some(({ name }) => name !== this.#name);
    return recordings.some(({ name }) => name === this.#name);
  }

  /** Ends the recording, also if the JVM has ended. Never rejects; call it as often as you like. */
  stop(): Promise<void> {
    this.#stopping ??= this.#recorder.stop(this.#name).catch(() => undefined);
    return this.#stopping;
  }

  /** A JVM removes its files itself, unless it was killed. */
  discard(): void {
    if (!this.#hasOthers && !isRunning(this.#jvm)) removeChunks(this.#jvm, this.folder, this.leftOut);
  }
}

const isFollowable = ({ name, state }: Recording): boolean => state === 'running' && !isOwnName(name);

/**
 * The recordings that run in a JVM and can be followed, without those of Leanscope. Where JFR does not flush there are
 * none: each poll would have the JVM copy the whole recording, of any size, to the disk. There are none either while all
 * recordings are kept in memory. Throws AttachError.
 */
export async function recordingsOfOthers(jvm: Jvm): Promise<readonly Recording[]> {
  if (!jvm.can.includes('jfr')) return [];
  const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
  const running = (await recorder.list()).filter(isFollowable);
  return running.length > 0 && (await writtenFolder(jvm, recorder)) === undefined ? [] : running;
}

/** The repository of a JVM; undefined if its recordings are in memory only, so that there is nothing to follow. */
async function writtenFolder(jvm: Jvm, recorder: FlightRecorder): Promise<string | undefined> {
  const repository = await recorder.findRepository();
  if (repository === undefined) return undefined;
  const folder = await repositoryFolder(jvm, repository);
  return (await isWritingChunk(jvm, folder)) ? folder : undefined;
}

/** A recording of somebody else: it is read, and never stopped. Throws AttachError if it does not run, or is kept in memory. */
export async function followRecording(jvm: Jvm, id: number): Promise<JvmRecording> {
  if (!jvm.can.includes('jfr'))
    throw new AttachError(
      `${jvmName(jvm)}: its JFR does not flush: only a recording that Leanscope starts can be shown`,
    );
  const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
  const isThere = async (): Promise<boolean> =>
    (await recorder.list()).some((recording) => recording.id === id && isFollowable(recording));
  if (!(await isThere())) throw new AttachError(`${jvmName(jvm)}: this recording has ended`);
  const folder = await writtenFolder(jvm, recorder);
  if (folder === undefined)
    throw new AttachError(
      `${jvmName(jvm)}: keeps this recording in memory (disk=false), where it cannot be followed`,
    );
  return {
    folder,
    // All that the JVM still has: JFR.check does not tell when a recording began, and the chunks of all are the same.
    leftOut: [],
    isFollowed: true,
    isThere,
    stop: () => Promise.resolve(),
    discard: () => undefined,
  };
}

/** The events of each sample type, as they are called from JDK 17 on. */
const EVENTS: Readonly<Record<RecordedType, readonly string[]>> = {
  cpu: ['ExecutionSample', 'NativeMethodSample'],
  'cpu-time': ['CPUTimeSample'],
  allocations: ['ObjectAllocationSample'],
  locks: ['JavaMonitorEnter', 'JavaMonitorWait', 'ThreadPark', 'ThreadSleep'],
};
/** `JFR.start` has options for single events from this version on. */
const HAS_EVENT_OPTIONS = 17;
const HAS_CPU_TIME = 25;

/**
 * Why nothing would be recorded of these types, as a clause; undefined if something would. A JVM of which types cannot be
 * chosen records all of its settings.
 */
export function noSamplesReason(
  version: string | undefined,
  types: readonly RecordedType[],
): string | undefined {
  const major = majorVersion(version) ?? HAS_CPU_TIME;
  const hasOthers = types.some((type) => type !== 'cpu-time');
  if (hasOthers || !choosesEvents(version)) return undefined;
  if (IS_MAC) return 'CPU time is sampled on Linux only; choose another sample type';
  if (major >= HAS_CPU_TIME) return undefined;
  return `Java ${major} does not sample CPU time, which JDK ${HAS_CPU_TIME} and later do; choose another sample type`;
}

/** Whether sample types can be chosen. Otherwise those of the JDK's settings are recorded. */
export function choosesEvents(version: string | undefined): boolean {
  return (majorVersion(version) ?? HAS_EVENT_OPTIONS) >= HAS_EVENT_OPTIONS;
}

/**
 * Options of `JFR.start` that leave out the other sample types of the JDK's settings. These record all types but
 * CPU time. None for a JVM that does not know such options, or if all types are wanted.
 */
export function eventOptions(version: string | undefined, types: readonly RecordedType[]): readonly string[] {
  if (!choosesEvents(version)) return [];
  const major = majorVersion(version) ?? HAS_EVENT_OPTIONS;
  const options: string[] = [];
  for (const [type, events] of Object.entries(EVENTS) as [RecordedType, readonly string[]][]) {
    const isOnRequest = type === 'cpu-time';
    const isWanted = types.includes(type);
    if (isWanted !== isOnRequest || (isOnRequest && (IS_MAC || major < HAS_CPU_TIME))) continue;
    for (const event of events) options.push(`jdk.${event}#enabled=${isWanted}`);
  }
  return options;
}

/** A recording that cannot be read must not go on for longer. */
const LIMIT = new TimeLimit(5_000);

type NamedJvm = Pick<Jvm, 'pid' | 'main'>;

/**
 * The repository of a JVM as this process sees it. Rejects with the error of the system if it cannot be looked at, and with
 * AttachError if its file system, perhaps a network drive that is gone, does not answer.
 */
export async function repositoryFolder(
  jvm: NamedJvm,
  folder: string,
  find = findVisiblePath,
): Promise<string> {
  return inTime(jvm, folder, async () => {
    const path = await find(jvm.pid, folder);
    await stat(path).catch(ifThere);
    return path;
  });
}

/** The chunk files in a repository; none if it is not there. Rejects as `repositoryFolder` does. */
async function chunksIn(jvm: NamedJvm, folder: string): Promise<readonly string[]> {
  const names = await inTime(jvm, folder, () => readdir(folder).catch(ifThere));
  return chunkPaths(folder, names ?? []);
}

/**
 * Whether a JVM is writing a chunk in its repository. It is not as long as all of its recordings are kept in memory
 * (`disk=false`). Rejects as `repositoryFolder` does.
 */
async function isWritingChunk(jvm: NamedJvm, folder: string): Promise<boolean> {
  // The newest is the last one.
  for (const path of (await chunksIn(jvm, folder)).toReversed())
    if ((await inTime(jvm, folder, () => isOpenChunk(path).catch(ifThere))) === true) return true;
  return false;
}

/**
 * Removes the chunk files in the repository of a JVM that has ended, but those of `kept`, and the folder if it is empty
 * then. Never throws: what cannot be removed stays.
 */
function removeChunks({ userId }: Pick<Jvm, 'userId'>, folder: string, kept: readonly string[]): void {
  try {
    // Root must not follow a link of that user to another folder.
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== userId) return;
    const paths = chunkPaths(folder, readdirSync(folder));
    for (const path of paths) if (isChunkName(path) && !kept.includes(path)) rmSync(path);
    rmdirSync(folder);
  } catch {
    // It is gone, or there is something else in it.
  }
}

async function isOpenChunk(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const header = new Uint8Array(RECORDING_HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, header.length, 0);
    // A file without a header has just been created.
    return bytesRead < header.length || isOpenHeader(header);
  } finally {
    await file.close();
  }
}

/** Undefined for what is not there; otherwise throws the error. */
function ifThere(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error;
  return undefined;
}

function inTime<T>(jvm: NamedJvm, folder: string, ask: () => Promise<T>): Promise<T> {
  return LIMIT.answer(ask, () => {
    throw new AttachError(
      `${jvmName(jvm)}: the folder of its recordings, ${folder}, was not found in time: a file system does not answer`,
    );
  });
}
