import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goldenPath } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';

/** Key -> its numbers, as `compare --format flat` has them: self and total samples and times of both sides. */
async function compared(
  base: string,
  next: string,
  ...options: string[]
): Promise<Map<string, readonly number[]>> {
  const { stdout } = await runCli([
    'compare', goldenPath(base), goldenPath(next), '--format', 'flat', '--recursion', 'per-level',
    '--fold', 'none', ...options,
  ]);
  const lines = stdout.trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [key, ...numbers] = line.split('\t');
      return [key, numbers.map(Number)];
    }),
  );
}

const SELF = [0, 4];
const TOTAL = [1, 5];

/** A number of the base, of the new side, and their difference. */
function cells(numbers: readonly number[], [base, next]: readonly number[], digits: number): string[] {
  return [numbers[base], numbers[next], numbers[next] - numbers[base]].map((each) => each.toFixed(digits));
}

// The layout of our own CSV is another one: it has percent, each sample once for a method, and what chance explains.
test.each([
  ['control-a', 'control-a'],
  ['control-a', 'control-b'],
  ['hello', 'deeprec'],
])("keys, shares and numbers of the reference's table of %s and %s", async (base, next) => {
  const text = readFileSync(`test/golden/hpl/${base}--${next}.flat_diff_profile.csv`, 'utf8');
  const [header, ...rows] = text.trimEnd().split(/\r?\n/);
  expect(header.split(',').slice(0, 4)).toEqual(['"Key"', '"Base Self %"', '"New Self %"', '"Self % Diff"']);
  const [counts, shares] = [
    await compared(base, next),
    await compared(base, next, '--normalize', 'share'),
  ];
  const own = [...counts].map(([key, numbers]) =>
    [
      key,
      ...cells(shares.get(key)!, SELF, 4), ...cells(shares.get(key)!, TOTAL, 4),
      ...cells(numbers, SELF, 0), ...cells(numbers, TOTAL, 0),
    ].map((cell) => `"${cell}"`),
  );
  expect(own.map((row) => row.join(','))).toEqual(rows);
  expect(rows.length).toBeGreaterThan(4);
});
