import { AttachedJvm, AttachError, jvmName } from './attach.ts';
import { FlightRecorder, isOwnName, type Recording } from './flight-recorder.ts';
import type { Jvm } from './jvm.ts';
import type { JvmRecording } from './jvm-recording.ts';
import { visibleFolder } from './process-places.ts';

const isFollowable = ({ name, state }: Recording): boolean => state === 'running' && !isOwnName(name);

/** The recordings that run in a JVM, without those of Leanscope. Throws AttachError. */
export async function recordingsOfOthers(jvm: Jvm): Promise<readonly Recording[]> {
  return (await new FlightRecorder(await AttachedJvm.open(jvm)).list()).filter(isFollowable);
}

/** A recording of somebody else: it is read, and never stopped. Throws AttachError if it does not run. */
export async function followRecording(jvm: Jvm, id: number): Promise<JvmRecording> {
  const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
  const isThere = async (): Promise<boolean> =>
    (await recorder.list()).some((recording) => recording.id === id && isFollowable(recording));
  if (!(await isThere())) throw new AttachError(`${jvmName(jvm)}: this recording has ended`);
  return {
    folder: visibleFolder(jvm.pid, await recorder.repository()),
    // What the JVM still has of it. A JVM keeps no chunks that belong to no recording.
    since: 0n,
    isThere,
    stop: () => Promise.resolve(),
    discard: () => undefined,
  };
}
