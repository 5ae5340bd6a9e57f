/** Entry of a log's worker thread: moves messages, nothing else. The first of them says what to read. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import { HONEST_LOG } from '../../shared/formats/honest-log/format.ts';
import { systemClock } from './clock.ts';
import { LogSession } from './log-session.ts';
import { practiseWith } from './practice.ts';
import type { LogThreadData, LogWorkerEvent, LogWorkerOptions, LogWorkerRequest } from './worker-messages.ts';

const port = parentPort;
assert(port !== null, 'the log worker is started as a worker thread');
handOverFirst();
const { practiceLog } = workerData as LogThreadData;
let isWaiting = true;
// While it waits: the decoder that it most likely needs. A rejection ends the thread, and the log says so.
void HONEST_LOG.code.load().then(() => practiseWith(practiceLog, systemClock, () => isWaiting));

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

/**
 * When a thread hands its first ArrayBuffer over, V8 throws away whatever it has compiled that reads typed arrays, here
 * nearly everything. So that happens now, and not when the first delta leaves.
 */
function handOverFirst(): void {
  const buffer = new ArrayBuffer(8);
  structuredClone(buffer, { transfer: [buffer] });
}
