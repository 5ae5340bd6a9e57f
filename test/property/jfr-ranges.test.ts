import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { JFR } from '../../shared/formats/jfr/format.ts';
import { checkProfile } from '../../shared/profile/check-profile.ts';
import { JfrChunk } from '../support/jfr-writer/jfr-chunk.ts';
import { describedInput } from '../support/described-input.ts';
import { decodeInput } from '../support/read-input.ts';
import { readInRanges } from '../support/read-in-ranges.ts';
import { cpuChunk, otherChunk } from '../support/small-recordings.ts';

const shop = new Uint8Array(gunzipSync(readFileSync('test/golden/jfr/shop-jdk17.jfr.gz')));

/** Methods and threads of the other chunks in another order, an overload, a thread that got another name. */
function laterChunk(): Uint8Array {
  const chunk = new JfrChunk(['jdk.ExecutionSample', 'jdk.CPULoad']);
  const [worker, main] = [chunk.thread('w2', 300), chunk.thread('main', 1)];
  const frame = (name: string, descriptor: string) =>
    ({ method: chunk.method('shop/Cart', name, descriptor), line: 12, bci: 4, type: 'Inlined' }) as const;
  const runnable = chunk.state('STATE_RUNNABLE');
  const stacks = [
    [frame('add', '(J)V')],
    [frame('add', '(I)V'), frame('add', '(J)V')],
    [frame('clear', '()V')],
  ].map((frames) => chunk.stack(frames));
  for (const [at, stack] of stacks.entries())
    chunk.event('jdk.ExecutionSample', 900 + at, at === 1 ? worker : main, stack, runnable);
  chunk.event('jdk.CPULoad', 5_000, 1);
  return chunk.finish();
}

/** Nothing that could be counted. */
function idleChunk(): Uint8Array {
  const chunk = new JfrChunk(['jdk.CPULoad']);
  chunk.event('jdk.CPULoad', 5_000, 1);
  return chunk.finish();
}

/** More pairs of a thread and a stack than a range keeps. */
function largeChunk(): Uint8Array {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const runnable = chunk.state('STATE_RUNNABLE');
  const run = { method: chunk.method('Shop', 'run'), bci: 4, type: 'Inlined' } as const;
  const stacks = Array.from({ length: 280 }, (_, line) => chunk.stack([{ ...run, line }]));
  const threads = Array.from({ length: 280 }, (_, at) => chunk.thread(`t${at}`, 1_000 + at));
  for (const thread of threads)
    for (const stack of stacks) chunk.event('jdk.ExecutionSample', 2_000, thread, stack, runnable);
  return chunk.finish();
}

const damaged = cpuChunk().fill(0, 70, 74);

const RECORDINGS: Readonly<Record<string, readonly Uint8Array[]>> = {
  'methods and threads known before, and new ones': [cpuChunk(), laterChunk(), cpuChunk(), laterChunk()],
  'sample types that differ': [otherChunk(), cpuChunk(), otherChunk(), laterChunk()],
  'nothing to count at first': [idleChunk(), idleChunk(), laterChunk(), idleChunk(), otherChunk()],
  'not finished': [laterChunk(), cpuChunk(), cpuChunk(false)],
  'cut within a chunk': [laterChunk(), cpuChunk(), cpuChunk().subarray(0, 300)],
  'cut within a header': [laterChunk(), cpuChunk(), cpuChunk().subarray(0, 30)],
  damage: [laterChunk(), cpuChunk(), damaged, cpuChunk()],
  'no chunk behind the first': [laterChunk(), new TextEncoder().encode('no chunk '.repeat(20)), cpuChunk()],
  'a recorded JVM, and others': [shop, laterChunk(), shop, cpuChunk()],
};

const CHOSEN: readonly Chosen[] = [
  NOTHING_CHOSEN,
  { 'sample-type': 'alloc', classes: 'on' },
  { 'sample-type': 'cpu', state: 'STATE_SLEEPING', cut: 'off', period: '10' },
];

describe('a recording read in byte ranges is the recording read as one, row by row', () => {
  test.each(Object.entries(RECORDINGS))('%s: at every chunk, and at every two', (_, chunks) => {
    const input = new Uint8Array(Buffer.concat(chunks));
    const starts = chunks.slice(1).map((__, at) => lengthOf(chunks.slice(0, at + 1)));
    for (const chosen of CHOSEN) {
      const whole = describedInput(decodeInput(JFR, input, chosen));
      for (const [at, start] of starts.entries())
        for (const later of [undefined, ...starts.slice(at + 1)]) {
          const some = later === undefined ? [start] : [start, later];
          const read = readInRanges(JFR, input, some, { chosen, chunkBytes: 1 << 16 });
          expect(describedInput(read), `ranges from ${some.join()}`).toEqual(whole);
          expect(checkProfile(read.profile)).toEqual([]);
        }
    }
  });

  test('more stacks of threads than a range keeps', () => {
    const chunks = [laterChunk(), cpuChunk(), largeChunk(), laterChunk()];
    const input = new Uint8Array(Buffer.concat(chunks));
    const start = laterChunk().length;
    const read = readInRanges(JFR, input, [start]);
    expect(describedInput(read)).toEqual(describedInput(decodeInput(JFR, input)));
    expect(read.taken).toEqual([start]);
  });

  test('at every byte', () => {
    const input = new Uint8Array(Buffer.concat([cpuChunk(), laterChunk()]));
    const whole = describedInput(decodeInput(JFR, input));
    for (let start = 1; start < input.length; start++) {
      const read = readInRanges(JFR, input, [start]);
      expect(describedInput(read), `from byte ${start}`).toEqual(whole);
      expect(read.taken).toEqual(start === cpuChunk().length ? [start] : []);
    }
  });

  test('ranges are taken where they counted the same, or nothing', () => {
    const taken = (name: string, chosen = NOTHING_CHOSEN): number[] => {
      const chunks = RECORDINGS[name];
      const starts = chunks.slice(1).map((_, at) => lengthOf(chunks.slice(0, at + 1)));
      const input = new Uint8Array(Buffer.concat(chunks));
      const read = readInRanges(JFR, input, starts, { chosen, chunkBytes: 1 << 16 });
      return read.taken.map((start) => starts.indexOf(start) + 1);
    };
    expect(taken('methods and threads known before, and new ones')).toEqual([1, 2, 3]);
    expect(taken('sample types that differ')).toEqual([2]);
    expect(taken('sample types that differ', { 'sample-type': 'cpu' })).toEqual([1, 2, 3]);
    expect(taken('nothing to count at first')).toEqual([1, 2, 3]);
    expect(taken('a recorded JVM, and others')).toEqual([1, 2, 3]);
  });
});

test('a range may begin at the chunk nearest to an offset, as far as headers tell', () => {
  const chunks = [cpuChunk(), laterChunk(), otherChunk(), cpuChunk(false)];
  const input = new Uint8Array(Buffer.concat(chunks));
  const [second, third, fourth] = [1, 2, 3].map((count) => lengthOf(chunks.slice(0, count)));
  const find = (bytes: Uint8Array, ...wanted: number[]): readonly number[] | undefined =>
    JFR.byteRanges?.findStarts(
      (offset, length) => bytes.slice(offset, offset + length),
      bytes.length,
      wanted,
    );
  expect(find(input, second, second + 1)).toEqual([second, third]);
  expect(find(input, 1, third + 1, fourth + 1)).toEqual([second, third]);
  expect(find(input.subarray(0, fourth), second + 1, third + 1)).toEqual([second, third]);
  expect(find(input.subarray(0, fourth), fourth - 1)).toEqual([]);
  expect(find(input.subarray(0, third + 9), 1, third - 1, third + 1)).toEqual([second, third]);
  expect(find(input.slice().fill(0, second, second + 4), second + 1)).toEqual([]);
});

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
