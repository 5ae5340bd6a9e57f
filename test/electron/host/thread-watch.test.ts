import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OpenLog } from '../../../electron/host/open-log.ts';
import type { LogWorkerEvent } from '../../../electron/worker/worker-messages.ts';
import type { LogId, LogStatus } from '../../../shared/protocol/messages.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { goldenLog } from '../../support/read-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const workerUrl = useLogWorker();

interface Watched {
  readonly worker: Worker;
  readonly log: OpenLog;
  readonly status: () => LogStatus | undefined;
  readonly ask: () => void;
}

/** A log that this thread reads. Its host asks when the test says so. */
function open(worker: Worker): Watched {
  const file = join(temporaryFolder(), 'a.hpl');
  writeFileSync(file, goldenLog('hello'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let status: LogStatus | undefined;
  const log = new OpenLog({
    description: { id: 0 as LogId, name: 'a.hpl', folder: '/tmp' },
    worker: { path: file, follow: true },
    startThread: () => worker,
    now: () => 0,
    onStatus: (latest) => (status = latest),
    onDelta: () => undefined,
  });
  onTestFinished(async () => {
    vi.useRealTimers();
    await log.close();
  });
  return { worker, log, status: () => status, ask: () => vi.advanceTimersByTime(10_000) };
}

test('D07: of a thread in an endless step the log says that it waits; closing the log ends it', async () => {
  const endless = new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.once('message', () => { for (;;); });`,
    { eval: true },
  );
  const { worker, log, status, ask } = open(endless);
  expect(log.status).toBeUndefined();
  for (let asked = 0; asked < 12; asked++) ask();
  expect(status()).toBeUndefined();
  ask();
  expect(status()).toMatchObject({
    state: 'waiting',
    detail: expect.stringContaining('Reading has not gone on for two minutes') as string,
  });
  // A window that is opened only now gets this one.
  expect(log.status).toEqual(status());
  const ended = once(worker, 'exit');
  await log.close();
  await ended;
});

test('D07: a thread that answers late is as it was before', async () => {
  const { log, status, ask } = open(new Worker(workerUrl()));
  await waitFor(() => ['live', 'idle'].includes(status()?.state ?? ''), 'the log to be read');
  for (let asked = 0; asked < 13; asked++) ask();
  expect(status()?.state).toBe('waiting');
  await waitFor(() => ['live', 'idle'].includes(status()?.state ?? ''), 'the state before');
  expect(status()?.detail).toBeUndefined();
  expect(log.status).toEqual(status());
});

test('D07: a thread that answers is left alone', async () => {
  const { worker, status, ask } = open(new Worker(workerUrl()));
  await waitFor(() => ['live', 'idle'].includes(status()?.state ?? ''), 'the log to be read');
  for (let asked = 0; asked < 30; asked++) {
    const answer = new Promise<void>((resolve) =>
      worker.on('message', ({ type }: LogWorkerEvent) => type === 'alive' && resolve()),
    );
    ask();
    await answer;
  }
  expect(status()?.state).toMatch(/live|idle/);
});
