import type { Worker } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LogThreads } from '../../../electron/host/log-threads.ts';
import type { LogWorkerEvent, LogWorkerOptions } from '../../../electron/worker/worker-messages.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { countingWorker } from '../../support/counting-worker.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const workerUrl = useLogWorker();

function threadsOf(deaths = 0): { readonly threads: LogThreads; readonly starts: () => number } {
  const worker = countingWorker(temporaryFolder(), workerUrl(), deaths);
  const threads = new LogThreads(worker.workerUrl);
  onTestFinished(() => threads.stop());
  return { threads, starts: worker.starts };
}

/** The states of an empty log that the thread reads. */
function read(thread: Worker): readonly string[] {
  const path = join(temporaryFolder(), 'empty.hpl');
  writeFileSync(path, '');
  const states: string[] = [];
  thread.on('message', (event: LogWorkerEvent) => {
    if (event.type === 'status') states.push(event.status.state);
  });
  const options: LogWorkerOptions = { path, follow: true };
  thread.postMessage(options);
  onTestFinished(() => void thread.terminate());
  return states;
}

test('the one that was prepared is taken, and only once', async () => {
  const { threads, starts } = threadsOf();
  threads.prepare();
  threads.prepare();
  await waitFor(() => starts() === 1, 'the thread to start');
  const first = read(threads.take());
  await waitFor(() => first.includes('live'), 'the log to be read');
  expect(starts()).toBe(1);
  const second = read(threads.take());
  await waitFor(() => second.includes('live'), 'the other log to be read');
  expect(starts()).toBe(2);
});

test('one that died waiting is not taken', async () => {
  const { threads, starts } = threadsOf(1);
  await waitFor(() => {
    threads.prepare();
    return starts() === 2;
  }, 'another to start');
  const states = read(threads.take());
  await waitFor(() => states.includes('live'), 'the log to be read');
  expect(starts()).toBe(2);
});
