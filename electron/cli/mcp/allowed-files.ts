/**
 * The files that an assistant may read and write: those that were named when the server was started, and those below its
 * folders.
 */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { formatBytes } from '../../../shared/text/format-value.ts';
import { errnoOf } from '../../source/source-error.ts';
import { systemPath } from '../../source/open-file.ts';
import { CommandError, inputName } from '../io/command-io.ts';

/** Larger files are read only if they were named when the server was started. */
const MOST_BYTES = 2 ** 31;

export interface Allowed {
  readonly files: readonly string[];
  /** Folders, also for files that are written. */
  readonly folders: readonly string[];
}

export class AllowedFiles {
  readonly #files = new Map<string, string>();
  readonly #folders: readonly string[];
  readonly #written = new Set<string>();

  /** Throws CommandError if one of the folders is no folder. */
  constructor({ files, folders }: Allowed) {
    this.#folders = folders.map((folder) => {
      const path = realPath(folder);
      if (path === undefined || !statSync(systemPath(path)).isDirectory())
        throw new CommandError(`${folder}: is no folder; name one with --allow`);
      return path;
    });
    for (const file of files) this.#files.set(realPath(file) ?? resolve(file), file);
  }

  /** The path to read, without links. Throws CommandError. */
  readable(path: string): string {
    const real = this.#candidates(path)
      .map(realPath)
      .find((each) => each !== undefined);
    if (real === undefined || !(this.#files.has(real) || this.#isBelowFolder(real)))
      throw this.#refusal(path);
    const found = statSync(systemPath(real));
    if (!found.isFile()) throw new CommandError(`${path}: is no regular file; name a recording`);
    if (found.size > MOST_BYTES && !this.#files.has(real))
      throw new CommandError(
        `${path}: has ${formatBytes(found.size)}, more than ${formatBytes(MOST_BYTES)}; a person may name it on the command line of leanscope mcp`,
      );
    return real;
  }

  /** A folder to read, without links. Throws CommandError. */
  readableFolder(path: string): string {
    const real = this.#candidates(path)
      .map(realPath)
      .find((each) => each !== undefined && statSync(systemPath(each)).isDirectory());
    if (real === undefined || !(this.#folders.includes(real) || this.#isBelowFolder(real)))
      throw this.#refusal(path);
    return real;
  }

  /** Folders in which sources may be looked for: the allowed ones, and those of a project that are below one. */
  sources(ofProject: readonly string[]): readonly string[] {
    const real = ofProject.map(realPath).filter((path) => path !== undefined);
    return [...real.filter((path) => this.#isBelowFolder(path)), ...this.#folders];
  }

  /** The path to write: below a folder, and no file that this server has not written itself. Throws CommandError. */
  writable(path: string): string {
    if (this.#folders.length === 0)
      throw new CommandError('nothing may be written; a person may start leanscope mcp with --allow FOLDER');
    for (const candidate of this.#candidates(path)) {
      const folder = realPath(dirname(candidate));
      const name = basename(candidate);
      if (folder === undefined || name === '..' || !this.#isBelowFolder(join(folder, name))) continue;
      const target = join(folder, name);
      const present = lstatSync(systemPath(target), { throwIfNoEntry: false });
      if (present !== undefined && !this.#written.has(target))
        throw new CommandError(`${path}: is there already; name a new file`);
      return target;
    }
    throw new CommandError(
      `${path}: is outside of the allowed folders; name a file in ${this.#folders.join(' or ')}`,
    );
  }

  /** Allows to write this file again: the server has made it. */
  wrote(path: string): void {
    this.#written.add(path);
  }

  /** The places that a path may mean: a relative one is looked for in the folders, too. */
  #candidates(path: string): readonly string[] {
    return [resolve(path), ...this.#folders.map((folder) => resolve(folder, path))];
  }

  #isBelowFolder(real: string): boolean {
    return this.#folders.some((folder) => real.startsWith(folder.endsWith(sep) ? folder : folder + sep));
  }

  #refusal(path: string): CommandError {
    const places = [...this.#files.values(), ...this.#folders.map((folder) => `files below ${folder}`)];
    const allowed = places.length === 0 ? 'none' : places.slice(0, 20).join(', ');
    return new CommandError(`${inputName(path)}: is not there or may not be read; allowed: ${allowed}`);
  }
}

/** Without links; undefined if there is no such file, or if it may not be looked at. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(systemPath(path));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
