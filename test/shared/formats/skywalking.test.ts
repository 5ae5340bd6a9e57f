import { parseDocument, stringify } from 'yaml';
import { expect, test } from 'vitest';
import { SKYWALKING_ARCHIVE, SKYWALKING_SNAPSHOTS } from '../../../shared/formats/skywalking/format.ts';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { rangesWithout } from '../../../shared/formats/skywalking/choose-snapshots.ts';
import { readSnakeYaml, listTar } from '../../../shared/formats/skywalking/archive-decoder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { decodeInput } from '../../support/read-input.ts';
import { joined, snapshotStream, tarArchive, varint, exportedName } from '../../support/skywalking-bytes.ts';

const stream = snapshotStream([
  { ms: 1_795_174_578_459, sequence: 1, stack: ['java.lang.Thread.run:840', 'a.S$$Lambda$1/0x7f.run:-1'] },
]);

const say = (input: Uint8Array | string, ended = true): string => {
  const head = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const detected = detectFormat(head.subarray(0, 4096), ended);
  if (detected === undefined) return 'nothing yet';
  return detected.format === undefined ? detected.guess : `${detected.format}: ${detected.reason}`;
};

test('both inputs, however little of them is there', () => {
  const archive = tarArchive([
    { name: exportedName(''), content: '' },
    { name: exportedName('basic.yml'), content: '!!org.apache.skywalking.X\nsegments: []\n' },
    { name: exportedName('snapshot.data'), content: stream },
  ]);
  expect(say(archive)).toBe('skywalking-archive: it is a tar archive with SkyWalking’s basic.yml');
  expect(say(archive.subarray(0, 100), false)).toBe('nothing yet');
  expect(say(archive.subarray(0, 700), false)).toBe('nothing yet');
  expect(say(tarArchive([{ name: 'x/snapshot.data', content: stream }]))).toBe(
    'skywalking-archive: it is a tar archive with SkyWalking’s snapshot.data',
  );
  expect(say(stream)).toBe('skywalking-snapshots: it begins with a snapshot of a thread’s stack');
  expect(say(stream.subarray(0, 20), false)).toBe('nothing yet');
});

test('what is none of them', () => {
  expect(say(tarArchive([{ name: 'notes.txt', content: 'a' }]))).toBe('a tar archive');
  expect(say(tarArchive([{ name: 'basic.yml', content: 'a: b\n' }]))).toBe('a tar archive');
  expect(say(tarArchive([{ name: 'snapshot.data', content: 'nothing like it' }]))).toBe('a tar archive');
  expect(say('name: list\nsnapshots:\n')).toBe('plain text');
  // SkyWalking's test cases are no profiles.
  expect(say('list:\n  - data:\n      limit: 10\n      snapshots:\n        - A-B-C\n')).toBe('plain text');
  expect(say(snapshotStream([{ ms: 1, sequence: 1, stack: ['no signature'] }]))).not.toMatch(/skywalking/);
});

test('a span without its children', () => {
  const without = (start: number, end: number, ...children: readonly [number, number][]): string =>
    rangesWithout(
      { start, end },
      children.map(([from, to]) => ({ start: from, end: to })),
    )
      .map((range) => `${range.start}-${range.end}`)
      .join(' ');
  expect(without(0, 100)).toBe('0-100');
  expect(without(0, 100, [10, 20], [40, 50])).toBe('0-9 20-39 50-100');
  expect(without(0, 100, [40, 50], [10, 20])).toBe('0-9 20-39 50-100');
  expect(without(0, 100, [0, 30], [30, 100])).toBe('');
  // Overlapping: the reference would go back to 30.
  expect(without(0, 100, [10, 60], [20, 30], [70, 80])).toBe('0-9 60-69 80-100');
});

const readYaml = (text: string): unknown => {
  const { root, problem } = readSnakeYaml(new TextEncoder().encode(text));
  return problem === undefined ? root : problem.message;
};

test('every scalar of YAML is a text, and tags say nothing', () => {
  expect(readYaml('!!a.B\n{duration: 20:0, on: yes, n: 0x1F, e: 1e3}')).toEqual({
    duration: '20:0',
    on: 'yes',
    n: '0x1F',
    e: '1e3',
  });
});

test('YAML as SnakeYAML writes a bean that has lists, anchors and folded texts', () => {
  const dumped = String.raw`!!org.apache.X
config: {a: 'it''s

    two', b: "q\"\u00e9 \
    \ r", c: one
    two}
spans:
- id: 0
  logs: &id001
  - {key: a:b, value: '#1'} # a comment
  - text
  refs: []
  tags: *id001
-
  id: 1
segments: [
  {id: x}, {}]
empty:
last: long
  folded
`;
  const logs = [{ key: 'a:b', value: '#1' }, 'text'];
  expect(readYaml(dumped)).toEqual({
    config: { a: "it's\ntwo", b: 'q"é  r', c: 'one two' },
    spans: [{ id: '0', logs, refs: [], tags: logs }, { id: '1' }],
    segments: [{ id: 'x' }, {}],
    empty: null,
    last: 'long folded',
  });
});

const yamlSeed = testSeed('snake-yaml');

test('500 random beans are read as the library yaml reads them', () => {
  const random = yamlSeed.randomFor(0);
  const pieces = [
    'a',
    'B7',
    ' ',
    ' ',
    ':',
    '/',
    '#',
    "'",
    '"',
    '-',
    ',',
    '{',
    ']',
    '&',
    '*',
    '!',
    'b\nb',
    'é',
    '\\',
    '20:0',
  ];
  const text = (): string =>
    Array.from({ length: random.below(14) }, () => pieces[random.below(pieces.length)]).join('');
  const value = (depth: number): unknown => {
    const kind = depth > 3 ? 0 : random.below(4);
    if (kind === 2)
      // The library writes an empty list in the column of its key, which is not valid.
      return Array.from({ length: 1 + random.below(3) }, () => value(depth + 1));
    if (kind === 3)
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, (_, at) => [`k${at}`, value(depth + 1)]),
      );
    return text();
  };
  let read = 0;
  for (let run = 0; run < 500; run++) {
    const bean = { config: value(0), segments: [value(1), value(1)] };
    const options = {
      collectionStyle: (['any', 'flow', 'block'] as const)[random.below(3)],
      singleQuote: random.below(2) === 0,
      lineWidth: 20 + random.below(60),
      indentSeq: random.below(2) === 0,
      blockQuote: false,
    };
    const written = stringify(bean, options);
    // The library writes some long texts so that it cannot read them itself.
    const document = parseDocument(written, { schema: 'failsafe' });
    if (document.errors.length > 0 || JSON.stringify(document.toJS()) !== JSON.stringify(bean)) continue;
    read++;
    expect([run, yamlSeed.seed, written, readYaml(written)]).toEqual([run, yamlSeed.seed, written, bean]);
  }
  expect(read).toBeGreaterThan(450);
});

test('B18: no YAML takes long, and what is no export of SkyWalking is refused', () => {
  const head = 'segmentId: s\nsnapshots:\n';
  expect(readYaml('['.repeat(100_000))).toBe('nesting exceeded maxDepth (100) at character 99');
  expect(readYaml('- '.repeat(100_000))).toBe('nesting exceeded maxDepth (100) at character 200');
  expect(readYaml(`${head}- *q\n`)).toBe('unidentified alias "q" at character 28');
  // Aliases are references, so that they take no more memory than their text.
  const laughs = Array.from({ length: 60 }, (_, at) => `k${at + 1}: &k${at + 1} [*k${at}, *k${at}]\n`).join(
    '',
  );
  expect(readSnakeYaml(new TextEncoder().encode(`k0: &k0 x\n${laughs}`)).problem).toBeUndefined();
  for (const more of [
    '!a ,',
    ',',
    '{},',
    '\n',
    ' ',
    "'",
    '"',
    '- \n',
    '#\n',
    '- a-b\n',
    '- &q a\n- *q\n',
    '}\n',
    ': ',
    '&a ',
  ])
    for (const begin of ['x: [', '', head, 'x: "', "x: '", 'x: a'])
      readYaml(begin + more.repeat(Math.floor(1_000_000 / more.length)));
  expect(readSnakeYaml(Buffer.from(`${head}${'- a-b\n'.repeat(200_000)}`)).problem).toEqual({
    message: 'more than 1 MB of YAML',
    isTooLong: true,
  });
});

test('a basic.yml that is not read: why', () => {
  const noteOf = (basic: string): string | undefined => {
    const archive = tarArchive([{ name: exportedName('basic.yml'), content: `segments: []\n${basic}` }]);
    return decodeInput(SKYWALKING_ARCHIVE, new Uint8Array(archive)).decoder.facts().notes.at(0);
  };
  const then = 'segments have no names, and there are no spans.';
  expect(noteOf('# more\n'.repeat(200_000))).toBe(`basic.yml has more than 1 MB of YAML: ${then}`);
  expect(noteOf('}')).toBe(
    `basic.yml is not YAML as SkyWalking writes it (end of the stream or a document separator is expected at character 13): ${then}`,
  );
});

test('names in tar archives that are longer than a header holds', () => {
  const long = `${'deep/'.repeat(30)}work/snapshot.data`;
  const withType = (archive: Uint8Array, type: string): Uint8Array => {
    const header = archive.slice(0, archive.length - 1024);
    header[156] = type.charCodeAt(0);
    header.fill(0x20, 148, 156);
    const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    header.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
    return header;
  };
  const file = tarArchive([{ name: 'cut', content: 'data' }]);
  const gnu = withType(tarArchive([{ name: '././@LongLink', content: `${long}\0` }]), 'L');
  const record = ` path=${long}\n`;
  const pax = withType(tarArchive([{ name: 'PaxHeader', content: `${record.length + 3}${record}` }]), 'x');
  for (const before of [gnu, pax]) {
    const archive = new Uint8Array([...before, ...file]);
    const { entries, damage } = listTar(archive);
    expect(entries).toEqual([
      { name: long, from: before.length + 512, to: before.length + 516, isIncomplete: false },
    ]);
    expect(damage).toBeUndefined();
  }
  file[0] ^= 1;
  expect(listTar(file).damage).toMatchObject({ what: 'tar header', byteOffset: 0 });
});

test('a stack of a million frames', () => {
  const frame = new TextEncoder().encode('\n\x07a.A.r:8');
  const stack = joined(Array.from({ length: 1_000_000 }, () => frame));
  const message = joined([Uint8Array.of(0x20, 1, 0x2a), varint(stack.length), stack]);
  const { aggregator, profile, decoder } = decodeInput(
    SKYWALKING_SNAPSHOTS,
    joined([varint(message.length), message]),
  );
  expect([decoder.damage, decoder.records]).toEqual([undefined, 1]);
  expect([aggregator.deepestStack, profile.nodes.length, aggregator.sampleCount]).toEqual([
    1_000_000, 1_000_001, 1,
  ]);
});
