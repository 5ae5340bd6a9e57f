import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HostMessage, LogDescription } from '../../shared/protocol/messages.ts';
import { temporaryPath } from '../jvm/recording-name.ts';
import type { Downloads } from './downloads.ts';
import type { ClientDialogs } from './host-options.ts';
import { recordingExtension, recordingFileName } from './kept-recordings.ts';

interface SavedLog {
  readonly description: Pick<LogDescription, 'name'>;
  readonly path: string | undefined;
  /** As `OpenLog.save`. */
  save(path: string): Promise<number>;
}

export interface SavedRecording {
  /** For the client that asked. */
  readonly messages: readonly HostMessage[];
  /** There is a file of it. */
  readonly isSaved: boolean;
}

/**
 * Saves a recording as the JVM made it: where the user wants it, or without dialogs as a download. `before`: what is waited
 * for once the user has chosen a place. Never rejects for a file that cannot be written.
 */
export async function saveRecording(
  log: SavedLog,
  downloads: Downloads,
  dialogs: Pick<ClientDialogs, 'chooseTarget' | 'onSaved'> | undefined,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<SavedRecording> {
  const name = recordingFileName(log.description.name, recordingExtension(log));
  let missing = 0;
  const write = async (path: string): Promise<void> => {
    await before();
    missing = await log.save(path);
  };
  const messages: HostMessage[] = [];
  try {
    if (dialogs === undefined) {
      messages.push({ type: 'download', id: await downloads.offer(name, write), name });
    } else {
      const target = await dialogs.chooseTarget(name);
      if (target === undefined) return { messages: [], isSaved: false };
      await writeWhole(target, write);
      dialogs.onSaved(target);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `The recording was not saved: ${reason}.`;
    return { messages: [{ type: 'problem', text }], isSaved: false };
  }
  if (missing > 0)
    messages.push({
      type: 'problem',
      text: 'A part of the recording is not in the file: the JVM has removed it from the disk.',
    });
  return { messages, isSaved: true };
}

/** Writes a file beside the target first, so that a target that is there already stays until the new one is complete. */
async function writeWhole(target: string, write: (path: string) => Promise<void>): Promise<void> {
  const part = temporaryPath(dirname(target), '.', '.tmp');
  try {
    await write(part);
    await rename(part, target);
  } finally {
    await rm(part, { force: true });
  }
}
