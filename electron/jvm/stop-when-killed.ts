import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Jvm } from './jvm.ts';
import { processLink } from './process-files.ts';

/**
 * The program of a process that waits until its standard input is closed, and then stops a recording. A line means that
 * there is nothing to stop.
 */
const STOPPER = `
const [socket, name, ...folders] = process.argv.slice(1);
process.stdin.on('data', () => process.exit());
process.stdin.on('end', () => {
  for (const folder of folders) require('node:fs').rmSync(folder, { recursive: true, force: true });
  const connection = require('node:net').createConnection(socket);
  connection.on('error', () => process.exit());
  connection.write('1\\0jcmd\\0JFR.stop name=' + name + '\\0\\0\\0');
  connection.resume();
});
`;

/** The same for Perl, which most Linux systems have. */
const PERL_STOPPER = `
use Socket;
exit if defined <STDIN>;
my ($path, $name, @folders) = @ARGV;
system('rm', '-rf', '--', @folders) if @folders;
socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or exit;
connect($socket, sockaddr_un($path)) or exit;
syswrite($socket, "1\\0jcmd\\0JFR.stop name=$name\\0\\0\\0");
1 while sysread($socket, my $answer, 4096);
`;

/**
 * The same for a shell, with `jcmd`, Perl and its program, socket, pid, name and folders. Perl may be there without its
 * modules, and end with an error at once: then the shell waits. Without the socket `jcmd` would send a signal, and the pid
 * may be that of any other program by then.
 */
const SHELL_STOPPER =
  'jcmd="$0"; perl="$1"; program="$2"; socket="$3"; pid="$4"; name="$5"; shift 5; ' +
  '[ -x "$perl" ] && "$perl" -e "$program" "$socket" "$name" "$@" && exit; ' +
  'read -r line && exit; rm -rf -- "$@"; ' +
  '[ -S "$socket" ] && exec "$jcmd" "$pid" JFR.stop "name=$name"';
const PERL = '/usr/bin/perl';

/**
 * Stops a recording and removes `folders` when this process ends before it calls the returned function, whatever ends it,
 * even SIGKILL. A process of its own waits for that, in a session that a Ctrl+C of the terminal does not reach. Under
 * Electron, which cannot run as Node in a package, it is Perl, and a shell with the JVM's own `jcmd` where Perl fails: another Electron is too
 * large to wait, and needs a display. Without both, the next Leanscope that attaches stops the recording.
 */
export function stopWhenKilled(
  jvm: Pick<Jvm, 'pid'>,
  socket: string,
  name: string,
  folders: readonly string[] = [],
): () => void {
  const command = stopperOf({ pid: jvm.pid, socket, name, folders });
  if (command === undefined) return () => undefined;
  const [program, ...args] = command;
  const stopper = spawn(program, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  stopper.once('error', () => undefined);
  stopper.stdin.once('error', () => undefined);
  stopper.unref();
  return () => void stopper.stdin.end('\n');
}

interface Stopped {
  readonly pid: number;
  readonly socket: string;
  readonly name: string;
  readonly folders: readonly string[];
}

/** The command line of the process that waits; undefined if there is no program for it. */
export function stopperOf(
  { pid, socket, name, folders }: Stopped,
  { isElectron = 'electron' in process.versions, perl = PERL } = {},
): readonly [string, ...string[]] | undefined {
  if (!isElectron) return [process.execPath, '-e', STOPPER, socket, name, ...folders];
  const java = processLink(pid, 'exe');
  const jcmd = java === undefined ? undefined : join(dirname(java), 'jcmd');
  if (jcmd !== undefined && existsSync(jcmd))
    return ['/bin/sh', '-c', SHELL_STOPPER, jcmd, perl, PERL_STOPPER, socket, String(pid), name, ...folders];
  return existsSync(perl) ? [perl, '-e', PERL_STOPPER, socket, name, ...folders] : undefined;
}
