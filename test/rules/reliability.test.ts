import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TAIL_RULES } from '../../electron/source/log-tailer.ts';
import { ROOT, writtenFiles } from './source-files.ts';

const document = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
const tests = writtenFiles().filter((path) => path.startsWith('test/') && path.endsWith('.test.ts'));

/** The rows of the tables of cases: `T08`, and the test files that it names. */
const cases = Array.from(document.matchAll(/^\| ([TBHDX]\d\d) +\|.*?\| (.*) \|$/gm), ([, id, test]) => ({
  id,
  files: Array.from(test.matchAll(/`([\w./-]+\.test\.ts)`/g), ([, file]) => file),
  isLeftOut: test.startsWith('left out: '),
}));

/** The cases that titles of a test file name: 'T11 T15: …', 'T08–T19: …'. */
function casesOf(path: string): Set<string> {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const found = new Set<string>();
  for (const [, ids] of text.matchAll(/['`]((?:[TBHDX]\d\d(?:–[TBHDX]\d\d)?[ :])+)/g)) {
    for (const [, kind, first, , last = first] of ids.matchAll(/([TBHDX])(\d\d)(–\w(\d\d))?/g)) {
      for (let at = Number(first); at <= Number(last); at++)
        found.add(`${kind}${String(at).padStart(2, '0')}`);
    }
  }
  return found;
}

test('every case of the table has a test with its number, or is left out with a reason', () => {
  const wrong = cases.flatMap(({ id, files, isLeftOut }) => {
    if (files.length === 0) return isLeftOut ? [] : [`${id} has neither a test nor a reason`];
    return files
      .filter((file) => {
        const paths = tests.filter((path) => path.endsWith(`/${file}`) || path === file);
        return paths.length !== 1 || !casesOf(paths[0]).has(id);
      })
      .map((file) => `${id} is not in ${file}`);
  });
  expect(wrong).toEqual([]);
  const numbered = (kind: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, at) => `${kind}${String(at + 1).padStart(2, '0')}`);
  expect(cases.map(({ id }) => id)).toEqual([
    ...numbered('T', 51),
    ...numbered('B', 27),
    ...numbered('H', 12),
    ...numbered('D', 22),
    ...numbered('X', 9),
  ]);
});

test('the table of what a poll sees, and what happens then, is that of the tailer', () => {
  const rows = Array.from(
    document.matchAll(/^\| (.+?) +\| ([a-z ]+?) +\| `(\w+)` +\|$/gm),
    ([, ...row]) => row,
  );
  expect(rows).toEqual(
    Object.entries(TAIL_RULES).map(([seen, { action, result }]) => [seen, action, result]),
  );
});
