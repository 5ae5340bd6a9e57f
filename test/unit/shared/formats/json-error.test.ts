import { expect, test } from 'vitest';
import { NOTHING_CHOSEN } from '../../../../shared/facts/choice.ts';
import { jsonErrorAt } from '../../../../shared/formats/json-error.ts';
import { readInput } from '../../../support/read-input.ts';
import { testSeed } from '../../../support/test-seed.ts';

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
