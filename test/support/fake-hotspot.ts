import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Jvm } from '../../electron/jvm/jvm.ts';
import { processTimes } from '../../electron/jvm/process-files.ts';
import { jvmOf } from './fake-jvm.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PERL = '/usr/bin/perl';

/** For `testUnless`: why there can be no such process. */
export const NO_FAKE_HOTSPOT =
  process.platform === 'linux' && existsSync(PERL) ? undefined : 'it needs /proc and perl';

/**
 * Starts a program that has a library of HotSpot's name and, at SIGQUIT, does what these statements of Perl say. `$S` is
 * the path of its attach socket, `$R` that of the request in its working directory. It ends with the test.
 */
export async function startFakeHotSpot(
  atQuit: string,
  userId = process.geteuid?.() ?? 0,
): Promise<{ readonly jvm: Jvm; readonly socket: string; readonly output: () => string }> {
  const folder = temporaryFolder();
  const library = join(folder, 'server/libjvm.so');
  mkdirSync(join(folder, 'server'));
  copyFileSync(/\S+\/libm\.so\S*$/m.exec(readFileSync('/proc/self/maps', 'latin1'))?.[0] ?? '', library);
  chmodSync(folder, 0o777);
  const program = `$| = 1; use IO::Socket::UNIX; my $S = "/tmp/.java_pid$$"; my $R = ".attach_pid$$"; my @keep;
    $SIG{QUIT} = sub { ${atQuit} }; print "ready\\n"; sleep 1 while 1`;
  const child = spawn(PERL, ['-e', program], {
    cwd: folder,
    env: { LD_PRELOAD: library },
    stdio: ['ignore', 'pipe', 'inherit'],
    uid: userId,
  });
  const pid = child.pid!;
  const socket = `/tmp/.java_pid${pid}`;
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(socket, { force: true });
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await once(child.stdout, 'data');
  const jvm = { ...jvmOf(processTimes(pid)?.startTicks), pid, ownPid: pid, userId };
  return { jvm, socket, output: () => output };
}
