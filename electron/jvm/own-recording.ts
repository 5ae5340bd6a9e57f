import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AttachedJvm } from './attach.ts';
import { attachSocketOf } from './attach-socket.ts';
import { FlightRecorder, recordingName, type RecordingSettings } from './flight-recorder.ts';
import type { Jvm } from './jvm.ts';
import { processTimes } from './process-files.ts';
import { stopWhenKilled } from './stop-when-killed.ts';

/** The oldest chunks of a recording are removed from the disk beyond this. They are read long before. */
const MAX_MEGABYTES = 250;

/** A flight recording that this process has started in a JVM, and stops. */
export class OwnRecording {
  /** The repository of the JVM, as this process sees it. */
  readonly folder: string;
  /** ns since 1970; the chunks of the recording begin later. */
  readonly since: bigint;
  readonly #recorder: FlightRecorder;
  readonly #name: string;
  readonly #release: () => void;
  #stopping: Promise<void> | undefined;

  private constructor(
    folder: string,
    since: bigint,
    recorder: FlightRecorder,
    name: string,
    release: () => void,
  ) {
    this.folder = folder;
    this.since = since;
    this.#recorder = recorder;
    this.#name = name;
    this.#release = release;
  }

  /** Starts a recording, and stops those of Leanscope processes that were killed. Throws AttachError. */
  static async start(jvm: Jvm, settings: RecordingSettings['settings']): Promise<OwnRecording> {
    const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
    await recorder.stopAbandoned((pid) => existsSync(`/proc/${pid}`));
    const name = recordingName(process.pid, randomBytes(4).toString('hex'));
    const release = stopWhenKilled(jvm, attachSocketOf(jvm.pid, jvm.ownPid), name);
    const since = BigInt(Date.now()) * 1_000_000n;
    try {
      await recorder.start(name, { settings, flushes: flushesOnRequest(jvm), maxMegabytes: MAX_MEGABYTES });
      const folder = visibleFolder(jvm, await recorder.repository());
      return new OwnRecording(folder, since, recorder, name, release);
    } catch (error) {
      await recorder.stop(name);
      release();
      throw error;
    }
  }

  /** Ends the recording, also if the JVM has ended. Never rejects; call it as often as you like. */
  stop(): Promise<void> {
    this.#stopping ??= this.#recorder.stop(this.#name).then(this.#release, this.#release);
    return this.#stopping;
  }
}

/** Whether a JVM still runs. */
export function isRunning({ pid, startTicks }: Pick<Jvm, 'pid' | 'startTicks'>): boolean {
  return processTimes(pid)?.startTicks === startTicks;
}

/** JDK 14 to 16 flush each second and do not know the option. */
function flushesOnRequest({ version }: Jvm): boolean {
  return parseInt(version ?? '17', 10) >= 17;
}

/** A folder as this process sees it: that of a container is below its root. */
function visibleFolder({ pid }: Jvm, folder: string): string {
  const inRoot = join(`/proc/${pid}`, 'root', folder);
  const [direct, rooted] = [folder, inRoot].map((path) =>
    statSync(path, { throwIfNoEntry: false, bigint: true }),
  );
  const isSame = direct !== undefined && direct.ino === rooted?.ino && direct.dev === rooted.dev;
  return isSame || rooted === undefined ? folder : inRoot;
}
