import { Readable } from 'node:stream';
import type { CommandIo, ExitStatus } from '../../electron/cli/io/command-io.ts';
import { main } from '../../electron/cli/main.ts';

export interface CliRun {
  readonly status: ExitStatus;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the `leanscope` command in this process. `stdin` is cut into pieces of `pieceBytes`. Pass `stdout` to receive
 * binary output.
 */
export async function runCli(
  argv: readonly string[],
  options: {
    readonly stdin?: Uint8Array;
    readonly pieceBytes?: number;
    readonly stdout?: CommandIo['stdout'];
    /** Standard error is a terminal. */
    readonly terminal?: boolean;
  } = {},
): Promise<CliRun> {
  let stdout = '';
  let stderr = '';
  const io: CommandIo = {
    stdin: () => Readable.from(pieces(options.stdin ?? new Uint8Array(0), options.pieceBytes ?? 10_000)),
    stdout: options.stdout ?? ((piece) => void (stdout += textOf(piece))),
    stderr: (text) => void (stderr += text),
    showsProgress: options.terminal === true,
  };
  const status = await main(argv, io);
  return { status, stdout, stderr };
}

/** Standard output of the `leanscope` command, run in this process. Throws if it fails. */
export async function cliOutput(...argv: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runCli(argv);
  if (status !== 0) throw new Error(`leanscope ${argv.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

function textOf(piece: string | Uint8Array): string {
  if (typeof piece !== 'string') throw new Error('standard output is bytes');
  return piece;
}

function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
