import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { stacksInJson, stacksInText } from '../../support/dump-stacks.ts';
import { foldedLines, methodText, stacksOf } from '../../support/profile-stacks.ts';
import { readInput } from '../../support/read-input.ts';
import { signatureTrees, treeText } from '../../support/signature-trees.ts';
import { analyseSegment } from '../../support/skywalking-cases.ts';
import { expectCases } from '../skywalking/cases.ts';
import { DATA } from './data.ts';

const STRANGERS = `${DATA}/other/strangers`;

test('thread dumps of other tools: all threads with their stacks', () => {
  const read = (name: string): unknown => {
    const { decoder, profile, format } = readInput(readFileSync(`${STRANGERS}/${name}`));
    const found = foldedLines(stacksOf(profile), ({ thread, frames }) => [thread, ...frames.map(methodText)].join(';'));
    return { format, records: decoder.records, found };
  };
  const text = (name: string, encoding: 'utf8' | 'utf16le'): string => readFileSync(`${STRANGERS}/${name}`, encoding);

  const visual = text('visualvmremote.log', 'utf8');
  expect(read('visualvmremote.log')).toEqual({
    format: 'thread-dump',
    records: visual.match(/^".*" - Thread t@\d+/gm)?.length,
    found: stacksInText(visual),
  });
  const wide = text('java21dump_utf16.log', 'utf16le');
  expect(read('java21dump_utf16.log')).toEqual({
    format: 'thread-dump',
    records: wide.match(/^".*" .*\btid=/gm)?.length,
    found: stacksInText(wide),
  });
  const json = text('intellij_dump.json', 'utf8');
  expect(read('intellij_dump.json')).toEqual({
    format: 'thread-dump-json',
    records: json.match(/"tid"/g)?.length,
    found: stacksInJson(json),
  });
});

test("the nine cases and the exporter's case in SkyWalking's own files", () => {
  const folder = `${DATA}/skywalking`;
  expectCases(readFileSync(`${folder}/thread-snapshot.yml`, 'utf8'));

  const exporter = readFileSync(`${folder}/exporter-profile.yml`, 'utf8');
  const tree = (chosen: Chosen): string =>
    treeText(signatureTrees(analyseSegment(exporter, chosen))['segment 1.1.1']);
  expect(tree({})).toBe('a 4 30:0, b 4 30:0, c 4 30:30');
  expect(tree({ span: '1.2' })).toBe('a 3 20:0, b 3 20:0, c 3 20:20');
  // The parent is 0 … 40, the child 10 … 30: what is left are 0 … 9 and 30 … 40, one snapshot each.
  expect(tree({ span: '1.1', children: 'off' })).toBe('a 2 0:0, b 2 0:0, c 2 0:0');
});

test('dumps that collectors of logs kept, and what newer JVMs write', () => {
  const later = (name: string): ReturnType<typeof readInput> => {
    const bytes = readFileSync(`${DATA}/other/strangers-2/${name}`);
    return readInput(name.endsWith('.gz') ? new Uint8Array(gunzipSync(bytes)) : bytes);
  };
  const kept = ['dump-bracketed-log.log', 'dump-indented.txt', 'dump-kubectl-timestamps.log', 'late-dump.log.gz'];
  for (const name of kept) {
    const { aggregator, profile } = later(name);
    expect([name, aggregator.sampleCount, profile.threads.length]).toEqual([name, 3, 3]);
  }
  expect(later('javacore.unmounted-threads.txt').aggregator.sampleCount).toBe(4);
  const names = stacksOf(later('jdk25-unnamed-platform-thread.json').profile).map(({ thread }) => thread);
  expect(names).toEqual(['main', 'thread #233', 'virtual thread #240']);
  const { losses } = later('intellij-coroutine-dump.txt').decoder.facts();
  expect(losses.map(({ amount }) => amount)).toEqual(['4 coroutines']);
  const locks = (name: string): unknown =>
    later(name)
      .decoder.facts()
      .tables.find(({ title }) => title.startsWith('Locks'))
      ?.rows.map((row) => row.slice(2));
  expect(locks('jdk25-dump-to-file-locks.txt')).toEqual([
    ['pinned', 2, 'blocked platform, blocked-v'],
    [undefined, 1, 'dead1'],
    ['dead1', 0, undefined],
  ]);
  expect(locks('json-series-1.json')).toEqual(locks('jdk25-dump-to-file-locks.txt'));
});
