import { encodeDelta } from '../../shared/delta/delta-codec.ts';
import {
  canContinueFrom,
  hasChangesSince,
  type JournaledProfile,
  makeDelta,
  MAX_NEW_NODES,
} from '../../shared/delta/make-delta.ts';
import { type DeltaCursor, isNothing, NOTHING } from '../../shared/delta/profile-delta.ts';
import { DELTA_PREFIX } from '../../shared/protocol/transport.ts';
import type { Epoch } from '../../shared/protocol/messages.ts';
import type { SubscriberId } from './worker-messages.ts';

/**
 * Most changes kept for subscribers that lag behind; 4 MB. With more changes the slowest subscriber starts over from an
 * empty profile.
 */
const MAX_JOURNAL_ENTRIES = 1 << 20;
/**
 * A further delta is sent only while fewer bytes than this are unacknowledged. So a subscriber that acknowledges nothing
 * gets at most this and one delta. A delta with MAX_NEW_NODES usually has 0.6 MB.
 */
const MAX_UNACKNOWLEDGED_BYTES = 3_500_000;

/** While a backlog is read, a subscriber gets a delta this often: each takes host and window some milliseconds. */
export const READING_DELTA_MS = 200;

/** Most new nodes in the first delta of a subscriber. Few, because the user waits for the first rows. */
const FIRST_NEW_NODES = 1 << 14;

interface Subscriber {
  readonly wantsSamples: boolean;
  /** The cursor of its copy when it has applied everything that was sent. */
  cursor: DeltaCursor;
  /** Deltas that it has not acknowledged, oldest first. */
  unacknowledged: readonly Sent[];
  /** The last delta was truncated to its size limit: more rows exist already. */
  wasTruncated: boolean;
  /** Its copy cannot be continued: the next delta starts from an empty profile. */
  startsOver: boolean;
  /** When its last delta was sent; -Infinity before the first. */
  sentAt: number;
  /** Epoch of its last delta; undefined before the first. */
  sentEpoch: Epoch | undefined;
}

interface Sent {
  readonly epoch: Epoch;
  readonly revision: number;
  readonly bytes: number;
}

/** The epoch whose growth is sent to subscribers. */
export interface PublishedEpoch {
  readonly number: Epoch;
  readonly source: JournaledProfile;
}

/**
 * Sends deltas to the clients that subscribed to the log. Flow control for deltas is here: transports send everything at
 * once. The next delta is made after the last one was acknowledged, and contains all changes since then, so no queue
 * builds up for a slow subscriber. A subscriber that is at least one full delta behind gets several at once, up to a
 * limit in bytes, because its acknowledgements are delayed while its window draws.
 */
export class Subscribers {
  readonly #post: (subscriber: SubscriberId, message: ArrayBuffer) => void;
  readonly #subscribers = new Map<SubscriberId, Subscriber>();
  readonly #maxJournalEntries: number;
  #epoch: PublishedEpoch;

  constructor(
    epoch: PublishedEpoch,
    post: (subscriber: SubscriberId, message: ArrayBuffer) => void,
    maxJournalEntries = MAX_JOURNAL_ENTRIES,
  ) {
    this.#epoch = epoch;
    this.#post = post;
    this.#maxJournalEntries = maxJournalEntries;
  }

  /** A subscriber that is added again starts over from an empty profile. */
  add(id: SubscriberId, wantsSamples: boolean): void {
    const sentEpoch = this.#subscribers.get(id)?.sentEpoch;
    this.#subscribers.set(id, {
      wantsSamples,
      cursor: NOTHING,
      unacknowledged: [],
      wasTruncated: false,
      startsOver: false,
      sentAt: -Infinity,
      sentEpoch,
    });
  }

  remove(id: SubscriberId): void {
    this.#subscribers.delete(id);
  }

  /** Acknowledges this delta and all before it. Acknowledgements of an earlier subscription are ignored. */
  acknowledge(id: SubscriberId, epoch: Epoch, revision: number): void {
    const subscriber = this.#subscribers.get(id);
    if (subscriber === undefined) return;
    const at = subscriber.unacknowledged.findIndex(
      (sent) => sent.epoch === epoch && sent.revision === revision,
    );
    subscriber.unacknowledged = subscriber.unacknowledged.slice(at + 1);
  }

  /** Whether all have acknowledged everything. */
  get areCaughtUp(): boolean {
    return [...this.#subscribers.values()].every((subscriber) => {
      const { cursor, unacknowledged, wasTruncated, startsOver } = subscriber;
      const isIdle = unacknowledged.length === 0 && !wasTruncated && !startsOver;
      return isIdle && !hasChangesSince(this.#sourceFor(subscriber), cursor);
    });
  }

  /** The profile that a subscriber gets. */
  #sourceFor({ wantsSamples }: Subscriber): JournaledProfile {
    const { source } = this.#epoch;
    return wantsSamples ? { ...source, samples: source.profile.samples } : source;
  }

  /** All start over with the new epoch, each after it has acknowledged what was sent of the old one. */
  begin(epoch: PublishedEpoch): void {
    this.#epoch = epoch;
    for (const subscriber of this.#subscribers.values()) {
      subscriber.cursor = NOTHING;
      subscriber.wasTruncated = false;
      subscriber.startsOver = false;
      subscriber.sentAt = -Infinity;
    }
  }

  /**
   * Sends the next deltas to the subscribers that may get more. `before`: a subscriber that has acknowledged everything
   * gets a delta only if its last one was sent by then, or was truncated. `isCaughtUp`: the epoch is read to its end; an
   * epoch without rows is then sent too, so that copies of an earlier epoch become empty.
   */
  publish(now: number, before: number, isCaughtUp: boolean): void {
    for (const [id, subscriber] of this.#subscribers) {
      while (this.#mayGetMore(subscriber, before) && this.#send(id, subscriber, now, isCaughtUp));
    }
    this.#forget();
  }

  #mayGetMore({ cursor, unacknowledged, wasTruncated, sentAt }: Subscriber, before: number): boolean {
    if (unacknowledged.length === 0) return wasTruncated || sentAt <= before;
    const isOfEpoch = unacknowledged[unacknowledged.length - 1].epoch === this.#epoch.number;
    const waiting = this.#epoch.source.profile.nodes.length - cursor.nodes;
    const bytes = unacknowledged.reduce((sum, sent) => sum + sent.bytes, 0);
    return isOfEpoch && (wasTruncated || waiting >= MAX_NEW_NODES) && bytes < MAX_UNACKNOWLEDGED_BYTES;
  }

  /** Sends a delta. False if there is nothing new. */
  #send(id: SubscriberId, subscriber: Subscriber, now: number, isCaughtUp: boolean): boolean {
    const { number } = this.#epoch;
    const source = this.#sourceFor(subscriber);
    if (subscriber.startsOver || !canContinueFrom(source, subscriber.cursor)) {
      subscriber.cursor = NOTHING;
      subscriber.startsOver = false;
    }
    // A client that connects again may have a copy of an earlier epoch, of which this subscriber was sent nothing.
    const hasEarlierEpoch = number > 0 && subscriber.sentEpoch !== number;
    if (!hasChangesSince(source, subscriber.cursor) && !(isCaughtUp && hasEarlierEpoch)) return false;
    const most = isNothing(subscriber.cursor) ? FIRST_NEW_NODES : MAX_NEW_NODES;
    const delta = makeDelta(source, number, subscriber.cursor, most);
    const message = encodeDelta(delta, DELTA_PREFIX);
    const sent = { epoch: number, revision: delta.to.revision, bytes: message.byteLength };
    subscriber.cursor = delta.to;
    subscriber.unacknowledged = [...subscriber.unacknowledged, sent];
    subscriber.wasTruncated = !delta.complete;
    subscriber.sentAt = now;
    subscriber.sentEpoch = number;
    this.#post(id, message);
    return true;
  }

  /** Drops the changes that no subscriber needs any more. If too many are left, the slowest subscriber starts over. */
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
    return startsOver || isNothing(cursor) ? undefined : cursor.revision;
  }
}
