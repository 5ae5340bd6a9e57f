import { integerValue, type OptionSpecs, parseArguments } from './arguments.ts';
import { CommandError, type CommandIo, type ExitStatus } from './command-io.ts';

export const SERVE_OPTIONS: OptionSpecs = {
  '--port': { value: 'N', help: 'port on 127.0.0.1 (default 0: any free one)' },
  '--no-open': { help: 'print the address, and do not open the browser' },
  '--follow': { help: 'keep reading as the files grow (default: when a file is still growing)' },
};

export const OPEN_OPTIONS: OptionSpecs = SERVE_OPTIONS;

export async function serveCommand(argv: readonly string[], _io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, SERVE_OPTIONS);
  integerValue(args, '--port', 0, 65_535, 0);
  return Promise.reject(new CommandError('serve: is not available yet; use export or summary'));
}

export async function openCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  return serveCommand(argv, io);
}
