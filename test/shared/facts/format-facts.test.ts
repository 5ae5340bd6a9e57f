import { expect, test } from 'vitest';
import { factText, type FactTable } from '../../../shared/facts/format-facts.ts';

test('a cell of a fact table without a value is a dash, whatever its column is, and zero is a number', () => {
  const kinds: readonly FactTable['columns'][number]['kind'][] = ['text', 'count', 'ns', 'bytes'];
  const texts = (value: Parameters<typeof factText>[0]): string[] =>
    kinds.map((kind) => factText(value, kind));
  for (const missing of [undefined, null]) expect(texts(missing)).toEqual(['–', '–', '–', '–']);
  expect(texts(0)).toEqual(['0', '0', '0', '0 B']);
  expect(texts(1_500)).toEqual(['1,500', '1,500', '1.50 µs', '1.5 kB']);
  expect(texts('main')).toEqual(['main', 'main', 'main', 'main']);
});
