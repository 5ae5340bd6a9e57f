/** Entry of a thread that is told which part of a file to read, hands over what it made of it, and ends. */
import { parentPort } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import { formatOf } from '../../shared/formats/formats.ts';
import type { PartTask } from './part-messages.ts';
import { readPart } from './read-part.ts';

const port = parentPort;
assert(port !== null, 'parts are read in worker threads');
port.once('message', (task: PartTask) => void read(task));

async function read(task: PartTask): Promise<void> {
  const { parts, code } = formatOf(task.format);
  assert(parts !== undefined, 'only formats that offer it are read in parts');
  // A rejection ends the thread, and the part is read elsewhere.
  await code.load();
  const { message, buffers } = readPart(task, parts);
  port?.postMessage(message, buffers);
}
