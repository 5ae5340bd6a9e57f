import { setTimeout as pause } from 'node:timers/promises';
import { AttachedJvm, AttachError } from '../jvm/attach.ts';
import { type SamplerCost, sampleByDumps } from '../jvm/dump-sampler.ts';
import type { Jvm } from '../jvm/jvm.ts';
import { isRunning, OwnRecording } from '../jvm/own-recording.ts';
import type { RecordedChunk } from '../jvm/recorded-chunks.ts';
import { RecordingFollower } from '../source/recording-follower.ts';

const POLL_MS = 100;
/** Polls after the end of the recording, in which its last chunk must become finished. */
const LAST_POLLS = 50;

/** When a recording ends. */
export interface RecordingEnd {
  readonly signal: AbortSignal;
  /** The recording has begun. */
  readonly begin: () => void;
  readonly end: () => void;
}

export interface RecordedFlight {
  /** The recording, as long as it is not closed. */
  readonly chunks: readonly RecordedChunk[];
  readonly hasJvmEnded: boolean;
  close(): void;
}

/**
 * Starts a flight recording, follows it until `signal` is aborted or the JVM ends, and stops it. Throws AttachError if
 * it cannot be started.
 */
export async function recordFlight(
  jvm: Jvm,
  settings: 'default' | 'profile',
  { signal, begin }: RecordingEnd,
): Promise<RecordedFlight> {
  const recording = await OwnRecording.start(jvm, settings);
  begin();
  const { folder, since } = recording;
  const follower = new RecordingFollower(
    { folder, since },
    {
      begin: () => undefined,
      bytes: (bytes, offset) => offset + bytes.length,
      overwritten: () => undefined,
    },
    // All of it is written at the end.
    { bytes: Infinity, files: Infinity },
  );
  try {
    while (!signal.aborted && isRunning(jvm)) {
      await readAll(follower);
      await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    const hasJvmEnded = !isRunning(jvm);
    // The files are open, so that they can be read after the JVM has removed them.
    await readAll(follower);
    follower.until = BigInt(Date.now()) * 1_000_000n;
    await recording.stop();
    for (let poll = 0; poll < LAST_POLLS; poll++) {
      await readAll(follower);
      if (hasJvmEnded || follower.isFinished) break;
      await pause(POLL_MS);
    }
    return { chunks: follower.chunks, hasJvmEnded, close: () => follower.close() };
  } catch (error) {
    follower.close();
    throw error;
  } finally {
    await recording.stop();
  }
}

async function readAll(follower: RecordingFollower): Promise<void> {
  let polled = await follower.poll();
  while (polled === 'more') polled = await follower.poll();
}

/** Samples a JVM by thread dumps until `signal` is aborted or it ends. Undefined if it ended before the first dump. */
export async function recordDumps(
  jvm: Jvm,
  options: { readonly intervalMs: number; readonly mostShare: number },
  { signal, begin }: RecordingEnd,
  read: (text: string) => void,
): Promise<SamplerCost | undefined> {
  let spent: SamplerCost | undefined;
  const attached = await AttachedJvm.open(jvm);
  begin();
  const { intervalMs, mostShare } = options;
  const start = performance.now();
  const onDump = (text: string, cost: SamplerCost): void => {
    read(text);
    spent = cost;
  };
  await sampleByDumps(attached, { intervalMs, mostShare, onDump }, signal).catch((error: unknown) => {
    // What was sampled of a JVM that has ended is written.
    if (!(error instanceof AttachError) || spent === undefined || isRunning(jvm)) throw error;
  });
  // The time after the last dump counts as well: the sampler has waited in it to keep the share.
  return spent === undefined ? undefined : { ...spent, elapsedMs: performance.now() - start };
}
