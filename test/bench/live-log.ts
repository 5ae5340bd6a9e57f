import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SeededRandom } from '../support/seeded-random.ts';
import { RecordOutput } from '../support/log-writer/record-output.ts';
import { StackPool } from '../support/log-writer/stack-pool.ts';
import { ROOT } from './checkout.ts';

export const SAMPLES_PER_SECOND = 2_000;
const FRAMES = 128;
const SAMPLES_PER_TICK = 20;
const THREADS = 8;

/** A log that grows by 2 000 samples a second with 128 frames each, 4.4 MB, written by a process of its own. */
export class LiveLog {
  /** The log that grows. */
  readonly path: string;
  /** Samples in the log before it grows. */
  readonly samplesAtFirst: number;
  readonly #prepared: string;
  readonly #offsets: string;

  private constructor(path: string, samplesAtFirst: number, prepared: string, offsets: string) {
    this.path = path;
    this.samplesAtFirst = samplesAtFirst;
    this.#prepared = prepared;
    this.#offsets = offsets;
  }

  /** Prepares the later data; the log begins with a second's worth of samples. */
  static prepare(folder: string, seconds: number): LiveLog {
    const prepared = join(folder, 'prepared.hpl');
    const offsetsFile = join(folder, 'offsets.json');
    const path = join(folder, 'live.hpl');
    const file = openSync(prepared, 'w');
    const output = new RecordOutput((bytes) => void writeSync(file, bytes));
    const random = new SeededRandom(7);
    const pool = new StackPool(random, {
      stacks: 20_000,
      methods: 3_000,
      minDepth: FRAMES,
      maxDepth: FRAMES,
      methodsAre: 'popular',
    });
    for (let thread = 0; thread < THREADS; thread++) output.thread(0, thread + 1, `worker-${thread}`);
    const offsets: number[] = [];
    for (let sample = 0; sample < (seconds + 1) * SAMPLES_PER_SECOND; sample++) {
      const nanos = sample * (1e9 / SAMPLES_PER_SECOND);
      output.traceStart(FRAMES, 0, 1 + random.below(THREADS), 1_000 + Math.floor(nanos / 1e9), nanos % 1e9);
      pool.write(output, random.below(pool.length));
      const isTick = (sample + 1) % SAMPLES_PER_TICK === 0;
      if (isTick && sample + 1 >= SAMPLES_PER_SECOND) offsets.push(output.size);
    }
    output.flush();
    closeSync(file);
    writeFileSync(offsetsFile, JSON.stringify(offsets));
    writeFileSync(path, readFileSync(prepared).subarray(0, offsets[0]));
    return new LiveLog(path, SAMPLES_PER_SECOND, prepared, offsetsFile);
  }

  /**
   * Lets the log grow to its end. Returns when each number of samples was in the file: [ms since the epoch, samples].
   */
  async grow(): Promise<readonly (readonly [at: number, samples: number])[]> {
    const writer = spawn(
      process.execPath,
      [join(ROOT, 'test/bench/live-writer.mjs'), this.#prepared, this.path, this.#offsets],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let text = '';
    writer.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
    await new Promise((resolve, reject) => {
      writer.once('error', reject);
      writer.once('close', resolve);
    });
    return (JSON.parse(text) as number[]).map((at, tick) => [
      at,
      this.samplesAtFirst + (tick + 1) * SAMPLES_PER_TICK,
    ]);
  }
}
