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
 * 4 MB at the most where every new node has samples of its own and hangs anywhere, a follower that takes nothing holds
 * less than 8 MB. Mostly a delta of MAX_NEW_NODES has 0.3 MB.
 */
const MAX_BYTES_UNDER_WAY = 3_500_000;

/** New nodes in the first delta of a follower: some hundred samples, whose rows are waited for. */
const FIRST_NEW_NODES = 1 << 14;

interface Follower {
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

/** What the followers follow. */
export interface FollowedEpoch {
  readonly number: Epoch;
  readonly source: JournaledProfile;
}

/**
 * Who follows the log, and how far each has come. What is new waits until the last delta is acknowledged, and all that
 * happened in between comes in one: nothing queues, however slow the follower is. Only who catches up, so that full
 * deltas wait for it, gets several at once, because each round trip passes a window that draws what it has got; and
 * these only up to a bound of bytes. This is the one place of flow control: transports send what they are given.
 */
export class Followers {
  readonly #post: (follower: FollowerId, message: ArrayBuffer) => void;
  readonly #followers = new Map<FollowerId, Follower>();
  readonly #maxJournalEntries: number;
  #epoch: FollowedEpoch;

  constructor(
    epoch: FollowedEpoch,
    post: (follower: FollowerId, message: ArrayBuffer) => void,
    maxJournalEntries = MAX_JOURNAL_ENTRIES,
  ) {
    this.#epoch = epoch;
    this.#post = post;
    this.#maxJournalEntries = maxJournalEntries;
  }

  /** A second time starts over. */
  add(id: FollowerId): void {
    this.#followers.set(id, {
      cursor: NOTHING,
      underWay: [],
      wasCut: false,
      startsOver: false,
      sentAt: -Infinity,
    });
  }

  remove(id: FollowerId): void {
    this.#followers.delete(id);
  }

  /** For this delta and all before it. Acknowledgements of others belong to an earlier life of the follower: nothing. */
  acknowledge(id: FollowerId, epoch: Epoch, revision: number): void {
    const follower = this.#followers.get(id);
    if (follower === undefined) return;
    const at = follower.underWay.findIndex((sent) => sent.epoch === epoch && sent.revision === revision);
    follower.underWay = follower.underWay.slice(at + 1);
  }

  /** All start over with the new epoch, each after it has acknowledged what it was sent of the old one. */
  begin(epoch: FollowedEpoch): void {
    this.#epoch = epoch;
    for (const follower of this.#followers.values()) {
      follower.cursor = NOTHING;
      follower.wasCut = false;
      follower.startsOver = false;
      follower.sentAt = -Infinity;
    }
  }

  /** Sends what is new to everybody who may get it and got nothing since `notSince`, or not all there was. */
  publish(now: number, notSince: number): void {
    for (const [id, follower] of this.#followers) {
      while (this.#mayGetMore(follower, notSince) && this.#send(id, follower, now));
    }
    this.#forget();
  }

  #mayGetMore({ cursor, underWay, wasCut, sentAt }: Follower, notSince: number): boolean {
    if (underWay.length === 0) return wasCut || sentAt <= notSince;
    const isOfEpoch = underWay[underWay.length - 1].epoch === this.#epoch.number;
    const waiting = this.#epoch.source.profile.nodes.length - cursor.nodes;
    const bytes = underWay.reduce((sum, sent) => sum + sent.bytes, 0);
    return isOfEpoch && (wasCut || waiting >= MAX_NEW_NODES) && bytes < MAX_BYTES_UNDER_WAY;
  }

  /** False when there is nothing new. */
  #send(id: FollowerId, follower: Follower, now: number): boolean {
    const { number, source } = this.#epoch;
    if (follower.startsOver || !canContinueFrom(source, follower.cursor)) {
      follower.cursor = NOTHING;
      follower.startsOver = false;
    }
    if (!hasNewsFor(source, follower.cursor)) return false;
    const most = follower.cursor === NOTHING ? FIRST_NEW_NODES : MAX_NEW_NODES;
    const delta = makeDelta(source, number, follower.cursor, most);
    const message = encodeDelta(delta, DELTA_PREFIX);
    const sent = { epoch: number, revision: delta.to.revision, bytes: message.byteLength };
    follower.cursor = delta.to;
    follower.underWay = [...follower.underWay, sent];
    follower.wasCut = !delta.complete;
    follower.sentAt = now;
    this.#post(id, message);
    return true;
  }

  /** Drops the changes that nobody needs any more; who holds too many back starts over. */
  #forget(): void {
    const { journal } = this.#epoch.source;
    let needed = journal.selves.revision;
    let slowest: Follower | undefined;
    for (const follower of this.#followers.values()) {
      const revision = this.#revisionNeededBy(follower);
      if (revision === undefined || revision >= needed) continue;
      needed = revision;
      slowest = follower;
    }
    for (const table of [journal.selves, journal.methods, journal.threads]) table.forgetBefore(needed);
    if (journal.selves.size > this.#maxJournalEntries && slowest !== undefined) slowest.startsOver = true;
  }

  #revisionNeededBy({ cursor, startsOver }: Follower): number | undefined {
    return startsOver || cursor === NOTHING ? undefined : cursor.revision;
  }
}
