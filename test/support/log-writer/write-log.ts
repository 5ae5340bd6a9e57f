/**
 * Logs of any size and of every shape that a reader must handle (see LogShapeName), the same for the same seed, and
 * written as the agent does: threads are named before their first trace, methods are defined after the first frame that
 * uses them, and clocks sometimes step back.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { LogShapeName } from '../../bench/row.ts';
import { goldenLog } from '../read-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { RecordOutput } from './record-output.ts';
import { repeatLog } from './repeated-log.ts';
import { SHAPES } from './shapes.ts';

const SEED = 20_260_101;

/**
 * Writes a log of at least `bytes` bytes to `path`. It ends with a complete trace, 'real' with a complete repetition of
 * about 26 MB. It is longer if the shape needs more: 17 MB for a stack of a million frames.
 */
export function writeLog(path: string, shape: LogShapeName, bytes: number, seed = SEED): void {
  const file = openSync(path, 'w');
  try {
    streamLog(shape, bytes, seed, (block) => {
      for (let written = 0; written < block.length;) written += writeSync(file, block, written);
    });
  } finally {
    closeSync(file);
  }
}

/** The same in memory, for tests. */
export function logOf(shape: LogShapeName, bytes: number, seed = SEED): Uint8Array {
  const blocks: Uint8Array[] = [];
  streamLog(shape, bytes, seed, (block) => void blocks.push(block.slice()));
  return Buffer.concat(blocks);
}

function streamLog(
  shape: LogShapeName,
  bytes: number,
  seed: number,
  sink: (block: Uint8Array) => void,
): void {
  if (shape === 'real') {
    const recorded = goldenLog('server-20mb');
    repeatLog(recorded, Math.max(1, Math.ceil(bytes / recorded.length)), sink);
    return;
  }
  const output = new RecordOutput(sink);
  SHAPES[shape](output, bytes, new SeededRandom(seed));
  output.flush();
}
