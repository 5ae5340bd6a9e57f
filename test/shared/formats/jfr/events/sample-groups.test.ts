import { MemoryBudget } from '../../../../../shared/aggregate/memory-budget.ts';
import { expect, test } from 'vitest';
import { SampleGroups } from '../../../../../shared/formats/jfr/events/sample-groups.ts';
import { NONE } from '../../../../../shared/profile/columns.ts';
import type { SeededRandom } from '../../../../support/seeded-random.ts';
import { testSeed } from '../../../../support/test-seed.ts';

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
  groups.add(1, 7, 3, NONE, 1, 0);
  groups.add(1, 7, NONE, NONE, 1, 0);
  groups.add(1, 7, 3, NONE, 40, 0);
  groups.add(2, 7, 3, NONE, 1, 0);
  groups.add(1, 7, 3, NONE, 1, 0);
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
      for (let sample = 0; sample < 30_000; sample++) {
        const [thread, stack, state] = DISTRIBUTIONS[distribution](random);
        const way = random.below(50);
        const weight = way === 0 ? 1 + random.below(3) : 1;
        const value = way < 2 ? random.below(90) : 0;
        samples.push(`${thread} ${stack} ${state === NONE ? '-' : state} - ${value} ${weight}`);
        groups.ticks = sample;
        groups.add(thread, stack, state, NONE, weight, value);
      }
      const numbers = groups.length;
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
    for (let sample = 0; sample < 40_000; sample++) {
      const [thread, stack, state] = DISTRIBUTIONS[distribution](random);
      const key = `${thread} ${stack} ${state === NONE ? '-' : state} -`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      groups.add(thread, stack, state, NONE, 1, 0);
    }
    expect(taken(groups)).toEqual([...counts].map(([key, count]) => `${key}: ${count} 0`).sort());
    groups.clear();
    expect(groups.isEmpty).toBe(true);
  }
});
