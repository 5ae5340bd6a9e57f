/** Entry of a thread that reads one part of a file, hands over what it made of it, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import { partsOf } from './part-formats.ts';
import type { PartTask } from './part-messages.ts';
import { readPart } from './read-part.ts';

const task = workerData as PartTask;
const parts = await partsOf(task.format);
assert(parts !== undefined, 'only formats that offer it are read in parts');
const { message, buffers } = readPart(task, parts);
parentPort?.postMessage(message, buffers);
