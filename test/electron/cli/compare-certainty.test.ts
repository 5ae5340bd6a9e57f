import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CliRun, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// How sure `compare` is of a difference.

/** A V8 CPU profile in which runs of samples end in functions; each sample lasts so many milliseconds. */
function cpuProfileOf(runs: readonly (readonly [name: string, samples: number, ms: number])[]): string {
  const frame = (id: number, functionName: string, children: readonly number[] = []): object => ({
    id,
    callFrame: { functionName, scriptId: '1', url: '', lineNumber: 0, columnNumber: 0 },
    children,
  });
  const ids = runs.map((_, at) => at + 2);
  return JSON.stringify({
    nodes: [frame(1, '(root)', ids), ...runs.map(([name], at) => frame(at + 2, name))],
    startTime: 0,
    endTime: 1000 * runs.reduce((sum, [, samples, ms]) => sum + samples * ms, 0),
    samples: runs.flatMap(([, samples], at) => Array<number>(samples).fill(ids[at])),
    // Each is the time before its sample.
    timeDeltas: [0, ...runs.flatMap(([, samples, ms]) => Array<number>(samples).fill(1000 * ms))].slice(
      0,
      -1,
    ),
  });
}

test('by time: listed is what the samples confirm, and the interval says that it is of samples', async () => {
  const folder = temporaryFolder();
  const fileOf = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const before = fileOf(
    'before.cpuprofile',
    cpuProfileOf([
      ['slow', 300, 1],
      ['more', 300, 1],
      ['less', 400, 1],
    ]),
  );
  const after = fileOf(
    'after.cpuprofile',
    cpuProfileOf([
      ['slow', 200, 3],
      ['more', 500, 1],
      ['less', 300, 1],
    ]),
  );
  const byTime = async (...options: string[]): Promise<CliRun> =>
    runCli(['compare', before, after, '--metric', 'time', ...options]);
  const report = (await byTime()).stdout;
  const lines = report.split('\n');
  const self = lines.indexOf('Self: the method itself');
  expect(lines.slice(self + 1, self + 5)).toEqual([
    '  Base share  New share  Points  95 % interval of samples  Base time  New time  Only in  Method',
    '     40.00 %    21.43 %  −18.57           −14.20 to −5.75     400 ms    300 ms           less',
    '     30.00 %    35.71 %   +5.71          +15.68 to +24.21     300 ms    500 ms           more',
    '  1 other method changed no more than chance explains, or samples do not confirm it.',
  ]);
  expect(report).toContain('the share of samples changed in the same direction');
  const svg = (await byTime('--format', 'svg')).stdout;
  expect(svg).toContain('>slow</text>');
  expect(svg).toContain('>+ more</text>');
  expect(svg).toContain(
    '+12.86 points&#10;95 % interval of samples: \u221213.82 to \u22126.14 points&#10;samples do not confirm the difference',
  );
  const { status, stderr } = await byTime('--fail-above', '5', '-o', join(folder, 'timed.txt'));
  expect(status).toBe(4);
  expect(stderr.split('\n').map((line) => line.replace(/ grew.*% interval/, ':'))).toEqual([
    'after.cpuprofile: the self share of more: by samples +15.68 to +24.21',
    'after.cpuprofile: the total share of more: by samples +15.68 to +24.21',
    '',
  ]);
});

test('allocations, of which only some are recorded, and long waits may differ by chance, and a gate on them says so', async () => {
  const folder = temporaryFolder();
  const jfr = 'test/golden/jfr/shop-jdk17.jfr.gz';
  const gate = async (type: string, key: string): Promise<string> => {
    const run = await runCli([
      'compare',
      jfr,
      jfr,
      '--choose',
      `sample-type=${type}`,
      '--choose',
      'classes=off',
      '--count-all',
      '--to-base',
      '5',
      '--from',
      '5',
      '--fail-above',
      '0.3',
      '--key',
      key,
      '-o',
      join(folder, `${type}.txt`),
    ]);
    const [said, grown] = run.stderr.split('\n');
    expect(said).toMatch(/^--fail-above: (Allocation samples|Waits) are not independent of each other: /);
    return `${run.status}: ${grown.replace(/^.*grew/, 'grew')}`;
  };
  // 3 of 730 and 14 of 1,038.
  expect(await gate('alloc', 'java.math.BigInteger.shiftRightImpl')).toBe('0: ');
  expect(await gate('alloc', 'sun.security.provider.DigestBase.engineDigest')).toBe(
    '4: grew by 8.59 points: 5.48 % to 14.07 %, which may be chance',
  );
  expect(readFileSync(join(folder, 'alloc.txt'), 'utf8')).toContain('each change may be chance');
  expect(await gate('lock', 'jdk.internal.misc.Unsafe.park')).toBe(
    '4: grew by 0.39 points: 96.85 % to 97.24 %, which may be chance',
  );
  expect(readFileSync(join(folder, 'lock.txt'), 'utf8')).not.toContain('exact');
});
