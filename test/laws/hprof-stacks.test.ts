import { expect, test } from 'vitest';
import { checkProfile } from '../support/check-profile.ts';
import { foldedStacks, sortedStacks } from '../support/folded-stacks.ts';
import { hprofFile, hprofRecords } from '../support/hprof-bytes.ts';
import { readInput } from '../support/read-input.ts';
import { testSeed } from '../support/test-seed.ts';

const { randomFor } = testSeed('hprof stacks');
const FILES = 300;
const LIMIT = 9;
const THREADS = ['main', 'gc'];
/** Ids of frames: dense, far away, and beyond 2^31; the last two are written alike. */
const FRAME_IDS = [1, 2, 3, 70_000, 0x7fff_fff0, 0x8000_0001, 0xffff_ffff, 9];
const METHODS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'g'];

/** Stacks as agents meet them: one goes on where another ended, leaves it half-way, or is the same again. */
test(`${FILES} files of stacks that share their callers count what their tables say`, () => {
  for (let file = 0; file < FILES; file++) {
    const random = randomFor(file);
    const idSize = random.below(2) === 0 ? 4 : 8;
    const { string, loadClass, frame, trace, startThread, cpuSamples, settings } = hprofRecords(idSize);
    const nearId = 100 + random.below(2 ** 32 - 200);
    const farId = nearId > 10_000_000 ? nearId - 100 - 10 ** random.below(7) : 1_000_000_000;
    const traces: Uint8Array[] = [];
    const rows: [count: number, trace: number][] = [];
    const expected = new Map<string, number>();
    let total = 0;
    let stack: number[] = [];
    for (let at = 0; at < 1 + random.below(60); at++) {
      stack = stack.slice(0, random.below(stack.length + 1));
      while (stack.length < LIMIT && random.below(4) > 0) stack.push(random.below(METHODS.length));
      const thread = random.below(THREADS.length);
      const id = random.below(5) === 0 ? farId - at : nearId + (at % 2 === 0 ? at : -at);
      traces.push(trace(id, thread, ...stack.toReversed().map((index) => FRAME_IDS[index])));
      const count = random.below(3);
      rows.push([count, id]);
      total += count;
      const path = stack.length === 0 ? ['<empty>'] : stack.map((index) => `Shop.${METHODS[index]}`);
      if (stack.length === LIMIT) path.unshift(`(truncated at depth ${LIMIT})`);
      const key = [THREADS[thread], ...path].join(';');
      if (count > 0) expected.set(key, (expected.get(key) ?? 0) + count);
    }
    const frames = FRAME_IDS.map((id, index) => frame(id, 10 + index, 0, 1, 5));
    const bytes = hprofFile(
      { idSize },
      settings(2, LIMIT),
      ...[...THREADS, 'Shop'].map((text, at) => string(at + 1, text)),
      ...METHODS.map((text, at) => string(10 + at, text)),
      loadClass(1, 3),
      ...THREADS.map((_, at) => startThread(at, at + 1, 0, 0)),
      // Definitions may come after their use.
      ...(random.below(2) === 0 ? [...frames, ...traces] : [...traces, ...frames]),
      cpuSamples(total, ...rows),
    );
    const { profile, decoder } = readInput(bytes);
    expect(decoder.damage).toBeUndefined();
    expect(checkProfile(profile)).toEqual([]);
    const lines = Array.from(expected, ([path, count]) => `${path} ${count}`);
    expect(sortedStacks(foldedStacks(profile, { thread: (name) => name })), `file ${file}`).toEqual(
      lines.sort(),
    );
  }
});
