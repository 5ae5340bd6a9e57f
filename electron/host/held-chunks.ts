import { type FileHandle, open } from 'node:fs/promises';
import { IS_MAC } from '../jvm/platform.ts';
import type { OpenChunk } from '../worker/worker-messages.ts';

/**
 * Holds the chunk files open that the thread of a recording has open. A JVM removes its chunks when it ends: a thread that
 * crashed would take the only descriptors with it, and nobody could read or save the recording any more. The next thread
 * opens them by links to the descriptors.
 */
export class HeldChunks {
  /** Identity -> the file. */
  readonly #files = new Map<string, FileHandle>();
  #updating: Promise<void> = Promise.resolve();
  #isClosed = false;

  get links(): readonly string[] {
    return [...this.#files.values()].map(({ fd }) => linkTo(fd));
  }

  /** From now on these files are held, and no others. Resolves when they are. Never rejects. */
  hold(chunks: readonly OpenChunk[]): Promise<void> {
    this.#updating = this.#updating.then(() => this.#update(chunks));
    return this.#updating;
  }

  /** Another one that holds the same files, for whoever reads them as well; it is closed by itself. */
  async copy(): Promise<HeldChunks> {
    const copy = new HeldChunks();
    // None of them is closed before the copy has it.
    this.#updating = this.#updating.then(() =>
      copy.hold([...this.#files].map(([identity, { fd }]) => ({ descriptor: fd, identity }))),
    );
    await this.#updating;
    return copy;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.hold([]);
  }

  async #update(chunks: readonly OpenChunk[]): Promise<void> {
    const wanted = new Set(this.#isClosed ? [] : chunks.map(({ identity }) => identity));
    for (const [identity, file] of this.#files) {
      if (wanted.has(identity)) continue;
      this.#files.delete(identity);
      await file.close().catch(() => undefined);
    }
    for (const chunk of chunks) {
      if (!wanted.has(chunk.identity) || this.#files.has(chunk.identity)) continue;
      const file = await openAgain(chunk);
      if (file !== undefined) this.#files.set(chunk.identity, file);
    }
  }
}

/** Undefined if the thread has closed the file meanwhile, and perhaps opened another one with its number. */
async function openAgain({ descriptor, identity }: OpenChunk): Promise<FileHandle | undefined> {
  const file = await open(linkTo(descriptor), 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  const stats = await file.stat({ bigint: true }).catch(() => undefined);
  if (`${stats?.dev} ${stats?.ino}` === identity) return file;
  await file.close().catch(() => undefined);
  return undefined;
}

const linkTo = (descriptor: number): string =>
  IS_MAC ? `/dev/fd/${descriptor}` : `/proc/self/fd/${descriptor}`;
