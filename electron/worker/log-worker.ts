/** Entry of a log's worker thread: passes messages between the host and the session that reads it. */
import { parentPort } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import { systemClock, LogSession } from './log-session.ts';
import type { LogWorkerEvent, LogWorkerOptions, LogWorkerRequest, WatchRequest } from './worker-messages.ts';

const port = parentPort;
assert(port !== null, 'the log worker is started as a worker thread');

const post = (event: LogWorkerEvent): void =>
  port.postMessage(event, event.type === 'delta' ? [event.message] : undefined);

port.once('message', (options: LogWorkerOptions) => {
  const session = new LogSession({ ...options, clock: systemClock, post });
  port.on('message', (request: LogWorkerRequest | WatchRequest) => {
    if (request.type === 'ask') post({ type: 'alive' });
    else session.receive(request);
    if (request.type === 'stop') port.close();
  });
  void session.run();
});
