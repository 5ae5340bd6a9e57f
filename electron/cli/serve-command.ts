import { findRuntime, startRuntime } from '../runtime/find-runtime.ts';
import { systemPath } from '../source/system-path.ts';
import { integerValue, type OptionSpecs, type ParsedArguments, parseArguments } from './arguments.ts';
import { type CommandIo, type ExitStatus, UsageError, writeMessage } from './command-io.ts';

export const OPEN_OPTIONS: OptionSpecs = {
  '--port': { value: 'N', help: 'port on 127.0.0.1 (default 0: any free one)' },
  '--no-open': { help: 'print the address, and do not open the browser' },
  '--follow': { help: 'no effect: files are always followed as they grow' },
};

export const SERVE_OPTIONS: OptionSpecs = {
  ...OPEN_OPTIONS,
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
  return serveFiles(parseArguments(argv, SERVE_OPTIONS), io);
}

/** Opens the desktop window, or the browser where the desktop window cannot run. */
export async function openCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, OPEN_OPTIONS);
  const reason = await openWindow(args.files);
  if (typeof reason !== 'string') return reason.status;
  writeMessage(io, `leanscope: the window cannot be opened: ${reason}; serving it to the browser instead`);
  return serveFiles(args, io);
}

/** Opens the window and waits until it is closed. Returns its exit status, or why it could not be opened. */
async function openWindow(files: readonly string[]): Promise<{ readonly status: ExitStatus } | string> {
  const runtime = findRuntime();
  if (runtime.kind === 'missing') return runtime.reason;
  // Arguments of a process that is started are strings.
  if (files.some((file) => typeof systemPath(file) !== 'string'))
    return 'it cannot be given a name that is not UTF-8';
  if (files.includes('-')) throw new UsageError('the window cannot read standard input: use serve -');
  const outcome = await startRuntime(runtime.executable, files);
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
  await serveUntilStopped({ files: args.files, port, opensBrowser: !args.has('--no-open'), traces }, io);
  return 0;
}
