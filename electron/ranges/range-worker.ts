/** Entry of a thread that receives a byte range of a file, reads it, posts the result and ends. */
import { parentPort } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import { formatOf } from '../../shared/formats/formats.ts';
import type { RangeTask } from './range-messages.ts';
import { readRange } from './read-range.ts';

const port = parentPort;
assert(port !== null, 'ranges are read in worker threads');
port.once('message', (task: RangeTask) => void read(task));

async function read(task: RangeTask): Promise<void> {
  const { byteRanges, code } = formatOf(task.format);
  assert(byteRanges !== undefined, 'only formats that offer it are read in byte ranges');
  // A rejection ends the thread, and the main thread reads the range.
  await code.load();
  const { message, buffers } = readRange(task, byteRanges);
  port?.postMessage(message, buffers);
}
