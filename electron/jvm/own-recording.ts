import { type RecordedType, RECORDED_TYPES } from '../../shared/facts/recording-choice.ts';
import { majorVersion } from '../../shared/text/java-version.ts';
import { AttachedJvm, AttachError, jvmName } from './attach.ts';
import { FlightRecorder, type RecordingSettings } from './flight-recorder.ts';
import type { Jvm } from './jvm.ts';
import { isRunning, type JvmRecording } from './jvm-recording.ts';
import { eventOptions, noSamplesReason } from './recording-events.ts';
import { newRecordingName } from './recording-name.ts';
import { chunksIn, removeChunks, repositoryFolder } from './repository-folder.ts';

/** The oldest chunks of a recording are removed from the disk beyond this. They are read long before. */
const MAX_MEGABYTES = 250;
/** JDK 14 to 16 flush each second and do not know the option. */
const FLUSHES_ON_REQUEST = 17;
/** Those of the JDK's settings. */
const ALL_TYPES: readonly RecordedType[] = RECORDED_TYPES.filter((type) => type !== 'cpu-time');

/**
 * A flight recording that this process has started in a JVM, and stops. If this process is killed, it goes on, bounded,
 * until the next Leanscope records the JVM.
 */
export class OwnRecording implements JvmRecording {
  readonly folder: string;
  readonly leftOut: readonly string[];
  readonly #jvm: Jvm;
  readonly #recorder: FlightRecorder;
  readonly #name: string;
  #stopping: Promise<void> | undefined;
  /** The JVM had another recording besides this one, which may have the same chunks. */
  #hasOthers: boolean;

  private constructor(
    jvm: Jvm,
    hasOthers: boolean,
    folder: string,
    leftOut: readonly string[],
    recorder: FlightRecorder,
    name: string,
  ) {
    this.#jvm = jvm;
    this.#hasOthers = hasOthers;
    this.folder = folder;
    this.leftOut = leftOut;
    this.#recorder = recorder;
    this.#name = name;
  }

  /** Starts a recording, and stops those of Leanscope processes that were killed. Throws AttachError. */
  static async start(
    jvm: Jvm,
    settings: RecordingSettings['settings'],
    types: readonly RecordedType[] = ALL_TYPES,
  ): Promise<OwnRecording> {
    const reason = noSamplesReason(jvm.version, types);
    if (reason !== undefined) throw new AttachError(`${jvmName(jvm)}: ${reason}`);
    const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
    await recorder.stopAbandoned();
    const name = newRecordingName();
    try {
      // What other recordings have written until now. Times do not tell it: the first chunk on the disk begins when the
      // JVM began to record, which may have been long before, in memory.
      const hasOthers = (await recorder.list()).length > 0;
      const earlier = await recorder.findRepository();
      const leftOut = earlier === undefined ? [] : await chunksIn(jvm, await repositoryFolder(jvm, earlier));
      await recorder.start(name, {
        settings,
        flushes: (majorVersion(jvm.version) ?? FLUSHES_ON_REQUEST) >= FLUSHES_ON_REQUEST,
        maxMegabytes: MAX_MEGABYTES,
        events: eventOptions(jvm.version, types),
      });
      const folder = await repositoryFolder(jvm, await recorder.repository());
      return new OwnRecording(jvm, hasOthers, folder, leftOut, recorder, name);
    } catch (error) {
      await recorder.stop(name);
      throw error;
    }
  }

  async isThere(): Promise<boolean> {
    const recordings = await this.#recorder.list();
    this.#hasOthers ||= recordings.some(({ name }) => name !== this.#name);
    return recordings.some(({ name }) => name === this.#name);
  }

  /** Ends the recording, also if the JVM has ended. Never rejects; call it as often as you like. */
  stop(): Promise<void> {
    this.#stopping ??= this.#recorder.stop(this.#name).catch(() => undefined);
    return this.#stopping;
  }

  /** A JVM removes its files itself, unless it was killed. */
  discard(): void {
    if (!this.#hasOthers && !isRunning(this.#jvm)) removeChunks(this.#jvm, this.folder, this.leftOut);
  }
}
