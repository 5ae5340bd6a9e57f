/** Entry of the thread that answers assistants. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../../shared/assert.ts';
import type { AskingStart, Replied } from './asker.ts';
import { type Call, callTool } from './call-tool.ts';
import { Session } from './session.ts';

const port = parentPort;
assert(port !== null, 'this is the entry of a thread');
const { allowed, opened } = workerData as AskingStart;
const session = new Session(allowed, opened);
port.on('message', ({ name, args }: Call) => {
  void callTool(session, name, args).then((reply) =>
    port.postMessage({ reply, opened: session.opened } satisfies Replied),
  );
});
