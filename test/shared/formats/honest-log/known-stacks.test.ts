import { describe, expect, test } from 'vitest';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import { FRAME_CELLS } from '../../../../shared/aggregate/sample-sink.ts';
import { KnownStacks, type StackHash } from '../../../../shared/formats/honest-log/known-stacks.ts';
import { sampledHash } from '../../../../shared/formats/honest-log/known-stacks.ts';
import { NONE } from '../../../../shared/profile/columns.ts';
import { NO_LINE } from '../../../../shared/profile/frame-table.ts';
import { bciFrame, frame, log, zeros } from '../../../support/log-bytes.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { testSize } from '../../../support/test-size.ts';

const { seed, randomFor } = testSeed('known stacks');

const SCENARIOS = testSize(30, 600);

type Frame = readonly [id: number, bci: number, line: number | undefined];

/** Known stacks of one profile: what is looked up and not known is sampled, as the decoder does. */
class LookedUp {
  readonly aggregator = new ProfileAggregator();
  readonly #stacks: KnownStacks;

  constructor(slotCount?: number, hashOf: StackHash = sampledHash) {
    this.#stacks = new KnownStacks(this.aggregator.paths, { slotCount, hashOf });
  }

  /** The node where the stack ends, and whether it was known. */
  look(threadId: number, frames: readonly Frame[], behind = 0): { node: number; known: boolean } {
    const { aggregator } = this;
    const thread = aggregator.thread(0, threadId);
    aggregator.openThread(thread);
    const stackBytes = log(
      ...frames.map(([id, bci, line]) => (line === undefined ? bciFrame(id, bci) : frame(id, bci, line))),
    );
    const input = log(stackBytes, zeros(behind));
    const found = this.#stacks.find(thread, input, new DataView(input.buffer), 0, frames.length);
    if (found !== NONE) {
      if (this.#stacks.foundEnd !== stackBytes.length) throw new Error(`it ends at ${this.#stacks.foundEnd}`);
      return { node: found, known: true };
    }
    const cells = Int32Array.from(
      frames.flatMap(([id, bci, line]) => [Math.floor(id / 2 ** 32), id | 0, line ?? NO_LINE, bci]),
    );
    const node = aggregator.sample(thread, cells, cells.length / FRAME_CELLS, 1);
    this.#stacks.endedAt(node);
    return { node, known: false };
  }

  /** Looking up rests at first. */
  warmUp(): void {
    for (let trace = 0; trace < 1_100; trace++) this.look(99, [[1, 1, 1]], 40);
  }
}

test('a stack that is known is the right one, however few slots there are and whatever the hash', () => {
  let known = 0;
  for (let scenario = 0; scenario < SCENARIOS; scenario++) {
    const random = randomFor(scenario);
    const stacks = new LookedUp([4, 8, 256][scenario % 3], scenario % 5 === 0 ? () => 7 : sampledHash);
    const lineCount = scenario % 2 === 0 ? 4 : 300;
    const nodes = new Map<string, number>();
    for (let trace = 0; trace < 4_000; trace++) {
      const thread = random.below(3);
      const frames = Array.from({ length: 1 + random.below(3) }, (): Frame => {
        const line = random.below(lineCount);
        return [7, line % 4 === 0 ? line : 1, line % 4 === 0 ? undefined : line];
      });
      // Some at the very end of what is there.
      const found = stacks.look(thread, frames, random.pick([0, 3, 40]));
      const stack = `${thread}: ${frames.join()}`;
      if (found.known) known++;
      // Without `expect`, which would take nearly all of the time of 120 000 stacks.
      if (found.node !== (nodes.get(stack) ?? found.node))
        throw new Error(
          `SEED=${seed} scenario ${scenario}, ${stack}: node ${found.node}, not ${nodes.get(stack)}`,
        );
      nodes.set(stack, found.node);
    }
    expect(new Set(nodes.values()).size).toBe(nodes.size);
  }
  expect(known, `SEED=${seed}`).toBeGreaterThan(SCENARIOS * 150);
});

describe('stacks of equal hashes are told apart', () => {
  const MSB = -0x8000_0000;
  const STACK: readonly Frame[] = [
    [5, 3, 12],
    [6, 4, 13],
    [7, 5, 14],
  ];
  test.each<[string, readonly Frame[]]>([
    ['the method of one frame', [STACK[0], [9, 4, 13], STACK[2]]],
    ['the BCI of one frame', [STACK[0], [6, 9, 13], STACK[2]]],
    ['the line of one frame', [STACK[0], STACK[1], [7, 5, 15]]],
    ['the upper bits of all fields', [[5 | MSB, 3 | MSB, 12 | MSB], STACK[1], STACK[2]]],
    ['the kind of one frame', [STACK[0], STACK[1], [7, 5, undefined]]],
  ])('%s', (_, other) => {
    const stacks = new LookedUp(4, () => 7);
    stacks.warmUp();
    const first = stacks.look(1, STACK, 40);
    const second = stacks.look(1, other, 40);
    expect([first.known, second.known]).toEqual([false, false]);
    expect(stacks.look(1, STACK, 40)).toEqual({ node: first.node, known: true });
    expect(stacks.look(1, other, 40)).toEqual({ node: second.node, known: true });
    expect(second.node).not.toBe(first.node);
  });

  test('another thread', () => {
    const stacks = new LookedUp(4, () => 7);
    stacks.warmUp();
    const nodes = [1, 2, 1, 2].map((thread) => stacks.look(thread, STACK, 40));
    expect(nodes.map(({ known }) => known)).toEqual([false, false, true, true]);
    expect([nodes[2].node, nodes[3].node]).toEqual([nodes[0].node, nodes[1].node]);
    expect(nodes[0].node).not.toBe(nodes[1].node);
  });
});

test('the hash differs where a frame next to the leaf does, and for most others', () => {
  const random = randomFor(-1);
  const hashOf = (frames: readonly Frame[]): number => {
    const input = log(...frames.map(([id, bci, line]) => frame(id, bci, line ?? 0)));
    return sampledHash(input, new DataView(input.buffer), 0, frames.length);
  };
  const hashes = new Set<number>();
  const stacks = new Set<string>();
  while (stacks.size < 20_000) {
    const frames = Array.from({ length: 4 }, (): Frame => [
      random.below(64) * 8,
      random.below(9),
      random.below(9),
    ]);
    stacks.add(frames.join());
    hashes.add(hashOf(frames));
  }
  // 20 000² / 2 pairs, each with a chance of one in 2³²: 0.05 are to be expected.
  expect(stacks.size - hashes.size, `SEED=${seed}`).toBeLessThan(4);
});

test('where stacks are never seen again it soon stops looking', () => {
  const stacks = new LookedUp();
  for (let line = 0; line < 1_100; line++) expect(stacks.look(0, [[7, 1, line]]).known).toBe(false);
  expect(stacks.look(0, [[7, 1, 3]]).known).toBe(false);
});
