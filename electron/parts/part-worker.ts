/** Entry of a thread that is told which part of a file to read, hands over what it made of it, and ends. */
import { parentPort } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import { PART_FORMATS } from './part-formats.ts';
import type { PartTask } from './part-messages.ts';
import { readPart } from './read-part.ts';

const port = parentPort;
assert(port !== null, 'parts are read in worker threads');
port.once('message', (task: PartTask) => {
  const parts = PART_FORMATS.find(({ id }) => id === task.format)?.parts;
  assert(parts !== undefined, 'only formats that offer it are read in parts');
  const { message, buffers } = readPart(task, parts);
  port.postMessage(message, buffers);
});
