import { expect, test } from 'vitest';
import { Followers } from '../../../../electron/worker/followers.ts';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import type { Epoch } from '../../../../shared/protocol/messages.ts';
import { leanText, MirroredCopy } from '../../../support/mirrored-copy.ts';

/** A profile that a test samples, and followers that acknowledge when it says so. */
class Followed {
  readonly aggregator = new ProfileAggregator({ journal: true });
  readonly copies = new Map<number, MirroredCopy>();
  readonly #unacknowledged = new Map<number, ReturnType<MirroredCopy['apply']>>();
  readonly followers: Followers;
  #now = 0;

  constructor(maxJournalEntries?: number) {
    const source = { profile: this.aggregator.profile, journal: this.aggregator.journal! };
    this.followers = new Followers(
      { number: 0 as Epoch, source },
      (id, message) => {
        expect(this.#unacknowledged.has(id)).toBe(false);
        this.#unacknowledged.set(id, this.copies.get(id)!.apply(message));
      },
      maxJournalEntries,
    );
  }

  add(id: number): MirroredCopy {
    const copy = new MirroredCopy();
    this.copies.set(id, copy);
    this.followers.add(id);
    this.#unacknowledged.delete(id);
    return copy;
  }

  /** One sample of each of these methods, called by nobody, and a round of deltas. */
  sample(...methods: readonly number[]): void {
    const thread = this.aggregator.thread(0, 1);
    for (const method of methods) {
      this.aggregator.sample(thread, Int32Array.of(this.aggregator.frame(0, method, 1, 1)), 1, 1);
    }
    this.publish();
  }

  publish(): void {
    this.followers.publish(++this.#now, Infinity);
  }

  acknowledge(id: number): void {
    const ack = this.#unacknowledged.get(id)!;
    this.#unacknowledged.delete(id);
    this.followers.acknowledge(id, ack.epoch, ack.revision);
    this.publish();
  }

  get lean(): string {
    return leanText(this.aggregator.profile);
  }

  get kept(): number {
    return this.aggregator.journal!.selves.size;
  }
}

const methods = (count: number) => Array.from({ length: count }, (_, method) => method);

test('changes are kept for the slowest, and no longer', () => {
  const followed = new Followed();
  followed.add(1);
  followed.add(2);
  followed.sample(...methods(10));
  followed.acknowledge(1);
  followed.acknowledge(2);
  for (let round = 0; round < 5; round++) {
    followed.sample(0, 1, 2);
    followed.acknowledge(1);
  }
  // The second has the first round under way; the other four are kept for it.
  expect(followed.kept).toBe(12);
  followed.acknowledge(2);
  followed.acknowledge(2);
  expect(followed.kept).toBe(0);
  expect(followed.copies.get(2)!.lean).toBe(followed.lean);
  expect(followed.copies.get(2)!.snapshots).toBe(1);
  followed.followers.remove(2);
  followed.followers.remove(1);
  for (let round = 0; round < 100; round++) followed.sample(...methods(10));
  expect(followed.kept).toBe(10);
});

test('who holds back too much starts over, and the others do not', () => {
  const followed = new Followed(50);
  const quick = followed.add(1);
  const slow = followed.add(2);
  followed.sample(...methods(20));
  followed.acknowledge(1);
  for (let round = 0; round < 30; round++) {
    followed.sample(...methods(20));
    followed.acknowledge(1);
    expect(followed.kept).toBeLessThan(100);
  }
  expect([slow.deltas, slow.snapshots]).toEqual([1, 1]);
  followed.acknowledge(2);
  expect([slow.deltas, slow.snapshots]).toEqual([2, 2]);
  expect(slow.lean).toBe(followed.lean);
  expect([quick.snapshots, quick.lean]).toEqual([1, followed.lean]);
});

test('following a second time starts over, and the acknowledgement of the first life is nothing', () => {
  const followed = new Followed();
  followed.add(1);
  followed.sample(1, 2);
  const firstLife = followed.copies.get(1)!;
  const copy = followed.add(1);
  followed.publish();
  followed.followers.acknowledge(1, 0 as Epoch, firstLife.cursor.revision);
  followed.sample(3);
  expect([copy.deltas, copy.snapshots]).toEqual([1, 1]);
  followed.acknowledge(1);
  expect(copy.lean).toBe(followed.lean);
});

test('a profile too large for one delta comes in several, one after the other', () => {
  const followed = new Followed();
  const thread = followed.aggregator.thread(0, 1);
  const stack = Int32Array.from({ length: 700_000 }, (_, at) =>
    followed.aggregator.frame(0, at & 0xff, 1, 1),
  );
  followed.aggregator.sample(thread, stack, stack.length, 1);
  const copy = followed.add(1);
  followed.publish();
  const completes: boolean[] = [];
  for (let round = 0; round < 4; round++) {
    completes.push(copy.complete);
    if (copy.complete) break;
    followed.acknowledge(1);
  }
  expect(completes).toEqual([false, false, true]);
  expect(copy.profile.nodes.length).toBe(700_001);
});
