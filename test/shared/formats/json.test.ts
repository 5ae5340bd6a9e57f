import { MemoryBudget } from '../../../shared/aggregate/memory-budget.ts';
import { expect, test } from 'vitest';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import { jsonErrorAt, parseJson } from '../../../shared/formats/json.ts';
import { readInput } from '../../support/read-input.ts';
import { testSeed } from '../../support/test-seed.ts';

const CHARACTERS = ['{', '}', '[', ']', '"', ':', ',', '0', 'x', '\\', ' '] as const;

const { seed, randomFor } = testSeed('json error');

test.each([
  '{"profiles":[ ^x ],"paddi":1}',
  '[1,2 ^3]',
  '{"a":1,^}',
  '[1,^]',
  '{"a" ^1}',
  '{^a:1}',
  '["a^\\x"]',
  '["a\\u00e4^\n"]',
  '["a^',
  '[^-]',
  '[0^1]',
  '[^tru]',
  '{"a":[^}',
  '[]^]',
  '^',
  ' ^',
  '{"a":^',
])('the damage of %j is found at the mark', (marked) => {
  expect(jsonErrorAt(marked.replace('^', ''))).toBe(marked.indexOf('^'));
});

test('valid JSON has no damage, and damaged JSON has it before its end', () => {
  const valid = JSON.stringify(
    { a: [1.5e-7, -0, true, false, null, {}, [], 'q"\\\n\u00e4\u{1f600}'], '': { b: [[]] } },
    null,
    1,
  );
  expect(jsonErrorAt(valid)).toBe(valid.length);
  for (let scenario = 0; scenario < 2_000; scenario++) {
    const random = randomFor(scenario);
    const at = random.below(valid.length);
    const mutant = valid.slice(0, at) + random.pick(CHARACTERS) + valid.slice(at + 1);
    let isValid = true;
    try {
      JSON.parse(mutant);
    } catch {
      isValid = false;
    }
    const found = jsonErrorAt(mutant);
    const where = `SEED=${seed} scenario ${scenario}: ${mutant}`;
    if (isValid) expect(found, where).toBe(mutant.length);
    // A number or a word is located at its first character.
    else expect(found, where).toBeGreaterThanOrEqual(at - 8);
  }
});

test('a damaged profile is located in bytes', () => {
  const text =
    '{"$schema":"https://www.speedscope.app/file-format-schema.json","name":"\u00e4","profiles":[ x ],"shared":{"frames":[]}}';
  const { decoder } = readInput(Buffer.from(text), NOTHING_CHOSEN);
  expect(decoder.damage).toMatchObject({
    what: 'JSON',
    byteOffset: Buffer.byteLength(text.slice(0, text.indexOf(' x ') + 1)),
    found: '"x ],\\"shared\\":{\\"frame"',
  });
});

test('the offset of a character: in UTF-16, after a byte order mark, after invalid UTF-8', () => {
  const text = '{"\u00e4\u{1f600}x": ?}';
  const at = text.indexOf('?');
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  const mark = Buffer.from('\ufeff');
  const errorAt = (input: Uint8Array): unknown => {
    const parsed = parseJson(new Uint8Array(input), new MemoryBudget());
    return 'damage' in parsed ? parsed.damage?.byteOffset : parsed;
  };
  expect(errorAt(utf8)).toBe(utf8.indexOf('?'));
  expect(errorAt(Buffer.concat([mark, utf8]))).toBe(3 + utf8.indexOf('?'));
  expect(errorAt(utf16)).toBe(2 * at);
  expect(errorAt(Buffer.concat([Buffer.from('\ufeff', 'utf16le'), utf16]))).toBe(2 + 2 * at);
  expect(errorAt(Buffer.from(utf16).swap16())).toBe(2 * at);
  const { randomFor, seed } = testSeed('offsets in UTF-8');
  for (let scenario = 0; scenario < 2_000; scenario++) {
    const random = randomFor(scenario);
    // Leading and continuing bytes in any order.
    const junk = Uint8Array.from({ length: random.below(12) }, () =>
      random.pick([
        0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xe1, 0xed, 0xf0, 0xf1, 0xf4, 0xf5,
      ]),
    );
    const input = Buffer.concat([Buffer.from('["'), junk, Buffer.from('",?')]);
    expect(errorAt(input), `SEED=${seed} scenario ${scenario}`).toBe(input.length - 1);
  }
});
