import { expect, test } from 'vitest';
import { KnownStacks } from '../../../../shared/formats/honest-log/known-stacks.ts';
import { NONE } from '../../../../shared/profile/columns.ts';
import { bciFrame, frame, log, zeros } from '../../../support/log-bytes.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('known stacks');

test('a stack that is known is the right one, however few slots there are', () => {
  let known = 0;
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(scenario);
    const stacks = new KnownStacks([2, 4, 256][scenario % 3]);
    const lineCount = scenario % 2 === 0 ? 4 : 300;
    const nodes = new Map<string, number>();
    for (let trace = 0; trace < 4_000; trace++) {
      const thread = random.below(3);
      const lines = Array.from({ length: 1 + random.below(3) }, () => random.below(lineCount));
      const stackBytes = log(
        ...lines.map((line) => (line % 4 === 0 ? bciFrame(7, line) : frame(7, 1, line))),
      );
      // Some at the very end of what is there.
      const input = log(stackBytes, zeros(random.pick([0, 3, 40])));
      const found = stacks.find(thread, input, new DataView(input.buffer), 0, lines.length);
      const stack = `${thread}: ${lines.join()}`;
      const node = nodes.get(stack) ?? nodes.size;
      nodes.set(stack, node);
      if (found === NONE) {
        stacks.endedAt(node);
      } else {
        known++;
        expect(found, `SEED=${seed} scenario ${scenario}, ${stack}`).toBe(node);
        expect(stacks.foundEnd).toBe(stackBytes.length);
      }
    }
  }
  expect(known).toBeGreaterThan(10_000);
});

test('where stacks are never seen again it soon stops looking', () => {
  const stacks = new KnownStacks();
  const find = (line: number): number => {
    const input = log(frame(7, 1, line));
    return stacks.find(0, input, new DataView(input.buffer), 0, input.length / 17);
  };
  for (let line = 0; line < 1_100; line++) {
    expect(find(line)).toBe(NONE);
    stacks.endedAt(line);
  }
  expect(find(3)).toBe(NONE);
});
