import { setTimeout as pause } from 'node:timers/promises';
import {
  ENDED_IN_DUMP,
  type SampledDump,
  samplingEndLine,
  samplingLine,
} from '../../shared/formats/thread-dump/dump-sampling.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

/** A JVM as a sampler sees it. */
export interface DumpableJvm {
  /** A thread dump as jstack writes it. Rejects with AttachError if there is none. */
  dump(): Promise<string>;
  /** The time for which all threads were stopped since the start of the JVM, ms; undefined if it does not tell. */
  stoppedMs(): number | undefined;
  isRunning(): boolean;
}

export interface SamplerSettings {
  /** Milliseconds between two dumps, if the share allows it. */
  readonly intervalMs: number;
  /** The largest part of the JVM's time, above 0 and at most 1, that dumps may take. */
  readonly mostShare: number;
}

/** The cost of the sampling so far. */
export interface SamplerCost {
  readonly dumps: number;
  /** Sampling time of all runs, ms. */
  readonly elapsedMs: number;
  /** The time for which the JVM was stopped; where it does not tell, an upper bound: the time that the dumps took. */
  readonly stoppedMs: number;
  readonly longestMs: number;
}

/** The clock of a sampler. Tests replace it. */
export interface SamplerClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Never rejects. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const samplerClock: SamplerClock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  pause: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
};

/** The cost that is expected of the next dump, as a multiple of the longest so far. */
const NEXT_COST = 2;
/** A dump that fails while the JVM runs is tried again this often in a row, after this pause. */
const MOST_FAILURES = 3;
const RETRY_MS = 1_000;
/** The line with which a JVM ends the list of threads. */
const LAST_LINE = /^JNI global ref/m;
/** The line of time with which a JVM begins a dump: local time without a zone, to the second. */
const TIME_LINE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\r?\n/;

/**
 * Samples the threads of a JVM by thread dumps, as Android's SamplingProfiler does (specs: live-jvm, section 4). It can
 * be stopped and started again; the samples of all runs are written one after the other, as a series of thread dumps
 * that says of each what it has cost. All threads stop at a safepoint for a dump.
 *
 * After each dump but the first, the share that is allowed has been kept: after dumps that stopped the JVM for t together,
 * the next one is not before (t + NEXT_COST * the longest) / mostShare. A first dump, and one that costs more than that,
 * exceed the share until the wait after it has made up for it.
 */
export class DumpSampler {
  readonly #jvm: DumpableJvm;
  readonly #settings: SamplerSettings;
  readonly #write: (text: string) => void;
  readonly #clock: SamplerClock;
  #runs = 0;
  /** The JVM writes a last line, so that a dump without it was cut. */
  #hasLastLines = false;
  #isShutDown = false;
  #stopping: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Clock time before which there must be no dump. */
  #earliest = -Infinity;
  #cost: SamplerCost = { dumps: 0, elapsedMs: 0, stoppedMs: 0, longestMs: 0 };
  /** Sampling time of the runs before the present one. */
  #earlierMs = 0;
  #startedAt: number | undefined;
  /** Why the latest run has ended without `stop`: 'the JVM has ended'. */
  ended: string | undefined;

  /** `write` gets the text of each dump, whole lines. */
  constructor(
    jvm: DumpableJvm,
    settings: SamplerSettings,
    write: (text: string) => void,
    clock: SamplerClock = samplerClock,
  ) {
    this.#jvm = jvm;
    this.#settings = settings;
    this.#write = write;
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return this.#stopping !== undefined;
  }

  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  get cost(): SamplerCost {
    const now = this.#startedAt === undefined ? 0 : this.#clock.now() - this.#startedAt;
    return { ...this.#cost, elapsedMs: this.#earlierMs + now };
  }

  /** Resolves when the present run has ended, however it ends. */
  get whenEnded(): Promise<void> {
    return this.#running;
  }

  /** Begins a run. Nothing happens while one runs, and after `shutDown`. */
  start(): void {
    if (this.#stopping !== undefined || this.#isShutDown) return;
    this.ended = undefined;
    this.#stopping = new AbortController();
    this.#running = this.#run(this.#stopping.signal).finally(() => {
      this.#stopping = undefined;
      this.#earlierMs = this.cost.elapsedMs;
      this.#startedAt = undefined;
    });
  }

  /** Ends the run after the dump that is being made; the very first one is always made. `reason`: a clause. */
  async stop(reason = 'it was stopped'): Promise<void> {
    this.#stopping?.abort(reason);
    await this.#running;
  }

  /** Ends sampling for good. */
  async shutDown(reason?: string): Promise<void> {
    this.#isShutDown = true;
    await this.stop(reason);
  }

  async #run(stopped: AbortSignal): Promise<void> {
    const run = ++this.#runs;
    const clock = this.#clock;
    let failures = 0;
    let ended: string | undefined;
    /** The latest dump was cut; a JVM that is being killed may still run. */
    let isCut = false;
    await this.#pauseUntil(this.#earliest, stopped);
    if (stopped.aborted && run > 1) return;
    const start = clock.now();
    this.#startedAt = start;
    // The limits hold for each run by itself.
    let dumps = 0;
    let stoppedMs = 0;
    let longestMs = 0;
    do {
      const before = clock.now();
      try {
        const dump = await this.#sample(run, start);
        failures = 0;
        isCut = false;
        dumps++;
        const costMs = dump.stopped ?? dump.took;
        stoppedMs += costMs;
        longestMs = Math.max(longestMs, costMs);
        this.#earliest = start + (stoppedMs + NEXT_COST * longestMs) / this.#settings.mostShare;
      } catch (error) {
        // Errors of any kind count: nobody waits for a run, and the answer of a JVM may be no dump at all.
        failures++;
        const reason = errorMessage(error);
        isCut ||= error instanceof CutDumpError;
        ended = this.#jvm.isRunning() ? reason : isCut ? ENDED_IN_DUMP : 'the JVM has ended';
        if (!this.#jvm.isRunning() || failures === MOST_FAILURES) break;
        this.#earliest = Math.max(this.#earliest, clock.now() + RETRY_MS);
      }
      const next = Math.max(before + this.#settings.intervalMs, this.#earliest);
      await this.#pauseUntil(next, stopped);
      ended = undefined;
    } while (!stopped.aborted);
    this.ended = ended;
    if (dumps > 0) this.#write(`${samplingEndLine(ended ?? String(stopped.reason))}\n`);
  }

  async #pauseUntil(time: number, stopped: AbortSignal): Promise<void> {
    const ms = time - this.#clock.now();
    if (ms > 0 && !stopped.aborted) await this.#clock.pause(ms, stopped);
  }

  /** Makes one dump and writes it. */
  async #sample(run: number, start: number): Promise<SampledDump> {
    const clock = this.#clock;
    const stoppedBefore = this.#jvm.stoppedMs();
    const wall = clock.wall();
    const at = clock.now() - start;
    const text = await this.#jvm.dump();
    const isComplete = LAST_LINE.test(text);
    // It was cut by the end of the JVM: stacks in it lack their callers.
    if (this.#hasLastLines && !isComplete) throw new CutDumpError();
    this.#hasLastLines ||= isComplete;
    const took = clock.now() - start - at;
    const stoppedAfter = this.#jvm.stoppedMs();
    const { intervalMs, mostShare } = this.#settings;
    const stopped = stoppedIn(stoppedBefore, stoppedAfter, took);
    const dump = { run, at, took, stopped, interval: intervalMs, share: mostShare };
    const cost = this.#cost;
    this.#cost = {
      ...cost,
      dumps: cost.dumps + 1,
      stoppedMs: cost.stoppedMs + (stopped ?? took),
      longestMs: Math.max(cost.longestMs, stopped ?? took),
    };
    const time = new Date(wall).toISOString();
    this.#write(
      `${samplingLine(dump)}\n${time}\n${text.replace(TIME_LINE, '')}${text.endsWith('\n') ? '' : '\n'}`,
    );
    return dump;
  }
}

class CutDumpError extends Error {
  constructor() {
    super('the JVM has not completed a dump');
  }
}

/** Undefined if the JVM's counter has not moved, although a dump stops all threads: then it is not kept. */
function stoppedIn(before: number | undefined, after: number | undefined, took: number): number | undefined {
  if (before === undefined || after === undefined || !(after > before)) return undefined;
  return Math.min(after - before, took);
}
