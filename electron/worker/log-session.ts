import { assertNever } from '../../shared/assert.ts';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import type { Peek } from '../../shared/formats/byte-ranges.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { Epoch, LogState, LogStatus, Restart } from '../../shared/protocol/messages.ts';
import { WINDOW_MAX_NODES } from '../../shared/protocol/window-limit.ts';
import { describeFull, describeEstimate } from '../../shared/text/estimate-text.ts';
import {
  type FileState,
  LogTailer,
  type NewContent,
  type TailFileSystem,
  type TailTurn,
} from '../source/log-tailer.ts';
import type { Clock } from './clock.ts';
import { Subscribers } from './subscribers.ts';
import { LogEpoch } from './log-epoch.ts';
import { describeTrouble } from './status-detail.ts';
import { StatusPace, type StatusTurn } from './status-pace.ts';
import type { LogWorkerEvent, LogWorkerOptions, LogWorkerRequest } from './worker-messages.ts';

/** Without growth for this long a log is idle, and its last trace counts with what it has. */
const IDLE_AFTER_MS = 2_000;
/** An append is noticed after half of this on average, so that it is painted well within a quarter of a second. */
const LIVE_POLL_MS = 50;
const IDLE_POLL_MS = 150;
/** While there is nothing to read. */
const ABSENT_POLL_MS = 250;
/** While a backlog is read, a subscriber gets a delta this often instead of one per mebibyte. */
const READING_DELTA_MS = 80;
/** While a backlog is read, pending events are processed after this many bytes: every few milliseconds. */
const STRETCH_BYTES = 1 << 20;
/** The first stretch is smaller, because the user waits for its rows and the code that reads it is not compiled yet. */
const FIRST_STRETCH_BYTES = 1 << 18;
/** With a backlog of this size, the state of a live log becomes 'reading'. */
const BACKLOG_BYTES = 4 << 20;
/**
 * After a client subscribes, pause backlog reading for this long so that its first rows get the CPU. On two processors
 * they are painted after 0.19 s instead of 0.31 s, and the time until the log is complete stays the same.
 */
const FIRST_ROWS_MS = 120;
/** Limits how often zeros at the end are read again when their writer overwrites them in small steps: bytes per ms. */
const ZEROS_PER_MS = 100_000;

export interface LogSessionOptions extends LogWorkerOptions {
  readonly clock: Clock;
  readonly post: (event: LogWorkerEvent) => void;
  /** The operating system's when not given. */
  readonly files?: TailFileSystem;
  /** Call nodes at which reading stops; WINDOW_MAX_NODES when not given. */
  readonly mostNodes?: number;
}

/**
 * One open log: follows the file, keeps its profile, sends deltas to the subscribers. `run` is the loop; `receive` may
 * be called whenever the loop waits. Independent of threads.
 */
export class LogSession {
  readonly #options: LogSessionOptions;
  readonly #clock: Clock;
  readonly #tailer: LogTailer;
  readonly #subscribers: Subscribers;
  readonly #statusPace: StatusPace;
  readonly #mostNodes: number;
  #chosen: Chosen = NOTHING_CHOSEN;
  /** Set by `receive`; the loop applies it in its next round. */
  #toChoose: Chosen | undefined;
  #isRunning = false;
  #epoch: LogEpoch;
  #restart: Restart | undefined;
  #state: LogState = 'reading';
  #detail: string | undefined;
  #isStopped = false;
  #restsUntil = -Infinity;
  /** The end of the file was reached once in this epoch: bytes that arrive now are new. */
  #isCaughtUp = false;
  /** When bytes last arrived, in monotonic milliseconds. */
  #grewAt = -Infinity;
  #hasEnded = false;
  #zerosReadAgainAt = -Infinity;

  constructor(options: LogSessionOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#mostNodes = options.mostNodes ?? WINDOW_MAX_NODES;
    this.#tailer = new LogTailer(
      options.path,
      {
        begin: (reason, file) => this.#begin(reason, file),
        bytes: (bytes, offset) => this.#append(bytes, offset),
      },
      options.files,
    );
    this.#epoch = this.#newEpoch(0, undefined);
    this.#subscribers = new Subscribers(this.#epoch, (subscriber, message) =>
      options.post({ type: 'delta', subscriber, message }),
    );
    this.#statusPace = new StatusPace((status) => options.post({ type: 'status', status }));
  }

  receive(request: LogWorkerRequest): void {
    switch (request.type) {
      case 'subscribe':
        this.#subscribers.add(request.subscriber);
        this.#restsUntil = this.#clock.now() + FIRST_ROWS_MS;
        break;
      case 'unsubscribe':
        this.#subscribers.remove(request.subscriber);
        break;
      case 'ack':
        this.#subscribers.acknowledge(request.subscriber, request.epoch, request.revision);
        break;
      case 'choose':
        this.#toChoose = request.chosen;
        // The loop of a log that is not followed ends with the file.
        if (!this.#isRunning) void this.run();
        return;
      case 'stop':
        this.#isStopped = true;
        if (!this.#isRunning) this.#close();
        return;
      default:
        assertNever(request, 'request of the host');
    }
    this.#publish();
  }

  /** Reads until `stop`, or until the file ends if the log is not followed. */
  async run(): Promise<void> {
    this.#isRunning = true;
    let stretchFrom = 0;
    while (!this.#isStopped) {
      if (this.#toChoose !== undefined) this.#choose(this.#toChoose);
      const sizeBefore = this.#tailer.size;
      const turn = await this.#tailer.turn(this.#wantsMore);
      if (turn === 'more' || this.#tailer.size !== sizeBefore) this.#statusPace.note();
      const found = await this.#digest(turn);
      if (this.#toChoose !== undefined) continue;
      const { offset, size } = this.#tailer;
      const stretch = offset - stretchFrom;
      const most = stretchFrom === 0 ? FIRST_STRETCH_BYTES : STRETCH_BYTES;
      if (found === 'more' && offset < size && stretch > 0 && stretch < most) continue;
      stretchFrom = offset;
      this.#publish();
      this.#statusPace.offer(this.#turn, this.#clock.now(), () => this.status);
      const restMs = this.#restsUntil - this.#clock.now();
      if (found === 'more' && restMs > 0 && this.#isBacklog) await this.#clock.pause(restMs);
      else if (found === 'more') await this.#clock.afterPendingEvents();
      else if (this.#options.follow) await this.#clock.pause(this.#pollMs);
      else break;
    }
    this.#isRunning = false;
    if (this.#isStopped) this.#close();
  }

  get status(): LogStatus {
    return {
      ...this.#epoch.input.facts(),
      epoch: this.#epoch.number,
      state: this.#state,
      detail: this.#detail,
      restart: this.#restart,
      fileBytes: this.#tailer.size,
      readBytes: this.#tailer.offset,
    };
  }

  get #turn(): StatusTurn {
    return {
      epoch: this.#epoch.number,
      state: this.#state,
      detail: this.#detail,
      isDamaged: this.#epoch.input.damage !== undefined,
    };
  }

  /** The profile has as many call nodes as a window can hold. */
  get #isFull(): boolean {
    return this.#epoch.aggregator.profile.nodes.length >= this.#mostNodes;
  }

  /** More bytes of the file can be used. */
  get #wantsMore(): boolean {
    return (
      this.#epoch.reader.unrecognised === undefined && !this.#isFull && !(this.#hasEnded && this.#isReadOnce)
    );
  }

  get #isBacklog(): boolean {
    return this.#tailer.size - this.#tailer.offset > BACKLOG_BYTES;
  }

  /** The format cannot be followed: bytes that are appended later have no meaning. */
  get #isReadOnce(): boolean {
    return this.#epoch.reader.format?.follows === false;
  }

  /** Reads the same file again from its first byte, as chosen, in a new epoch. */
  #choose(chosen: Chosen): void {
    this.#chosen = chosen;
    this.#toChoose = undefined;
    const ended = this.#epoch;
    ended.close();
    this.#epoch = this.#newEpoch(ended.number + 1, undefined);
    this.#subscribers.begin(this.#epoch);
    this.#tailer.reread(0);
    this.#isCaughtUp = false;
    this.#hasEnded = false;
    this.#enter('reading', undefined);
    this.#publish();
  }

  #newEpoch(number: number, previous: LeanProfile | undefined): LogEpoch {
    const peek: Peek = (offset, length) => this.#tailer.peek(offset, length);
    return new LogEpoch(number as Epoch, previous, this.#chosen, peek);
  }

  #close(): void {
    this.#tailer.close();
    this.#epoch.close();
  }

  #begin(reason: NewContent, file: FileState): void {
    const ended = this.#epoch;
    if (reason !== 'opened') {
      this.#restart = {
        kind: reason,
        at: this.#clock.wall(),
        samplesBefore: ended.aggregator.sampleCount,
      };
      ended.close();
      this.#epoch = this.#newEpoch(ended.number + 1, ended.aggregator.profile);
      this.#subscribers.begin(this.#epoch);
    }
    this.#isCaughtUp = false;
    this.#hasEnded = false;
    // How long the file has not changed. A modification time in the future is useless, and content that replaced other
    // content is new whatever its time.
    const quietMs = reason === 'opened' ? Math.max(0, this.#clock.wall() - file.mtimeMs) : 0;
    this.#grewAt = this.#clock.now() - quietMs;
  }

  #append(bytes: Uint8Array, offset: number): number | Promise<number> {
    if (this.#isCaughtUp) this.#grewAt = this.#clock.now();
    this.#hasEnded = false;
    return this.#epoch.append(bytes, offset);
  }

  /** Updates the log's state after a turn of the tailer; 'more' when the next turn should follow at once. */
  async #digest(turn: TailTurn): Promise<'more' | 'pause'> {
    const epoch = this.#epoch;
    if (turn === 'more') {
      epoch.nodeReserve.note(this.#tailer.offset, this.#tailer.size);
      epoch.estimate.note(this.#tailer.offset, this.#tailer.size, epoch.aggregator.profile.nodes.length);
      epoch.reader.settle();
      if (!this.#isCaughtUp || this.#isBacklog)
        this.#enter('reading', describeEstimate(epoch.estimate.expected, this.#mostNodes));
      else await this.#enterAtEnd();
      return 'more';
    }
    if ((turn === 'atEnd' || turn === 'gone') && this.#readZerosAgain()) return 'more';
    if (turn === 'atEnd') {
      this.#isCaughtUp = true;
      await this.#enterAtEnd();
      return 'pause';
    }
    if (turn === 'gone') await this.#end();
    const { follow } = this.#options;
    const isHopeless = turn === 'refused' || !follow;
    this.#enter(
      turn === 'gone' ? 'gone' : isHopeless ? 'failed' : 'waiting',
      describeTrouble(turn, this.#tailer, follow),
    );
    return 'pause';
  }

  /** The state of a log that was read to its present end. */
  async #enterAtEnd(): Promise<void> {
    const epoch = this.#epoch;
    const isQuiet = !this.#options.follow || this.#clock.now() - this.#grewAt >= IDLE_AFTER_MS;
    if (isQuiet) await this.#end();
    // An empty file may be a log that is about to be written.
    const problem = this.#tailer.offset === 0 ? undefined : epoch.input.problem;
    if (problem !== undefined) this.#enter('failed', problem.text);
    else if (this.#isFull)
      this.#enter('full', describeFull(this.#tailer.offset / this.#tailer.size, epoch.estimate.expected));
    else if (epoch.input.damage !== undefined) this.#enter('damaged', undefined);
    else if (this.#isReadOnce) this.#enter(isQuiet ? 'idle' : 'reading', this.#grownSince);
    else
      this.#enter(
        isQuiet ? 'idle' : 'live',
        this.#tailer.offset === 0 ? 'The file is empty so far.' : undefined,
      );
  }

  get #grownSince(): string | undefined {
    return this.#hasEnded && this.#tailer.offset < this.#tailer.size
      ? 'The file has grown since it was read, and its format cannot be followed; close it and open it again.'
      : undefined;
  }

  async #end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#statusPace.note();
    // An empty file may be a log that is about to be written.
    if (this.#tailer.offset > 0) await this.#epoch.end();
  }

  #readZerosAgain(): boolean {
    const now = this.#clock.now();
    if (now < this.#zerosReadAgainAt) return false;
    const { pending } = this.#epoch.reader.bytes;
    const from = this.#epoch.overwrittenFrom();
    if (from === undefined) return false;
    this.#tailer.reread(from);
    this.#zerosReadAgainAt = now + pending / ZEROS_PER_MS;
    this.#grewAt = now;
    return true;
  }

  #enter(state: LogState, detail: string | undefined): void {
    this.#state = state;
    this.#detail = detail;
  }

  #publish(): void {
    const now = this.#clock.now();
    const isReading = this.#state === 'reading';
    this.#subscribers.publish(now, isReading ? now - READING_DELTA_MS : Infinity, !isReading);
  }

  get #pollMs(): number {
    switch (this.#state) {
      case 'live':
        return LIVE_POLL_MS;
      case 'waiting':
      case 'gone':
      case 'failed':
      case 'full':
        return ABSENT_POLL_MS;
      default:
        return IDLE_POLL_MS;
    }
  }
}
