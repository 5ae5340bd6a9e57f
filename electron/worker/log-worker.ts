/** Entry of a log's worker thread: moves messages, nothing else. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import { systemClock } from './clock.ts';
import { LogSession } from './log-session.ts';
import type { LogWorkerEvent, LogWorkerOptions, LogWorkerRequest } from './worker-messages.ts';

const port = parentPort;
assert(port !== null, 'the log worker is started as a worker thread');

const session = new LogSession({
  ...(workerData as LogWorkerOptions),
  clock: systemClock,
  post: (event: LogWorkerEvent) =>
    port.postMessage(event, event.type === 'delta' ? [event.message] : undefined),
});
port.on('message', (request: LogWorkerRequest) => {
  session.receive(request);
  if (request.type === 'stop') port.close();
});
await session.run();
