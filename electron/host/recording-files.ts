import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HostMessage, LogDescription } from '../../shared/protocol/messages.ts';
import { temporaryPath, makeTemporaryFolder } from '../recording/recording-name.ts';
import type { ClientDialogs } from './host-options.ts';
import { recordingExtension, recordingFileName } from './kept-recordings.ts';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { errorMessage } from '../../shared/text/error-message.ts';

interface SavedLog {
  readonly description: Pick<LogDescription, 'name'>;
  readonly path: string | undefined;
  /** Saves the log, as `OpenLog.save` does. */
  save(path: string): Promise<number>;
}

export interface SavedRecording {
  /** The messages to the client that asked. */
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
    const reason = errorMessage(error);
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

/** A file that nobody has fetched by then is removed. */
const FETCH_WITHIN_MS = 60_000;

export interface Download {
  readonly path: string;
  /** The name by which the browser saves it. */
  readonly name: string;
  /** Removes the file; to be called when it was sent, or could not be. */
  readonly remove: () => void;
}

/**
 * Files that are made for a browser to fetch, each once, by a random id. They are in private folders until then.
 */
export class Downloads {
  readonly #waiting = new Map<string, Download>();

  /** Has a file written, to a path that does not exist yet, and resolves to its id. Rejects as `write` does. */
  async offer(name: string, write: (path: string) => Promise<void>): Promise<string> {
    const folder = makeTemporaryFolder(tmpdir());
    const path = join(folder, 'recording');
    await write(path).catch(async (error: unknown) => {
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
    const id = randomBytes(16).toString('hex');
    const timer = setTimeout(() => this.take(id)?.remove(), FETCH_WITHIN_MS).unref();
    const remove = (): void => {
      clearTimeout(timer);
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch {
        // It stays until this process ends.
      }
    };
    this.#waiting.set(id, { path, name, remove });
    return id;
  }

  /** The file of an id, the first time. */
  take(id: string): Download | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    return found;
  }

  close(): void {
    for (const { remove } of this.#waiting.values()) remove();
    this.#waiting.clear();
  }
}
