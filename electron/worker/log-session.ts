import { fstatSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { assert, assertNever } from '../../shared/assert.ts';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
import { type ContentBegins, type Nothing, readNext } from '../../shared/input/read-source.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import {
  type Epoch,
  type LogState,
  type LogStatus,
  type Restart,
  WINDOW_MAX_NODES,
} from '../../shared/protocol/messages.ts';
import { isFleetAddress } from '../fleet/fleet-address.ts';
import { FleetLog } from '../fleet/fleet-log.ts';
import { type LogSource, openLogSource } from '../source/log-source.ts';
import { openGunzip } from '../source/read-bytes.ts';
import { errnoOf } from '../source/source-error.ts';
import type { TailFileSystem } from '../source/tail-files.ts';
import { type PublishedEpoch, READING_DELTA_MS, Subscribers } from './subscribers.ts';
import { describeSourceError, type ImmediateStatus, StatusThrottle, withLost } from './log-status.ts';
import type { LogWorkerEvent, LogWorkerOptions, LogWorkerRequest, SaveOutcome } from './worker-messages.ts';

/** Without growth for this long a log is idle, and its last trace is counted with the frames that it has. */
const IDLE_AFTER_MS = 2_000;
/**
 * The writer of a log may keep zeros ahead, and pause within a record when its buffer is full. Without growth for this long
 * the zeros belong to the record. If they did not, the log is read again and the view starts over.
 */
const RECORD_ENDS_AFTER_MS = 60_000;
/**
 * Time between two polls. New bytes are found after half of it on average, so they are painted well within a quarter of
 * a second. A file that exists for a shorter time may be missed.
 */
const LIVE_POLL_MS = 50;
const IDLE_POLL_MS = 150;
/** Used while there is nothing to read. */
const ABSENT_POLL_MS = 250;
/** While a backlog is read, pending events are processed after each batch of this many bytes: every few milliseconds. */
const BATCH_BYTES = 1 << 20;
/** The first batch is smaller, because the user waits for its rows and the code that reads it is not compiled yet. */
const FIRST_BATCH_BYTES = 1 << 18;
/** If more bytes than this are unread, the state of a live log becomes 'reading'. */
const BACKLOG_BYTES = 4 << 20;
/**
 * After a client subscribes, pause backlog reading for this long so that its first rows get the CPU. On two processors
 * they are painted after 0.19 s instead of 0.31 s, and the time until the log is complete stays the same.
 */
const FIRST_ROWS_MS = 120;

interface LogSessionOptions extends LogWorkerOptions {
  readonly clock: Clock;
  readonly post: (event: LogWorkerEvent) => void;
  /** The operating system's when not given. */
  readonly files?: TailFileSystem;
  /** Call nodes at which reading stops; WINDOW_MAX_NODES when not given. */
  readonly mostNodes?: number;
}

/**
 * One open log: follows the file, builds its profile, and sends deltas to the subscribers. `run` is the loop; `receive`
 * may be called whenever the loop waits. It uses no threads itself: `log-worker.ts` runs it in one.
 */
export class LogSession {
  readonly #options: LogSessionOptions;
  readonly #clock: Clock;
  readonly #source: LogSource;
  readonly #subscribers: Subscribers;
  readonly #statusThrottle: StatusThrottle;
  /** Descriptors of the chunk files that the host knows to be open. */
  #openFiles: readonly number[] = [];
  #chosen: Chosen = NOTHING_CHOSEN;
  /** Choices that `receive` has got; the loop applies them in its next round. */
  #nextChosen: Chosen | undefined;
  #isRunning = false;
  /** The content of one run of the writer. Truncation, rotation and replacement begin another one. */
  #epoch = 0 as Epoch;
  #reader: ProfileReader;
  #restart: Restart | undefined;
  #state: LogState = 'reading';
  #detail: string | undefined;
  #isStopped = false;
  /** Reading of a backlog pauses until then, in monotonic milliseconds. */
  #pausedUntil = -Infinity;
  /** The end of the file was reached once in this epoch: bytes that are read now are newly written. */
  #isCaughtUp = false;
  /** When the file last grew, in monotonic milliseconds. */
  #grewAt = -Infinity;
  #hasEnded = false;
  /** The end that was reached last is one after which the writer goes on. */
  #isEndFollowed = false;
  #follows: boolean;
  /** The host waits for `done`. */
  #isFinished = false;
  /** Number of `subscribe` and `choose` requests. */
  #requests = 0;
  /** #requests in the last `done`. */
  #doneRequests: number | undefined;

  constructor(options: LogSessionOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#follows = options.follow;
    this.#source = isFleetAddress(options.path)
      ? new FleetLog(options.path, () => this.#chosen)
      : openLogSource(
          options.path,
          options.files,
          options.leftOut === undefined ? undefined : { leftOut: options.leftOut, open: options.open ?? [] },
        );
    if (options.end !== undefined) this.#source.end(options.end.reason, options.end.atNs);
    this.#reader = this.#newReader(undefined);
    this.#subscribers = new Subscribers(this.#published, (subscriber, message) =>
      options.post({ type: 'delta', subscriber, message }),
    );
    this.#statusThrottle = new StatusThrottle((status) => options.post({ type: 'status', status }));
  }

  receive(request: LogWorkerRequest): void {
    switch (request.type) {
      case 'subscribe':
        this.#requests++;
        this.#subscribers.add(request.subscriber, request.samples);
        this.#pausedUntil = this.#clock.now() + FIRST_ROWS_MS;
        break;
      case 'unsubscribe':
        this.#subscribers.remove(request.subscriber);
        break;
      case 'ack':
        this.#subscribers.acknowledge(request.subscriber, request.epoch, request.revision);
        break;
      case 'choose':
        this.#requests++;
        this.#nextChosen = request.chosen;
        // If the log is not followed, the loop has ended at the end of the file.
        if (!this.#isRunning) void this.run();
        return;
      case 'finish':
        this.#isFinished = true;
        this.#follows = false;
        break;
      case 'end':
        this.#source.end(request.reason, request.atNs);
        return;
      case 'save':
        this.#options.post({ type: 'saved', request: request.request, ...this.#save(request.path) });
        return;
      case 'stop':
        this.#isStopped = true;
        this.#source.interrupt?.();
        if (!this.#isRunning) this.#close();
        return;
      default:
        assertNever(request, 'request of the host');
    }
    this.#publish();
    this.#tellDone();
  }

  /** Reads until `stop`, or until the file ends if the log is not followed. */
  async run(): Promise<void> {
    this.#isRunning = true;
    let batchStart = 0;
    while (!this.#isStopped) {
      if (this.#nextChosen !== undefined) this.#choose(this.#nextChosen);
      // Taken before the look: a file that is finished meanwhile is looked at once more.
      const follows = this.#follows;
      const sizeBefore = this.#source.size;
      const read = await readNext(this.#source, this.#reader, this.#wantsMore);
      this.#noteOpened();
      this.#tellChunks();
      if (read === 'more' || this.#source.size !== sizeBefore) this.#statusThrottle.note();
      if (typeof read === 'object') {
        this.#begin(read);
        batchStart = 0;
        continue;
      }
      const isMore = read === 'more';
      if (isMore) await this.#noteMore();
      else await this.#noteNothing(read);
      if (this.#nextChosen !== undefined) continue;
      const { offset, size } = this.#source;
      const batchBytes = offset - batchStart;
      const most = batchStart === 0 ? FIRST_BATCH_BYTES : BATCH_BYTES;
      if (isMore && offset < size && batchBytes > 0 && batchBytes < most) continue;
      batchStart = offset;
      this.#publish();
      this.#statusThrottle.update(this.#immediateStatus, this.#clock.now(), () => this.status);
      const pauseMs = this.#pausedUntil - this.#clock.now();
      if (isMore && pauseMs > 0 && this.#isBacklog) await this.#clock.pause(pauseMs);
      else if (isMore) await this.#clock.afterPendingEvents();
      else if (follows) await this.#clock.pause(this.#pollMs);
      else break;
    }
    this.#isRunning = false;
    if (this.#isStopped) this.#close();
    else this.#tellDone();
  }

  #tellChunks(): void {
    if (this.#options.leftOut === undefined) return;
    const { openFiles = [] } = this.#source;
    if (isDeepStrictEqual(openFiles, this.#openFiles)) return;
    this.#openFiles = openFiles;
    const chunks = openFiles.map((descriptor) => {
      const { dev, ino } = fstatSync(descriptor, { bigint: true });
      return { descriptor, identity: `${dev} ${ino}` };
    });
    this.#options.post({ type: 'chunks', chunks });
  }

  #save(path: string): SaveOutcome {
    try {
      return { missing: this.#source.save(path) };
    } catch (error) {
      return { problem: errnoOf(error) ?? String(error) };
    }
  }

  #tellDone(): void {
    if (!this.#isFinished || this.#isRunning || this.#doneRequests === this.#requests) return;
    if (!this.#subscribers.areCaughtUp) return;
    this.#statusThrottle.flush(this.#immediateStatus, this.#clock.now(), () => this.status);
    this.#doneRequests = this.#requests;
    this.#options.post({ type: 'done', requests: this.#requests });
  }

  get status(): LogStatus {
    const facts = this.#reader.facts();
    const { choices = facts.choices, formatName = facts.formatName } = this.#source;
    return {
      ...withLost({ ...facts, choices, formatName }, this.#source.lost),
      epoch: this.#epoch,
      state: this.#state,
      detail: this.#detail,
      restart: this.#restart,
      fileBytes: this.#source.size,
      readBytes: this.#source.offset,
    };
  }

  get #immediateStatus(): ImmediateStatus {
    return {
      epoch: this.#epoch,
      state: this.#state,
      detail: this.#detail,
      isDamaged: this.#reader.damage !== undefined,
    };
  }

  /** False if further bytes of the file would not be used. */
  get #wantsMore(): boolean {
    return !this.#reader.isDone && !(this.#hasEnded && this.#isReadOnce);
  }

  get #isBacklog(): boolean {
    return this.#source.size - this.#source.offset > BACKLOG_BYTES;
  }

  /** The format cannot be followed: bytes that are appended after the end was read are ignored. */
  get #isReadOnce(): boolean {
    return this.#reader.format?.follows === false && !this.#source.grows;
  }

  /** Reads the file again from its first byte with these choices, in a new epoch. */
  #choose(chosen: Chosen): void {
    this.#chosen = chosen;
    this.#nextChosen = undefined;
    this.#beginEpoch(undefined);
    this.#source.reread(0);
    this.#isCaughtUp = false;
    this.#hasEnded = false;
    this.#enter('reading', undefined);
    this.#publish();
  }

  /** `before`: the profile of the content before, of which names may be needed. */
  #beginEpoch(before: LeanProfile | undefined): void {
    this.#reader.close();
    this.#epoch = (this.#epoch + 1) as Epoch;
    this.#reader = this.#newReader(before);
    this.#subscribers.begin(this.#published);
  }

  #newReader(before: LeanProfile | undefined): ProfileReader {
    const { mostNodes = WINDOW_MAX_NODES } = this.#options;
    const aggregator = new ProfileAggregator({ journal: true, samples: true });
    return new ProfileReader(aggregator, this.#chosen, openGunzip, { mostNodes, before });
  }

  get #published(): PublishedEpoch {
    const { profile, journal } = this.#reader.aggregator;
    assert(journal !== undefined, 'the aggregator of an epoch is created with a journal');
    return { number: this.#epoch, source: { profile, journal } };
  }

  #close(): void {
    this.#source.close();
    this.#reader.close();
  }

  #begin({ begins }: ContentBegins): void {
    const { sampleCount, profile } = this.#reader.aggregator;
    this.#restart = {
      kind: begins,
      count: (this.#restart?.count ?? 0) + 1,
      at: this.#clock.wall(),
      samplesBefore: sampleCount,
    };
    this.#beginEpoch(profile);
    this.#isCaughtUp = false;
    this.#hasEnded = false;
    // It has just been written, whatever the modification time says.
    this.#grewAt = this.#clock.now();
  }

  /** Notes how long the file had not changed when it was opened. A time in the future counts as now. */
  #noteOpened(): void {
    const { modifiedNs } = this.#source;
    if (this.#grewAt !== -Infinity || modifiedNs === undefined) return;
    const quietMs = Math.max(0, this.#clock.wall() - Number(modifiedNs / 1_000_000n));
    this.#grewAt = this.#clock.now() - quietMs;
  }

  /** Updates the log's state after bytes. */
  async #noteMore(): Promise<void> {
    if (this.#isCaughtUp) this.#grewAt = this.#clock.now();
    this.#hasEnded = false;
    this.#reader.emitOpen();
    if (!this.#isCaughtUp || this.#isBacklog) this.#enter('reading', this.#reader.forecast);
    else await this.#enterAtEnd();
  }

  /** Updates the log's state where there are no bytes. */
  async #noteNothing(nothing: Nothing): Promise<void> {
    if (nothing === 'atEnd') {
      this.#isCaughtUp = true;
      await this.#enterAtEnd();
      return;
    }
    if (nothing === 'gone' || nothing === 'ended') await this.#end(false);
    if (nothing === 'ended') {
      const { ending } = this.#source;
      const outcome = this.#reader.outcome(this.#readShare);
      this.#enter(
        'ended',
        outcome?.state === 'full' ? `${ending ?? ''} ${outcome.detail}`.trimStart() : ending,
      );
      return;
    }
    const isFinal = nothing === 'refused' || !this.#follows;
    this.#enter(
      nothing === 'gone' ? 'gone' : isFinal ? 'failed' : 'waiting',
      describeSourceError(nothing, this.#source, this.#follows),
    );
  }

  /** Sets the state of a log that was read to its present end. */
  async #enterAtEnd(): Promise<void> {
    const idleAfterMs =
      this.#reader.preallocation?.isWithinRecord === true ? RECORD_ENDS_AFTER_MS : IDLE_AFTER_MS;
    const isQuiet = !this.#follows || this.#clock.now() - this.#grewAt >= idleAfterMs;
    if (isQuiet) await this.#end(this.#follows && this.#source.grows === true);
    // An empty file is no problem: it may be a log that is about to be written.
    const outcome = this.#source.offset === 0 ? undefined : this.#reader.outcome(this.#readShare);
    if (outcome !== undefined) this.#enter(outcome.state, outcome.detail);
    else if (this.#isReadOnce) this.#enter(isQuiet ? 'idle' : 'reading', this.#growthNotice);
    else
      this.#enter(
        isQuiet ? 'idle' : 'live',
        this.#source.offset === 0 ? (this.#source.emptyText ?? 'The file is empty so far.') : undefined,
      );
  }

  /** The share of the file that is read, 0 to 1. */
  get #readShare(): number {
    return this.#source.offset / this.#source.size;
  }

  get #growthNotice(): string | undefined {
    return this.#hasEnded && this.#source.offset < this.#source.size
      ? 'The file has grown since it was read, and its format cannot be followed. Close it and open it again.'
      : undefined;
  }

  /** `isFollowed`: a JVM that writes nothing for a while goes on; what it has not flushed is missing once it has ended. */
  async #end(isFollowed: boolean): Promise<void> {
    if (this.#hasEnded && (isFollowed || !this.#isEndFollowed)) return;
    this.#hasEnded = true;
    this.#isEndFollowed = isFollowed;
    this.#statusThrottle.note();
    // The end of an empty file is not processed: it may be a log that is about to be written.
    if (this.#source.offset > 0) await this.#reader.end(true, isFollowed);
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
      case 'gone':
        return LIVE_POLL_MS;
      case 'waiting':
      case 'failed':
      case 'full':
      case 'ended':
        return ABSENT_POLL_MS;
      default:
        return IDLE_POLL_MS;
    }
  }
}

/** The clock of a log session. Tests replace it. */
export interface Clock {
  /** Monotonic milliseconds, to measure durations. */
  now(): number;
  /** Milliseconds since 1970 by the system clock. */
  wall(): number;
  /** Resolves after `ms` milliseconds. */
  pause(ms: number): Promise<void>;
  /** Resolves after the events that are pending now were processed. */
  afterPendingEvents(): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  afterPendingEvents: () => new Promise((resolve) => setImmediate(resolve)),
};
