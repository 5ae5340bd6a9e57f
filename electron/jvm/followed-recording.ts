import { AttachedJvm, AttachError, jvmName } from './attach.ts';
import { FlightRecorder, type Recording } from './flight-recorder.ts';
import type { Jvm } from './jvm.ts';
import type { JvmRecording } from './jvm-recording.ts';
import { isOwnName } from './recording-name.ts';
import { repositoryFolder } from './repository-folder.ts';

const isFollowable = ({ name, state }: Recording): boolean => state === 'running' && !isOwnName(name);

/**
 * The recordings that run in a JVM and can be followed, without those of Leanscope. Where JFR does not flush there are
 * none: each look would have the JVM copy all of a recording, which may have any size, to the disk. Throws AttachError.
 */
export async function recordingsOfOthers(jvm: Jvm): Promise<readonly Recording[]> {
  if (!jvm.can.includes('jfr')) return [];
  return (await new FlightRecorder(await AttachedJvm.open(jvm)).list()).filter(isFollowable);
}

/** A recording of somebody else: it is read, and never stopped. Throws AttachError if it does not run. */
export async function followRecording(jvm: Jvm, id: number): Promise<JvmRecording> {
  if (!jvm.can.includes('jfr'))
    throw new AttachError(
      `${jvmName(jvm)}: its JFR does not flush: only a recording that Leanscope starts can be shown`,
    );
  const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
  const isThere = async (): Promise<boolean> =>
    (await recorder.list()).some((recording) => recording.id === id && isFollowable(recording));
  if (!(await isThere())) throw new AttachError(`${jvmName(jvm)}: this recording has ended`);
  return {
    folder: await repositoryFolder(jvm, await recorder.repository()),
    // What the JVM still has of it. A JVM keeps no chunks that belong to no recording.
    since: 0n,
    isThere,
    stop: () => Promise.resolve(),
    discard: () => undefined,
  };
}
