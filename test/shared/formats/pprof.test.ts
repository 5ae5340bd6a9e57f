import {
  Function as PprofFunction,
  Label,
  Line,
  Location,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import { expect, test } from 'vitest';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { PPROF } from '../../../shared/formats/pprof/format.ts';
import { functionNames } from '../../../shared/formats/location-stack.ts';
import { measureOf } from '../../../shared/formats/value-types.ts';
import { foldedLines, methodText, type ProfileStack, stacksOf } from '../../support/profile-stacks.ts';
import { decodeInput } from '../../support/read-input.ts';
import { heapProfile } from '../../support/small-pprof.ts';

const line = ({ thread, threadId, frames }: ProfileStack): string =>
  [
    thread === undefined || thread === '' ? `#${threadId}` : thread,
    ...frames.map((each) => `${methodText(each)}:${each.line}`),
  ].join(';');

test('inlined lines, threads by their labels, addresses; the default sample type and its counts', () => {
  const { profile, decoder } = decodeInput(PPROF, heapProfile());
  const stacks = stacksOf(profile);
  expect(foldedLines(stacks, line)).toEqual([
    '#0;<empty>:-100 1',
    '#0;std::sort(int*, a.b):-100 1',
    'main;std::sort(int*, a.b):-100;shop.Cart.put:30;shop.Cart.get:12 1',
  ]);
  expect(foldedLines(stacks, line, 'value')).toEqual([
    '#0;<empty>:-100 1',
    '#0;std::sort(int*, a.b):-100 64',
    'main;std::sort(int*, a.b):-100;shop.Cart.put:30;shop.Cart.get:12 512',
  ]);
  const { units, choices, notes, firstTime, lastTime } = decoder.facts();
  expect(units).toEqual({
    counted: { one: 'object', many: 'objects', isDependent: true },
    value: { name: 'Inuse space', unit: 'bytes' },
  });
  expect(choices[0]).toMatchObject({ id: 'sample-type', chosen: 'inuse_space' });
  expect(notes).toEqual([
    '1 sample without a stack: counted as <empty>.',
    '1 location folded: locations with the same symbols are one.',
    'Comment: made for a test',
  ]);
  expect([firstTime, lastTime]).toEqual([1_700_000_000_000_000_000n, 1_700_000_005_000_000_000n]);
});

test('each value of a chosen label is a thread, and so are samples without it', () => {
  const stringTable = new StringTable();
  const text = (value: string): number => stringTable.dedup(value);
  const label = (key: string, value: string | bigint): Label =>
    new Label({ key: text(key), ...(typeof value === 'string' ? { str: text(value) } : { num: value }) });
  const sample = (count: number, ...labels: readonly Label[]): Sample =>
    new Sample({ locationId: [1], value: [count], label: [...labels] });
  const input = new Profile({
    sampleType: [new ValueType({ type: text('samples'), unit: text('count') })],
    sample: [
      sample(1, label('thread', 'main'), label('endpoint', '/cart')),
      sample(2, label('thread', 'main'), label('endpoint', '/search'), label('bytes', 512n)),
      sample(4, label('endpoint', '/cart'), label('thread', 'worker')),
      sample(8, label('thread', 'worker')),
    ],
    location: [new Location({ id: 1, line: [new Line({ functionId: 1, line: 3 })] })],
    function: [new PprofFunction({ id: 1, name: text('run') })],
    stringTable,
  }).encode();
  const threads = (chosen: Chosen): readonly (readonly [string | undefined, number])[] =>
    stacksOf(decodeInput(PPROF, input, chosen).profile).map(({ thread, count }) => [thread, count]);
  expect(threads({})).toEqual([
    ['main', 3],
    ['worker', 12],
  ]);
  expect(threads({ per: 'endpoint' })).toEqual([
    ['/cart', 5],
    ['/search', 2],
    ['no endpoint', 8],
  ]);
  expect(threads({ per: 'bytes' })).toEqual([
    ['no bytes', 13],
    ['512', 2],
  ]);
  // A label that no sample has, and those of threads, are the default.
  for (const per of ['thread', 'tenant', 'run']) expect(threads({ per })).toEqual(threads({}));
  const [, choice] = decodeInput(PPROF, input, { per: 'endpoint' }).decoder.facts().choices;
  expect(choice).toMatchObject({ id: 'per', chosen: 'endpoint' });
  expect(choice.kind === 'one' && choice.options.map(({ value }) => value)).toEqual([
    'thread',
    'bytes',
    'endpoint',
  ]);
  // Labels of threads alone offer nothing.
  expect(decodeInput(PPROF, heapProfile()).decoder.facts().choices).toHaveLength(1);
});

test('another sample type: kilobytes are bytes, differences are left out', () => {
  const { profile, decoder } = decodeInput(PPROF, heapProfile(), { 'sample-type': 'alloc_space' });
  expect(foldedLines(stacksOf(profile), line, 'value')).toEqual([
    '#0;<empty>:-100 1024',
    '#0;std::sort(int*, a.b):-100 1024',
    'http;std::sort(int*, a.b):-100;0xbeef:-100 2048',
    'main;std::sort(int*, a.b):-100;shop.Cart.put:30;shop.Cart.get:12 8192',
  ]);
  expect(decoder.facts().notes).toContain(
    '1 sample not counted. They have a negative count, as in a difference of profiles.',
  );
});

test('a thread label may have the id in it', () => {
  const { profile } = decodeInput(PPROF, heapProfile(), { 'sample-type': 'alloc_objects' });
  expect(stacksOf(profile).find(({ thread }) => thread === 'http')?.threadId).toBe(7);
});

test('a profile that is cut keeps what was whole, and says where it stops', () => {
  const whole = heapProfile();
  const { decoder } = decodeInput(PPROF, whole.subarray(0, whole.length - 1));
  expect(decoder.damage?.what).toBe('field');
  expect(decoder.bytes.accepted).toBe(decoder.damage?.byteOffset);
  expect(decoder.bytes.accepted + decoder.bytes.skipped).toBe(whole.length - 1);
});

test.each([
  ['java.util.HashMap.get', 'java.util.HashMap', 'get'],
  ['shop.Cart.<init>', 'shop.Cart', '<init>'],
  ['github.com/a/b.(*T).Run', 'github.com/a/b.(*T)', 'Run'],
  ['std::sort(int*, a.b)', '', 'std::sort(int*, a.b)'],
  ['main', '', 'main'],
  ['', '', '(unnamed function)'],
])('%s is %s and %s', (name, className, methodName) => {
  expect(functionNames(name, 'A.java')).toEqual({ file: 'A.java', className, methodName });
});

test('names of Java with slashes are those of other formats; packages of Go stay', () => {
  const names = (name: string): string => {
    const { className, methodName } = functionNames(name, '');
    return `${className} ${methodName}`;
  };
  expect(names('java/util/HashMap.get')).toBe('java.util.HashMap get');
  expect(names('java/util/HashMap$Node.<init>')).toBe('java.util.HashMap$Node <init>');
  expect(names('net/http.Get')).toBe('net/http Get');
  expect(names('github.com/a/b.(*T).Run')).toBe('github.com/a/b.(*T) Run');
});

test('a default sample type that is empty is not shown, unless it is chosen', () => {
  const profile = (inUse: number): Uint8Array => {
    const stringTable = new StringTable();
    const text = (value: string): number => stringTable.dedup(value);
    const type = (name: string): ValueType => new ValueType({ type: text(name), unit: text('bytes') });
    return new Profile({
      sampleType: [type('alloc_space'), type('inuse_space')],
      sample: [new Sample({ locationId: [1], value: [700, inUse] })],
      location: [new Location({ id: 1, address: 0xbeef })],
      stringTable,
    }).encode();
  };
  const shown = (inUse: number, chosen = {}): unknown => {
    const { decoder, profile: read } = decodeInput(PPROF, profile(inUse), chosen);
    const { choices, notes } = decoder.facts();
    return [choices[0].chosen, foldedLines(stacksOf(read), line, 'value'), notes];
  };
  expect(shown(64)).toEqual(['inuse_space', ['#0;0xbeef:-100 64'], []]);
  expect(shown(0)).toEqual([
    'alloc_space',
    ['#0;0xbeef:-100 700'],
    ['The default sample type, inuse_space, is empty.'],
  ]);
  expect(shown(0, { 'sample-type': 'inuse_space' })).toEqual(['inuse_space', ['#0;0xbeef:-100 0'], []]);
});

/** A profile of one sample type, a value and the number of lines of the location per sample. */
function oneType(unit: string, values: readonly (number | bigint)[], lines = 1, each = 1): Uint8Array {
  const stringTable = new StringTable();
  const text = (value: string): number => stringTable.dedup(value);
  return new Profile({
    sampleType: [new ValueType({ type: text('cpu'), unit: text(unit) })],
    sample: values.map((value) => new Sample({ locationId: Array<number>(each).fill(1), value: [value] })),
    location: [
      new Location({ id: 1, line: Array.from({ length: lines }, () => new Line({ functionId: 7 })) }),
    ],
    stringTable,
  }).encode();
}

test('values beyond 2^53 are exact, also when they are converted; counts say that they are rounded', () => {
  const big = 2n ** 53n + 1n;
  const valueOf = (unit: string, values: readonly (number | bigint)[]): unknown => {
    const { profile, decoder } = decodeInput(PPROF, oneType(unit, values));
    return [profile.selfValues.time.exact(0), decoder.facts().notes];
  };
  expect(valueOf('nanoseconds', [big, big])).toEqual([2n * big, []]);
  // 2^52 + 1 is a safe integer, a million times as much is not.
  expect(valueOf('milliseconds', [2 ** 52 + 1])).toEqual([(2n ** 52n + 1n) * 1_000_000n, []]);
  expect(valueOf('cycles', [big])).toEqual([
    0n,
    ['The counts add up to more than 2^53: they are rounded to 16 digits.'],
  ]);
});

test('a location of many lines in many samples ends the reading at a limit, not after hours', () => {
  const input = oneType('count', Array<number>(1_000).fill(1), 2_000, 4);
  const { decoder } = decodeInput(PPROF, input);
  const { damage, bytes } = decoder;
  expect(damage).toMatchObject({ isLimit: true, what: 'sample' });
  // 2^22 and 64 per byte, at 8 004 visits per sample.
  expect(damage?.record).toBe(Math.floor((2 ** 22 + 64 * input.length) / 8_004));
  expect(bytes.accepted).toBe(damage?.byteOffset);
});

test('fifty thousand sample types are read in linear time', () => {
  const type = Buffer.from('0a00', 'hex');
  const { decoder } = decodeInput(PPROF, Buffer.concat(Array<Buffer>(50_000).fill(type)));
  const [choice] = decoder.facts().choices;
  expect(choice.kind === 'one' ? choice.options.length : 0).toBe(50_000);
});

test.each([
  ['events', 'event'],
  ['cycles', 'cycle'],
  ['cache-misses', 'cache-miss'],
  ['loss', 'loss'],
  ['cpu', 'cpu'],
])('one of the unit %s is a %s', (unit, one) => {
  const type = { at: 0, id: unit, name: unit, unit };
  expect(measureOf(type, [type]).units.counted).toEqual({ one, many: unit, isDependent: true });
});
