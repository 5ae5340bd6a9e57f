import { setTimeout as pause } from 'node:timers/promises';
import type { AttachedJvm } from './attach.ts';

export interface SamplerOptions {
  /** Milliseconds between two dumps, if the share allows it. */
  readonly intervalMs: number;
  /** The largest part of the JVM's time, above 0 and at most 1, that dumps may take. */
  readonly mostShare: number;
  /** Receives the text of each dump, as jstack writes it, and what was spent including it. */
  readonly onDump: (text: string, cost: SamplerCost) => void;
}

/** What the sampling has cost so far. */
export interface SamplerCost {
  readonly dumps: number;
  readonly elapsedMs: number;
  /** Duration of all dumps as seen from here, an upper bound of the JVM's pauses. */
  readonly dumpMs: number;
  readonly slowestMs: number;
}

/**
 * Samples the threads of a JVM by thread dumps, until `signal` is aborted. All threads stop at a safepoint for a dump,
 * so a sample shows where a thread could stop, not where it was. After a dump that took t, the next one is not before
 * t / mostShare. Throws AttachError when the JVM has ended.
 */
export async function sampleByDumps(
  jvm: AttachedJvm,
  { intervalMs, mostShare, onDump }: SamplerOptions,
  signal: AbortSignal,
): Promise<void> {
  // The first command compiles the code that sends it, which is no cost of a dump.
  await jvm.properties();
  const start = performance.now();
  let dumps = 0;
  let dumpMs = 0;
  let slowestMs = 0;
  // At least one dump, however late the first one is.
  do {
    const before = performance.now();
    const text = await jvm.run('threaddump');
    const took = performance.now() - before;
    dumps++;
    dumpMs += took;
    slowestMs = Math.max(slowestMs, took);
    onDump(text, { dumps, elapsedMs: performance.now() - start, dumpMs, slowestMs });
    // The share holds over the whole time, so that one slow dump is made up for.
    const earliest = Math.max(before + intervalMs, start + dumpMs / mostShare);
    await pause(Math.max(0, earliest - performance.now()), undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted);
}
