/** The files named by the command line. */
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasPassword, isFleetAddress } from '../fleet/fleet-address.ts';
import { isNamedCommand } from '../runtime/command-names.ts';
import type { SourceArguments } from '../runtime/find-runtime.ts';

/** Options that need no window, wherever they stand before `--`. */
const WINDOWLESS: readonly string[] = ['--help', '-h', '--version', '-V', '-v'];

/** Options of `leanscope FILE…` whose value may be the next argument: see `OPEN_OPTIONS` in `electron/cli`. */
const VALUED: readonly string[] = ['--source', '--editor', '--port', '--where', '--per', '--sql', '--order'];
const OWN_OPTIONS: readonly string[] = [...VALUED, '--no-open', '--follow', '--wait'];

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

/** The arguments before `--`, and those after it, which are files whatever they look like. */
function divided(args: readonly string[]): { before: readonly string[]; after: readonly string[] } {
  const end = args.indexOf('--');
  return end === -1
    ? { before: args, after: [] }
    : { before: args.slice(0, end), after: args.slice(end + 1) };
}

/** Chromium's: any that is not one of this program. */
const isSwitch = (arg: string) =>
  arg.startsWith('-') &&
  arg !== '-' &&
  !WINDOWLESS.includes(arg) &&
  !OWN_OPTIONS.includes(arg.split('=', 1)[0]);

/** The switches of Chromium among the arguments. */
export const switchesOf = (args: readonly string[]): readonly string[] =>
  divided(args).before.filter(isSwitch);

/**
 * The command line of a command that needs no window; undefined when files are to be opened. Switches of Chromium may
 * stand before a command: AppImages put `--no-sandbox` first where there are no user namespaces.
 */
export function commandOf(args: readonly string[]): readonly string[] | undefined {
  const { before } = divided(args);
  const first = firstWordOf(args);
  if (first === undefined) return undefined;
  const start = before.indexOf(first);
  const needsNoWindow = isNamedCommand(first) || before.some((arg) => WINDOWLESS.includes(arg));
  return needsNoWindow ? args.slice(start) : undefined;
}

/** The first word before `--` that is no switch of Chromium: a command, a file or an option. */
export const firstWordOf = (args: readonly string[]): string | undefined =>
  divided(args).before.find((arg) => !isSwitch(arg));

/**
 * The files among the arguments, as they are named. Before `--` an argument that begins with a hyphen is an option or a
 * switch of Chromium, except for `-`, which is standard input.
 */
function namesOf(args: readonly string[]): readonly string[] {
  const { before, after } = divided(args);
  const named = before.filter(
    (arg, at) => (!arg.startsWith('-') || arg === '-') && arg !== '' && !VALUED.includes(before[at - 1]),
  );
  return [...named, ...after];
}

/** Whether standard input is to be opened, which a window cannot do. */
export const namesStandardInput = (args: readonly string[]): boolean => namesOf(args).includes('-');

/**
 * The files among the arguments, as absolute paths; datasets and databases as addresses. An address with a password is left
 * out, because it would be shown and stored.
 */
export function filesOf(args: readonly string[], folder: string): readonly string[] {
  return namesOf(args)
    .filter((file) => !hasPassword(file))
    .map((file) => (isFleetAddress(file) ? file : resolve(folder, pathOf(file))));
}

/** The folders and archives of sources, as absolute paths, and the command of the editor: options before `--`. */
export function sourcesOf(args: readonly string[], folder: string): SourceArguments {
  const { before } = divided(args);
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
  isShortText(value) && !value.includes('\0') && isAbsolute(value);

/** A path or an address that a command line opens. A page may not name a database, which would be sent the user's password. */
export const isOpened = (value: unknown): value is string =>
  isFilePath(value) || (isShortText(value) && isFleetAddress(value));

const isShortText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_PATH;

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
  return Array.isArray(value) && value.length <= MOST_FILES && value.every(isOpened);
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
