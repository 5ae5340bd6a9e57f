import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Writes runs with so many samples of each stack; returns their paths. */
function runsOf(folder: string, name: string, runs: readonly Readonly<Record<string, number>>[]): string[] {
  return runs.map((stacks, at) => {
    const path = join(folder, `${name}${at + 1}.collapsed`);
    writeFileSync(
      path,
      Object.entries(stacks)
        .map(([stack, count]) => `${stack} ${count}\n`)
        .join(''),
    );
    return path;
  });
}

function sides(): { readonly base: string[]; readonly next: string[] } {
  const folder = temporaryFolder();
  const run = (sort: number, parse: string, parsed: number) => ({
    'Shop.main;Shop.sort': sort,
    [`Shop.main;${parse};Text.cut`]: parsed,
    'Shop.main;Shop.pay': 400,
  });
  return {
    base: runsOf(folder, 'before', [
      run(300, 'Old.parse', 200),
      run(310, 'Old.parse', 205),
      run(295, 'Old.parse', 210),
    ]),
    next: runsOf(folder, 'after', [
      run(500, 'New.parse', 230),
      run(510, 'New.parse', 225),
      run(490, 'New.parse', 235),
    ]),
  };
}

test('many runs against many: comparability first, then real changes with the spread of the runs, and what was renamed', async () => {
  const { base, next } = sides();
  const report = await cliOutput('compare', ...base, '--against', ...next);
  expect(report.replaceAll(/\S*\/(\w+\.collapsed)/g, '$1')).toMatchInlineSnapshot(`
    "Comparison of runs

      Samples  Side  Run
          900  base  before1.collapsed
          915  base  before2.collapsed
          905  base  before3.collapsed
        1,130   new  after1.collapsed
        1,135   new  after2.collapsed
        1,125   new  after3.collapsed

    The recordings were made in the same way, as far as they tell.

    Listed are changes that are larger than what runs of one side differ by (Welch's test between runs, 95 %). With 3 runs a side, a change of 2.94 points would be seen in a hot method; half of that would need 8 runs a side. If nothing has changed, up to one in twenty methods is listed nevertheless.

    Self: the method itself
      Base share  New share  Points    95 % interval         Base runs          New runs  Method
         33.27 %    44.25 %  +10.98  +7.52 to +14.43  32.60 to 33.88 %  43.56 to 44.93 %  Shop.sort
         44.12 %    35.40 %   −8.72  −13.04 to −4.40  43.72 to 44.44 %  35.24 to 35.56 %  Shop.pay

    Total: the method and what it called
      Base share  New share  Points     95 % interval         Base runs          New runs  Method
         22.61 %     0.00 %  −22.61  −26.06 to −19.16  22.22 to 23.20 %    0.00 to 0.00 %  Old.parse
          0.00 %    20.36 %  +20.36  +17.38 to +23.33    0.00 to 0.00 %  19.82 to 20.89 %  New.parse
         33.27 %    44.25 %  +10.98   +7.52 to +14.43  32.60 to 33.88 %  43.56 to 44.93 %  Shop.sort
         44.12 %    35.40 %   −8.72   −13.04 to −4.40  43.72 to 44.44 %  35.24 to 35.56 %  Shop.pay

    Renamed?
      Base share  New share     Before  Now
         22.61 %    20.36 %  Old.parse  New.parse
    "
  `);
  const markdown = await cliOutput('compare', ...base, '--against', ...next, '--format', 'report-md');
  expect(markdown).toContain('| Base share | New share | Points |');
});

test('a gate on many runs fails where a share grew between runs', async () => {
  const { base, next } = sides();
  const grown = await runCli([
    'compare',
    ...base,
    '--against',
    ...next,
    '--fail-above',
    '5',
    '--key',
    'Shop.sort',
  ]);
  expect(grown.status).toBe(4);
  expect(grown.stderr).toMatch(/^the self share of Shop\.sort grew by 1\d\.\d+ points: .*\n/);
  const same = await runCli(['compare', ...base, '--against', ...base, '--fail-above', '0']);
  expect([same.status, same.stderr]).toEqual([0, '']);
});

test('what many runs cannot have is refused', async () => {
  const { base, next } = sides();
  const refused = async (...argv: readonly string[]): Promise<string> => {
    const { status, stderr } = await runCli(argv);
    expect(status).toBe(2);
    return stderr;
  };
  expect(await refused('compare', '--against', ...next)).toContain('needs a BASE before it');
  expect(await refused('compare', ...base, '--against', ...next, '--format', 'svg')).toContain(
    '--against is for --format report|report-md',
  );
  for (const option of [['--hide-errors'], ['--filter', 'Shop'], ['--limit', '3'], ['--no-times']])
    expect(await refused('compare', ...base, '--against', ...next, ...option)).toContain('without --against');
  expect(await refused('compare', ...base, '--against', ...next, '--key', 'Shop')).toContain(
    '--key is for --fail-above',
  );
  expect(await refused('compare', ...base, '--against', ...next, '--from-base', '1s')).toContain(
    'without --against',
  );
});
