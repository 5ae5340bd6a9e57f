import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HostMessage, LogDescription } from '../../shared/protocol/messages.ts';
import { temporaryPath } from '../jvm/left-behind.ts';
import type { Downloads } from './downloads.ts';
import type { ClientDialogs } from './host-options.ts';

interface SavedLog {
  readonly description: Pick<LogDescription, 'name'>;
  readonly path: string | undefined;
  /** As `OpenLog.save`. */
  save(path: string): Promise<number>;
}

/**
 * Saves a recording as the JVM made it: where the user wants it, or without dialogs as a download. Resolves to the messages for the
 * client that asked. Never rejects for a file that cannot be written.
 */
export async function saveRecording(
  log: SavedLog,
  downloads: Downloads,
  dialogs: Pick<ClientDialogs, 'chooseTarget' | 'onSaved'> | undefined,
): Promise<readonly HostMessage[]> {
  const name = recordingFileName(
    log.description.name,
    log.path?.endsWith('.tdump') === true ? 'tdump' : 'jfr',
  );
  let missing = 0;
  const write = async (path: string): Promise<void> => {
    missing = await log.save(path);
  };
  const messages: HostMessage[] = [];
  try {
    if (dialogs === undefined) {
      messages.push({ type: 'download', id: await downloads.offer(name, write), name });
    } else {
      const target = await dialogs.chooseTarget(name);
      if (target === undefined) return [];
      await writeWhole(target, write);
      dialogs.onSaved(target);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ type: 'problem', text: `The recording was not saved: ${reason}.` }];
  }
  if (missing > 0)
    messages.push({
      type: 'problem',
      text: 'A part of the recording is not in the file: the JVM has removed it from the disk.',
    });
  return messages;
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

/** `com.acme.Shop (1234)` is saved as `com.acme.Shop-1234.jfr`. */
export function recordingFileName(logName: string, extension: 'jfr' | 'tdump' = 'jfr'): string {
  const stem = logName
    .replaceAll(/[^\w.$-]+/g, '-')
    .replaceAll(/^[.-]+|-+$/g, '')
    .slice(0, 100);
  return `${stem === '' ? 'recording' : stem}.${extension}`;
}
