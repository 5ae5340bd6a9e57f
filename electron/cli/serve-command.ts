import { delimiter, join, resolve } from 'node:path';
import { findRuntime, type SourceArguments, startRuntime } from '../runtime/find-runtime.ts';
import { isFleet } from '../fleet/fleet-address.ts';
import { questionTo, refuseFleetOptions } from './read-profile.ts';
import { splitCommand } from '../source-code/editor.ts';
import { systemPath } from '../source/open-file.ts';
import {
  CommandError,
  type CommandIo,
  type ExitStatus,
  standardInputError,
  writeMessage,
} from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import { COMMANDS } from './options/commands.ts';
import { type Arguments, readArguments, type ValuesOf } from './options/options.ts';
import { exists } from './io/process-io.ts';
import { projectOf } from './project-of.ts';

type OpenArguments = Arguments<ValuesOf<typeof COMMANDS.open.options>>;
type ServeArguments = Arguments<ValuesOf<typeof COMMANDS.serve.options>>;
/** Options of all commands that open a window. */
type WindowValues = Pick<OpenArguments['values'], 'source' | 'editor'>;

/** Serves until a signal stops it. */
export async function serveCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.serve.options);
  tellMissing(args.values, io);
  return serveFiles(args, io);
}

/** Opens the desktop window, or the browser where the desktop window cannot run. */
export async function openCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.open.options);
  const isThere = (file: string): boolean => file === '-' || isFleet(file) || exists(file);
  const missing = args.values.wait ? undefined : args.files.find((file) => !isThere(file));
  if (missing !== undefined)
    throw new CommandError(`${missing}: does not exist; check the path, or wait for it with --wait`);
  tellMissing(args.values, io);
  for (const file of args.files) if (!isFleet(file)) refuseFleetOptions(file, args.values);
  const outcome = await openWindow(args);
  if ('status' in outcome) return outcome.status;
  if (outcome.reason !== undefined)
    writeMessage(
      io,
      `leanscope: the window cannot be opened: ${outcome.reason}; serving it to the browser instead`,
    );
  return serveFiles(readArguments(argv, COMMANDS.serve.options), io);
}

/** Opens the window and waits until it is closed. Returns its exit status, or why the browser is to show it instead. */
async function openWindow({
  files,
  values,
}: OpenArguments): Promise<{ readonly status: ExitStatus } | { readonly reason: string | undefined }> {
  const sources = sourcesOf(values);
  const runtime = findRuntime();
  if (runtime.kind === 'browser') return { reason: undefined };
  if (runtime.kind === 'missing') return { reason: runtime.reason };
  // Arguments of a process that is started are strings.
  if ([...files, ...sources.roots].some((path) => typeof systemPath(path) !== 'string'))
    return { reason: 'it cannot be given a name that is not UTF-8' };
  if (files.includes('-')) throw standardInputError();
  const named = files.map((file) => (isFleet(file) ? questionTo(file, values) : resolve(file)));
  const outcome = await startRuntime(runtime.executable, named, sources);
  if (outcome.kind === 'notStarted') return { reason: outcome.reason };
  return { status: outcome.exitCode === 0 ? 0 : 1 };
}

async function serveFiles({ files, values, has }: ServeArguments, io: CommandIo): Promise<ExitStatus> {
  const { port, attach: allowsAttach, 'listen-trace': tracePort, 'trace-format': wanted } = values;
  const otlpPort = values['listen-otlp'];
  // Imported only now, because --help and the desktop window do not need the modules of the server.
  const { serveUntilStopped } = await import('./serving.ts');
  if (tracePort === undefined && has('trace-format'))
    throw new UsageError('--trace-format is for --listen-trace only');
  if (otlpPort === undefined && values['no-otlp-token'])
    throw new UsageError('--no-otlp-token is for --listen-otlp only');
  const merge = values['merge-files'];
  if (merge !== undefined && files.length < 2) throw new UsageError('--merge-files needs at least two FILEs');
  const traces = tracePort === undefined ? undefined : { port: tracePort, wanted };
  const profiles =
    otlpPort === undefined ? undefined : { port: otlpPort, hasToken: !values['no-otlp-token'] };
  const opensBrowser = !values['no-open'];
  const sources = sourcesOf(values);
  for (const file of files) if (!isFleet(file)) refuseFleetOptions(file, values);
  await serveUntilStopped(
    { files, fleet: values, merge, port, opensBrowser, traces, profiles, sources, allowsAttach },
    io,
  );
  return 0;
}

/** Tells which folders of sources are missing, and whether the editor is. */
export function tellMissing(values: WindowValues, io: CommandIo): void {
  const { editor } = sourcesOf(values);
  for (const path of values.source) if (!exists(path)) writeMessage(io, `--source ${path}: does not exist`);
  const program = editor === undefined ? undefined : splitCommand(editor).at(0);
  if (program !== undefined && !isProgram(program))
    writeMessage(io, `--editor: there is no program ${program}; name it with its path`);
}

/** Throws UsageError for a command that cannot be run, CommandError for a project file that cannot be used. */
export function sourcesOf({ source, editor }: WindowValues): SourceArguments {
  try {
    if (editor !== undefined) splitCommand(editor);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--editor: ${error.message}`);
    throw error;
  }
  // The folders of the command line come before those of the project file.
  const roots = [...source, ...projectOf(undefined).sources];
  return { roots: roots.map((path) => resolve(path)), editor };
}

/** Whether a program of this name can be started. */
function isProgram(name: string): boolean {
  if (/[/\\]/.test(name)) return exists(name);
  const { PATH = '', PATHEXT } = process.env;
  const ends = ['', ...(process.platform === 'win32' ? (PATHEXT ?? '.EXE').split(';') : [])];
  return PATH.split(delimiter).some((folder) => ends.some((end) => exists(join(folder, name + end))));
}
