import { expect, test } from 'vitest';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { foldedLines, methodText, type ProfileStack, stacksOf } from '../../support/profile-stacks.ts';
import { readInput } from '../../support/read-input.ts';
import { message, otlpProfile, packed } from '../../support/small-otlp.ts';

const line = ({ thread, threadId, frames }: ProfileStack): string =>
  [thread ?? `#${threadId}`, ...frames.map((each) => `${methodText(each)}:${each.line}`)].join(';');

function read(
  input: Uint8Array,
  weight: 'count' | 'value' = 'count',
  chosen: Chosen = {},
): readonly string[] {
  const { format, profile, decoder } = readInput(input, chosen);
  expect([format, decoder.damage, decoder.bytes.accepted]).toEqual(['otlp', undefined, input.length]);
  return foldedLines(stacksOf(profile), line, weight);
}

test.each(['range', 'values', 'links'] as const)('a profile of the version with %s', (form) => {
  const input = otlpProfile(form);
  expect(read(input)).toEqual([
    '#-2;0xbeef:-100 2',
    'main;shop.Main.main:-100;shop.Cart.put:30;java.util.HashMap.get:12 3',
  ]);
  const time = { 'sample-type': 'cpu-nanoseconds' };
  expect(read(input, 'value', time)).toEqual([
    '#-2;0xbeef:-100 2000',
    'main;shop.Main.main:-100;shop.Cart.put:30;java.util.HashMap.get:12 3000',
  ]);
  const { choices, units } = readInput(input, time).decoder.facts();
  expect(units.value).toEqual({ name: 'Cpu', unit: 'ns' });
  expect(choices[0]).toMatchObject({ id: 'sample-type', chosen: 'cpu-nanoseconds' });
  const labels = choices.flatMap((choice) =>
    choice.id === 'per' && choice.kind === 'one' ? choice.options.map(({ value }) => value) : [],
  );
  expect(labels).toEqual(form === 'links' ? ['thread', 'span_id', 'trace_id'] : []);
});

test('each value of a chosen attribute, and each trace that samples link to, is a thread', () => {
  const texts = ['', 'run', 'samples', 'count', 'http.route', 'thread.name'];
  const text = (value: string): number => texts.indexOf(value);
  const attribute = (key: string, value: string): Uint8Array =>
    message([1, text(key)], [2, message([1, value])]);
  const link = (byte: number): Uint8Array =>
    message([1, new Uint8Array(16).fill(byte)], [2, new Uint8Array(8).fill(byte + 1)]);
  const dictionary = message(
    [2, message()],
    [2, message([3, message([1, 1], [2, 3])])],
    [3, message()],
    [3, message([1, text('run')])],
    ...[message(), link(0xab), link(0x05)].map((each) => [4, each] as const),
    ...texts.map((each) => [5, each] as const),
    [6, message()],
    [6, attribute('thread.name', 'main')],
    [6, attribute('http.route', '/cart')],
    [6, attribute('http.route', '/search')],
    [7, message()],
    [7, message([1, packed(1)])],
  );
  const sample = (count: number, linked: number, ...attributes: readonly number[]): Uint8Array =>
    message([1, 1], [2, packed(...attributes)], ...(linked === 0 ? [] : [[3, linked] as const]), [
      4,
      packed(count),
    ]);
  const profile = message(
    [1, message([1, text('samples')], [2, text('count')])],
    [2, sample(1, 1, 1, 2)],
    [2, sample(2, 2, 1, 3)],
    [2, sample(4, 1, 1, 2)],
    [2, sample(8, 0, 1)],
    [4, 5_000],
  );
  const input = message([1, message([1, message()], [2, message([2, profile])])], [2, dictionary]);
  const threads = (per: string): readonly string[] =>
    read(input, 'count', { per }).map((each) => each.replace(';run:3', ''));
  const trace = (digits: string): string => digits.repeat(16);
  expect(threads('thread')).toEqual(['main 15']);
  expect(threads('thread.name')).toEqual(['main 15']);
  expect(threads('http.route')).toEqual(['/cart 5', '/search 2', 'no http.route 8']);
  expect(threads('trace_id')).toEqual([`${trace('05')} 2`, `${trace('ab')} 5`, 'no trace_id 8']);
  expect(threads('span_id')[0]).toBe(`${'06'.repeat(8)} 2`);
  // What no sample has is named, so that the choice says what it shows.
  expect(threads('tenant')).toEqual(['no tenant 15']);
});

test('the dictionary may come first, and the file may be cut', () => {
  const input = otlpProfile('values');
  const first = 1 + 2 + ((input[1] & 0x7f) | (input[2] << 7));
  const turned = Buffer.concat([input.subarray(first), input.subarray(0, first)]);
  expect(read(turned)).toEqual(read(input));
  const { decoder } = readInput(input.subarray(0, input.length - 1));
  expect(decoder.damage?.what).toBe('field');
});

test('time stamps without values count as one each', () => {
  const sample = message([1, 1], [5, new Uint8Array(24)]);
  const profile = message([1, message([1, 1], [2, 2])], [2, sample]);
  const dictionary = message(
    [2, message()],
    [2, message([3, message([1, 1])])],
    [3, message()],
    [3, message([1, 3])],
    [5, ''],
    [5, 'cpu'],
    [5, 'count'],
    [5, 'a'],
    [7, message()],
    [7, message([1, Uint8Array.of(1)])],
  );
  const input = message([1, message([2, message([2, profile])])], [2, dictionary]);
  expect(read(input)).toEqual(['#-1;a:-100 3']);
});

/** A profile of one type, whose samples have these values and the stack of this index; 1 is of one frame, 2 is empty. */
function oneType(unit: string, samples: readonly (readonly [stack: number, value: number])[]): Uint8Array {
  const profile = message(
    [1, message([1, 1], [2, 2])],
    ...samples.map(([stack, value]) => [2, message([1, stack], [2, value])] as const),
  );
  const dictionary = message(
    [2, message()],
    [2, message([3, message([1, 1])])],
    [3, message()],
    [3, message([1, 3])],
    [5, ''],
    [5, 'cpu'],
    [5, unit],
    [5, 'a'],
    [7, message()],
    [7, message([1, Uint8Array.of(1)])],
    [7, message()],
  );
  return message([1, message([2, message([2, profile])])], [2, dictionary]);
}

test('samples without a stack are in the total', () => {
  const input = oneType('count', [
    [1, 3],
    [2, 4],
    [0, 5],
  ]);
  expect(read(input)).toEqual(['#-1;<empty>:-100 9', '#-1;a:-100 3']);
  expect(readInput(input).decoder.facts().notes).toEqual(['2 samples without a stack: counted as <empty>.']);
});

test('values beyond 2^53 are exact', () => {
  const { profile } = readInput(oneType('milliseconds', [[1, 2 ** 52 + 1]]));
  expect(profile.selfValues.time.exact(0)).toBe((2n ** 52n + 1n) * 1_000_000n);
});

/** A profile of the older form: samples are ranges of a list of locations. */
const ranges = (locations: number, samples: number): Uint8Array =>
  message(
    [
      1,
      message([
        2,
        message([
          2,
          message(
            [1, message([1, 1], [2, 2])],
            ...Array.from({ length: samples }, () => [2, message([2, locations], [3, 1])] as const),
            [3, new Uint8Array(locations).fill(1)],
          ),
        ]),
      ]),
    ],
    [
      2,
      message(
        [2, message()],
        [2, message([3, message([1, 1])])],
        [3, message()],
        [3, message([1, 3])],
        [5, ''],
        [5, 'cpu'],
        [5, 'count'],
        [5, 'a'],
      ),
    ],
  );

test('a long range in many samples ends the reading at a limit, not after hours', () => {
  const input = ranges(10_000, 1_000);
  const { damage } = readInput(input).decoder;
  expect(damage).toMatchObject({ isLimit: true, what: 'sample' });
  expect(damage?.record).toBe(Math.floor((2 ** 22 + 64 * input.length) / 20_000) + 1);
  expect(read(ranges(3, 5))).toEqual(['#-1;a:-100;a:-100;a:-100 5']);
});
