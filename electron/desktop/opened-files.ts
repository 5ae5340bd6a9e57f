/** The files named by the command line. */
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNamedCommand } from '../runtime/command-names.ts';
import type { SourceArguments } from '../runtime/find-runtime.ts';

/** First words of command lines that `electron/cli` runs without a window, besides the named commands. */
const WINDOWLESS: readonly string[] = ['compare', '--help', '-h', '--version'];

const MOST_FILES = 1000;
const LONGEST_PATH = 32_767;

/**
 * The arguments after the program's name. In a checkout (`isDefaultApp`) the name is followed by flags of the runtime
 * and the folder of the program, which are left out.
 */
export function ownArguments(argv: readonly string[], isDefaultApp: boolean): readonly string[] {
  const args = argv.slice(1);
  if (!isDefaultApp) return args;
  const folder = args.findIndex((arg) => !arg.startsWith('-'));
  return folder === -1 ? [] : args.slice(folder + 1);
}

const isWindowless = (word: string | undefined) =>
  word !== undefined && (isNamedCommand(word) || WINDOWLESS.includes(word));

/**
 * The command line of a command that needs no window; undefined when files are to be opened. Leading switches are
 * skipped: they are Chromium's, and AppImages put `--no-sandbox` first where there are no user namespaces.
 */
export function commandOf(args: readonly string[]): readonly string[] | undefined {
  const start = args.findIndex((arg) => isWindowless(arg) || arg === '--' || !arg.startsWith('-'));
  return start !== -1 && isWindowless(args[start]) ? args.slice(start) : undefined;
}

/**
 * The files among the arguments, as absolute paths. Before `--` an argument that begins with a hyphen is a flag of
 * Chromium or of the desktop and is ignored; after it every argument is a file.
 */
export function filesOf(args: readonly string[], folder: string): readonly string[] {
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  const after = end === -1 ? [] : args.slice(end + 1);
  const named = before.filter(
    (arg, at) => !arg.startsWith('-') && arg !== '' && !VALUED.includes(before[at - 1]),
  );
  return [...named, ...after].map((file) => resolve(folder, pathOf(file)));
}

/** Options whose value may be the next argument. */
const VALUED: readonly string[] = ['--source', '--editor'];

/** The folders and archives of sources, as absolute paths, and the command of the editor: options before `--`. */
export function sourcesOf(args: readonly string[], folder: string): SourceArguments {
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  const valuesOf = (option: string): string[] =>
    before.flatMap((arg, at) => {
      if (arg.startsWith(`${option}=`)) return [arg.slice(option.length + 1)];
      const next = before.at(at + 1);
      return arg === option && next !== undefined ? [next] : [];
    });
  return {
    roots: valuesOf('--source')
      .filter((path) => path !== '')
      .map((path) => resolve(folder, path)),
    editor: valuesOf('--editor').at(-1),
  };
}

/** The path of a file:// address of this machine. Any other text is a path as it stands, other addresses too. */
function pathOf(file: string): string {
  if (!/^file:\/\//iu.test(file)) return file;
  try {
    const path = fileURLToPath(file);
    return path.includes('\0') ? file : path;
  } catch {
    return file;
  }
}

export const isFilePath = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_PATH && !value.includes('\0') && isAbsolute(value);

/** Data that a second instance sends to the first. */
export interface InstanceData {
  readonly files: readonly string[];
  /** Folders and archives of sources; none from an earlier version. */
  readonly sources?: readonly string[];
}

/** Undefined when the data is missing or invalid, for example from another version of the program. */
export function readInstanceData(value: unknown): InstanceData | undefined {
  if (typeof value !== 'object' || value === null || !('files' in value)) return undefined;
  const { files } = value;
  if (!arePaths(files)) return undefined;
  const sources = 'sources' in value ? value.sources : [];
  return arePaths(sources) ? { files, sources } : { files };
}

function arePaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= MOST_FILES && value.every(isFilePath);
}

/** Queues files to open until the host can open them: macOS may send files before the application is ready. */
export class FilesToOpen {
  #open: ((files: readonly string[]) => void) | undefined;
  readonly #waiting: string[] = [];

  add(files: readonly string[]): void {
    if (this.#open === undefined) this.#waiting.push(...files);
    else if (files.length > 0) this.#open(files);
  }

  /** Passes the queued files and all later ones to `open`. */
  deliverTo(open: (files: readonly string[]) => void): void {
    this.#open = open;
    this.add(this.#waiting.splice(0));
  }
}
