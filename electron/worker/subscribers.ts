import { encodeDelta } from '../../shared/delta/delta-codec.ts';
import {
  canContinueFrom,
  hasNewsFor,
  type JournaledProfile,
  makeDelta,
  MAX_NEW_NODES,
} from '../../shared/delta/make-delta.ts';
import { type DeltaCursor, NOTHING } from '../../shared/delta/profile-delta.ts';
import { DELTA_PREFIX } from '../../shared/protocol/delta-message.ts';
import type { Epoch } from '../../shared/protocol/messages.ts';
import type { FollowerId } from './worker-messages.ts';

/** Changes kept for those who lag behind: 4 MB. Beyond, the slowest starts over, which costs it its copy. */
const MAX_JOURNAL_ENTRIES = 1 << 20;
/**
 * A delta leaves while others are under way only below so many bytes. With the one that crosses the line, which has
 * 4 MB at the most where every new node has samples of its own and hangs anywhere, a subscriber that takes nothing holds
 * less than 8 MB. Mostly a delta of MAX_NEW_NODES has 0.3 MB.
 */
const MAX_BYTES_UNDER_WAY = 3_500_000;

/** New nodes in the first delta of a subscriber: some hundred samples, whose rows are waited for. */
const FIRST_NEW_NODES = 1 << 14;

interface Subscriber {
  /** Where its copy stands once it has taken what is under way. */
  cursor: DeltaCursor;
  /** Deltas that it has not acknowledged, oldest first. */
  underWay: readonly Sent[];
  /** The last delta did not bring all there was. */
  wasCut: boolean;
  /** Its copy cannot be continued: the next delta is from nothing. */
  startsOver: boolean;
  /** When its last delta left; -Infinity before the first. */
  sentAt: number;
}

interface Sent {
  readonly epoch: Epoch;
  readonly revision: number;
  readonly bytes: number;
}

/** What the subscribers follow. */
export interface FollowedEpoch {
  readonly number: Epoch;
  readonly source: JournaledProfile;
}

/**
 * Who follows the log, and how far each has come. What is new waits until the last delta is acknowledged, and all that
 * happened in between comes in one: nothing queues, however slow the subscriber is. Only who catches up, so that full
 * deltas wait for it, gets several at once, because each round trip passes a window that draws what it has got; and
 * these only up to a bound of bytes. This is the one place of flow control: transports send what they are given.
 */
export class Subscribers {
  readonly #post: (subscriber: FollowerId, message: ArrayBuffer) => void;
  readonly #subscribers = new Map<FollowerId, Subscriber>();
  readonly #maxJournalEntries: number;
  #epoch: FollowedEpoch;

  constructor(
    epoch: FollowedEpoch,
    post: (subscriber: FollowerId, message: ArrayBuffer) => void,
    maxJournalEntries = MAX_JOURNAL_ENTRIES,
  ) {
    this.#epoch = epoch;
    this.#post = post;
    this.#maxJournalEntries = maxJournalEntries;
  }

  /** A second time starts over. */
  add(id: FollowerId): void {
    this.#subscribers.set(id, {
      cursor: NOTHING,
      underWay: [],
      wasCut: false,
      startsOver: false,
      sentAt: -Infinity,
    });
  }

  remove(id: FollowerId): void {
    this.#subscribers.delete(id);
  }

  /** For this delta and all before it. Acknowledgements of others belong to an earlier life of the subscriber: nothing. */
  acknowledge(id: FollowerId, epoch: Epoch, revision: number): void {
    const subscriber = this.#subscribers.get(id);
    if (subscriber === undefined) return;
    const at = subscriber.underWay.findIndex((sent) => sent.epoch === epoch && sent.revision === revision);
    subscriber.underWay = subscriber.underWay.slice(at + 1);
  }

  /** All start over with the new epoch, each after it has acknowledged what it was sent of the old one. */
  begin(epoch: FollowedEpoch): void {
    this.#epoch = epoch;
    for (const subscriber of this.#subscribers.values()) {
      subscriber.cursor = NOTHING;
      subscriber.wasCut = false;
      subscriber.startsOver = false;
      subscriber.sentAt = -Infinity;
    }
  }

  /** Sends what is new to everybody who may get it and got nothing since `notSince`, or not all there was. */
  publish(now: number, notSince: number): void {
    for (const [id, subscriber] of this.#subscribers) {
      while (this.#mayGetMore(subscriber, notSince) && this.#send(id, subscriber, now));
    }
    this.#forget();
  }

  #mayGetMore({ cursor, underWay, wasCut, sentAt }: Subscriber, notSince: number): boolean {
    if (underWay.length === 0) return wasCut || sentAt <= notSince;
    const isOfEpoch = underWay[underWay.length - 1].epoch === this.#epoch.number;
    const waiting = this.#epoch.source.profile.nodes.length - cursor.nodes;
    const bytes = underWay.reduce((sum, sent) => sum + sent.bytes, 0);
    return isOfEpoch && (wasCut || waiting >= MAX_NEW_NODES) && bytes < MAX_BYTES_UNDER_WAY;
  }

  /** False when there is nothing new. */
  #send(id: FollowerId, subscriber: Subscriber, now: number): boolean {
    const { number, source } = this.#epoch;
    if (subscriber.startsOver || !canContinueFrom(source, subscriber.cursor)) {
      subscriber.cursor = NOTHING;
      subscriber.startsOver = false;
    }
    if (!hasNewsFor(source, subscriber.cursor)) return false;
    const most = subscriber.cursor === NOTHING ? FIRST_NEW_NODES : MAX_NEW_NODES;
    const delta = makeDelta(source, number, subscriber.cursor, most);
    const message = encodeDelta(delta, DELTA_PREFIX);
    const sent = { epoch: number, revision: delta.to.revision, bytes: message.byteLength };
    subscriber.cursor = delta.to;
    subscriber.underWay = [...subscriber.underWay, sent];
    subscriber.wasCut = !delta.complete;
    subscriber.sentAt = now;
    this.#post(id, message);
    return true;
  }

  /** Drops the changes that nobody needs any more; who holds too many back starts over. */
  #forget(): void {
    const { journal } = this.#epoch.source;
    let needed = journal.selfValues.revision;
    let slowest: Subscriber | undefined;
    for (const subscriber of this.#subscribers.values()) {
      const revision = this.#revisionNeededBy(subscriber);
      if (revision === undefined || revision >= needed) continue;
      needed = revision;
      slowest = subscriber;
    }
    for (const table of [journal.selfValues, journal.methods, journal.threads]) table.forgetBefore(needed);
    if (journal.selfValues.size > this.#maxJournalEntries && slowest !== undefined) slowest.startsOver = true;
  }

  #revisionNeededBy({ cursor, startsOver }: Subscriber): number | undefined {
    return startsOver || cursor === NOTHING ? undefined : cursor.revision;
  }
}
