import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editorArguments } from './editor-command.ts';
import type { SourceFile } from './source-file.ts';

/** Starts a program without a shell. Rejects with the system's error if it cannot be started. */
export type StartProgram = (program: string, args: readonly string[]) => Promise<void>;

export const startProgram: StartProgram = (program, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { shell: false, detached: true, stdio: 'ignore' });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });

/** Opens source files in an editor; entries of archives as copies in a folder that only this user can read. */
export class EditorOpener {
  readonly #start: StartProgram;
  #folder: string | undefined;
  /** Place and content of an entry -> its copy: the archive may be replaced by another one. */
  readonly #copies = new Map<string, string>();

  constructor(start: StartProgram = startProgram) {
    this.#start = start;
  }

  /** Throws RangeError with a sentence for the user, SourceRefusal, and errors of the system. */
  async open(command: string, file: SourceFile, line: number): Promise<void> {
    const path = file.path ?? (await this.#copyOf(file));
    const [program, ...args] = editorArguments(command, path, line);
    await this.#start(program, args);
  }

  /** Removes the copies. */
  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#copies.clear();
  }

  async #copyOf(file: SourceFile): Promise<string> {
    const bytes = await file.read();
    const content = `${file.place} ${createHash('sha256').update(bytes).digest('hex')}`;
    const known = this.#copies.get(content);
    if (known !== undefined) return known;
    this.#folder ??= mkdtempSync(join(tmpdir(), 'leanscope-sources-'));
    // Files of one name from several packages each have a folder.
    const folder = join(this.#folder, String(this.#copies.size + 1));
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, file.name);
    // Read-only, because changes would be lost.
    writeFileSync(path, bytes, { mode: 0o400 });
    this.#copies.set(content, path);
    return path;
  }
}
