import { delimiter, join, resolve } from 'node:path';
import { findRuntime, type SourceArguments, startRuntime } from '../runtime/find-runtime.ts';
import { splitCommand } from '../source-code/editor.ts';
import { MERGED_THREADS, type MergedThreads } from '../../shared/facts/choice.ts';
import { systemPath } from '../source/system-path.ts';
import {
  choiceValue,
  integerValue,
  type OptionSpecs,
  parseArguments,
  type ParsedArguments,
} from './arguments.ts';
import {
  CommandError,
  type CommandIo,
  type ExitStatus,
  UsageError,
  windowWithoutInput,
  writeMessage,
} from './command-io.ts';
import { exists } from './first-word.ts';
import { RECORDING_OPTIONS } from './recording-options.ts';
import { SAMPLING_OPTIONS } from './sampling-options.ts';

export const OPEN_OPTIONS: OptionSpecs = {
  '--port': { value: 'N', help: 'port on 127.0.0.1 (default 0: any free one)' },
  '--no-open': { help: 'print the address, and do not open the browser' },
  '--source': {
    value: 'PATH',
    repeatable: true,
    help: 'a folder of sources, or a -sources.jar: the window shows methods with their samples by line',
  },
  '--editor': {
    value: 'COMMAND',
    help: 'what opens a source file at a line, such as "code -g {file}:{line}" (default: the first editor found)',
  },
  '--wait': { help: 'open files that do not exist yet, too, and wait for them, as serve always does' },
  '--follow': { help: 'no effect: files are always followed as they grow' },
};

export const SERVE_OPTIONS: OptionSpecs = {
  ...OPEN_OPTIONS,
  '--merge-files': {
    value: MERGED_THREADS.join('|'),
    choices: MERGED_THREADS,
    help: 'the FILEs are logs of one system: show them as one, too. Threads are apart by file (groups), or those of one name are one (together)',
  },
  '--attach': {
    help: 'the window lists the JVMs of this machine (Linux, macOS) and may record them; without it, it may not',
  },
  '--listen-trace': {
    value: 'PORT',
    help: 'accept TPTP traces from agents on this machine at this port of 127.0.0.1 (0: any free one), and show them live',
  },
  '--trace-format': {
    value: 'binary|xml',
    choices: ['binary', 'xml'],
    help: 'the form to request from agents (default binary); they may send either',
  },
};

/** Serves until a signal stops it. */
export async function serveCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, SERVE_OPTIONS);
  tellMissing(args, io);
  return serveFiles(args, io);
}

export const ATTACH_OPTIONS: OptionSpecs = {
  '--port': OPEN_OPTIONS['--port'],
  '--no-open': OPEN_OPTIONS['--no-open'],
  '--source': OPEN_OPTIONS['--source'],
  '--editor': OPEN_OPTIONS['--editor'],
  '--with': {
    value: 'jfr|dumps|agent',
    choices: ['jfr', 'dumps', 'agent'],
    help: "jfr: a flight recording; dumps: samples by thread dumps, for any HotSpot JVM (default jfr where possible); agent: the log of Honest Profiler's agent in the JVM",
  },
  '--recording': {
    value: 'NAME',
    help: 'jfr: follow the recording of this name or number that runs in the JVM, instead of starting one',
  },
  ...RECORDING_OPTIONS,
  ...SAMPLING_OPTIONS,
};

/** Records a JVM and shows the recording in the browser as it grows, until a signal stops both. */
export async function attachCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, ATTACH_OPTIONS);
  const [wanted] = args.files;
  const sources = sourcesOf(args);
  if (args.files.length !== 1) throw new UsageError('attach needs one JVM: its pid, or a part of its name');
  const port = integerValue(args, '--port', 0, 65_535, 0);
  const { attachRequest } = await import('./attach-request.ts');
  tellMissing(args, io);
  const attach = await attachRequest(wanted, args, io);
  const { serveUntilStopped } = await import('./serving.ts');
  await serveUntilStopped(
    {
      files: [],
      port,
      opensBrowser: !args.has('--no-open'),
      traces: undefined,
      sources,
      attach,
      allowsAttach: false,
    },
    io,
  );
  return 0;
}

/** Opens the desktop window, or the browser where the desktop window cannot run. */
export async function openCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, OPEN_OPTIONS);
  const missing = args.has('--wait') ? undefined : args.files.find((file) => file !== '-' && !exists(file));
  if (missing !== undefined)
    throw new CommandError(`${missing}: does not exist; check the path, or wait for it with --wait`);
  tellMissing(args, io);
  const reason = await openWindow(args);
  if (typeof reason !== 'string') return reason.status;
  writeMessage(io, `leanscope: the window cannot be opened: ${reason}; serving it to the browser instead`);
  return serveFiles(args, io);
}

/** Opens the window and waits until it is closed. Returns its exit status, or why it could not be opened. */
async function openWindow(args: ParsedArguments): Promise<{ readonly status: ExitStatus } | string> {
  const { files } = args;
  const sources = sourcesOf(args);
  const runtime = findRuntime();
  if (runtime.kind === 'missing') return runtime.reason;
  // Arguments of a process that is started are strings.
  if ([...files, ...sources.roots].some((path) => typeof systemPath(path) !== 'string'))
    return 'it cannot be given a name that is not UTF-8';
  if (files.includes('-')) throw windowWithoutInput();
  const outcome = await startRuntime(runtime.executable, files, sources);
  if (outcome.kind === 'notStarted') return outcome.reason;
  return { status: outcome.exitCode === 0 ? 0 : 1 };
}

async function serveFiles(args: ParsedArguments, io: CommandIo): Promise<ExitStatus> {
  const port = integerValue(args, '--port', 0, 65_535, 0);
  // Imported only now, because --help and the desktop window do not need the modules of the server.
  const { serveUntilStopped } = await import('./serving.ts');
  const traces = args.has('--listen-trace')
    ? {
        port: integerValue(args, '--listen-trace', 0, 65_535, 0),
        wanted: args.value('--trace-format') === 'xml' ? ('xml' as const) : ('binary' as const),
      }
    : undefined;
  if (traces === undefined && args.has('--trace-format'))
    throw new UsageError('--trace-format is for --listen-trace only');
  const sources = sourcesOf(args);
  await serveUntilStopped(
    {
      files: args.files,
      merge: mergeOf(args),
      port,
      opensBrowser: !args.has('--no-open'),
      traces,
      sources,
      allowsAttach: args.has('--attach'),
    },
    io,
  );
  return 0;
}

/** Throws UsageError for fewer than two files. */
function mergeOf(args: ParsedArguments): MergedThreads | undefined {
  if (!args.has('--merge-files')) return undefined;
  if (args.files.length < 2) throw new UsageError('--merge-files needs at least two FILEs');
  return choiceValue(args, '--merge-files', MERGED_THREADS, 'groups');
}

/** Says which sources and which editor are not there. */
function tellMissing(args: ParsedArguments, io: CommandIo): void {
  const { editor } = sourcesOf(args);
  for (const path of args.values('--source'))
    if (!exists(path)) writeMessage(io, `--source ${path}: does not exist`);
  const program = editor === undefined ? undefined : splitCommand(editor).at(0);
  if (program !== undefined && !isProgram(program))
    writeMessage(io, `--editor: there is no program ${program}; name it with its path`);
}

/** Throws UsageError for a command that cannot be run. */
function sourcesOf(args: ParsedArguments): SourceArguments {
  const editor = args.value('--editor');
  try {
    if (editor !== undefined) splitCommand(editor);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--editor: ${error.message}`);
    throw error;
  }
  return { roots: args.values('--source').map((path) => resolve(path)), editor };
}

/** Whether a program of this name can be started. */
function isProgram(name: string): boolean {
  if (/[/\\]/.test(name)) return exists(name);
  const { PATH = '', PATHEXT } = process.env;
  const ends = ['', ...(process.platform === 'win32' ? (PATHEXT ?? '.EXE').split(';') : [])];
  return PATH.split(delimiter).some((folder) => ends.some((end) => exists(join(folder, name + end))));
}
