import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runInNewContext } from 'node:vm';
import type { Chosen } from '../../shared/facts/choice.ts';
import { errnoOf } from '../source/source-error.ts';
import { systemPath } from '../source/open-file.ts';
import { AttachedJvm, isRunning } from '../jvm/attach.ts';
import { type DumpableJvm, DumpSampler, type SamplerSettings } from './dump-sampler.ts';
import type { Jvm } from '../jvm/jvm.ts';
import type { JvmRecording } from './jvm-recording.ts';
import { temporaryPath } from './recording-name.ts';
import { perfDataIn } from '../jvm/perf-data.ts';
import { temporaryFolderOf } from '../jvm/process-places.ts';
import { readThreadHeader, shownName, virtualName } from '../../shared/formats/thread-dump/thread-header.ts';
import { isTyped, selectsThread, threadProblem, typedThreads } from '../../shared/scope/thread-pattern.ts';
import type { SamplingChoice } from '../../shared/facts/recording-choice.ts';

/** The settings for sampling a JVM by thread dumps. */
export interface DumpSettings extends SamplerSettings, DumpPart {
  /** With what the dumps are read at first, such as the states of threads. */
  readonly chosen?: Chosen | undefined;
}

/** The settings of a window; a command takes others. */
export const USUAL_DUMPS: DumpSettings = { intervalMs: 20, mostShare: 0.01 };

/** A larger file would fill the disk. */
const MOST_BYTES = 2_000_000_000;
const COUNTERS: ReadonlySet<string> = new Set(['sun.rt.safepointTime', 'sun.os.hrt.frequency']);

/** Samples of a JVM by thread dumps, in a file that grows: a series of dumps, which can be followed like any other. */
export class DumpRecording implements JvmRecording {
  readonly folder: string;
  readonly leftOut = undefined;
  readonly chosen: Chosen | undefined;
  readonly sampler: DumpSampler;
  readonly #file: number;
  #bytes = 0;
  readonly #isTemporary: boolean;
  #closing: Promise<void> | undefined;

  private constructor(jvm: DumpableJvm, path: string, settings: DumpSettings, isTemporary: boolean) {
    this.folder = path;
    this.chosen = settings.chosen;
    this.#isTemporary = isTemporary;
    // Nothing that somebody has put in the place of a temporary file is written to.
    this.#file = openSync(systemPath(path), isTemporary ? 'wx' : 'w', 0o600);
    this.sampler = new DumpSampler(jvm, settings, (text) => this.#write(text));
  }

  /**
   * Opens the attach socket of a JVM and starts to sample it. `isTemporary`: the file must be a new one, and is removed by
   * `discard`. Throws AttachError, and the error of the file.
   */
  static async start(
    jvm: Jvm,
    path: string,
    settings: DumpSettings,
    isTemporary = false,
  ): Promise<DumpRecording> {
    const attached = await AttachedJvm.open(jvm);
    // The first command compiles the code that sends it, which is no cost of a dump.
    await attached.properties();
    const dumpable = {
      dump: async () => cutDump(await attached.run('threaddump'), settings),
      stoppedMs: () => stoppedMs(jvm),
      isRunning: () => isRunning(jvm),
    };
    const recording = new DumpRecording(dumpable, path, settings, isTemporary);
    recording.sampler.start();
    return recording;
  }

  /** Samples a JVM into a temporary file. If this process is killed, the next one removes it. */
  static startTemporary(jvm: Jvm, settings: DumpSettings): Promise<DumpRecording> {
    return DumpRecording.start(jvm, temporaryPath(tmpdir(), '', '.tdump'), settings, true);
  }

  /** Sampling may have ended by itself; its notes say why. */
  isThere(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** Ends sampling for good. Never rejects. */
  async stop(): Promise<void> {
    await this.close().catch(() => undefined);
  }

  /** Removes a temporary file. */
  discard(): void {
    if (this.#isTemporary) rmSync(this.folder, { force: true });
  }

  /** Ends sampling for good and closes the file, which stays. Call it as often as you like. */
  close(): Promise<void> {
    this.#closing ??= this.sampler.shutDown().finally(() => closeSync(this.#file));
    return this.#closing;
  }

  #write(text: string): void {
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
      this.#bytes += bytes.length;
      if (this.#bytes > MOST_BYTES) void this.sampler.shutDown('its file has 2 GB');
    } catch (error) {
      void this.sampler.shutDown(`its file cannot be written (${errnoOf(error) ?? String(error)})`);
    }
  }
}

/** By the counters of the JVM, which it updates at the end of each safepoint. */
function stoppedMs({ pid, ownPid, userId }: Jvm): number | undefined {
  const counters = perfDataIn(temporaryFolderOf(pid), ownPid, { user: userId, wanted: COUNTERS });
  const ticks = counters?.get('sun.rt.safepointTime');
  const frequency = counters?.get('sun.os.hrt.frequency');
  if (typeof ticks !== 'number' || typeof frequency !== 'number' || frequency <= 0) return undefined;
  return (ticks / frequency) * 1000;
}

/** The part of a thread dump that is kept. */
interface DumpPart {
  /** The threads that are kept, as `Scope.threads`; undefined: all are. */
  readonly threads?: readonly string[] | undefined;
  /** Frames of a stack that are kept, from the innermost on; undefined: all are. */
  readonly depth?: number | undefined;
}

const FRAME = /^\s+at /;
const LOCK = /^\s+- /;
const MOUNTED = /^\s+Mounted virtual thread #(\d+)/;
/** This line replaces the frames that were left out of a stack. `ThreadDumpDecoder` reads it. */
const CUT = '\t...';

/**
 * A thread dump of HotSpot without the threads and frames that are not wanted. What is kept reads as it would in the
 * whole dump. Throws where an expression takes too long to be matched.
 */
export function cutDump(text: string, { threads, depth = Infinity }: DumpPart): string {
  if (threads === undefined) return depth === Infinity ? text : partOfDump(text, () => true, depth);
  const names: string[] = [];
  partOfDump(text, (name) => names.push(name) < 0, depth);
  const typed = new Map(threads.filter(isTyped).map((entry) => [entry, namesMatching(entry, names)]));
  return partOfDump(text, selectsThread(threads, typed), depth);
}

/** Longest that an expression may take for the names of one dump, ms: the whole program waits. */
const MOST_MATCHING_MS = 500;

function namesMatching(entry: string, names: readonly string[]): ReadonlySet<string> {
  const expression = new RegExp(entry.slice(1, -1), 'u');
  try {
    const found: unknown = runInNewContext(
      'names.filter((name) => expression.test(name))',
      { names, expression },
      { timeout: MOST_MATCHING_MS },
    );
    return new Set(found as readonly string[]);
  } catch (error) {
    throw new Error(`the expression ${entry} takes too long`, { cause: error });
  }
}

function partOfDump(text: string, wants: (name: string) => boolean, depth: number): string {
  const kept: string[] = [];
  /** The lines of the thread's header and state, while it is not known whether anything of it is wanted. */
  let header: string[] = [];
  let isInThread = false;
  let isWanted = true;
  let frames = 0;
  /** A first line whose name contains a line break. */
  let begun: string | undefined;
  for (const line of text.split('\n')) {
    const joined = begun === undefined || line.startsWith('"') ? line : `${begun}\n${line}`;
    const thread = joined.startsWith('"') ? readThreadHeader(joined) : undefined;
    if (thread !== undefined) {
      isInThread = true;
      // The beginning of its name has been kept as a line that belongs to no thread.
      if (joined !== line) kept.pop();
      isWanted = wants(shownName(thread));
      frames = 0;
      header = [joined];
      if (isWanted) kept.push(...header.splice(0));
    } else if (!isInThread) {
      kept.push(line);
    } else if (line.trim() === '') {
      isInThread = false;
      if (header.length === 0) kept.push(line);
    } else {
      const mounted = MOUNTED.exec(line)?.[1];
      if (mounted !== undefined) {
        isWanted = wants(virtualName(mounted));
        frames = 0;
        // Its carrier is not wanted: without frames it has no sample.
        if (isWanted) kept.push(...header.splice(0));
      }
      if (FRAME.test(line)) frames++;
      if (!isWanted) continue;
      if (frames <= depth) kept.push(line);
      else if (FRAME.test(line) && frames === depth + 1) kept.push(CUT);
      else if (!FRAME.test(line) && !LOCK.test(line)) kept.push(line);
    }
    begun = thread === undefined && line.startsWith('"') && !isInThread ? line : undefined;
  }
  return kept.join('\n');
}

/** Throws a SyntaxError for a thread that is an invalid expression. */
export function dumpSettings(choice: SamplingChoice): DumpSettings {
  const { intervalMs, sharePercent, depth, states } = choice;
  const threads = typedThreads(choice.threads);
  const problem = threads.map(threadProblem).find((each) => each !== undefined);
  if (problem !== undefined) throw new SyntaxError(problem);
  return {
    intervalMs,
    mostShare: sharePercent / 100,
    depth,
    threads: threads.length === 0 ? undefined : threads,
    chosen: states.length === 0 ? undefined : { state: states.join() },
  };
}
