import { closeSync, fchownSync, lstatSync, openSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf, UserError } from '../source/source-error.ts';
import {
  attachSocketOf,
  hasHotSpotLibrary,
  isSocketOf,
  temporaryFolderOf,
  isProcessRunning,
  processStatus,
} from './process-places.ts';
import { IS_MAC } from './platform.ts';
import { type AttachObstacle, type Jvm, obstacleText, shortMain } from './jvm.ts';
import { isMacJvmRunning, macSignalProblem } from './mac-jvm.ts';

/** A JVM with many threads on few CPUs may take seconds to open its socket. */
const OPEN_TIMEOUT_MS = 10_000;
const OPEN_POLL_MS = 10;
const COMMAND_TIMEOUT_MS = 30_000;
/** Time limit of a whole answer. A JVM that sends a byte now and then would never reach a limit per byte. */
const ANSWER_TIMEOUT_MS = 120_000;
/** An error message quotes at most this much of the answer of a JVM. */
const MOST_REASON_CHARACTERS = 300;
/** Longer lines of properties are left out: expressions on them take too long, or too much of the stack. */
const MOST_LINE_CHARACTERS = 64 << 10;
/** Longer answers are cut: a dump of 10 000 threads has some 20 MB. */
const MOST_ANSWER_BYTES = 256 << 20;
/** Each command has three arguments, empty ones too. */
const ARGUMENTS = 3;
/** The path of a socket has at most 108 bytes with its zero byte, 104 on macOS: `sun_path`. */
const MOST_SOCKET_PATH = IS_MAC ? 103 : 107;

/** A JVM could not be attached to, or refused a command. */
export class AttachError extends UserError {
  override readonly name = 'AttachError';
}

/** Names a JVM in messages. */
export function jvmName({ pid, main }: Pick<Jvm, 'pid' | 'main'>): string {
  return `JVM ${pid} (${shortMain(main)})`;
}

type Target = Pick<Jvm, 'pid' | 'ownPid' | 'startTicks' | 'main' | 'userId' | 'obstacle'>;

/**
 * Sends commands to a HotSpot JVM over its attach socket (specs: live-jvm, section 2). The JVM opens the socket when it
 * gets SIGQUIT while a file `.attach_pid` of its number exists. The signal is sent only to a HotSpot JVM that catches it.
 */
export class AttachedJvm {
  /** Process -> the socket that it is opening. */
  static readonly #opening = new Map<string, Promise<void>>();
  readonly pid: number;
  /** The name of the JVM in messages. */
  readonly name: string;
  readonly #socket: string;

  private constructor(pid: number, socket: string, name: string) {
    this.pid = pid;
    this.#socket = socket;
    this.name = name;
  }

  /** Opens the socket of a JVM. Throws AttachError. */
  static async open(target: Target): Promise<AttachedJvm> {
    const name = jvmName(target);
    refuse(name, target.obstacle);
    const socket = attachSocketOf(target.pid, target.ownPid);
    if (socket.length > MOST_SOCKET_PATH)
      throw new AttachError(`${name}: cannot be attached: the path of its socket is too long`);
    if (!isSocketOf(socket, target.userId)) await AttachedJvm.#request(target, socket);
    return new AttachedJvm(target.pid, socket, name);
  }

  /** One signal for all that attach to a JVM at once: it prints its threads for one that finds no request. */
  static #request(target: Target, socket: string): Promise<void> {
    const key = `${target.pid} ${target.startTicks}`;
    const opening =
      AttachedJvm.#opening.get(key) ??
      requestSocket(target, socket).finally(() => AttachedJvm.#opening.delete(key));
    AttachedJvm.#opening.set(key, opening);
    return opening;
  }

  /**
   * Runs a command of the attach protocol with up to three arguments and resolves to its output. A JVM reads only the
   * first three. `signal` closes the connection. Throws AttachError if the JVM refuses it or does not answer in time.
   */
  async run(command: string, args: readonly string[] = [], signal?: AbortSignal): Promise<string> {
    const words = ['1', command, ...args, ...Array<string>(ARGUMENTS - args.length).fill('')];
    const answer = await this.#exchange(words.map((word) => `${word}\0`).join(''), signal);
    const end = answer.indexOf(0x0a);
    const code = answer.subarray(0, Math.max(0, end)).toString('latin1');
    const output = answer.subarray(end + 1).toString();
    if (code !== '0') {
      const reason = firstLine(output);
      throw new AttachError(
        `${this.name}: ${command} failed: ${reason === '' ? `result '${code}'` : reason}`,
      );
    }
    return output;
  }

  /** Runs a diagnostic command such as `JFR.check`, as `jcmd` does. Throws AttachError. */
  jcmd(commandLine: string): Promise<string> {
    return this.run('jcmd', [commandLine]);
  }

  /** The system properties of the JVM. Throws AttachError. */
  async properties(): Promise<ReadonlyMap<string, string>> {
    return parseProperties(await this.run('properties'));
  }

  #exchange(request: string, signal: AbortSignal | undefined): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      let length = 0;
      const socket = createConnection(this.#socket);
      const fail = (reason: string): void => {
        socket.destroy();
        reject(new AttachError(`${this.name}: ${reason}`));
      };
      const abort = (): void => fail('the command was cancelled');
      const timer = setTimeout(() => fail('has not finished its answer in time'), ANSWER_TIMEOUT_MS);
      socket.setTimeout(COMMAND_TIMEOUT_MS, () => fail('does not answer; it may be stopped or overloaded'));
      socket.on('connect', () => socket.write(request));
      socket.on('data', (piece: Buffer) => {
        length += piece.length;
        if (length > MOST_ANSWER_BYTES) fail('the answer is longer than 256 MB');
        else pieces.push(piece);
      });
      socket.on('end', () => {
        socket.destroy();
        resolve(Buffer.concat(pieces));
      });
      socket.on('error', (error) =>
        fail(`cannot be reached (${errnoOf(error) ?? error.message}); it may have ended`),
      );
      socket.on('close', () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      });
      if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }
}

/** Whether a JVM still runs. */
export function isRunning(jvm: Pick<Jvm, 'pid' | 'startTicks' | 'userId'>): boolean {
  return IS_MAC ? isMacJvmRunning(jvm) : isProcessRunning(jvm.pid, jvm.startTicks);
}

/** Has the JVM open its socket, and removes the file that asks for it again. */
async function requestSocket(target: Target, socket: string): Promise<void> {
  const { pid, userId } = target;
  const name = jvmName(target);
  const request = writeRequest(target);
  try {
    // Looked at again immediately before the signal: the pid may belong to another program by now.
    const problem = IS_MAC ? await macSignalProblem(target) : signalProblem(target);
    if (problem === 'has ended' || problem === 'has changed') throw new AttachError(`${name}: ${problem}`);
    refuse(name, problem);
    // Another program may have attached since.
    if (isSocketOf(socket, userId)) return;
    process.kill(pid, 'SIGQUIT');
    const deadline = performance.now() + OPEN_TIMEOUT_MS;
    while (!isSocketOf(socket, userId)) {
      if (performance.now() > deadline)
        throw new AttachError(`${name}: did not open its attach socket within 10 seconds; try again`);
      if (!isRunning(target)) throw new AttachError(`${name}: has ended`);
      await pause(OPEN_POLL_MS);
    }
  } catch (error) {
    if (error instanceof AttachError) throw error;
    throw new AttachError(`${name}: cannot be attached (${errnoOf(error) ?? String(error)})`);
  } finally {
    rmSync(request, { force: true });
  }
}

/** Why a process must not be sent SIGQUIT now. */
function signalProblem({
  pid,
  ownPid,
  userId,
  startTicks,
}: Target): 'has ended' | 'has changed' | AttachObstacle | undefined {
  const status = processStatus(pid);
  if (status === undefined || !isProcessRunning(pid, startTicks)) return 'has ended';
  if (status.ownPid !== ownPid || status.user !== userId) return 'has changed';
  if (!hasHotSpotLibrary(pid)) return 'not HotSpot';
  return status.catchesQuit ? undefined : 'SIGQUIT not caught';
}

/**
 * Creates the file `.attach_pid`, in the working directory of the JVM or, if that cannot be written, in its
 * folder for temporary files. On macOS, a JVM looks only there.
 */
function writeRequest({ pid, ownPid, main, userId }: Target): string {
  const places = [...(IS_MAC ? [] : [`/proc/${pid}/cwd`]), temporaryFolderOf(pid)];
  for (const [at, folder] of places.entries()) {
    const path = join(folder, `.attach_pid${ownPid}`);
    try {
      // Never through a link: it could lead to any file, which would be emptied.
      const file = openSync(path, 'wx', 0o600);
      giveTo(userId, file);
      closeSync(file);
      return path;
    } catch (error) {
      if (isRequestOf(path, [process.geteuid?.(), userId])) return path;
      if (at === places.length - 1)
        throw new AttachError(
          `${jvmName({ pid, main })}: cannot be attached: its folder cannot be written (${errnoOf(error) ?? String(error)})`,
        );
    }
  }
  throw new AttachError(`${jvmName({ pid, main })}: cannot be attached`);
}

/** A JVM heeds a request of its own user; only newer ones heed one of root. */
function giveTo(user: number, file: number): void {
  if (user === process.geteuid?.()) return;
  try {
    fchownSync(file, user, -1);
  } catch {
    // Root without this capability.
  }
}

/** Whether the file is there already, from a program that attaches at the same time or was killed. */
function isRequestOf(path: string, users: readonly (number | undefined)[]): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && users.includes(found.uid);
}

function refuse(name: string, obstacle: AttachObstacle | undefined): void {
  if (obstacle !== undefined) throw new AttachError(`${name}: cannot be attached: ${obstacleText(obstacle)}`);
}

/** The beginning of the first line that is not empty; '' if there is none. */
export function firstLine(text: string): string {
  const [, line = ''] = /^\s*(.*)/.exec(text) ?? [];
  return line.length > MOST_REASON_CHARACTERS ? `${line.slice(0, MOST_REASON_CHARACTERS)}…` : line.trimEnd();
}

/** `text`: a Java properties file. */
export function parseProperties(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line.length > MOST_LINE_CHARACTERS) continue;
    const match = /^((?:[^\\=:]|\\.)*)[=:](.*)$/.exec(line.trimEnd());
    if (match !== null) found.set(unescaped(match[1]), unescaped(match[2]));
  }
  return found;
}

const ESCAPES: Readonly<Record<string, string | undefined>> = { t: '\t', n: '\n', r: '\r', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, character: string) =>
    code === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(parseInt(code, 16)),
  );
}
