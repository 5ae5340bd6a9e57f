import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS } from '../../shared/formats/formats.ts';
import { ROOT } from './source-files.ts';

/** Cells of the table's rows, without the blanks that align them. */
function tableRows(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** Its decoder does not follow; `RecordingFollower` passes on what a JVM flushes. */
const RECORDING = 'jfr';

test('the table of formats agrees with the formats', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('\n## Formats'), readme.indexOf('\n## What Time means'));
  const rows = new Map(tableRows(section).map(([name, ...cells]) => [name, cells]));
  const found = FORMATS.map(({ name }) => {
    const [files, , growing, unknown] = rows.get(name) ?? [];
    return [name, files, growing, unknown];
  });
  const expected = FORMATS.map(({ id, name, extensions, follows, notRecorded }) => [
    name,
    extensions.map((extension) => `\`${extension}\``).join(' '),
    follows ? 'followed' : id === RECORDING ? 'see below' : 'no',
    notRecorded.join('; '),
  ]);
  expect(found).toEqual(expected);
  expect(FORMATS.filter(({ name }) => rows.get(name)?.[1] === '')).toEqual([]);
  // And the two lines of its head.
  expect(rows.size).toBe(FORMATS.length + 2);
});
