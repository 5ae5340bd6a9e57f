import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { OperationsData } from '../../shared/answers/schemas.ts';
import { cliOutput, runCli } from '../support/run-cli.ts';

const FILE = 'test/golden/jfr/compute-or-wait-jdk25.jfr.gz';

/** What the clocks of the JVM say: the time of the requests of each operation, and the CPU time of their threads. */
const MEASURED = JSON.parse(
  readFileSync('test/golden/jfr/compute-or-wait-jdk25.expected.json', 'utf8'),
) as Readonly<Record<string, { readonly wallNs: number; readonly cpuNs: number }>>;

const rowsOf = async (...options: readonly string[]): Promise<OperationsData['rows']> =>
  (JSON.parse(await cliOutput('operations', FILE, '--json', ...options)) as OperationsData).rows;

test.each([
  ['CPU time', []],
  ['execution samples', ['--choose', 'sample-type=cpu', '--choose', 'period=10']],
])(
  'by %s, requests that compute are told from those that wait, as by the clocks of the JVM',
  async (_, options) => {
    const rows = await rowsOf(...options);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(MEASURED));
    for (const { name, total, onCpu } of rows) {
      const { wallNs, cpuNs } = MEASURED[name];
      expect(Math.abs(total / (wallNs / 1e9) - 1), name).toBeLessThan(0.02);
      expect(Math.abs((onCpu ?? NaN) - cpuNs / wallNs), `${name}: ${onCpu}`).toBeLessThan(0.1);
    }
  },
);

test('without a period, and by waits for locks, it is not known whether requests compute', async () => {
  const ofPeriod = await runCli(['operations', FILE, '--choose', 'sample-type=cpu']);
  expect(ofPeriod.stdout).not.toContain('on CPU');
  expect(ofPeriod.stderr).toContain('does not say how long a sample stands for; the reading option Period says it');
  const rows = await rowsOf('--choose', 'sample-type=lock');
  expect(rows.map(({ onCpu }) => onCpu)).toEqual(rows.map(() => null));
  const { stdout, stderr } = await runCli(['operations', FILE, '--choose', 'sample-type=lock']);
  expect(stdout).not.toContain('on CPU');
  expect(stderr).toMatch(/whether requests compute or wait is unknown: waits do not say it, samples of CPU do/);
});

test('the summary of some requests says for how much of their time they computed', async () => {
  const summaryOf = (operation: string): Promise<string> =>
    cliOutput('summary', FILE, '--context', `operation=${operation}`);
  const { wallNs, cpuNs } = MEASURED.mixed;
  const told = /40 requests in scope, ([\d.]+) s of their threads: (\d+) % on CPU, the rest waiting/.exec(
    await summaryOf('mixed'),
  );
  expect(Math.abs(Number(told?.[1]) / (wallNs / 1e9) - 1)).toBeLessThan(0.05);
  expect(Math.abs(Number(told?.[2]) / 100 - cpuNs / wallNs)).toBeLessThan(0.1);
  expect(await cliOutput('summary', FILE)).not.toContain('on CPU');
});
