import { AttachedJvm, AttachError, jvmName } from './attach.ts';
import { FlightRecorder, type Recording } from './flight-recorder.ts';
import type { Jvm } from './jvm.ts';
import type { JvmRecording } from './jvm-recording.ts';
import { isOwnName } from './recording-name.ts';
import { isWritingChunk, repositoryFolder } from './repository-folder.ts';

const isFollowable = ({ name, state }: Recording): boolean => state === 'running' && !isOwnName(name);

/**
 * The recordings that run in a JVM and can be followed, without those of Leanscope. Where JFR does not flush there are
 * none: each look would have the JVM copy all of a recording, which may have any size, to the disk. There are none either as
 * long as all are kept in memory. Throws AttachError.
 */
export async function recordingsOfOthers(jvm: Jvm): Promise<readonly Recording[]> {
  if (!jvm.can.includes('jfr')) return [];
  const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
  const running = (await recorder.list()).filter(isFollowable);
  return running.length > 0 && (await writtenFolder(jvm, recorder)) === undefined ? [] : running;
}

/** The repository of a JVM; undefined if its recordings are in memory only, so that there is nothing to follow. */
async function writtenFolder(jvm: Jvm, recorder: FlightRecorder): Promise<string | undefined> {
  const repository = await recorder.findRepository();
  if (repository === undefined) return undefined;
  const folder = await repositoryFolder(jvm, repository);
  return (await isWritingChunk(jvm, folder)) ? folder : undefined;
}

/** A recording of somebody else: it is read, and never stopped. Throws AttachError if it does not run, or is kept in memory. */
export async function followRecording(jvm: Jvm, id: number): Promise<JvmRecording> {
  if (!jvm.can.includes('jfr'))
    throw new AttachError(
      `${jvmName(jvm)}: its JFR does not flush: only a recording that Leanscope starts can be shown`,
    );
  const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
  const isThere = async (): Promise<boolean> =>
    (await recorder.list()).some((recording) => recording.id === id && isFollowable(recording));
  if (!(await isThere())) throw new AttachError(`${jvmName(jvm)}: this recording has ended`);
  const folder = await writtenFolder(jvm, recorder);
  if (folder === undefined)
    throw new AttachError(
      `${jvmName(jvm)}: keeps this recording in memory (disk=false), where it cannot be followed`,
    );
  return {
    folder,
    // All that the JVM still has: JFR.check does not tell when a recording began, and the chunks of all are the same.
    leftOut: [],
    isFollowed: true,
    isThere,
    stop: () => Promise.resolve(),
    discard: () => undefined,
  };
}
