import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { PartThread, type StartReading } from './part-thread.ts';

/** How files are read in parts. */
export interface PartsSetup {
  /** The most parts, the first included. */
  readonly parts: number;
  /**
   * Smaller files of a format that is read at pace 1 are read by one thread: another has to start and to compile all it
   * runs, on the same processors as the first one's compilers.
   */
  readonly fromBytes: number;
  /** The first part is as much larger, because its thread has started already. */
  readonly firstExtraBytes: number;
  readonly start: StartReading;
}

export const PARTS_SETUP: PartsSetup = {
  parts: Math.min(4, availableParallelism()),
  fromBytes: 128 << 20,
  firstExtraBytes: 8 << 20,
  start: (task) => new PartThread().begin(task),
};

/**
 * Starts the threads that reading these arguments may need, large files among them, before anything is known of them:
 * they start while the rest of the program loads. What is not needed ends with `stop`.
 */
export function startThreadsFor(
  args: readonly string[],
  setup = PARTS_SETUP,
  workerUrl?: URL,
): { readonly setup: PartsSetup; readonly ahead: number; readonly stop: () => Promise<void> } {
  const isWorthIt = setup.parts > 1 && args.some((path) => fileBytes(path) >= setup.fromBytes);
  const idle = Array.from({ length: isWorthIt ? setup.parts - 1 : 0 }, () => new PartThread(workerUrl));
  return {
    ahead: idle.length,
    setup: { ...setup, start: (task) => idle.shift()?.begin(task) ?? setup.start(task) },
    stop: async () => {
      await Promise.all(idle.map((thread) => thread.stop()));
    },
  };
}

/** 0 for what is no regular file. */
function fileBytes(path: string): number {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}
