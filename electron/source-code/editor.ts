import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { SourceFile } from './source-file.ts';

/** A program that opens a source file at a line. */
export interface Editor {
  /** `code` */
  readonly id: string;
  /** `Visual Studio Code` */
  readonly name: string;
  /** `code -g {file}:{line}` */
  readonly command: string;
}

const LONGEST_COMMAND = 1000;

/**
 * Splits a command into the program and its arguments. There is no shell: blanks separate, single and double quotes group,
 * and a backslash is a character like any other, except before a double quote inside of double quotes. Throws RangeError
 * with a sentence for the user.
 *
 *   "/opt/my editor/bin" -g {file}:{line}      [/opt/my editor/bin] [-g] [{file}:{line}]
 */
export function splitCommand(command: string): readonly string[] {
  if (command.length > LONGEST_COMMAND) throw new RangeError('The command is too long.');
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const character = command[at];
    if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (character === quote) {
      quote = '';
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '"' && character === '\\' && command[at + 1] === '"') {
      word = `${word ?? ''}"`;
      at++;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== '') throw new RangeError(`The command has a ${quote} without its end.`);
  if (word !== undefined) words.push(word);
  const [program = '', ...rest] = words;
  if (program === '') throw new RangeError('The command is empty.');
  if (program.includes('{file}') || program.includes('{line}'))
    throw new RangeError('The command begins with {file} or {line} instead of a program.');
  if (!rest.some((each) => each.includes('{file}')))
    throw new RangeError('The command has no {file}, as in: code -g {file}:{line}');
  if (words.some((each) => each.includes('\0')))
    throw new RangeError('The command has an invalid character.');
  return words;
}

/** The program and its arguments for a file. Each word stays one argument, whatever the name of the file. */
export function editorArguments(command: string, file: string, line: number): readonly string[] {
  return splitCommand(command).map((word) =>
    word.replace(/\{file\}|\{line\}/g, (name) => (name === '{file}' ? file : String(line))),
  );
}

/** The search for editors depends on these. */
interface EditorPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** Editors with windows of their own, the likeliest first: id, name, arguments, other places of the program. */
const EDITORS = [
  [
    'code',
    'Visual Studio Code',
    '-g {file}:{line}',
    'Visual Studio Code.app/Contents/Resources/app/bin/code',
  ],
  ['codium', 'VSCodium', '-g {file}:{line}', 'VSCodium.app/Contents/Resources/app/bin/codium'],
  ['cursor', 'Cursor', '-g {file}:{line}', 'Cursor.app/Contents/Resources/app/bin/cursor'],
  ['idea', 'IntelliJ IDEA', '--line {line} {file}', 'IntelliJ IDEA.app/Contents/MacOS/idea'],
  ['zed', 'Zed', '{file}:{line}', 'Zed.app/Contents/MacOS/cli'],
  ['subl', 'Sublime Text', '{file}:{line}', 'Sublime Text.app/Contents/SharedSupport/bin/subl'],
  ['kate', 'Kate', '--line {line} {file}', undefined],
  ['gvim', 'GVim', '+{line} {file}', undefined],
] as const;

/** Names of a program on Windows. Scripts (`code.cmd`) are left out: only a shell runs them. */
const WINDOWS_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  code: ['Programs/Microsoft VS Code/Code.exe'],
  codium: ['Programs/VSCodium/VSCodium.exe'],
  cursor: ['Programs/cursor/Cursor.exe'],
};

/** The editors that are installed, by their programs on the PATH and in the usual places. */
export async function findEditors({ env, platform }: EditorPlaces): Promise<readonly Editor[]> {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found: Editor[] = [];
  for (const [id, name, rest, application] of EDITORS) {
    const places = folders.map((folder) => join(folder, platform === 'win32' ? `${id}.exe` : id));
    if (platform === 'darwin' && application !== undefined) places.push(join('/Applications', application));
    if (platform === 'win32' && env.LOCALAPPDATA !== undefined)
      for (const place of WINDOWS_PROGRAMS[id] ?? []) places.push(join(env.LOCALAPPDATA, place));
    const program = await firstExecutable(places);
    if (program !== undefined) found.push({ id, name, command: `${quoted(program)} ${rest}` });
  }
  return found;
}

async function firstExecutable(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

function quoted(program: string): string {
  return /[\s'"]/.test(program) ? `"${program.replaceAll('"', '\\"')}"` : program;
}

/** Starts a program without a shell. Rejects with the system's error if it cannot be started. */
export type StartProgram = (program: string, args: readonly string[]) => Promise<void>;

const startProgram: StartProgram = (program, args) =>
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
