import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Engine } from '../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import { contextRows } from '../support/profile-tables.ts';
import { readInput } from '../support/read-input.ts';
import { signatureTrees, treeText } from '../support/signature-trees.ts';
import { joined, snapshotStream, tarArchive, type WrittenSnapshot, exportedName } from '../support/skywalking-bytes.ts';
import { type Analysis, cases, expectCases, readJson, sorted } from './skywalking/cases.ts';

// Expectations are what SkyWalking's own analyser gave for the same snapshots (specs: skywalking, section 7).

const SEGMENT = 'a1b2c3d4e5f60718293a4b5c6d7e8f90.57.17000000000000002';
const recorded = readJson('export-one-segment.expected.json') as {
  readonly snapshots: number;
  readonly analyses: readonly (Analysis & { readonly what: string })[];
};
const archive = new Uint8Array(gunzipSync(readFileSync('test/golden/skywalking/export-one-segment.tar.gz')));

/** The cases in the layout of SkyWalking's thread-snapshot.yml. */
function casesAsYaml(): string {
  const lines = ['# the nine cases', 'list:'];
  for (const { dumpPeriodMs, snapshots, queries } of cases) {
    const ranges = queries.map(({ start, end }) => `${start / dumpPeriodMs}-${end / dumpPeriodMs}`);
    lines.push('  - data:', `      limit: ${dumpPeriodMs}`, `      timeRanges: ${ranges.join(',')}`);
    lines.push('      snapshots:', ...snapshots.map((stack) => `        - ${stack}`));
    lines.push('    expected:', '      - code: A', '        duration: 20:0');
  }
  return `${lines.join('\n')}\n`;
}

test('the nine cases of the analyser', () => {
  expectCases(casesAsYaml());
});

test('a recorded export: every analysis of SkyWalking’s own', () => {
  const settings: readonly Chosen[] = [
    { span: '1.0' },
    { span: '1.0', children: 'off' },
    { span: '1.1' },
    { span: '1.2' },
  ];
  expect(recorded.analyses).toHaveLength(settings.length);
  for (const [at, { what, result }] of recorded.analyses.entries()) {
    const { profile, decoder, format } = readInput(archive, settings[at]);
    expect(format).toBe('skywalking-archive');
    expect({ what, trees: signatureTrees(profile) }).toEqual({
      what,
      trees: { [`segment ${SEGMENT}`]: sorted(result.trees) },
    });
    expect(decoder.damage).toBeUndefined();
    expect(decoder.bytes).toEqual({ accepted: archive.length, skipped: 0, pending: 0 });
  }
  // Nothing chosen is the whole segment, which is what its entry span spans.
  expect(signatureTrees(readInput(archive).profile)).toEqual(
    signatureTrees(readInput(archive, settings[0]).profile),
  );
});

test('a recorded export: what the file says', () => {
  const { decoder } = readInput(archive, { span: '1.1' });
  const { choices, notes, tables, units } = decoder.facts();
  expect(units.counted.many).toBe('snapshots');
  expect(decoder.records).toBe(recorded.snapshots);
  expect(notes).toEqual([
    'Trace a1b2c3d4e5f60718293a4b5c6d7e8f90.57.17000000000000001, task c2hvcA==.1_1700000000000.',
  ]);
  expect(choices.map(({ id }) => id)).toEqual(['span', 'children', 'limit']);
  expect(choices[0]).toMatchObject({
    chosen: '1.1',
    options: [
      { value: 'none', text: 'The whole segment' },
      { value: '1.0', text: '1.0 POST:/orders (2200 ms)' },
      { value: '1.1', text: '1.1 validate (800 ms)' },
      { value: '1.2', text: '1.2 db/query (499 ms)' },
    ],
  });
  expect(tables.map(({ title, rows }) => [title, ...rows])).toEqual([
    ['Segments', [SEGMENT, '2026-11-20T11:36:18.459Z', 2_200_000_000, 187]],
    [
      'Spans',
      ['1.0', undefined, 'shop', 'POST:/orders', 'Entry', '2026-11-20T11:36:18.459Z', 2_200_000_000],
      ['1.1', '1.0', 'shop', 'validate', 'Local', '2026-11-20T11:36:18.460Z', 800_000_000],
      ['1.2', '1.0', 'shop', 'db/query', 'Local', '2026-11-20T11:36:19.260Z', 499_000_000],
    ],
  ]);
});

test('spans are contexts: their snapshots are those that SkyWalking analyses for the span', () => {
  const { profile } = readInput(archive, {}, true);
  const contexts = contextRows(profile.samples!.contexts);
  expect(contexts.map(([, from, to, name]) => [name, Number((to as bigint) - (from as bigint)) - 1])).toEqual([
    ['POST:/orders', 2_200_000_000],
    ['validate', 800_000_000],
    ['db/query', 499_000_000],
  ]);
  const engine = new Engine();
  engine.add('log', profile);
  for (const [span, name] of [
    ['1.0', 'POST:/orders'],
    ['1.1', 'validate'],
    ['1.2', 'db/query'],
  ]) {
    const scope = { contexts: { where: [`operation=${name}`] }, threads: [], transforms: [] };
    const { outside } = engine.view('log', { ...INITIAL_QUERY, scope });
    const analysed = readInput(archive, { span }).aggregator.sampleCount;
    expect([name, profile.samples!.length - outside.samples]).toEqual([name, analysed]);
  }
});

test('a tree by spans adds up to the tree of all, also where time is charged to another stack than its snapshot', () => {
  const { profile } = readInput(archive, {}, true);
  expect(profile.samples!.valueSelf).toBeDefined();
  const engine = new Engine();
  engine.add('log', profile);
  const whole = engine.view('log', INITIAL_QUERY).sums({ threads: 'all', frames: 'fqmn' });
  const view = engine.view('log', { ...INITIAL_QUERY, attribute: 'operation' });
  // Rows of all threads, of the groups together: each has what it has without groups.
  const grouped = view.sums({ threads: 'all', frames: 'fqmn' });
  const byLabel = ({ tree, totalCount, totalTime }: typeof whole): readonly string[] =>
    Array.from({ length: tree.length }, (_, row) => `${tree.label(row)} ${totalCount[row]} ${totalTime.ns[row]}`).sort();
  expect(byLabel(grouped)).toEqual(byLabel(whole));
  const spans = view.sums({ threads: 'context:operation', frames: 'fqmn' });
  const roots = spans.tree.roots().filter((row) => spans.totalCount[row] > 0);
  expect(roots.map((row) => spans.tree.label(row)).sort()).toEqual(['POST:/orders', 'db/query', 'validate']);
});

test('snapshot.data of a recorded export by itself', () => {
  const data = snapshotData(archive);
  const { profile, decoder, format } = readInput(data);
  expect(format).toBe('skywalking-snapshots');
  expect(signatureTrees(profile)).toEqual({ 'segment 1': sorted(recorded.analyses[0].result.trees) });
  expect(decoder.bytes).toEqual({ accepted: data.length, skipped: 0, pending: 0 });
});

test('two segments in one query: per segment, and no duration is negative', () => {
  const data = snapshotData(archive);
  const basic = basicYml(archive);
  const other = SEGMENT.replace(/2$/, '3');
  // The same segment twice, in the exporter's layout. The reference tells snapshots apart by their sequence alone, loses
  // half of them in such an export and gives negative durations (specs: skywalking, section 5).
  const segments = /segments:\n(- \{[^}]*\})/.exec(basic);
  const spans = /profiledSegmentSpans:\n([^]*)segments:/.exec(basic);
  if (segments === null || spans === null) throw new Error('basic.yml has another layout');
  const both = basic
    .replace(segments[1], `${segments[1]}\n${segments[1].replaceAll(SEGMENT, other)}`)
    .replace(spans[1], spans[1] + spans[1].replaceAll(SEGMENT, other));
  const twice = tarArchive([
    { name: exportedName('basic.yml'), content: both },
    { name: exportedName('snapshot.data'), content: joined([data, data]) },
  ]);
  const { profile, decoder } = readInput(twice);
  const trees = sorted(recorded.analyses[0].result.trees);
  expect(signatureTrees(profile)).toEqual({ [`segment ${SEGMENT}`]: trees, [`segment ${other}`]: trees });
  expect(decoder.records).toBe(2 * recorded.snapshots);
  for (let row = 0; row < profile.selfValues.length; row++)
    expect(profile.selfValues.time.exact(row)).toBeGreaterThanOrEqual(0n);

  const validate = sorted(recorded.analyses[2].result.trees);
  expect(signatureTrees(readInput(twice, { segment: other }).profile)).toEqual({ [`segment ${other}`]: trees });
  expect(signatureTrees(readInput(twice, { span: '2.1' }).profile)).toEqual({
    [`segment ${other}`]: validate,
  });
  // A span of another segment than the chosen one is no span at all.
  expect(signatureTrees(readInput(twice, { segment: SEGMENT, span: '2.1' }).profile)).toEqual({
    [`segment ${SEGMENT}`]: trees,
  });
});

test('snapshots that name their segments, in any order', () => {
  const of = (segmentId: string, sequence: number, ...stack: string[]): WrittenSnapshot => ({
    segmentId,
    sequence,
    ms: 1_795_000_000_000 + sequence * 10,
    stack,
  });
  const { profile, decoder } = readInput(
    snapshotStream([
      of('one', 2, 'a.B.run:1', 'a.B.work:7'),
      of('two', 0, 'a.B.run:1'),
      of('one', 0, 'a.B.run:1', 'a.B.work:7'),
      of('one', 1, 'a.B.run:1', 'a.B.read:-2'),
      of('two', 0, 'a.B.twice:1'),
      of('two', 1, 'a.B.run:1'),
      of('two', 2),
      of('two', 3, 'a.B.run:1'),
    ]),
  );
  const trees = signatureTrees(profile);
  expect(treeText(trees['segment one'])).toBe('a.B.run:1 3 20:20, a.B.read:-2 1 0:0, a.B.work:7 2 0:0');
  // The empty stack at 2 is in the way between 1 and 3.
  expect(treeText(trees['segment two'])).toBe('a.B.run:1 3 10:10');
  expect(decoder.facts().notes).toEqual(['1 snapshot with an empty stack: not counted.']);
});

test('the limit, and its tip', () => {
  const { profile, decoder } = readInput(archive, { limit: '20' });
  const [tree] = signatureTrees(profile)[`segment ${SEGMENT}`];
  expect(tree.count).toBe(20);
  expect(decoder.facts().notes[1]).toBe(
    'Out of snapshot analyze limit, 187 snapshots found, but analysis first 20 snapshots only.',
  );
});

test('an export that is cut, and one without its basic.yml', () => {
  const cut = readInput(archive.subarray(0, archive.length - 60_000));
  expect(cut.decoder.damage).toMatchObject({ what: 'snapshot.data', expected: 'a complete snapshot' });
  expect(cut.aggregator.sampleCount).toBe(cut.decoder.records);
  expect(cut.decoder.records).toBeGreaterThan(20);

  const bare = readInput(tarArchive([{ name: 'snapshot.data', content: snapshotData(archive) }]));
  expect(signatureTrees(bare.profile)).toEqual({ 'segment 1': sorted(recorded.analyses[0].result.trees) });
  expect(bare.decoder.facts().notes[0]).toMatch(/has no basic.yml/);
});

function snapshotData(tar: Uint8Array): Uint8Array {
  return contentOf(tar, exportedName('snapshot.data'));
}

function basicYml(tar: Uint8Array): string {
  return new TextDecoder().decode(contentOf(tar, exportedName('basic.yml')));
}

/** Read without the reader under test: the header is found by its name. */
function contentOf(tar: Uint8Array, name: string): Uint8Array {
  const buffer = Buffer.from(tar);
  const header = buffer.indexOf(`${name}\0`);
  const size = parseInt(buffer.toString('latin1', header + 124, header + 135), 8);
  return tar.slice(header + 512, header + 512 + size);
}
