import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { Host } from '../../../electron/host/host.ts';
import { batchLean } from '../../support/batch-lean.ts';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { expectRecovery } from '../../support/recovery.ts';
import { goldenLog } from '../../support/read-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connectedTo } from '../../support/test-client.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testSize } from '../../support/test-size.ts';
import { onLinux } from '../../support/test-unless.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();
const workerUrl = useLogWorker();
const LOG = goldenLog('server-small').subarray(0, 60_000);
const KILLS = testSize(8, 100);

/**
 * A worker that ends instead of posting a message: the first one its n-th, and so on through the list in the file. After
 * the list it is the real one.
 */
function mortalWorker(lives: string, messages: readonly number[]): URL {
  writeFileSync(lives, JSON.stringify(messages));
  const file = `${lives}.worker.mjs`;
  writeFileSync(
    file,
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const [first, ...rest] = JSON.parse(readFileSync(${JSON.stringify(lives)}, 'utf8'));
     writeFileSync(${JSON.stringify(lives)}, JSON.stringify(rest));
     const post = parentPort.postMessage.bind(parentPort);
     let left = first ?? Infinity;
     parentPort.postMessage = (...content) => {
       if (left-- > 0) post(...content);
       else process.exit(1);
     };
     await import(${JSON.stringify(workerUrl().href)});`,
  );
  return pathToFileURL(file);
}

const livesLeft = (lives: string): number => (JSON.parse(readFileSync(lives, 'utf8')) as unknown[]).length;

test(
  `D04: ${KILLS} workers are killed while a log grows, and nothing is lost or counted twice`,
  { timeout: 0 },
  async () => {
    const { randomFor } = testSeed('kills');
    const random = randomFor(0);
    const folder = temporaryFolder();
    const file = join(folder, 'server.hpl');
    const lives = join(folder, 'lives.json');
    const messages = Array.from({ length: KILLS }, () => random.below(4));
    let minutes = 0;
    const host = new Host({
      version: '1.2.3',
      capabilities: { openDialog: false, openDropped: false },
      workerUrl: mortalWorker(lives, messages),
      sampleFolder: undefined,
      recentFiles: {
        list: () => [],
        pathOf: () => undefined,
        add: () => undefined,
        remove: () => false,
        forget: () => undefined,
      },
      // Each crash is long after the one before: more than three in five minutes are a failure.
      now: () => (minutes += 6) * 60_000,
    });
    onTestFinished(() => host.stop());
    const client = await connectedTo(host);
    let length = Math.floor(LOG.length / 4);
    writeFileSync(file, LOG.subarray(0, length));
    const id = (await host.open(file, { show: true }))!;
    let copy = client.subscribe(id);
    const first = copy;
    const right = (expected: string): Promise<void> =>
      waitFor(() => copy.lean === expected, `the profile of ${length} bytes`);
    /** Appends up to such a share of what is left of the log, which may end anywhere in a record. */
    const grow = (share: number): void => {
      const end = Math.min(LOG.length, length + 1 + random.below(Math.ceil((LOG.length - length) / share)));
      appendFileSync(file, LOG.subarray(length, end));
      length = end;
    };
    for (let growth = 0; growth < 2; growth++) {
      grow(4);
      await right(batchLean(LOG.subarray(0, length)));
    }
    expect(first.snapshots).toBeGreaterThan(1);
    // A new subscription causes more messages, at which workers are killed. There is a rest of the log for each.
    let slowest = 0;
    for (let left = livesLeft(lives); left > 0; left = livesLeft(lives)) {
      const before = performance.now();
      grow(left + 1);
      copy = client.subscribe(id);
      await right(batchLean(LOG.subarray(0, length)));
      slowest = Math.max(slowest, (performance.now() - before) / Math.max(1, left - livesLeft(lives)));
    }
    expect(length).toBeLessThan(LOG.length);
    appendFileSync(file, LOG.subarray(length));
    length = LOG.length;
    await right(batchLean(LOG));
    expectRecovery(`${KILLS} kills, each`, slowest);
  },
);

onLinux('D19: the program ends while a thread reads, and leaves no process', async () => {
  const folder = temporaryFolder();
  const command = join(folder, 'dist/electron');
  cpSync(inCheckout('dist/electron'), command, { recursive: true });
  for (const name of ['dist/renderer', 'package.json']) symlinkSync(inCheckout(name), join(folder, name));
  const begun = join(folder, 'begun');
  // A step of reading that never ends.
  writeFileSync(
    join(command, 'log-worker.cjs'),
    `require('node:worker_threads').parentPort.once('message', () => {
       require('node:fs').writeFileSync(${JSON.stringify(begun)}, '');
       for (;;);
     });`,
  );
  writeFileSync(join(folder, 'a.hpl'), LOG);
  const server = spawn(
    process.execPath,
    [join(command, 'cli.cjs'), 'serve', '--no-open', join(folder, 'a.hpl')],
    // A group of its own, so that what it leaves can be found.
    { stdio: 'ignore', detached: true },
  );
  const group = -server.pid!;
  onTestFinished(() => {
    if (server.exitCode === null) process.kill(group, 'SIGKILL');
  });
  const ended = once(server, 'exit');
  await waitFor(() => existsSync(begun), 'the thread to read');
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(() => process.kill(group, 0)).toThrow('ESRCH');
});
