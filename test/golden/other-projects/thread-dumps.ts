import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { stacksInJson, stacksInText } from '../../support/dump-stacks.ts';
import { foldedLines, methodText, stacksOf } from '../../support/profile-stacks.ts';
import { readInput } from '../../support/read-input.ts';
import { signatureTrees, treeText } from '../../support/signature-trees.ts';
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
  expectCases(readInput(readFileSync(`${folder}/thread-snapshot.yml`)));

  const exporter = readFileSync(`${folder}/exporter-profile.yml`);
  const tree = (chosen: Chosen): string =>
    treeText(signatureTrees(readInput(exporter, chosen).profile)['segment 1.1.1']);
  expect(tree({})).toBe('a 4 30:0, b 4 30:0, c 4 30:30');
  expect(tree({ span: '1.2' })).toBe('a 3 20:0, b 3 20:0, c 3 20:20');
  // The parent is 0 … 40, the child 10 … 30: what is left are 0 … 9 and 30 … 40, one snapshot each.
  expect(tree({ span: '1.1', children: 'off' })).toBe('a 2 0:0, b 2 0:0, c 2 0:0');
});
