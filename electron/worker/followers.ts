import { encodeDelta } from '../../shared/delta/delta-codec.ts';
import {
  canContinueFrom,
  hasNewsFor,
  type JournaledProfile,
  makeDelta,
} from '../../shared/delta/make-delta.ts';
import { type DeltaCursor, NOTHING } from '../../shared/delta/profile-delta.ts';
import { DELTA_PREFIX } from '../../shared/protocol/delta-message.ts';
import type { Epoch } from '../../shared/protocol/messages.ts';
import type { FollowerId } from './worker-messages.ts';

/** Changes kept for those who lag behind: 16 MB. Beyond, the slowest starts over, which costs it its copy. */
const MAX_JOURNAL_ENTRIES = 4 << 20;

interface Follower {
  /** Where its copy stands. */
  cursor: DeltaCursor;
  /** The delta that it has not acknowledged. */
  inFlight: { readonly epoch: Epoch; readonly to: DeltaCursor; readonly complete: boolean } | undefined;
  /** Its copy cannot be continued: the next delta is from nothing. */
  startsOver: boolean;
  /** When its last delta left; -Infinity before the first. */
  sentAt: number;
}

/** What the followers follow. */
export interface FollowedEpoch {
  readonly number: Epoch;
  readonly source: JournaledProfile;
}

/**
 * Who follows the log, and how far each has come. A follower has one unacknowledged delta at most; the next holds all
 * that happened in between, so that nothing queues, however slow it is.
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
      inFlight: undefined,
      startsOver: false,
      sentAt: -Infinity,
    });
  }

  remove(id: FollowerId): void {
    this.#followers.delete(id);
  }

  /** Acknowledgements of what is not in flight belong to an earlier life of the follower: nothing. */
  acknowledge(id: FollowerId, epoch: Epoch, revision: number): void {
    const follower = this.#followers.get(id);
    const sent = follower?.inFlight;
    if (follower === undefined || sent?.epoch !== epoch || sent.to.revision !== revision) return;
    follower.inFlight = undefined;
    if (epoch === this.#epoch.number) follower.cursor = sent.to;
    // The rest of a copy that is being built does not wait for the next round.
    if (!sent.complete) follower.sentAt = -Infinity;
  }

  /** All start over with the new epoch, each after it has acknowledged what it was sent of the old one. */
  begin(epoch: FollowedEpoch): void {
    this.#epoch = epoch;
    for (const follower of this.#followers.values()) {
      follower.cursor = NOTHING;
      follower.startsOver = false;
      follower.sentAt = -Infinity;
    }
  }

  /** Sends what is new to everybody who may get it and got nothing since `notSince`. */
  publish(now: number, notSince: number): void {
    for (const [id, follower] of this.#followers) {
      if (follower.inFlight === undefined && follower.sentAt <= notSince) this.#send(id, follower, now);
    }
    this.#forget();
  }

  #send(id: FollowerId, follower: Follower, now: number): void {
    const { number, source } = this.#epoch;
    if (follower.startsOver || !canContinueFrom(source, follower.cursor)) {
      follower.cursor = NOTHING;
      follower.startsOver = false;
    }
    if (!hasNewsFor(source, follower.cursor)) return;
    const delta = makeDelta(source, number, follower.cursor);
    follower.inFlight = { epoch: number, to: delta.to, complete: delta.complete };
    follower.sentAt = now;
    this.#post(id, encodeDelta(delta, DELTA_PREFIX));
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

  #revisionNeededBy({ inFlight, cursor, startsOver }: Follower): number | undefined {
    if (startsOver) return undefined;
    if (inFlight?.epoch === this.#epoch.number) return inFlight.to.revision;
    return cursor === NOTHING ? undefined : cursor.revision;
  }
}
