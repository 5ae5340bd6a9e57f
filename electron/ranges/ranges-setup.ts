import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { RangeThread, type StartReading } from './range-thread.ts';

/**
 * How files are read in byte ranges. Only the command line does so: a window's log thread would also have to keep the
 * tail mark, preallocated zeros and the limit of call nodes right across ranges, and would save less than a second for
 * a 313 MB log.
 */
export interface RangesSetup {
  /** The most ranges, the first included. */
  readonly ranges: number;
  /**
   * Smaller files of a format that is read at pace 1 are read by one thread: another thread has to start and to compile
   * its code, on processors that the first thread's compilers use.
   */
  readonly fromBytes: number;
  /** The first range is larger by this, because its thread is already running. */
  readonly firstExtraBytes: number;
  readonly start: StartReading;
}

export const RANGES_SETUP: RangesSetup = {
  ranges: Math.min(4, availableParallelism()),
  fromBytes: 128 << 20,
  firstExtraBytes: 8 << 20,
  start: (task) => new RangeThread().begin(task),
};

/**
 * Starts threads if there are large files among these arguments, before their formats are known, so that the threads
 * start while the rest of the program loads. `stop` ends those that are not needed.
 */
export function startThreadsFor(
  args: readonly string[],
  setup = RANGES_SETUP,
  workerUrl?: URL,
): { readonly setup: RangesSetup; readonly ahead: number; readonly stop: () => Promise<void> } {
  const isWorthIt = setup.ranges > 1 && args.some((path) => fileBytes(path) >= setup.fromBytes);
  const idle = Array.from({ length: isWorthIt ? setup.ranges - 1 : 0 }, () => new RangeThread(workerUrl));
  return {
    ahead: idle.length,
    setup: { ...setup, start: (task) => idle.shift()?.begin(task) ?? setup.start(task) },
    stop: async () => {
      await Promise.all(idle.map((thread) => thread.stop()));
    },
  };
}

/** 0 for anything but a regular file. */
function fileBytes(path: string): number {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}
