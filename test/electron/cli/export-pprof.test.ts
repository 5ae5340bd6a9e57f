import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { expect, test } from 'vitest';
import { frame, log as logOf, trace } from '../../support/log-bytes.ts';
import { runCli } from '../../support/run-cli.ts';
import { stampedOtlp } from '../../support/stamped-otlp.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const hello = 'test/golden/hpl/hello.hpl.gz';

test('any profile as pprof: the methods, samples and times are the same when it is read', async () => {
  const out = join(temporaryFolder(), 'out.pprof');
  expect(await runCli(['export', hello, '--format', 'pprof', '-o', out])).toMatchObject({
    status: 0,
    stderr: '',
  });
  const [before, after] = await Promise.all(
    [hello, out].map((path) => runCli(['export', path, '--format', 'flat'])),
  );
  expect(after.stdout).toBe(before.stdout);
  const refused = await runCli(['export', hello, '--format', 'pprof', '--filter', 'x']);
  expect(refused.stderr).toContain('--format pprof writes the complete profile');
});

test('a name that ends in .gz packs it', async () => {
  const folder = temporaryFolder();
  const [plain, packed] = [join(folder, 'out.pprof'), join(folder, 'out.pb.gz')];
  for (const out of [plain, packed]) await runCli(['export', hello, '--format', 'pprof', '-o', out]);
  expect(gunzipSync(readFileSync(packed))).toEqual(readFileSync(plain));
  expect(Profile.decode(readFileSync(plain)).sample.length).toBe(10);
});

/** When a profile was taken and its period, as pprof-format reads them. */
function timesIn(path: string): string {
  const { timeNanos, durationNanos, period, periodType, stringTable } = Profile.decode(readFileSync(path));
  const text = (at: unknown): string => stringTable.strings[Number(at)];
  const type = periodType === undefined ? 'no period' : `${text(periodType.type)}/${text(periodType.unit)}`;
  return `from ${timeNanos} for ${durationNanos} ns, ${type} ${period}`;
}

test('pprof says when the samples were taken, and the period if all stand for the same time', async () => {
  const folder = temporaryFolder();
  const [file, out] = ['in', 'out.pprof'].map((name) => join(folder, name));
  const exported = async (input: Uint8Array, ...more: readonly string[]): Promise<string> => {
    writeFileSync(file, input);
    await runCli(['export', file, '--format', 'pprof', '-o', out, ...more]);
    return timesIn(out);
  };
  const log = logOf(
    trace(7n, 1_700_000_000, frame(3n, 0, 1)),
    trace(7n, 1_700_000_002, frame(4n, 0, 1)),
    trace(7n, 1_700_000_005, frame(4n, 0, 1)),
  );
  expect(await exported(log)).toBe('from 1700000000000000000 for 5000000000 ns, no period 0');
  const start = 1_700_000_000_000_000_000n;
  const at = (ms: bigint): bigint => start + ms * 1_000_000n;
  const samples = [
    { thread: 'main', stack: ['b', 'a'], values: [10_000_000, 10_000_000], stamps: [at(0n), at(20n)] },
    { thread: 'main', stack: ['c', 'a'], values: [10_000_000], stamps: [at(10n)] },
  ];
  const regular = stampedOtlp('links', 'nanoseconds', samples);
  expect(await exported(regular)).toBe(`from ${start} for 20000000 ns, cpu/nanoseconds 10000000`);
  expect(await exported(regular, '--from', '0.005', '--to', '0.015')).toBe(
    `from ${start + 5_000_000n} for 10000000 ns, no period 0`,
  );
  const irregular = stampedOtlp('links', 'nanoseconds', [samples[0], { ...samples[1], values: [9] }]);
  expect(await exported(irregular)).toBe(`from ${start} for 20000000 ns, no period 0`);
});
