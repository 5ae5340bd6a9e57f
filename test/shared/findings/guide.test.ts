import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHECKS } from '../../../shared/findings/check-list.ts';

test('the guide lists all checks with their thresholds', () => {
  const guide = readFileSync('docs/user/findings.md', 'utf8');
  const cells = guide
    .split('\n')
    .filter((line) => /^\| F\d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const percent = (share: number): string => `${Number((share * 100).toPrecision(3))}`;
  expect(cells.map(([, id, title, from]) => [id, title, from])).toEqual(
    CHECKS.map(({ id, title, thresholds: { info, warn } }) => [
      id,
      title,
      `${percent(info)}${warn === undefined ? '' : ` / ${percent(warn)}`} %`,
    ]),
  );
});
