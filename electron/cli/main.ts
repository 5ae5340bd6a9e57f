import { hasPassword, NO_PASSWORD } from '../fleet/fleet-address.ts';
import { errnoOf, UserError } from '../source/source-error.ts';
import { isNamedCommand, NAMED_COMMANDS } from '../runtime/command-names.ts';
import {
  type CommandIo,
  type ExitStatus,
  STANDARD_OUTPUT,
  writeError,
  writeMessage,
} from './io/command-io.ts';
import { didYouMean, UsageError } from './options/usage-error.ts';
import type { CommandName } from './options/commands.ts';
import { isSet } from './options/options.ts';
import { exists } from './io/process-io.ts';

type Command = (argv: readonly string[], io: CommandIo) => Promise<ExitStatus> | ExitStatus;

const VERSION_OPTIONS: readonly string[] = ['--version', '-V', '-v'];

/** Each loads its command on demand, so that a command loads only the modules that it needs. */
const LOADERS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  open: async () => (await import('./serve-command.ts')).openCommand,
  serve: async () => (await import('./serve-command.ts')).serveCommand,
  top: async () => (await import('./answer-commands.ts')).topCommand,
  tree: async () => (await import('./answer-commands.ts')).treeCommand,
  method: async () => (await import('./answer-commands.ts')).methodCommand,
  timeline: async () => (await import('./answer-commands.ts')).timelineCommand,
  spread: async () => (await import('./answer-commands.ts')).spreadCommand,
  operations: async () => (await import('./answer-commands.ts')).operationsCommand,
  export: async () => (await import('./export-dataset.ts')).exportCommand,
  compare: async () => (await import('./compare-command.ts')).compareCommand,
  summary: async () => (await import('./summary-command.ts')).summaryCommand,
  findings: async () => (await import('./answer-commands.ts')).findingsCommand,
  mcp: async () => (await import('./mcp/server.ts')).mcpCommand,
  guide: async () => (await import('./guide.ts')).guideCommand,
  'convert-trace': async () => (await import('./copy-commands.ts')).convertTraceCommand,
  scrub: async () => (await import('./copy-commands.ts')).scrubCommand,
  push: async () => (await import('./push-command.ts')).pushCommand,
  attach: async () => (await import('./attach-command.ts')).attachCommand,
  record: async () => (await import('./record-command.ts')).recordCommand,
  agent: async () => (await import('./agent-command.ts')).agentCommand,
  jvms: async () => (await import('./jvms-command.ts')).jvmsCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
  help: async () => (await import('./help.ts')).helpCommand,
  version: async () => (await import('./help.ts')).versionCommand,
};

const QUIET: readonly string[] = ['--quiet', '-q'];
const PUSH_PASSWORD = 'LEANSCOPE_PUSH_TOKEN, or LEANSCOPE_PUSH_USER and LEANSCOPE_PUSH_PASSWORD';

/** Runs one command line, without the program's name; returns its exit status and never throws. */
export async function main(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const options = optionsOf(argv);
  const isQuiet = options.some((option) => QUIET.includes(option)) || isSet(process.env.LEANSCOPE_QUIET);
  const rest = [...options.filter((option) => !QUIET.includes(option)), ...argv.slice(options.length)];
  try {
    requireNoPassword(argv);
    return await run(rest, isQuiet ? { ...io, stderr: () => undefined, showsProgress: false } : io);
  } catch (error) {
    return report(error, io, argv[0]);
  }
}

/** The words before `--`, after which every word is a file. */
function optionsOf(argv: readonly string[]): readonly string[] {
  return argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
}

async function run(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const [first] = argv;
  const isNamed = isNamedCommand(first);
  const command: CommandName = isNamed ? first : 'open';
  const rest = isNamed ? argv.slice(1) : argv;
  const options = optionsOf(rest);
  if (options.includes('--help') || options.includes('-h')) {
    const { helpText } = await import('./help.ts');
    io.stdout(helpText(command));
    return 0;
  }
  const isVersion = VERSION_OPTIONS.some((option) => options.includes(option)) && !isNamed;
  if (!isNamed && !isVersion) requireCommandOrFile(first);
  const start = await LOADERS[isVersion ? 'version' : command]();
  return start(isVersion ? [] : rest, io);
}

/**
 * Writes one line, never a stack trace, and returns the exit status. `first`: the first word of the command line, whose
 * help a usage error names if it is a command.
 */
export function report(error: unknown, io: CommandIo, first?: string): ExitStatus {
  if (errnoOf(error) === 'EPIPE') {
    // The reader has closed the pipe, as in `leanscope export … | head`. That is no error.
    return 0;
  }
  if (error instanceof UsageError) {
    const see = error.message.endsWith('?') ? ' See' : '; see';
    writeMessage(
      io,
      `leanscope: ${error.message}${see} leanscope ${isNamedCommand(first) ? `${first} ` : ''}--help`,
    );
    return 2;
  }
  if (error instanceof UserError) writeMessage(io, error.message);
  else if (isWriteError(error)) writeMessage(io, writeError(STANDARD_OUTPUT, error).message);
  else writeMessage(io, `leanscope: internal error: ${String(error)}; please report it`);
  return 1;
}

/** Commands report errors of the files that they write, so this is one of standard output. */
function isWriteError(error: unknown): boolean {
  return (
    errnoOf(error) !== undefined && error instanceof Error && 'syscall' in error && error.syscall === 'write'
  );
}

/** Throws where an address has a password, wherever it stands. It is not repeated. */
export function requireNoPassword(argv: readonly string[]): void {
  if (argv.some((word) => hasPassword(word.replace(/^--[\w-]+=/, ''))))
    throw new UsageError(`${NO_PASSWORD}, or with push ${PUSH_PASSWORD}`);
}

/**
 * Throws UsageError for a first word that is probably a mistyped command: it is neither a command nor a file that exists,
 * and has no separator and no extension, as the path of a file that is still to come would have.
 */
export function requireCommandOrFile(first: string | undefined): void {
  if (first === undefined || first === '' || first.startsWith('-') || /[./\\]/.test(first)) return;
  if (exists(first)) return;
  throw new UsageError(`there is no command and no file '${first}'${didYouMean(first, NAMED_COMMANDS)}`);
}
