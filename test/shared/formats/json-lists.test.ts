import { MemoryBudget } from '../../../shared/aggregate/memory-budget.ts';
import { expect, test } from 'vitest';
import {
  InvalidElement,
  isList,
  isObject,
  listOf,
  LongList,
  parseJson,
} from '../../../shared/formats/json.ts';
import { readInput } from '../../support/read-input.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { testSeed } from '../../support/test-seed.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';

const UNLIMITED = new MemoryBudget();

/** Texts with everything that a scanner for brackets could take for one. */
const TEXTS = ['', 'a', '[', ']}', '\\', '"', ',', 'list 0 of 0.5', '\u00e4\u{1f600}', 'x'.repeat(300)];

function randomValue(random: SeededRandom, depth: number): unknown {
  const kind = random.below(depth > 3 ? 4 : 7);
  if (kind === 0) return random.pick([null, true, 0, -1.5e300, 12]);
  if (kind < 4) return random.pick(TEXTS);
  const length = random.pick([0, 1, 4, 20, 60]) >> depth;
  const values = Array.from({ length }, () => randomValue(random, depth + 1));
  return kind === 6 ? values : Object.fromEntries(values.map((value, at) => [`${at}"[`, value]));
}

/** The value with arrays instead of long lists, of which `found` is told. */
function whole(value: unknown, found: (list: LongList) => void): unknown {
  if (value instanceof LongList) found(value);
  if (isList(value)) return [...value].map((each) => whole(each, found));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, whole(each, found)]));
}

test('a text with long lists has the values that the engine parses', () => {
  const { randomFor, seed } = testSeed('long lists');
  let lists = 0;
  for (let scenario = 0; scenario < 40; scenario++) {
    const random = randomFor(scenario);
    const long = (): unknown[] =>
      Array.from({ length: 1 + random.below(4_000) }, () => randomValue(random, 3));
    const value = {
      before: randomValue(random, 0),
      long: long(),
      profiles: [{ samples: long(), weights: long() }, long()],
      after: randomValue(random, 0),
    };
    const parsed = parseJson(Buffer.from(JSON.stringify(value, null, scenario % 3)), UNLIMITED);
    if (!('value' in parsed)) throw new Error('not parsed');
    const read = whole(parsed.value, (list) => {
      lists++;
      expect([...list]).toHaveLength(list.length);
    });
    // Not by `toEqual`, which is slow for a megabyte.
    expect(JSON.stringify(read) === JSON.stringify(value), `SEED=${seed} scenario ${scenario}`).toBe(true);
  }
  expect(lists).toBeGreaterThan(20);
});

test('the whole file may be a long list', () => {
  const parsed = parseJson(Buffer.from(`[${'[1],'.repeat(50_000)}2]`), UNLIMITED);
  const { value } = parsed as { readonly value: unknown };
  expect(value).toBeInstanceOf(LongList);
  expect([...(value as LongList)].slice(-2)).toEqual([[1], 2]);
});

test('a list with an element of more than a mebibyte is none that is read in pieces', () => {
  const long = 'x'.repeat(1_100_000);
  for (const element of [long, [long], { a: long }]) {
    const parsed = parseJson(Buffer.from(JSON.stringify({ list: [element, 1] })), UNLIMITED);
    const { value } = parsed as { readonly value: { readonly list: unknown } };
    expect(value.list).toEqual([element, 1]);
  }
});

/** A speedscope file of 300 000 samples of one frame, which are more than a mebibyte, of which one is `damaged`. */
function speedscope(at: number, damaged: string): string {
  const samples = Array.from({ length: 300_000 }, (_, row) => (row === at ? damaged : '[0]'));
  return (
    '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"}]},' +
    `"profiles":[{"type":"sampled","name":"ä","unit":"none","startValue":0,"endValue":3,"samples":[${samples.join(',')}]}]}`
  );
}

test('a damaged long list is read up to the piece with the damage, whose place is named', () => {
  const at = 200_000;
  const text = speedscope(at, '[?]');
  const { decoder, aggregator } = readInput(Buffer.from(text), NOTHING_CHOSEN);
  expect(decoder.damage).toMatchObject({
    what: 'JSON',
    byteOffset: Buffer.from(text).indexOf('?'),
    found: expect.stringMatching(/^"\?\],\[0\]/) as string,
  });
  expect(aggregator.sampleCount).toBeLessThanOrEqual(at);
  // A piece has 64 KiB.
  expect(aggregator.sampleCount).toBeGreaterThan(at - 2 ** 16 / '[0],'.length);
  expect(readInput(Buffer.from(speedscope(at, '[0]')), NOTHING_CHOSEN).aggregator.sampleCount).toBe(300_000);
});

test('the place of the damage in a list of a file in UTF-16', () => {
  const threads = Array.from({ length: 20_000 }, (_, at) =>
    at === 15_000 ? '?' : '{"name":"\u7ebf","stack":[]}',
  );
  const text = `{"threadDump":{"threadContainers":[{"threads":[${threads.join(',')}]}]}}`;
  const input = Buffer.from(`\ufeff${text}`, 'utf16le');
  const { decoder } = readInput(input, NOTHING_CHOSEN);
  const offset = 2 + 2 * text.indexOf('?');
  expect([decoder.damage?.byteOffset, decoder.bytes.accepted]).toEqual([offset, offset]);
});

test('a list without an element between two commas is not valid, wherever it is divided', () => {
  const blanks = ' '.repeat(70_000);
  for (const list of [
    `[1${blanks},]`,
    `[${blanks},1]`,
    `[1${blanks},${blanks},2]`,
    `[1,\ufeff${blanks}2]`,
    `[1${blanks},\ufeff2]`,
  ]) {
    expect(() => JSON.parse(list) as unknown).toThrow();
    const parsed = parseJson(Buffer.from(`{"a":${list}}`), UNLIMITED);
    if (!('value' in parsed)) continue;
    expect(() => [...listOf((parsed.value as { readonly a: unknown }).a)]).toThrow(InvalidElement);
  }
  const empty = parseJson(Buffer.from(`[${blanks}]`), UNLIMITED);
  expect(empty).toMatchObject({ value: [] });
});

test('values for which the heap is too small are not parsed', () => {
  const text = `{"x":{${'"a":{},'.repeat(13 << 20)}"a":0}}`;
  const parsed = parseJson(Buffer.from(text), UNLIMITED);
  expect('damage' in parsed && parsed.damage?.found).toBe('more values than there is memory for');
});

test('brackets that do not match are damage, and nothing is read', () => {
  const text = speedscope(5, '[0');
  const { decoder, aggregator } = readInput(Buffer.from(text), NOTHING_CHOSEN);
  expect([decoder.damage?.what, aggregator.sampleCount]).toEqual(['JSON', 0]);
});
