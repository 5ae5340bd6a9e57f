import { MemoryBudget } from '../../../../shared/aggregate/memory-budget.ts';
import { expect, test, vi } from 'vitest';
import { STATE_BITS, STATES } from '../../../../shared/formats/jfr/sample-counts.ts';
import { SampleGroups } from '../../../../shared/formats/jfr/sample-groups.ts';
import { NONE } from '../../../../shared/profile/columns.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { testSeed } from '../../../support/test-seed.ts';

/** The emitted groups, `thread stack state class: count value`, sorted; keys as they were added. */
function taken(groups: SampleGroups): string[] {
  const { threads, stacks, states, classes } = groups;
  const key = ({ hi, lo }: typeof threads, row: number): string =>
    row === NONE ? '-' : hi[row] === 0 ? `${lo[row]}` : `${hi[row]},${lo[row]}`;
  const sums = new Map<string, [count: number, value: number]>();
  groups.takeAll((thread, stack, state, klass, count, value) => {
    const parts = [key(threads, thread), key(stacks, stack), key(states, state), key(classes, klass)];
    const [counted, summed] = sums.get(parts.join(' ')) ?? [0, 0];
    sums.set(parts.join(' '), [counted + count, summed + value]);
  });
  return [...sums].map(([parts, [count, value]]) => `${parts}: ${count} ${value}`).sort();
}

test('samples that read alike count together, however they came', () => {
  const groups = new SampleGroups(new MemoryBudget());
  groups.addOne(1, 7, 3);
  groups.addOne(1, 7, NONE);
  groups.add(1, 7, 3, NONE, 40, 0);
  groups.addOne(2, 7, 3);
  groups.addOne(1, 7, 3);
  groups.add(1, 7, 3, 9, 1, 4096);
  groups.add(groups.threads.short(5, 6), 7, NONE, NONE, 1, 1);
  expect(taken(groups)).toEqual([
    '1 7 - -: 1 0',
    '1 7 3 -: 42 0',
    '1 7 3 9: 1 4096',
    '2 7 3 -: 1 0',
    '5,6 7 - -: 1 1',
  ]);
  expect(taken(groups)).toEqual([]);
});

test.each([false, true])(
  'samples of a batch are counted by index, none by its hash; times: %s',
  (keepTimes) => {
    const groups = new SampleGroups(new MemoryBudget(), keepTimes);
    const add = vi.spyOn(groups, 'add');
    const batch = Int32Array.from({ length: 2000 }, (_, at) =>
      at % 2 === 0 ? at % 70 : ((at % 9) << STATE_BITS) | 1,
    );
    groups.addBatch(batch, batch.length, new Float64Array(1000));
    expect(add).not.toHaveBeenCalled();
    expect(groups.times?.length).toBe(keepTimes ? 1000 : undefined);
  },
);

/** Most of a few kinds, as in a recording; some of keys that are too many or too large for an index. */
const DISTRIBUTIONS: Readonly<Record<string, (random: SeededRandom) => readonly [number, number, number]>> = {
  'more of a kind than a byte counts': (random) => [random.below(2), random.below(3), 1],
  'few threads, many stacks': (random) => [random.below(8), random.below(20_000), random.below(3)],
  'many threads': (random) => [random.below(9_000), random.below(50), 1],
  'many states': (random) => [random.below(4), random.below(40), random.below(40) - 1],
  'large keys': (random) => [random.below(5) * 7_000_001, random.below(90) * 1_000_003, 2],
};

test.each(Object.keys(DISTRIBUTIONS))(
  'where times are kept, each is that of its sample: %s',
  (distribution) => {
    const { randomFor } = testSeed(`jfr times, ${distribution}`);
    const random = randomFor(0);
    const groups = new SampleGroups(new MemoryBudget(), true);
    for (let chunk = 0; chunk < 2; chunk++) {
      /** Ticks -> the keys of the sample, its value and how many it stands for. */
      const samples: string[] = [];
      const batch: number[] = [];
      const ticks: number[] = [];
      const count = (): void => {
        groups.addBatch(Int32Array.from(batch), batch.length, Float64Array.from(ticks));
        batch.length = 0;
        ticks.length = 0;
      };
      for (let sample = 0; sample < 30_000; sample++) {
        const [thread, stack, state] = DISTRIBUTIONS[distribution](random);
        const way = random.below(50);
        const weight = way === 0 ? 1 + random.below(3) : 1;
        const value = way < 2 ? random.below(90) : 0;
        samples.push(`${thread} ${stack} ${state === NONE ? '-' : state} - ${value} ${weight}`);
        if (way > 9 && thread < 1 << 21 && state < STATES) {
          batch.push(stack, (thread << STATE_BITS) | (state + 1));
          ticks.push(sample);
          if (batch.length === 128) count();
          continue;
        }
        count();
        groups.ticks = sample;
        if (way < 2) groups.add(thread, stack, state, NONE, weight, value);
        else groups.addOne(thread, stack, state);
      }
      count();
      const numbers = groups.numberGroups();
      const { times } = groups;
      const length = times?.length ?? 0;
      const keysOf: string[] = [];
      const counted = new Float64Array(numbers);
      const { threads, stacks, states } = groups;
      groups.takeAll((thread, stack, state, _, taken, __, group) => {
        // Without `expect`, which would take most of the time of tens of thousands of groups.
        if (group >= numbers || group in keysOf) expect.fail(`group ${group} of ${numbers}`);
        const named = state === NONE ? '-' : states.lo[state];
        keysOf[group] = `${threads.lo[thread]} ${stacks.lo[stack]} ${named} -`;
        counted[group] = taken;
      });
      expect(length).toBe(samples.length);
      const timed = new Float64Array(numbers);
      for (let row = 0; row < length; row++) {
        const weight = times!.count?.[row] ?? 1;
        timed[times!.group[row]] += weight;
        const text = `${keysOf[times!.group[row]]} ${times!.value?.[row] ?? 0} ${weight}`;
        if (text !== samples[row] || times!.ticks[row] !== row) expect.fail(`sample ${row}: ${text}`);
      }
      expect(timed).toEqual(counted);
      groups.clear();
    }
  },
);

test.each(Object.keys(DISTRIBUTIONS))('emitted groups equal those counted by a map: %s', (distribution) => {
  const { randomFor } = testSeed(`jfr groups, ${distribution}`);
  const random = randomFor(0);
  const groups = new SampleGroups(new MemoryBudget());
  for (let chunk = 0; chunk < 3; chunk++) {
    const counts = new Map<string, number>();
    const batch: number[] = [];
    for (let sample = 0; sample < 40_000; sample++) {
      const [thread, stack, state] = DISTRIBUTIONS[distribution](random);
      const key = `${thread} ${stack} ${state === NONE ? '-' : state} -`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      // A batch has no room for larger ones.
      const fits = thread < 1 << 21 && state < STATES;
      if (fits && random.below(4) > 0) batch.push(stack, (thread << STATE_BITS) | (state + 1));
      else groups.addOne(thread, stack, state);
      if (batch.length < 64 && sample < 39_999) continue;
      groups.addBatch(Int32Array.from(batch), batch.length, new Float64Array(0));
      batch.length = 0;
    }
    expect(taken(groups)).toEqual([...counts].map(([key, count]) => `${key}: ${count} 0`).sort());
    groups.clear();
    expect(groups.isEmpty).toBe(true);
  }
});
