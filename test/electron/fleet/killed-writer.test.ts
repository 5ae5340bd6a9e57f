import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDuckDb } from '../../../electron/fleet/duckdb.ts';
import { readFleet } from '../../../electron/fleet/fleet-profile.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testSize } from '../../support/test-size.ts';

const { randomFor } = testSeed('killed writers');
useBuiltProgram();

const KILLS = testSize(6, 200);

/** Starts a writer of a small log, and kills it after a time, unless it has ended. Resolves when it has, to how long it ran in ms. */
async function write(dir: string, killAfterMs: number | undefined): Promise<number> {
  const started = performance.now();
  const writer = spawn(
    process.execPath,
    [
      inCheckout('dist/electron/cli.cjs'),
      'export',
      'assets/shop.hpl.gz',
      '--format',
      'dataset',
      '-o',
      dir,
      '--label',
      'service=shop',
    ],
    { stdio: 'ignore' },
  );
  const kill = killAfterMs === undefined ? undefined : setTimeout(() => writer.kill('SIGKILL'), killAfterMs);
  await new Promise((resolve) => writer.once('exit', resolve));
  clearTimeout(kill);
  return performance.now() - started;
}

test(`a dataset whose writers were killed at ${KILLS} random moments has only whole files, and whatever its samples name`, async () => {
  const dir = temporaryFolder();
  const wholeMs = await write(dir, undefined);
  const random = randomFor(0);
  for (let at = 0; at < KILLS; at++) await write(dir, random.next() * wholeMs * 1.2);
  const parts = join(dir, 'samples', 'service=shop');
  const whole = readdirSync(parts, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /part-[^/]*\.parquet$/.test(name) && !/(^|\/)\./.test(name),
  ).length;
  expect(whole).toBeGreaterThan(0);
  expect(existsSync(join(dir, 'frames'))).toBe(true);
  const engine = await openDuckDb(dir);
  const aggregator = new ProfileAggregator();
  await readFleet(engine, { where: undefined, group: 'pool', type: undefined }, aggregator);
  const once = new ProfileAggregator();
  const alone = temporaryFolder();
  await write(alone, undefined);
  const ofOne = await openDuckDb(alone);
  await readFleet(ofOne, { where: undefined, group: 'pool', type: undefined }, once);
  // Each file of samples is that of a complete writer.
  expect(aggregator.sampleCount).toBe(once.sampleCount * whole);
  await engine.close();
  await ofOne.close();
});
