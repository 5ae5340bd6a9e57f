import { setTimeout as pause } from 'node:timers/promises';
import { DumpRecording, type DumpSettings } from '../jvm/dump-recording.ts';
import type { SamplerCost } from '../jvm/dump-sampler.ts';
import type { Jvm } from '../jvm/jvm.ts';
import { isRunning } from '../jvm/attach.ts';
import { type RecordingStart, startRecording } from '../jvm/start-recording.ts';
import type { RecordedChunk } from '../source/recording-chunks.ts';
import { RecordingFollower } from '../source/recording-follower.ts';

const POLL_MS = 100;
/** Polls after the end of the recording, in which its last chunk must become finished. */
const LAST_POLLS = 50;

/** Nobody looks at the recording meanwhile, and each dump is a file. */
const DUMP_EVERY_MS = 30_000;

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
  options: Pick<RecordingStart, 'settings' | 'types'>,
  { signal, begin }: RecordingEnd,
): Promise<RecordedFlight> {
  const recording = await startRecording(jvm, { ...options, dumpEveryMs: DUMP_EVERY_MS });
  begin();
  const { folder, leftOut } = recording;
  const follower = new RecordingFollower(
    { folder, leftOut },
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
    return {
      chunks: follower.chunks,
      hasJvmEnded,
      close: () => {
        follower.close();
        recording.discard();
      },
    };
  } catch (error) {
    follower.close();
    recording.discard();
    throw error;
  } finally {
    await recording.stop();
  }
}

async function readAll(follower: RecordingFollower): Promise<void> {
  let polled = await follower.poll();
  while (polled === 'more') polled = await follower.poll();
}

/**
 * Samples a JVM by thread dumps into a file, until `signal` is aborted or it ends. Resolves to what it has cost, and why
 * sampling has ended before the signal, a clause. Throws AttachError.
 */
export async function recordDumps(
  jvm: Jvm,
  path: string,
  settings: DumpSettings,
  { signal, begin }: RecordingEnd,
): Promise<{ readonly cost: SamplerCost; readonly ended: string | undefined }> {
  const recording = await DumpRecording.start(jvm, path, settings);
  const { sampler } = recording;
  try {
    begin();
    const stop = (): void => void sampler.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await sampler.whenEnded;
    return { cost: sampler.cost, ended: sampler.ended };
  } finally {
    await recording.close();
  }
}
