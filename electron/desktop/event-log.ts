import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file that is larger is renamed, in place of the one renamed before. */
const MAX_BYTES = 1024 * 1024;

/**
 * A text file with what ended unexpectedly, a line for each event, for a report of a problem. It stays on this machine.
 * Errors are ignored: a full disk must not keep the program from working.
 */
export class EventLog {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  note(text: string): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      if ((statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
        renameSync(this.#file, `${this.#file}.old`);
      appendFileSync(this.#file, `${new Date().toISOString()} ${text}\n`);
    } catch {
      // Errors of the log itself cannot be reported.
    }
  }
}
