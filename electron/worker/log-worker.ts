/** Entry of a log's worker thread: passes messages between the host and the session that reads it. */
import { parentPort } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import { HONEST_LOG } from '../../shared/formats/honest-log/format.ts';
import { systemClock, LogSession } from './log-session.ts';
import type { LogWorkerEvent, LogWorkerOptions, LogWorkerRequest, WatchRequest } from './worker-messages.ts';

const port = parentPort;
assert(port !== null, 'the log worker is started as a worker thread');
// Loads the decoder of the most likely format while the thread waits for a log. A rejection ends the thread, and the
// log's status reports it.
void HONEST_LOG.code.load();

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
