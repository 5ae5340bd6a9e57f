import { expect, test } from 'vitest';
import { SKYWALKING_ARCHIVE, SKYWALKING_SNAPSHOTS } from '../../../../shared/formats/skywalking/format.ts';
import { detectFormat } from '../../../../shared/input/detect-format.ts';
import { rangesWithout } from '../../../../shared/formats/skywalking/choose-snapshots.ts';
import { readPlainYaml } from '../../../../shared/formats/skywalking/plain-yaml.ts';
import { listTar } from '../../../../shared/formats/skywalking/tar.ts';
import { decodeInput } from '../../../support/read-input.ts';
import {
  joined,
  snapshotStream,
  tarArchive,
  varint,
  exportedName,
} from '../../../support/skywalking-bytes.ts';

const stream = snapshotStream([
  { ms: 1_795_174_578_459, sequence: 1, stack: ['java.lang.Thread.run:840', 'a.S$$Lambda$1/0x7f.run:-1'] },
]);

const say = (input: Uint8Array | string, ended = true): string => {
  const head = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const detected = detectFormat(head.subarray(0, 4096), ended);
  if (detected === undefined) return 'nothing yet';
  return detected.format === undefined ? detected.guess : `${detected.format}: ${detected.reason}`;
};

test('the three inputs, however little of them is there', () => {
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
  expect(say('# cases\nlist:\n  - data:\n      limit: 10\n      snapshots:\n')).toBe(
    'skywalking-yaml: it is YAML with a list of snapshots',
  );
  expect(say('list:\n  - da', false)).toBe('nothing yet');
});

test('what is none of them', () => {
  expect(say(tarArchive([{ name: 'notes.txt', content: 'a' }]))).toBe('a tar archive');
  expect(say(tarArchive([{ name: 'basic.yml', content: 'a: b\n' }]))).toBe('a tar archive');
  expect(say(tarArchive([{ name: 'snapshot.data', content: 'nothing like it' }]))).toBe('a tar archive');
  expect(say('name: list\nsnapshots:\n')).toBe('plain text');
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

test('every scalar of YAML is a text, and tags say nothing', () => {
  const { root } = readPlainYaml(
    new TextEncoder().encode('!!a.B\n{duration: 20:0, on: yes, n: 0x1F, e: 1e3}'),
  );
  expect(root).toEqual({ duration: '20:0', on: 'yes', n: '0x1F', e: '1e3' });
  const deep = readPlainYaml(new TextEncoder().encode('['.repeat(100_000)));
  expect(deep.problem).toBeDefined();
  const laughs = `a: &a [x, x, x]\n${Array.from({ length: 20 }, (_, at) => {
    const name = String.fromCharCode(97 + at);
    const next = String.fromCharCode(98 + at);
    return `${next}: &${next} [*${name}, *${name}, *${name}, *${name}, *${name}]`;
  }).join('\n')}\n`;
  expect(readPlainYaml(new TextEncoder().encode(laughs)).problem).toBeDefined();
});

test('B18: YAML that takes the library minutes is refused where it becomes too much', () => {
  const head = 'segmentId: s\nlimit: 9\nsnapshots:\n';
  const problemOf = (text: string): unknown => readPlainYaml(Buffer.from(text)).problem;
  const alias = (count: number): string => `${head}- &q a-b\n${'- *q\n'.repeat(count)}`;
  expect(problemOf(alias(8))).toBeUndefined();
  expect(problemOf(alias(200_000))).toMatchObject({ message: 'more than 8 aliases' });
  expect(problemOf(`${head}${'- &q a\n- *q\n'.repeat(60_000)}`)).toMatchObject({
    message: 'more than 8 aliases',
    at: head.length + 9 * 12 - 1,
  });
  expect(problemOf(`${head}${'}\n'.repeat(400_000)}`)).toMatchObject({ message: '100 errors' });
  for (const [begin, more, tokens] of [
    ['x: [', '!a ,', 2],
    ['[', ',', 1],
    ['[', '{},', 3],
    ['', '- \n', 2],
    ['', '#\n', 2],
    [head, '- a-b\n', 3],
  ] as const)
    expect([more, problemOf(begin + more.repeat(Math.ceil(60_001 / tokens)))]).toMatchObject([
      more,
      { message: 'more than 60,000 tokens of YAML', isTooLong: true },
    ]);
  expect(problemOf(`${head}${'- a-b\n'.repeat(15_000)}`)).toBeUndefined();
  expect(problemOf(`${head}${'- a-b\n'.repeat(200_000)}`)).toEqual({
    message: 'more than 1 MB of YAML',
    at: 0,
    isTooLong: true,
  });
  // Stars in texts are no aliases.
  const stars = `${head}${'- a-*b-c\n- "*q"\n'.repeat(50)}x: |\n  *a\n  *b\n${'  *c\n'.repeat(20)}`;
  expect(problemOf(stars)).toBeUndefined();
});

test('a basic.yml that is not read: why', () => {
  const noteOf = (basic: string): string | undefined => {
    const archive = tarArchive([{ name: exportedName('basic.yml'), content: `segments: []\n${basic}` }]);
    return decodeInput(SKYWALKING_ARCHIVE, new Uint8Array(archive)).decoder.facts().notes.at(0);
  };
  const then = 'segments have no names, and there are no spans.';
  expect(noteOf('# more\n'.repeat(200_000))).toBe(`basic.yml has more than 1 MB of YAML: ${then}`);
  expect(noteOf('# more\n'.repeat(40_000))).toBe(`basic.yml has more than 60,000 tokens of YAML: ${then}`);
  expect(noteOf('}')).toBe(`basic.yml is not valid YAML: ${then}`);
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
