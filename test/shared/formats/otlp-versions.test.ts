import { describe, expect, test } from 'vitest';
import { foldedLines, methodText, stacksOf } from '../../support/profile-stacks.ts';
import { readInput } from '../../support/read-input.ts';
import { message, type MessageField, packed } from '../../support/small-otlp.ts';
import {
  encodeOtlp,
  OTLP_VERSIONS,
  type OtlpEncoding,
  type OtlpVersion,
  type StampedOtlpSample,
} from '../../support/stamped-otlp.ts';

const VERSIONS = Object.keys(OTLP_VERSIONS) as OtlpVersion[];
const ENCODINGS: readonly OtlpEncoding[] = VERSIONS.flatMap((version) =>
  [true, false].flatMap((isPacked) =>
    [true, false].map((isFull) => ({ version, isPacked, isFull, unit: 'count' })),
  ),
);
const nameOf = ({ version, isPacked, isFull }: OtlpEncoding): string =>
  `${version} ${isPacked ? 'packed' : 'unpacked'}${isFull === true ? ' with all fields' : ''}`;

/** Folded stacks; then notes. */
function read(input: Uint8Array): readonly string[] {
  const { format, profile, decoder } = readInput(input);
  expect([format, decoder.damage]).toEqual(['otlp', undefined]);
  const line = ({ thread, frames }: ReturnType<typeof stacksOf>[number]): string =>
    [thread ?? '?', ...frames.map(methodText)].join(';');
  return [...foldedLines(stacksOf(profile), line, 'count'), ...decoder.facts().notes];
}

const sample = (
  thread: string,
  stack: string,
  values: readonly number[],
  stamps: readonly number[] = [],
  link?: number,
): StampedOtlpSample => ({
  thread,
  stack: stack.split(';').reverse(),
  values,
  stamps: stamps.map(BigInt),
  ...(link === undefined ? {} : { link }),
});

const KINDS: Readonly<
  Record<string, { samples: readonly StampedOtlpSample[]; expected: readonly string[] }>
> = {
  'values with and without threads': {
    samples: [sample('main', 'a;b', [30]), sample('', 'a;c', [12]), sample('w', 'a', [3])],
    expected: ['?;a;c 12', 'main;a;b 30', 'w;a 3'],
  },
  'values only': {
    samples: [sample('', 'a;b', [30]), sample('', 'a;c', [12])],
    expected: ['?;a;b 30', '?;a;c 12'],
  },
  'values and links': {
    samples: [sample('main', 'a;b', [7], [], 1), sample('w', 'a;c', [5], [], 1), sample('w', 'c', [9])],
    expected: ['main;a;b 7', 'w;a;c 5', 'w;c 9'],
  },
  'values and time stamps': {
    samples: [sample('main', 'a;b', [2, 3], [500, 600]), sample('w', 'a;c', [4], [700])],
    expected: ['main;a;b 5', 'w;a;c 4'],
  },
  'time stamps only': {
    samples: [sample('main', 'a;b', [], [500, 600, 700]), sample('w', 'a;c', [], [700])],
    expected: ['main;a;b 3', 'w;a;c 1'],
  },
  'one time stamp each': {
    samples: [sample('main', 'a;b', [], [500]), sample('w', 'a;c', [], [700]), sample('w', 'c', [], [800])],
    expected: ['main;a;b 1', 'w;a;c 1', 'w;c 1'],
  },
  'time stamps without threads': {
    samples: [sample('', 'a;b', [], [500, 600]), sample('', 'a;c', [], [700])],
    expected: ['?;a;b 2', '?;a;c 1'],
  },
  'time stamps and links': {
    samples: [sample('main', 'a;b', [], [500, 600], 1), sample('w', 'a;c', [], [700], 1)],
    expected: ['main;a;b 2', 'w;a;c 1'],
  },
};

describe.each(Object.entries(KINDS))('samples of %s', (_, { samples, expected }) => {
  test.each(ENCODINGS.map((encoding) => [nameOf(encoding), encoding] as const))(
    'in version %s',
    (_name, encoding) => {
      expect(read(encodeOtlp(encoding, samples))).toEqual(expected);
    },
  );
});

test('names of threads may be in the table of texts', () => {
  const encoding = { version: '1.11', isPacked: false, unit: 'count', sharesTexts: true } as const;
  expect(read(encodeOtlp(encoding, [sample('main', 'a', [3])]))).toEqual(['main;a 3']);
});

test('samples that two versions read differently are said', () => {
  // In 1.9, one value at each stamp; in 1.11, an attribute each. The attribute is none that tells threads.
  const attribute = message([1, 4], [2, message([1, 'x'])]);
  const input = withSamples({ attributes: [message(), attribute], texts: ['colour'] }, [
    [
      [1, 1],
      [2, packed(1)],
      [5, 500n],
    ],
    [
      [1, 1],
      [2, packed(1)],
      [5, 600n],
    ],
  ]);
  expect(read(input)).toEqual([
    '?;a 2',
    'The samples also fit version 1.8 and 1.9 of the format, in which they have other values: read as the version that fits best.',
  ]);
});

test('frames without a location are said', () => {
  const { decoder, profile } = readInput(
    withSamples({ locations: [1, 9] }, [
      [
        [1, 1],
        [4, packed(3)],
      ],
    ]),
  );
  expect(stacksOf(profile)).toHaveLength(1);
  expect(decoder.facts().skips).toEqual(['1 frame of stacks skipped: no location has their index.']);
});

/** A profile with a link, a stack of one frame or of these locations, and these further rows of tables. */
function withSamples(
  {
    attributes = [],
    texts = [],
    locations = [1],
  }: { attributes?: readonly Uint8Array[]; texts?: readonly string[]; locations?: readonly number[] },
  samples: readonly (readonly MessageField[])[],
): Uint8Array {
  const profile = message(
    [1, message([1, 1], [2, 2])],
    ...samples.map((each) => [2, message(...each)] as const),
  );
  const dictionary = message(
    [2, message()],
    [2, message([3, message([1, 1])])],
    [3, message()],
    [3, message([1, 3])],
    [4, message()],
    ...['', 'cpu', 'count', 'a', ...texts].map((text) => [5, text] as const),
    ...attributes.map((attribute) => [6, attribute] as const),
    [7, message()],
    [7, message([1, packed(...locations)])],
  );
  return message([1, message([2, message([2, profile])])], [2, dictionary]);
}

test.each([
  [
    'a link that no table has',
    [
      [1, 1],
      [2, 5],
      [3, 7],
      [4, 9],
    ],
    'attribute 5 in a table of 0 (in 1.10 and 1.11), attribute 7 in a table of 0 (in 1.8 and 1.9), attribute 9 in a table of 0 (in 1.7)',
  ],
  [
    'a further field',
    [
      [1, 1],
      [4, packed(3)],
      [9, 1],
    ],
    'field 9 of a sample as a varint (in 1.10 and 1.11), field 4 of a sample as bytes with a length (in 1.8 and 1.9), attribute 3 in a table of 0 (in 1.7)',
  ],
  [
    'no stack of the table',
    [
      [1, 12],
      [4, packed(3)],
    ],
    'stack 12 in a table of 2 (in 1.10 and 1.11), field 4 of a sample as bytes with a length (in 1.8 and 1.9), attribute 3 in a table of 0 (in 1.7)',
  ],
] as const)('a file whose samples have %s is refused', (_, fields, found) => {
  const { profile, decoder } = readInput(withSamples({}, [fields]));
  expect(decoder.damage).toMatchObject({
    what: 'sample',
    record: 0,
    found,
    expected: 'a profile of opentelemetry-proto 1.7, or 1.8 and 1.9, or 1.10 and 1.11',
  });
  expect([stacksOf(profile), decoder.bytes.accepted]).toEqual([[], 0]);
});

test('a profile with tables of its own, as in 1.6, is refused', () => {
  const profile = message(
    [1, message([1, 1], [2, 2])],
    [2, message([2, 1], [3, packed(3)])],
    [3, message()],
    [4, message([3, message([1, 1])])],
    [5, packed(0)],
    [6, message([1, 3])],
    ...['', 'cpu', 'count', 'a'].map((text) => [10, text] as const),
  );
  const { format, decoder } = readInput(message([1, message([2, message([2, profile])])]));
  expect([format, decoder.damage?.what, decoder.bytes.accepted]).toEqual(['otlp', 'sample', 0]);
});
