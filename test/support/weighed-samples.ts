import type { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { FRAME_CELLS } from '../../shared/aggregate/sample-sink.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Counts as in formats that store sums: of samples, of bytes above 2^32, of fractions of samples. */
const COUNTS = [1, 17, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 5e12, 0.1, 0.25, 1 / 3, 1e-9] as const;

/** Adds stacks that count as many samples each, or as a fraction of one. `counts` says how many. */
export function addWeighedSamples(
  aggregator: ProfileAggregator,
  random: SeededRandom,
  stacks: number,
  counts: readonly number[] = COUNTS,
): void {
  for (let each = 0; each < stacks; each++) {
    const thread = aggregator.thread(0, random.below(3));
    aggregator.openThread(thread);
    const depth = 1 + random.below(6);
    const stack = new Int32Array(depth * FRAME_CELLS);
    for (let frame = 0; frame < depth; frame++) stack[frame * FRAME_CELLS + 1] = random.below(5);
    const value = random.below(1_000_000);
    const node = aggregator.samples(thread, stack, depth, random.pick(counts), value);
    if (random.next() < 0.3) aggregator.samplesAt(node, random.pick(counts), value);
  }
}
