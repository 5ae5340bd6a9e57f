import { expect, test } from 'vitest';
import { Subscribers } from '../../../electron/worker/subscribers.ts';
import { FRAME_CELLS } from '../../../shared/aggregate/sample-sink.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { MAX_NEW_NODES } from '../../../shared/delta/make-delta.ts';
import type { Epoch, Revision } from '../../../shared/protocol/messages.ts';
import { leanText, MirroredCopy } from '../../support/mirrored-copy.ts';
import { stackCells } from '../../support/stack-cells.ts';

/** Call nodes that go in a small first delta, two full ones and one more. */
const FOUR_DELTAS = 2 * MAX_NEW_NODES + 40_000;

interface Sent {
  readonly epoch: Epoch;
  readonly revision: Revision;
  readonly bytes: number;
}

/** A profile that a test samples, and subscribers that acknowledge when it says so. */
class Followed {
  readonly aggregator = new ProfileAggregator({ journal: true, samples: true });
  readonly copies = new Map<number, MirroredCopy>();
  readonly #unacknowledged = new Map<number, Sent[]>();
  readonly subscribers: Subscribers;
  #now = 0;

  constructor(maxJournalEntries?: number) {
    const source = { profile: this.aggregator.profile, journal: this.aggregator.journal! };
    this.subscribers = new Subscribers(
      { number: 0 as Epoch, source },
      (id, message) => {
        const ack = this.copies.get(id)!.apply(message);
        this.#unacknowledged.get(id)!.push({ ...ack, bytes: message.byteLength });
      },
      maxJournalEntries,
    );
  }

  add(id: number, wantsSamples = false): MirroredCopy {
    const copy = new MirroredCopy();
    this.copies.set(id, copy);
    this.subscribers.add(id, wantsSamples);
    this.#unacknowledged.set(id, []);
    return copy;
  }

  /** One sample of each of these methods, called by nobody, and a round of deltas. */
  sample(...methods: readonly number[]): void {
    const thread = this.aggregator.thread(0, 1);
    for (const method of methods) {
      this.aggregator.sample(thread, stackCells([0, method, 1, 1]), 1, 1);
    }
    this.publish();
  }

  publish(): void {
    this.subscribers.publish(++this.#now, Infinity, true);
  }

  /** The oldest delta under way, or as many as are named. */
  acknowledge(id: number, count = 1): void {
    const ack = this.#unacknowledged.get(id)!.splice(0, count)[count - 1];
    this.subscribers.acknowledge(id, ack.epoch, ack.revision);
    this.publish();
  }

  underWay(id: number): { readonly deltas: number; readonly bytes: number } {
    const sent = this.#unacknowledged.get(id)!;
    return { deltas: sent.length, bytes: sent.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** A stack of so many frames that nobody has seen, below one that is new as well. */
  sampleDeep(frames: number): void {
    const root = this.aggregator.profile.nodes.length;
    const stack = new Int32Array(frames * FRAME_CELLS);
    for (let at = 0; at < frames; at++) stack[at * FRAME_CELLS + 1] = at === frames - 1 ? root : at & 0xff;
    this.aggregator.sample(this.aggregator.thread(0, 1), stack, frames, 1);
  }

  get lean(): string {
    return leanText(this.aggregator.profile);
  }

  get kept(): number {
    return this.aggregator.journal!.selfValues.size;
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
  followed.subscribers.remove(2);
  followed.subscribers.remove(1);
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

test('when times are converted, everyone starts over, and gets the converted ones', () => {
  const followed = new Followed();
  const { aggregator } = followed;
  const [plain, timed] = [followed.add(1), followed.add(2, true)];
  aggregator.takenAt(100n, 8);
  followed.sample(0, 1);
  for (const id of [1, 2]) followed.acknowledge(id);
  expect(followed.subscribers.areCaughtUp).toBe(true);
  aggregator.convertTimes((ns) => ns / 2, 100n, 50n);
  expect(followed.subscribers.areCaughtUp).toBe(false);
  followed.publish();
  expect(plain.snapshots).toBe(2);
  expect(timed.snapshots).toBe(2);
  for (const id of [1, 2]) followed.acknowledge(id);
  expect(followed.subscribers.areCaughtUp).toBe(true);
  const { samples } = timed.profile;
  expect([0, 1].map((row) => samples!.timeOf(row))).toEqual([54n, 54n]);
  expect(timed.lean).toBe(followed.lean);
});

test('following a second time starts over, and the acknowledgement of the first life is nothing', () => {
  const followed = new Followed();
  followed.add(1);
  followed.sample(1, 2);
  const firstLife = followed.copies.get(1)!;
  const copy = followed.add(1);
  followed.publish();
  followed.subscribers.acknowledge(1, 0 as Epoch, firstLife.cursor.revision);
  followed.sample(3);
  expect([copy.deltas, copy.snapshots]).toEqual([1, 1]);
  followed.acknowledge(1);
  expect(copy.lean).toBe(followed.lean);
});

test('a profile too large for one delta comes in several, and what is full waits for no acknowledgement', () => {
  const followed = new Followed();
  followed.sampleDeep(FOUR_DELTAS);
  const copy = followed.add(1);
  followed.publish();
  expect([copy.deltas, copy.complete, copy.profile.nodes.length]).toEqual([4, true, FOUR_DELTAS + 1]);
  // The first is small: rows of it are waited for.
  const { bytes } = followed.underWay(1);
  followed.sample(1);
  expect(followed.underWay(1)).toEqual({ deltas: 4, bytes });
  followed.acknowledge(1);
  expect(bytes - followed.underWay(1).bytes).toBeLessThan(bytes / 15);
  followed.acknowledge(1, 2);
  expect(followed.underWay(1).deltas).toBe(1);
  followed.acknowledge(1);
  expect([copy.deltas, copy.lean]).toEqual([5, followed.lean]);
});

test('what is under way is bounded, whatever there is and however long nothing is acknowledged', () => {
  const followed = new Followed();
  const copy = followed.add(1);
  for (let round = 0; round < 25; round++) {
    followed.sampleDeep(100_000);
    followed.publish();
    expect(followed.underWay(1).bytes).toBeLessThan(8_000_000);
  }
  expect(followed.underWay(1).bytes).toBeGreaterThan(3_000_000);
  expect(copy.profile.nodes.length).toBeLessThan(2_000_000);
  while (followed.underWay(1).deltas > 0) {
    followed.acknowledge(1);
    expect(followed.underWay(1).bytes).toBeLessThan(8_000_000);
  }
  expect(copy.snapshots).toBe(1);
  expect(copy.lean).toBe(followed.lean);
});

test('so it is where each node hangs anywhere and has samples of its own', () => {
  const followed = new Followed();
  followed.add(1);
  for (let round = 0; round < 4; round++) {
    const thread = followed.aggregator.thread(0, 1);
    for (let method = 0; method < 100_000; method++)
      followed.aggregator.sample(thread, stackCells([0, round * 100_000 + method, 1, 1]), 1, 1);
    followed.publish();
    expect(followed.underWay(1).bytes).toBeLessThan(8_000_000);
  }
  expect(followed.underWay(1).bytes).toBeGreaterThan(3_000_000);
});

test('only who asks for samples gets them, and provisional ones are taken back', () => {
  const followed = new Followed();
  const { aggregator } = followed;
  const [asking, other] = [followed.add(1, true), followed.add(2)];
  const thread = aggregator.thread(0, 1);
  const timesOf = ({ profile: { samples } }: MirroredCopy): readonly string[] =>
    Array.from(
      { length: samples!.length },
      (_, row) => `${samples!.timeOf(row)} ${samples!.value.text(row)}`,
    );
  aggregator.takenAt(1_000n, 5);
  followed.sample(7);
  aggregator.takenAt(1_000n, 2);
  aggregator.provisionalSample(thread, stackCells([0, 7, 1, 1]), 1, 30);
  followed.acknowledge(1);
  expect(timesOf(asking)).toEqual(['1005 1', '1002 30']);
  aggregator.withdrawProvisional();
  followed.acknowledge(1);
  expect(timesOf(asking)).toEqual(['1005 1']);
  aggregator.takenAt(1_000n, 2);
  aggregator.provisionalSample(thread, stackCells([0, 7, 1, 1]), 1, 40);
  aggregator.takenAt(1_000n, 3);
  aggregator.provisionalSampleAt(aggregator.profile.threads.root[thread] + 1, 50);
  followed.acknowledge(1);
  expect(timesOf(asking)).toEqual(['1005 1', '1002 40', '1003 50']);
  aggregator.takenAt(1_000n, 2);
  aggregator.sample(thread, stackCells([0, 8, 1, 1]), 1, 2n ** 60n + 1n);
  followed.acknowledge(1);
  expect(timesOf(asking)).toEqual(['1005 1', `1002 ${2n ** 60n + 1n}`]);
  followed.acknowledge(2);
  expect([other.lean, timesOf(other)]).toEqual([asking.lean, []]);
});

test('a new epoch comes after what is under way of the old one', () => {
  const followed = new Followed();
  const copy = followed.add(1);
  followed.sampleDeep(FOUR_DELTAS);
  followed.publish();
  const next = new ProfileAggregator({ journal: true });
  next.sample(next.thread(0, 2), stackCells([0, 1, 1, 1]), 1, 1);
  followed.subscribers.begin({
    number: 1 as Epoch,
    source: { profile: next.profile, journal: next.journal! },
  });
  followed.acknowledge(1, 3);
  expect([copy.epoch, copy.deltas]).toEqual([0, 4]);
  followed.acknowledge(1);
  expect([copy.epoch, copy.lean]).toEqual([1, leanText(next.profile)]);
});
