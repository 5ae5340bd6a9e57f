import { MemoryBudget } from '../../../shared/aggregate/memory-budget.ts';
import { expect, test } from 'vitest';
import { SliceInterner } from '../../../shared/read/slice-interner.ts';
import { StringPool } from '../../../shared/formats/hprof/binary-records.ts';
import { KnownTexts } from '../../../shared/formats/jfr/chunk/known-texts.ts';

/** Allows so many texts. */
function upTo(most: number): MemoryBudget {
  const memory = new MemoryBudget();
  let kept = 0;
  memory.keep = () => ++kept <= most;
  return memory;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test('texts above the limit on memory are not copied; the first always is', () => {
  for (const most of [0, 1, 2]) {
    const slices = new SliceInterner(upTo(most));
    const numbers = ['main', 'run', 'add', 'main', 'run'].map((text) =>
      slices.intern(bytesOf(text), 0, text.length),
    );
    const run = most === 2 ? 1 : 0;
    expect([numbers, slices.length]).toEqual([[0, run, 0, 0, run], Math.max(1, most)]);
  }
});

test('JFR: a text that was refused is not another one', () => {
  const texts = new KnownTexts(upTo(1));
  expect(['main', 'run', 'main'].map((text) => texts.of(bytesOf(text), 0, text.length))).toEqual([
    'main',
    'run',
    'main',
  ]);
});

test('hprof: strings above the limit are unknown', () => {
  const strings = new StringPool(upTo(1));
  for (const [at, text] of ['main', 'run'].entries()) strings.add(0, 1 + at, bytesOf(text), 0, text.length);
  expect([1, 2].map((id) => strings.text(0, id))).toEqual(['main', undefined]);
});
