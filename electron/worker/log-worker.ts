/** Entry of a log's worker thread: moves messages, nothing else. The first of them says what to read. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { assert } from '../../shared/assert.ts';
import { HONEST_LOG } from '../../shared/formats/honest-log/format.ts';
import { systemClock } from './clock.ts';
import { LogSession } from './log-session.ts';
import { practise } from './practice.ts';
import type { LogThreadData, LogWorkerEvent, LogWorkerOptions, LogWorkerRequest } from './worker-messages.ts';

const port = parentPort;
assert(port !== null, 'the log worker is started as a worker thread');
let isWaiting = true;
// While it waits: the decoder that it most likely needs. A rejection ends the thread, and the log says so.
void HONEST_LOG.code.load().then(practiseWhileWaiting);

port.once('message', (options: LogWorkerOptions) => {
  isWaiting = false;
  const session = new LogSession({
    ...options,
    clock: systemClock,
    post: (event: LogWorkerEvent) =>
      port.postMessage(event, event.type === 'delta' ? [event.message] : undefined),
  });
  port.on('message', (request: LogWorkerRequest) => {
    session.receive(request);
    if (request.type === 'stop') port.close();
  });
  void session.run();
});

/** Whoever shows the window comes first. */
const PRACTISES_AFTER_MS = 300;

async function practiseWhileWaiting(): Promise<void> {
  const { practiceLog } = workerData as LogThreadData;
  if (practiceLog === undefined) return;
  await systemClock.pause(PRACTISES_AFTER_MS);
  if (!isWaiting) return;
  let log: Uint8Array;
  try {
    // Not a Buffer: what is compiled for two classes is slower for each.
    log = new Uint8Array(gunzipSync(readFileSync(practiceLog)));
  } catch {
    // Then the log that comes is read by a thread that never read one.
    return;
  }
  await practise(log, systemClock, () => isWaiting);
}
