/** The lines of `serve`, `attach` and `record` in the terminal besides the address. */
import { userInfo } from 'node:os';
import { uptimeText } from '../../../shared/text/format-value.ts';
import type { LogDescription, LogStatus } from '../../../shared/protocol/messages.ts';
import { jvmName } from '../../jvm/attach.ts';
import type { Jvm } from '../../jvm/jvm.ts';
import { type CommandIo, writeMessage } from './command-io.ts';

/** `JVM 4711 (Shop), up 2 h 05 m`. */
export function jvmLine(jvm: Jvm): string {
  return `${jvmName(jvm)}, up ${uptimeText(jvm.uptime)}`;
}

/**
 * The command that forwards the port to the machine from which the user has logged in; undefined if nobody has by ssh. It
 * compresses: a log of 313 MB is then 5 MB on the line instead of 24 MB.
 */
export function forwardCommand(
  port: number,
  env: Readonly<Record<string, string | undefined>>,
  user: string,
): string | undefined {
  // Address and port of the client, then those of this machine.
  const words = (env.SSH_CONNECTION ?? '').split(' ');
  if (words.length !== 4) return undefined;
  const [, , address, sshPort] = words;
  const other = sshPort === '22' ? '' : `-p ${sshPort} `;
  return `ssh -C ${other}-L ${port}:127.0.0.1:${port} ${user}@${address}`;
}

/** Tells the address of the page and the key that ends the command. `stops`: the thing that Ctrl+C stops. */
export function tellServed(port: number, stops: string, io: CommandIo): void {
  const forward = forwardCommand(port, process.env, userName());
  if (forward !== undefined)
    writeMessage(io, `leanscope: to open the address on your own machine, run there: ${forward}`);
  if (io.showsProgress) writeMessage(io, `leanscope: Ctrl+C stops ${stops}`);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no name on this machine.
    return 'USER';
  }
}

/** Says in the terminal, too, which files cannot be read, or are waited for: each state of a log once. */
export class LogProblems {
  readonly #io: CommandIo;
  readonly #told = new Map<LogDescription['id'], string>();

  constructor(io: CommandIo) {
    this.#io = io;
  }

  hear({ id, name }: LogDescription, status: LogStatus): void {
    const text = problemText(status);
    if (text === undefined || this.#told.get(id) === text) return;
    this.#told.set(id, text);
    writeMessage(this.#io, `${name}: ${text}`);
  }
}

function problemText({ state, detail }: LogStatus): string | undefined {
  switch (state) {
    case 'waiting':
      return detail;
    case 'failed':
    case 'damaged':
    case 'full':
      return detail ?? 'is not read any further';
    default:
      return undefined;
  }
}
