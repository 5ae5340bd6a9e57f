import { type AttachedJvm, AttachError, firstLine } from './attach.ts';
import { isAbandoned } from './recording-name.ts';

/** A recording that `JFR.check` lists. */
export interface Recording {
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

/** What `JFR.configure` says then. */
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

  /** The same; undefined if the JVM has none, because it has not recorded to the disk so far. Throws AttachError. */
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
    for (const { name } of await this.list()) if (isAbandoned(name, this.#jvm.pid)) await this.stop(name);
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
/** Of a recording whose name and file are as long as they can be. Longer ones are not looked at: it would take long. */
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
