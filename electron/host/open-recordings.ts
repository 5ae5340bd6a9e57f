import type { RecordingState, SamplingState } from '../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../shared/protocol/messages.ts';
import { printable } from '../../shared/text/printable.ts';
import { jvmName } from '../jvm/attach.ts';
import { type Jvm, shortMain } from '../jvm/jvm.ts';
import { isRunning } from '../jvm/attach.ts';
import { type JvmRecording } from '../jvm/jvm-recording.ts';

/** How often a JVM is looked at: a small file. */
const LOOK_EVERY_MS = 1_000;
/** The JVM is asked for its recordings in every so many looks. */
const LOOKS_PER_QUESTION = 4;
/** A page that is reloaded, or a connection that was lost, comes back within this time. */
const WITHOUT_CLIENTS_MS = 30_000;
const STOP_WITHIN_MS = 3_000;
/** How long a log is given to read what the JVM has written last. */
export const READ_END_WITHIN_MS = 5_000;

/** The logs of recordings, which the host keeps. */
export interface RecordingLogs {
  /** Opens the log of a recording, in all windows. Undefined if the host was stopped. */
  openRecording(
    recording: Pick<JvmRecording, 'folder' | 'leftOut' | 'chosen'> & { readonly name: string },
  ): Promise<LogId | undefined>;
  show(log: LogId): void;
  /** No more of the recording follows, for the reason of this sentence. */
  endRecording(log: LogId, reason: string): void;
  /** To all windows. */
  tellSampling(log: LogId, state: SamplingState): void;
  /** To all windows. */
  tellRecording(log: LogId, state: RecordingState): void;
  /** To all windows: a sentence. */
  tellProblem(text: string): void;
}

interface OpenRecording {
  readonly jvm: Jvm;
  readonly recording: JvmRecording;
  /** It goes on when no window is there, because a command line has asked for it. */
  readonly isKept: boolean;
}

/**
 * The recordings that are open as logs, some as several: one for each sample type that is compared. Each is stopped when
 * its last log is closed or cannot be read, and when there has been no window for a while. When its JVM ends or somebody
 * else stops it, its logs say so.
 */
export class OpenRecordings {
  readonly #logs: RecordingLogs;
  readonly #open = new Map<LogId, OpenRecording>();
  /** Recordings that have ended, and whose logs are open. */
  readonly #ended = new Map<LogId, JvmRecording>();
  /** As the windows know it. */
  readonly #samplings = new Map<LogId, SamplingState>();
  /** As the windows know them. */
  readonly #states = new Map<LogId, RecordingState>();
  /** Recordings that were saved after they had ended. */
  readonly #saved = new WeakSet<JvmRecording>();
  /** Recordings that are being stopped; their logs go on until all of them is read. */
  readonly #finishing = new Set<OpenRecording>();
  /** Those that are being stopped. */
  readonly #stopping = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #withoutClients: NodeJS.Timeout | undefined;
  /** Undefined until there was one. */
  #clients: number | undefined;
  #looks = 0;
  #isStopped = false;

  constructor(logs: RecordingLogs) {
    this.#logs = logs;
  }

  /** The logs of thread dumps, for a window that connects. */
  get samplings(): ReadonlyMap<LogId, SamplingState> {
    return this.#samplings;
  }

  /** The logs of recordings, for a window that connects. */
  get states(): ReadonlyMap<LogId, RecordingState> {
    return this.#states;
  }

  get count(): number {
    return this.#open.size;
  }

  /** One log of each recording of which there is no file. */
  unsaved(): readonly LogId[] {
    const logs = new Map<JvmRecording | undefined, LogId>();
    for (const [log, state] of this.#states)
      if (state === 'running' || state === 'unsaved') logs.set(this.#recordingOf(log), log);
    return [...logs.values()];
  }

  /** Whether there is no file of what this log shows, nor another log that shows it. */
  isOnlyCopy(log: LogId): boolean {
    const state = this.#states.get(log);
    return (state === 'running' || state === 'unsaved') && this.#logsLike(log).length === 1;
  }

  /** `kind`: of the recording; undefined: any. */
  logOf({ pid, startTicks }: Jvm, kind?: 'flight' | 'dumps'): LogId | undefined {
    for (const [log, open] of this.#open) {
      const { jvm, recording } = open;
      if (this.#finishing.has(open)) continue;
      const isKind = kind === undefined || (recording.sampler === undefined) === (kind === 'flight');
      if (isKind && jvm.pid === pid && jvm.startTicks === startTicks) return log;
    }
    return undefined;
  }

  /** Opens the log of a recording, or stops it if the host was stopped. Rejects if the log cannot be opened. */
  async open(jvm: Jvm, recording: JvmRecording, isKept = false): Promise<LogId | undefined> {
    const { folder, leftOut, chosen } = recording;
    const name = `${shortMain(jvm.main)} (${jvm.pid})`;
    let log: LogId | undefined;
    try {
      if (!this.#isStopped) log = await this.#logs.openRecording({ folder, leftOut, chosen, name });
    } finally {
      // Its log cannot be closed, which would stop it.
      if (log === undefined) {
        await this.#stopRecording(recording);
        recording.discard();
      }
    }
    if (log === undefined) return undefined;
    this.#open.set(log, { jvm, recording, isKept });
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
    this.#noteSampling(log);
    this.#noteState(log);
    // The JVM has taken its time, and the window that wanted it may be gone.
    if (this.#clients === 0) this.noteClients(0);
    return log;
  }

  /** Another log reads the recording of this one, too, whether or not it has ended. Nothing happens for a log of a file. */
  share(log: LogId, another: LogId): void {
    const ended = this.#ended.get(log);
    // One of its logs may not have been readable, while another is.
    const open = this.#open.get(log) ?? [...this.#open.values()].find(({ recording }) => recording === ended);
    if (open !== undefined) this.#open.set(another, open);
    else if (ended !== undefined) this.#ended.set(another, ended);
    this.#noteState(another);
  }

  /**
   * Ends the recording of a log that was started here, in all its logs, which stay. Resolves when the JVM has written all
   * of it. Nothing happens for another log.
   */
  async finish(log: LogId): Promise<void> {
    const found = this.#open.get(log);
    if (found === undefined || found.recording.isFollowed === true) return;
    this.#finishing.add(found);
    try {
      await this.#stopRecording(found.recording);
      for (const [each, open] of this.#open)
        if (open === found) this.#end(each, 'The recording was stopped.');
    } finally {
      this.#finishing.delete(found);
    }
  }

  /** A file has all that was recorded so far for this log; the whole recording, if that has ended. */
  noteSaved(log: LogId): void {
    const recording = this.#ended.get(log);
    if (recording === undefined || [...this.#open.values()].some((open) => open.recording === recording))
      return;
    this.#saved.add(recording);
    for (const each of this.#logsLike(log)) this.#noteState(each);
  }

  /** Stops the sampling of a log, or lets it go on in the same data. Nothing happens for another log. */
  async control(log: LogId, run: boolean): Promise<void> {
    const sampler = this.#open.get(log)?.recording.sampler;
    if (sampler === undefined) return;
    if (run) sampler.start();
    else await sampler.stop();
    this.#noteSampling(log);
  }

  /** Its log was closed. */
  forget(log: LogId): void {
    this.end(log);
    this.#samplings.delete(log);
    this.#states.delete(log);
    const recording = this.#ended.get(log);
    this.#ended.delete(log);
    if (recording !== undefined && !this.#isRead(recording)) recording.discard();
  }

  /** Its log cannot be read any more, or the recording has ended. */
  end(log: LogId): void {
    const found = this.#open.get(log);
    if (found === undefined) return;
    this.#open.delete(log);
    this.#ended.set(log, found.recording);
    if (found.recording.sampler !== undefined) this.#tellSampling(log, 'over');
    this.#noteState(log);
    if (![...this.#open.values()].includes(found)) void this.#stopRecording(found.recording);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The number of clients has changed. */
  noteClients(count: number): void {
    this.#clients = count;
    if (count > 0) {
      clearTimeout(this.#withoutClients);
      this.#withoutClients = undefined;
      return;
    }
    this.#withoutClients ??= setTimeout(() => {
      this.#withoutClients = undefined;
      const seconds = WITHOUT_CLIENTS_MS / 1000;
      for (const [log, { isKept }] of this.#open)
        if (!isKept)
          this.#end(
            log,
            `The recording was stopped, because no window was connected for ${seconds} seconds.`,
          );
    }, WITHOUT_CLIENTS_MS).unref();
  }

  /** Ends all. Resolves after a few seconds even if a JVM does not answer: the next Leanscope that records it stops what is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#withoutClients);
    for (const log of [...this.#open.keys(), ...this.#ended.keys()]) this.forget(log);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_WITHIN_MS);
    });
    await Promise.race([Promise.all(this.#stopping), timeout]);
    clearTimeout(timer);
  }

  async #look(): Promise<void> {
    this.#looks++;
    const asks = this.#looks % LOOKS_PER_QUESTION === 0;
    const recordings = new Set(this.#open.values());
    await Promise.all([...recordings].map((open) => this.#lookAt(open, asks)));
  }

  async #lookAt(open: OpenRecording, asks: boolean): Promise<void> {
    const { jvm, recording } = open;
    if (this.#finishing.has(open)) return;
    // A JVM that does not answer may be busy.
    const isThere = !asks || (await recording.isThere().catch(() => true));
    for (const [log, each] of this.#open) {
      if (each !== open || this.#finishing.has(open)) continue;
      this.#noteSampling(log);
      if (!isRunning(jvm)) this.#end(log, 'The JVM has ended.');
      else if (!isThere) this.#end(log, 'The recording was stopped in the JVM by another program.');
    }
  }

  #end(log: LogId, reason: string): void {
    this.#logs.endRecording(log, `${reason} What was read stays.`);
    this.end(log);
  }

  #isRead(recording: JvmRecording): boolean {
    const isOpen = [...this.#open.values()].some((open) => open.recording === recording);
    return isOpen || [...this.#ended.values()].includes(recording);
  }

  /** The logs of the recording that this log shows, itself included. */
  #logsLike(log: LogId): readonly LogId[] {
    const recording = this.#recordingOf(log);
    return [...this.#states.keys()].filter((each) => this.#recordingOf(each) === recording);
  }

  #recordingOf(log: LogId): JvmRecording | undefined {
    return this.#open.get(log)?.recording ?? this.#ended.get(log);
  }

  #noteState(log: LogId): void {
    const recording = this.#recordingOf(log);
    if (recording === undefined) return;
    const runs = recording.isFollowed === true ? 'followed' : 'running';
    const ended = this.#saved.has(recording) ? 'saved' : 'unsaved';
    const state = this.#open.has(log) ? runs : ended;
    if (this.#states.get(log) === state) return;
    this.#states.set(log, state);
    this.#logs.tellRecording(log, state);
  }

  #noteSampling(log: LogId): void {
    const { jvm, recording } = this.#open.get(log) ?? {};
    const sampler = recording?.sampler;
    if (jvm === undefined || sampler === undefined) return;
    const state = sampler.isRunning ? 'running' : sampler.isShutDown ? 'over' : 'stopped';
    const hasStopped = state === 'stopped' && this.#samplings.get(log) !== state;
    this.#tellSampling(log, state);
    // Without a dump, the log has nothing that says why. The end of the JVM is said anyway.
    if (hasStopped && sampler.ended !== undefined && isRunning(jvm))
      this.#logs.tellProblem(endedText(jvm, sampler.ended));
  }

  #tellSampling(log: LogId, state: SamplingState): void {
    if (this.#samplings.get(log) === state) return;
    this.#samplings.set(log, state);
    this.#logs.tellSampling(log, state);
  }

  #stopRecording(recording: JvmRecording): Promise<void> {
    const stopping = recording.stop();
    this.#stopping.add(stopping);
    return stopping.finally(() => this.#stopping.delete(stopping));
  }
}

/** `reason`: a clause, which may begin with the name of the JVM. */
function endedText(jvm: Jvm, reason: string): string {
  const name = `${jvmName(jvm)}: `;
  const why = reason.startsWith(name) ? reason : `${name}${reason}`;
  return printable(`Sampling by thread dumps has ended by itself. ${why}.`);
}
