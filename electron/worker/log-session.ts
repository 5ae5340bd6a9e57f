import { assertNever } from '../../shared/assert.ts';
import { MOST_NODES } from '../../shared/aggregate/node-estimate.ts';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/formats/choice.ts';
import type { Epoch, LogState, LogStatus, Restart } from '../../shared/protocol/messages.ts';
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
import { describeStranger, describeTrouble } from './status-detail.ts';
import { StatusPace, type StatusTurn } from './status-pace.ts';
import type { LogWorkerEvent, LogWorkerOptions, LogWorkerRequest } from './worker-messages.ts';

/** Without growth for this long a log is idle, and its last trace counts with what it has. */
const IDLE_AFTER_MS = 2_000;
/** An append is seen after half of this on average, and is with the client long before a quarter of a second. */
const LIVE_POLL_MS = 50;
const IDLE_POLL_MS = 150;
/** For files that are not there. */
const ABSENT_POLL_MS = 250;
/** While much is read, copies need not follow each mebibyte. */
const READING_DELTA_MS = 80;
/** While much is read, so much goes by before anything else gets its turn: a few milliseconds. */
const STRETCH_BYTES = 1 << 20;
/** Until the first turn: what is read first is read by code that is not compiled yet, and its rows are waited for. */
const FIRST_STRETCH_BYTES = 1 << 18;
/** A backlog of this size makes a live log one that is being read. */
const BACKLOG_BYTES = 4 << 20;
/**
 * Who has come to follow a log waits for its first rows, and a window needs the processor for them. For so long no more of
 * a backlog is read: on two processors the rows are there after 0.19 s instead of 0.31, and the whole as soon as else.
 */
const FIRST_ROWS_MS = 120;
/** Bytes of zeros at the end that may be read again per millisecond, should their writer go on in little steps. */
const ZEROS_PER_MS = 100_000;

export interface LogSessionOptions extends LogWorkerOptions {
  readonly clock: Clock;
  readonly post: (event: LogWorkerEvent) => void;
  /** The operating system's when not given. */
  readonly files?: TailFileSystem;
  /** Call nodes at which reading stops; MOST_NODES when not given. */
  readonly mostNodes?: number;
}

/**
 * One open log: follows the file, keeps its profile, feeds the subscribers. `run` is the loop; `receive` may be called
 * whenever it waits. Knows no threads.
 */
export class LogSession {
  readonly #options: LogSessionOptions;
  readonly #clock: Clock;
  readonly #tailer: LogTailer;
  readonly #subscribers: Subscribers;
  readonly #statusPace: StatusPace;
  readonly #mostNodes: number;
  #chosen: Chosen = NOTHING_CHOSEN;
  #epoch = new LogEpoch(0 as Epoch, undefined, NOTHING_CHOSEN);
  #restart: Restart | undefined;
  #state: LogState = 'reading';
  #detail: string | undefined;
  #isStopped = false;
  #restsUntil = -Infinity;
  /** The end of the file was reached once in this epoch: from now on growth is news. */
  #isCaughtUp = false;
  /** When bytes came last, by the clock that only grows. */
  #grewAt = -Infinity;
  #hasEnded = false;
  #zerosReadAgainAt = -Infinity;

  constructor(options: LogSessionOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#mostNodes = options.mostNodes ?? MOST_NODES;
    this.#tailer = new LogTailer(
      options.path,
      {
        begin: (reason, file) => this.#begin(reason, file),
        bytes: (bytes, offset) => this.#append(bytes, offset),
      },
      options.files,
    );
    this.#subscribers = new Subscribers(this.#epoch, (subscriber, message) =>
      options.post({ type: 'delta', subscriber, message }),
    );
    this.#statusPace = new StatusPace((status) => options.post({ type: 'status', status }));
  }

  receive(request: LogWorkerRequest): void {
    switch (request.type) {
      case 'follow':
        this.#subscribers.add(request.subscriber);
        this.#restsUntil = this.#clock.now() + FIRST_ROWS_MS;
        break;
      case 'unfollow':
        this.#subscribers.remove(request.subscriber);
        break;
      case 'ack':
        this.#subscribers.acknowledge(request.subscriber, request.epoch, request.revision);
        break;
      case 'choose':
        this.#choose(request.chosen);
        break;
      case 'stop':
        this.#isStopped = true;
        return;
      default:
        assertNever(request, 'request of the host');
    }
    this.#publish();
  }

  /** Reads until it is told to stop, or to the file's end when the log is not to be followed. */
  async run(): Promise<void> {
    let stretchFrom = 0;
    while (!this.#isStopped) {
      const sizeBefore = this.#tailer.size;
      const turn = this.#tailer.turn(this.#wantsMore);
      if (turn === 'more' || this.#tailer.size !== sizeBefore) this.#statusPace.note();
      const epoch = this.#epoch;
      const found = await this.#digest(turn);
      // What was chosen meanwhile is read from the first byte, and what was found is of no use.
      if (found === 'again' || epoch !== this.#epoch) continue;
      const { offset, size } = this.#tailer;
      const stretch = offset - stretchFrom;
      const most = stretchFrom === 0 ? FIRST_STRETCH_BYTES : STRETCH_BYTES;
      if (found === 'more' && offset < size && stretch > 0 && stretch < most) continue;
      stretchFrom = offset;
      this.#publish();
      this.#statusPace.offer(this.#turn, this.#clock.now(), () => this.status);
      const restMs = this.#restsUntil - this.#clock.now();
      if (found === 'more' && restMs > 0 && this.#isBacklog) await this.#clock.pause(restMs);
      else if (found === 'more') await this.#clock.breathe();
      else if (this.#options.follow) await this.#clock.pause(this.#pollMs);
      else break;
    }
    this.#tailer.close();
    this.#epoch.close();
  }

  get status(): LogStatus {
    const { reader, damage } = this.#epoch;
    return {
      ...reader.logFacts(),
      epoch: this.#epoch.number,
      state: this.#state,
      detail: this.#detail,
      restart: this.#restart,
      damage,
      fileBytes: this.#tailer.size,
      readBytes: this.#tailer.offset,
    };
  }

  get #turn(): StatusTurn {
    return {
      epoch: this.#epoch.number,
      state: this.#state,
      detail: this.#detail,
      isDamaged: this.#epoch.damage !== undefined,
    };
  }

  /** No window could show more. */
  get #isFull(): boolean {
    return this.#epoch.aggregator.profile.nodes.length >= this.#mostNodes;
  }

  /** What the file gains is of use. */
  get #wantsMore(): boolean {
    return (
      this.#epoch.reader.stranger === undefined && !this.#isFull && !(this.#hasEnded && this.#isReadOnce)
    );
  }

  get #isBacklog(): boolean {
    return this.#tailer.size - this.#tailer.offset > BACKLOG_BYTES;
  }

  /** A format that cannot be followed: what comes after its end has no meaning. */
  get #isReadOnce(): boolean {
    return this.#epoch.reader.format?.follows === false;
  }

  /** The same file from its first byte, looked at otherwise: nothing that was shown before fits any more. */
  #choose(chosen: Chosen): void {
    this.#chosen = chosen;
    const ended = this.#epoch;
    ended.close();
    this.#epoch = new LogEpoch((ended.number + 1) as Epoch, undefined, chosen);
    this.#subscribers.begin(this.#epoch);
    this.#tailer.reread(0);
    this.#isCaughtUp = false;
    this.#hasEnded = false;
    this.#enter('reading', undefined);
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
      this.#epoch = new LogEpoch((ended.number + 1) as Epoch, ended.aggregator.profile, this.#chosen);
      this.#subscribers.begin(this.#epoch);
    }
    this.#isCaughtUp = false;
    this.#hasEnded = false;
    // How long the file had been quiet before anybody looked; a time in the future says nothing. Content that takes
    // the place of other content is news, whatever its time.
    const quietMs = reason === 'opened' ? Math.max(0, this.#clock.wall() - file.mtimeMs) : 0;
    this.#grewAt = this.#clock.now() - quietMs;
  }

  #append(bytes: Uint8Array, offset: number): number {
    if (this.#isCaughtUp) this.#grewAt = this.#clock.now();
    this.#hasEnded = false;
    return this.#epoch.append(bytes, offset);
  }

  /**
   * What a turn of the tailer means for the log; 'more' when the next turn should follow at once, 'again' when it begins
   * anew and nothing is to be told before.
   */
  async #digest(turn: TailTurn): Promise<'more' | 'again' | 'pause'> {
    const epoch = this.#epoch;
    const { offset: storedBytes } = this.#tailer;
    if (!(await epoch.unpacked(storedBytes, (offset, length) => this.#tailer.peek(offset, length)))) {
      this.#tailer.reread(0);
      return 'again';
    }
    if (turn === 'more') {
      epoch.nodeReserve.note(this.#tailer.offset, this.#tailer.size);
      epoch.estimate.note(this.#tailer.offset, this.#tailer.size, epoch.aggregator.profile.nodes.length);
      epoch.reader.settle(false);
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
      describeTrouble(turn, this.#tailer.trouble, follow),
    );
    return 'pause';
  }

  /** The state of a log that was read to its present end. */
  async #enterAtEnd(): Promise<void> {
    const epoch = this.#epoch;
    const isQuiet = !this.#options.follow || this.#clock.now() - this.#grewAt >= IDLE_AFTER_MS;
    if (isQuiet) await this.#end();
    const { stranger } = epoch.reader;
    if (stranger !== undefined) this.#enter('failed', describeStranger(stranger));
    else if (this.#isFull)
      this.#enter('full', describeFull(this.#tailer.offset / this.#tailer.size, epoch.estimate.expected));
    else if (epoch.refusal !== undefined) this.#enter('failed', epoch.refusal);
    else if (epoch.damage !== undefined) this.#enter('damaged', undefined);
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
    await this.#epoch.end();
  }

  #readZerosAgain(): boolean {
    const now = this.#clock.now();
    if (now < this.#zerosReadAgainAt) return false;
    const { pending } = this.#epoch.reader.bytes;
    const from = this.#epoch.overwrittenFrom((offset, length) => this.#tailer.peek(offset, length));
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
    this.#subscribers.publish(now, this.#state === 'reading' ? now - READING_DELTA_MS : Infinity);
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
