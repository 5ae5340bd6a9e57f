/** Which files a program start names. */
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNamedCommand } from '../runtime/command-names.ts';

/** What else needs no window, beside commands; `electron/cli` runs it. */
const WINDOWLESS: readonly string[] = ['compare', '--help', '-h', '--version'];

const MOST_FILES = 1000;
const LONGEST_PATH = 32_767;

/**
 * What follows the program's name. Run from a checkout (`isDefaultApp`) the runtime's own flags and the folder of the
 * program come first.
 */
export function ownArguments(argv: readonly string[], isDefaultApp: boolean): readonly string[] {
  const args = argv.slice(1);
  if (!isDefaultApp) return args;
  const folder = args.findIndex((arg) => !arg.startsWith('-'));
  return folder === -1 ? [] : args.slice(folder + 1);
}

export const isWindowless = ([first]: readonly string[]): boolean =>
  isNamedCommand(first) || WINDOWLESS.includes(first);

/**
 * The files among the arguments, as absolute paths. Up to `--` whatever begins with a hyphen is a flag of Chromium or
 * of the desktop and is passed over; behind it everything is a file.
 */
export function filesOf(args: readonly string[], folder: string): readonly string[] {
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  const behind = end === -1 ? [] : args.slice(end + 1);
  return [...before.filter((arg) => !arg.startsWith('-') && arg !== ''), ...behind].map((file) =>
    resolve(folder, file.startsWith('file://') ? fileURLToPath(file) : file),
  );
}

export const isFilePath = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_PATH && !value.includes('\0') && isAbsolute(value);

/** What a second start of the program hands to the first. */
export interface HandedOver {
  readonly files: readonly string[];
}

/** Undefined when it is something else: another version's, or lost on the way to another user's program. */
export function readHandedOver(value: unknown): HandedOver | undefined {
  if (typeof value !== 'object' || value === null || !('files' in value)) return undefined;
  const { files } = value;
  if (!Array.isArray(files) || files.length > MOST_FILES || !files.every(isFilePath)) return undefined;
  return { files };
}

/** Files that are to be opened, kept until there is somebody to open them: macOS names them before all is ready. */
export class FilesToOpen {
  #open: ((files: readonly string[]) => void) | undefined;
  readonly #waiting: string[] = [];

  add(files: readonly string[]): void {
    if (this.#open === undefined) this.#waiting.push(...files);
    else if (files.length > 0) this.#open(files);
  }

  /** From here on files go to `open` as they come. */
  deliverTo(open: (files: readonly string[]) => void): void {
    this.#open = open;
    this.add(this.#waiting.splice(0));
  }
}
