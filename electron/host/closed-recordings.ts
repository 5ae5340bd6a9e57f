import { setTimeout as pause } from 'node:timers/promises';
import type { LogId } from '../../shared/protocol/messages.ts';
import { printable } from '../../shared/text/printable.ts';
import type { HostOptions } from './host-options.ts';
import { recordingExtension } from './kept-recordings.ts';
import type { OpenLog } from './open-log.ts';
import { type OpenRecordings, READ_END_WITHIN_MS } from './jvms/open-recordings.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

/** A JVM that does not answer must not keep the program from ending. */
const KEEP_WITHIN_MS = 10_000;

interface Teller {
  tellRecent(): void;
  tellProblem(text: string): void;
}

/** Logs that were closed, and whose recordings are being kept in files. */
export class ClosedRecordings implements Iterable<OpenLog> {
  readonly #options: Pick<HostOptions, 'keptRecordings' | 'recentFiles'>;
  readonly #recordings: () => OpenRecordings | undefined;
  readonly #teller: Teller;
  readonly #logs = new Map<LogId, OpenLog>();
  readonly #kept = new Set<Promise<void>>();

  constructor(
    options: Pick<HostOptions, 'keptRecordings' | 'recentFiles'>,
    recordings: () => OpenRecordings | undefined,
    teller: Teller,
  ) {
    this.#options = options;
    this.#recordings = recordings;
    this.#teller = teller;
  }

  [Symbol.iterator](): Iterator<OpenLog> {
    return this.#logs.values();
  }

  get(id: LogId): OpenLog | undefined {
    return this.#logs.get(id);
  }

  /** Ends a recording of which there is no file, and keeps it among the recent files. Undefined for any other log. */
  keep(log: OpenLog): Promise<void> | undefined {
    const { keptRecordings, recentFiles } = this.#options;
    const { id, name } = log.description;
    const recordings = this.#recordings();
    if (keptRecordings === undefined || recordings?.isOnlyCopy(id) !== true) return undefined;
    const keep = async (): Promise<void> => {
      try {
        await recordings.finish(id);
        await log.untilEnded(READ_END_WITHIN_MS);
        const { path, removed } = await keptRecordings.keep(name, recordingExtension(log), (target) =>
          log.save(target),
        );
        recentFiles.remove(removed);
        recentFiles.add(path);
        this.#teller.tellRecent();
      } catch (error) {
        const reason = errorMessage(error);
        this.#teller.tellProblem(printable(`The recording of ${name} was not kept: ${reason}.`));
      } finally {
        this.#logs.delete(id);
      }
    };
    this.#logs.set(id, log);
    const keeping = keep();
    this.#kept.add(keeping);
    return keeping.finally(() => this.#kept.delete(keeping));
  }

  /** Resolves when all are kept, or have taken too long. */
  async untilKept(): Promise<void> {
    await Promise.race([Promise.all(this.#kept), pause(KEEP_WITHIN_MS, undefined, { ref: false })]);
  }
}
