import type { JournaledProfile } from '../../shared/delta/make-delta.ts';
import { decodeDelta } from '../../shared/delta/delta-codec.ts';
import { isNothing } from '../../shared/delta/profile-delta.ts';
import { assertNever } from '../../shared/assert.ts';
import type { InputProblem } from '../../shared/facts/log-facts.ts';
import { MERGED_THREADS_CHOICE, type MergedThreads } from '../../shared/facts/choice.ts';
import { mergedFacts } from '../../shared/merge/merged-facts.ts';
import { MergedProfile } from '../../shared/merge/merged-profile.ts';
import { sampleSpan } from '../../shared/profile/sample-table.ts';
import { DELTA_PREFIX } from '../../shared/protocol/delta-message.ts';
import type { Epoch, LogStatus, Restart, Revision } from '../../shared/protocol/messages.ts';
import { WINDOW_MAX_NODES } from '../../shared/protocol/window-limit.ts';
import type { Clock } from './clock.ts';
import { type KnownPart, mergedState, partFacts, withSampleTypes } from './merged-state.ts';
import { StatusThrottle } from './status-throttle.ts';
import { READING_DELTA_MS, Subscribers } from './subscribers.ts';
import type {
  LogWorkerEvent,
  MergeWorkerOptions,
  MergeWorkerRequest,
  PartEvent,
  PartRequest,
} from './worker-messages.ts';

/** How often states and growth that were held back are sent. */
const TICK_MS = 100;

export interface MergedSessionOptions extends MergeWorkerOptions {
  readonly clock: Clock;
  readonly post: (event: LogWorkerEvent | PartEvent) => void;
  /** Call nodes at which nothing more is added; WINDOW_MAX_NODES when not given. */
  readonly mostNodes?: number;
}

/**
 * Several open logs as one: takes the deltas of their threads, and sends those of the merged profile to its own
 * subscribers. When one of the logs begins anew, so does the merged one, in another epoch: a profile only grows.
 *
 * The host subscribes to the logs on request (`subscribePart`). A request has the number of its epoch as turn; what comes
 * of earlier subscriptions is ignored.
 */
export class MergedSession {
  readonly #options: MergedSessionOptions;
  readonly #parts: (LogStatus | undefined)[];
  readonly #subscribers: Subscribers;
  readonly #statusThrottle: StatusThrottle;
  readonly #mostNodes: number;
  #threads: MergedThreads;
  #epoch = 0;
  #merged: MergedProfile;
  #restart: Restart | undefined;
  #isFull = false;
  #isStopped = false;

  constructor(options: MergedSessionOptions) {
    this.#options = options;
    this.#threads = options.threads;
    this.#mostNodes = options.mostNodes ?? WINDOW_MAX_NODES;
    this.#parts = options.merge.map(() => undefined);
    this.#merged = this.#newProfile();
    this.#subscribers = new Subscribers(this.#published, (subscriber, message) =>
      options.post({ type: 'delta', subscriber, message }),
    );
    this.#statusThrottle = new StatusThrottle((status) => options.post({ type: 'status', status }));
    this.#requestParts();
  }

  /** Until `stop`. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      this.#publish();
      await this.#options.clock.pause(TICK_MS);
    }
  }

  receive(request: MergeWorkerRequest): void {
    switch (request.type) {
      case 'partDelta':
        this.#take(request);
        break;
      case 'partStatus':
        this.#hear(request);
        break;
      case 'subscribe':
        this.#subscribers.add(request.subscriber, request.samples);
        break;
      case 'unsubscribe':
        this.#subscribers.remove(request.subscriber);
        break;
      case 'ack':
        this.#subscribers.acknowledge(request.subscriber, request.epoch, request.revision);
        break;
      case 'choose':
        this.#choose(request.chosen[MERGED_THREADS_CHOICE]);
        break;
      case 'save':
        this.#options.post({
          type: 'saved',
          request: request.request,
          problem: 'Merged logs are no recording.',
        });
        return;
      case 'finish':
      case 'end':
        // Of single logs.
        break;
      case 'stop':
        this.#isStopped = true;
        return;
      default:
        assertNever(request, 'request of the host');
    }
    this.#publish();
  }

  get status(): LogStatus {
    const { profile, timesAgree } = this.#merged;
    const parts = this.#knownParts;
    const span = profile.samples && timesAgree ? sampleSpan(profile.samples) : undefined;
    const facts = mergedFacts(parts.map(partFacts), {
      threads: this.#threads,
      timesAgree,
      spanNs: span && Number(span.last - span.first),
      lastTime: span?.last.toString(),
    });
    const bytes = (of: (status: LogStatus) => number): number =>
      this.#parts.reduce((sum, status) => sum + (status === undefined ? 0 : of(status)), 0);
    return {
      ...facts,
      ...this.#state(facts.problem),
      epoch: this.#epoch as Epoch,
      restart: this.#restart,
      fileBytes: bytes(({ fileBytes }) => fileBytes),
      readBytes: bytes(({ readBytes }) => readBytes),
    };
  }

  get #knownParts(): readonly KnownPart[] {
    return this.#options.merge.map((name, part) => ({ name, status: this.#parts[part] }));
  }

  #state(problem: InputProblem | undefined): Pick<LogStatus, 'state' | 'detail'> {
    if (problem !== undefined) return { state: 'failed', detail: problem.text };
    return mergedState(this.#knownParts, this.#isFull);
  }

  #hear({ part, status }: PartRequest & { readonly type: 'partStatus' }): void {
    const before = this.#parts[part];
    this.#parts[part] = withSampleTypes(status, before);
    this.#statusThrottle.note();
    // Of one that waits for an acknowledgement nothing else tells that it has begun anew.
    if (this.#isFull && before !== undefined && before.epoch !== status.epoch) this.#beginAnew(part);
  }

  #take({ part, turn, message }: PartRequest & { readonly type: 'partDelta' }): void {
    if (turn !== this.#epoch || this.#isFull) return;
    const delta = decodeDelta(message, DELTA_PREFIX);
    if (!this.#merged.fits(part, delta)) {
      if (isNothing(delta.base)) this.#beginAnew(part);
      return;
    }
    const added = delta.to.nodes - delta.base.nodes;
    if (this.#merged.profile.nodes.length + added > this.#mostNodes) {
      // Nothing is acknowledged any more, so that the host sends no more.
      this.#isFull = true;
      return;
    }
    this.#merged.apply(part, delta);
    this.#statusThrottle.note();
    this.#options.post({
      ...{ type: 'ackPart', part, turn, epoch: delta.epoch as Epoch },
      revision: delta.to.revision as Revision,
    });
  }

  /** A log was truncated or replaced, is read with other choices, or its thread was started again. */
  #beginAnew(part: number): void {
    const restart = this.#parts[part]?.restart;
    const samplesBefore = this.#knownParts.reduce((sum, { status }) => sum + (status?.samples ?? 0), 0);
    const count = this.#parts.reduce((sum, status) => sum + (status?.restart?.count ?? 0), 0);
    this.#restart = restart && { ...restart, count, samplesBefore, log: this.#options.merge[part] };
    this.#beginEpoch();
  }

  #choose(threads: string | undefined): void {
    if (threads !== 'groups' && threads !== 'together') return;
    if (threads === this.#threads) return;
    this.#threads = threads;
    this.#beginEpoch();
  }

  #beginEpoch(): void {
    this.#epoch++;
    this.#isFull = false;
    this.#merged = this.#newProfile();
    this.#subscribers.begin(this.#published);
    this.#statusThrottle.note();
    this.#requestParts();
  }

  #requestParts(): void {
    for (const part of this.#parts.keys())
      this.#options.post({ type: 'subscribePart', part, turn: this.#epoch });
  }

  #newProfile(): MergedProfile {
    return new MergedProfile({ names: this.#options.merge, threads: this.#threads, samples: true });
  }

  get #published(): { readonly number: Epoch; readonly source: JournaledProfile } {
    const { profile, journal } = this.#merged;
    return { number: this.#epoch as Epoch, source: { profile, journal } };
  }

  #publish(): void {
    const now = this.#options.clock.now();
    const { state, detail } = this.#state(undefined);
    const isReading = state === 'reading';
    this.#subscribers.publish(now, isReading ? now - READING_DELTA_MS : Infinity, !isReading);
    const isDamaged = this.#parts.some((status) => status?.damage !== undefined);
    this.#statusThrottle.update(
      { epoch: this.#epoch as Epoch, state, detail, isDamaged },
      now,
      () => this.status,
    );
  }
}
