import type { RecordingState, SamplingState } from '../../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../../shared/protocol/messages.ts';
import { printable } from '../../../shared/text/printable.ts';
import { isRunning, jvmName } from '../../jvm/attach.ts';
import { type Jvm, shortMain } from '../../jvm/jvm.ts';
import type { JvmRecording } from '../../recording/jvm-recording.ts';
import { TimeLimit } from '../../source/open-file.ts';

/** The pause between two looks at a JVM: each reads a small file. */
const LOOK_EVERY_MS = 1_000;
/** The JVM is asked for its recordings in every so many looks. */
const LOOKS_PER_QUESTION = 4;
/** A page that is reloaded, or a connection that was lost, comes back within this time. */
const WITHOUT_CLIENTS_MS = 30_000;
const STOP_WITHIN_MS = 3_000;
/** The time that a log is given to read what the JVM has written last. */
export const READ_END_WITHIN_MS = 5_000;

/** The files of a recording, and the name of its log. */
export type NamedRecording = Pick<JvmRecording, 'folder' | 'leftOut' | 'chosen'> & { readonly name: string };

/** The logs of recordings, which the host keeps. */
export interface RecordingLogs {
  /** Opens the log of a recording, in all windows. Undefined if the host was stopped. */
  openRecording(recording: NamedRecording): Promise<LogId | undefined>;
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

/** A recording that is shown by one log or several: one for each sample type that is compared. */
interface Recorded {
  readonly jvm: Jvm;
  readonly recording: JvmRecording;
  /** It goes on when no window is there, because a command line has asked for it. */
  readonly isKept: boolean;
  /** It is being stopped; its logs go on until all of it is read. */
  isFinishing: boolean;
  /** It was saved after it had ended. */
  isSaved: boolean;
}

interface RecordedLog {
  readonly of: Recorded;
  /** False: the recording has ended, or this log cannot be read any more. */
  isOpen: boolean;
  /** The sampling and the state that were told to the windows last. */
  sampling?: SamplingState;
  state?: RecordingState;
}

/**
 * The recordings that are open as logs. Each is stopped when its last log is closed or cannot be read, and when there has
 * been no window for a while. When its JVM ends or somebody else stops it, its logs say so.
 */
export class OpenRecordings {
  readonly #host: RecordingLogs;
  readonly #logs = new Map<LogId, RecordedLog>();
  /** The recordings that are being stopped. */
  readonly #stopping = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #withoutClients: NodeJS.Timeout | undefined;
  /** Undefined until there was one. */
  #clients: number | undefined;
  #looks = 0;
  #isStopped = false;

  constructor(host: RecordingLogs) {
    this.#host = host;
  }

  /** The state of each log, for a window that connects. `sampling`: pauses of thread dumps. */
  get known(): ReadonlyMap<LogId, Pick<RecordedLog, 'sampling' | 'state'>> {
    return this.#logs;
  }

  get count(): number {
    return this.#openLogs().length;
  }

  /** One log of each recording of which there is no file. */
  unsaved(): readonly LogId[] {
    const unsaved = [...this.#logs].filter(([, log]) => isUnsaved(log));
    return [...new Map(unsaved.map(([id, { of }]) => [of, id])).values()];
  }

  /** Whether there is no file of what this log shows, nor another log that shows it. */
  isOnlyCopy(id: LogId): boolean {
    const log = this.#logs.get(id);
    return log !== undefined && isUnsaved(log) && this.#logsOf(log.of).length === 1;
  }

  /** `kind`: of the recording; undefined: any. */
  logOf({ pid, startTicks }: Jvm, kind?: 'flight' | 'dumps'): LogId | undefined {
    return this.#openLogs().find(
      ([
        ,
        {
          of: { jvm, recording, isFinishing },
        },
      ]) => {
        const isKind = kind === undefined || (recording.sampler === undefined) === (kind === 'flight');
        return !isFinishing && isKind && jvm.pid === pid && jvm.startTicks === startTicks;
      },
    )?.[0];
  }

  /** Opens the log of a recording, or stops it if the host was stopped. Rejects if the log cannot be opened. */
  async open(jvm: Jvm, recording: JvmRecording, isKept = false): Promise<LogId | undefined> {
    const { folder, leftOut, chosen } = recording;
    const name = `${shortMain(jvm.main)} (${jvm.pid})`;
    let id: LogId | undefined;
    try {
      if (!this.#isStopped) id = await this.#host.openRecording({ folder, leftOut, chosen, name });
    } finally {
      // Its log cannot be closed, which would stop it.
      if (id === undefined) {
        await this.#stopRecording(recording);
        recording.discard();
      }
    }
    if (id === undefined) return undefined;
    const log = { of: { jvm, recording, isKept, isFinishing: false, isSaved: false }, isOpen: true };
    this.#logs.set(id, log);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
    this.#noteSampling(id, log);
    this.#noteState(id, log);
    // The JVM has taken its time, and the window that wanted it may be gone.
    if (this.#clients === 0) this.noteClients(0);
    return id;
  }

  /** Another log reads the recording of this one, too, whether or not it has ended. Nothing happens for a log of a file. */
  share(id: LogId, another: LogId): void {
    const of = this.#logs.get(id)?.of;
    if (of === undefined) return;
    // One of its logs may not have been readable, while another is.
    const log = { of, isOpen: this.#runs(of) };
    this.#logs.set(another, log);
    this.#noteState(another, log);
  }

  /**
   * Ends the recording of a log that was started here, in all its logs, which stay. Resolves when the JVM has written all
   * of it. Nothing happens for another log.
   */
  async finish(id: LogId): Promise<void> {
    const log = this.#logs.get(id);
    if (log?.isOpen !== true || log.of.recording.isFollowed === true) return;
    const { of } = log;
    of.isFinishing = true;
    try {
      await this.#stopRecording(of.recording);
      for (const [each, { isOpen }] of this.#logsOf(of))
        if (isOpen) this.#end(each, 'The recording was stopped.');
    } finally {
      of.isFinishing = false;
    }
  }

  /** A file has all that was recorded so far for this log; the whole recording, if that has ended. */
  noteSaved(id: LogId): void {
    const of = this.#logs.get(id)?.of;
    if (of === undefined || this.#runs(of)) return;
    of.isSaved = true;
    for (const [each, log] of this.#logsOf(of)) this.#noteState(each, log);
  }

  /** Stops the sampling of a log, or lets it go on in the same data. Nothing happens for another log. */
  async control(id: LogId, run: boolean): Promise<void> {
    const log = this.#logs.get(id);
    const sampler = log?.isOpen === true ? log.of.recording.sampler : undefined;
    if (log === undefined || sampler === undefined) return;
    if (run) sampler.start();
    else await sampler.stop();
    this.#noteSampling(id, log);
  }

  /** Its log was closed. */
  forget(id: LogId): void {
    this.end(id);
    const of = this.#logs.get(id)?.of;
    this.#logs.delete(id);
    if (of !== undefined && this.#logsOf(of).length === 0) of.recording.discard();
  }

  /** Its log cannot be read any more, or the recording has ended. */
  end(id: LogId): void {
    const log = this.#logs.get(id);
    if (log?.isOpen !== true) return;
    const { recording } = log.of;
    log.isOpen = false;
    if (recording.sampler !== undefined) this.#tellSampling(id, log, 'over');
    this.#noteState(id, log);
    if (!this.#runs(log.of)) void this.#stopRecording(recording);
    if (this.count > 0) return;
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
      const reason = `The recording was stopped, because no window was connected for ${WITHOUT_CLIENTS_MS / 1000} seconds.`;
      for (const [id, { of }] of this.#openLogs()) if (!of.isKept) this.#end(id, reason);
    }, WITHOUT_CLIENTS_MS).unref();
  }

  /** Ends all. Resolves after a few seconds even if a JVM does not answer: the next Leanscope that records it stops what is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#withoutClients);
    for (const id of [...this.#logs.keys()]) this.forget(id);
    const limit = new TimeLimit(STOP_WITHIN_MS);
    await limit.answer(
      () => Promise.all(this.#stopping),
      () => undefined,
    );
  }

  async #look(): Promise<void> {
    this.#looks++;
    const asks = this.#looks % LOOKS_PER_QUESTION === 0;
    const running = new Set(this.#openLogs().map(([, { of }]) => of));
    const watched = [...running].filter(({ isFinishing }) => !isFinishing);
    await Promise.all(watched.map((of) => this.#lookAt(of, asks)));
  }

  async #lookAt(of: Recorded, asks: boolean): Promise<void> {
    const { jvm, recording } = of;
    // A JVM that does not answer may be busy.
    const isThere = !asks || (await recording.isThere().catch(() => true));
    for (const [id, log] of this.#logsOf(of)) {
      if (!log.isOpen || of.isFinishing) continue;
      this.#noteSampling(id, log);
      if (!isRunning(jvm)) this.#end(id, 'The JVM has ended.');
      else if (!isThere) this.#end(id, 'The recording was stopped in the JVM by another program.');
    }
  }

  #end(id: LogId, reason: string): void {
    this.#host.endRecording(id, `${reason} What was read stays.`);
    this.end(id);
  }

  #openLogs(): readonly (readonly [LogId, RecordedLog])[] {
    return [...this.#logs].filter(([, { isOpen }]) => isOpen);
  }

  #logsOf(of: Recorded): readonly (readonly [LogId, RecordedLog])[] {
    return [...this.#logs].filter(([, log]) => log.of === of);
  }

  #runs(of: Recorded): boolean {
    return this.#logsOf(of).some(([, { isOpen }]) => isOpen);
  }

  #noteState(id: LogId, log: RecordedLog): void {
    const runs = log.of.recording.isFollowed === true ? 'followed' : 'running';
    const state = log.isOpen ? runs : log.of.isSaved ? 'saved' : 'unsaved';
    if (log.state === state) return;
    log.state = state;
    this.#host.tellRecording(id, state);
  }

  #noteSampling(id: LogId, log: RecordedLog): void {
    const { jvm, recording } = log.of;
    const { sampler } = recording;
    if (!log.isOpen || sampler === undefined) return;
    const state = sampler.isRunning ? 'running' : sampler.isShutDown ? 'over' : 'stopped';
    const hasStopped = state === 'stopped' && log.sampling !== state;
    this.#tellSampling(id, log, state);
    // Without a dump, the log has nothing that says why. The end of the JVM is said anyway.
    if (hasStopped && sampler.ended !== undefined && isRunning(jvm))
      this.#host.tellProblem(endedText(jvm, sampler.ended));
  }

  #tellSampling(id: LogId, log: RecordedLog, state: SamplingState): void {
    if (log.sampling === state) return;
    log.sampling = state;
    this.#host.tellSampling(id, state);
  }

  #stopRecording(recording: JvmRecording): Promise<void> {
    const stopping = recording.stop();
    this.#stopping.add(stopping);
    return stopping.finally(() => this.#stopping.delete(stopping));
  }
}

/** There is no file of it. */
function isUnsaved({ state }: RecordedLog): boolean {
  return state === 'running' || state === 'unsaved';
}

/** `reason`: a clause, which may begin with the name of the JVM. */
function endedText(jvm: Jvm, reason: string): string {
  const name = `${jvmName(jvm)}: `;
  const why = reason.startsWith(name) ? reason : `${name}${reason}`;
  return printable(`Sampling by thread dumps has ended by itself. ${why}.`);
}
