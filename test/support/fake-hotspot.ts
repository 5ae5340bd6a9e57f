import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Jvm } from '../../electron/jvm/jvm.ts';
import { processTimes } from '../../electron/jvm/process-places.ts';
import { jvmOf } from './fake-jvm.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PERL = '/usr/bin/perl';

/** A library that programs have besides their own. */
const LIBRARY =
  process.platform === 'linux'
    ? /\S+\/libm\.so\S*$/m.exec(readFileSync('/proc/self/maps', 'latin1'))?.[0]
    : undefined;

/** For `testUnless`: why there can be no program with a library of HotSpot's name. */
export const NO_FAKE_HOTSPOT =
  LIBRARY !== undefined && existsSync(PERL) ? undefined : 'it needs /proc, perl, and a libm.so to load';

/** A library of HotSpot's name in a folder of its own, for LD_PRELOAD. */
export function fakeHotSpotLibrary(folder: string): string {
  const library = join(folder, 'server/libjvm.so');
  mkdirSync(join(folder, 'server'));
  copyFileSync(LIBRARY!, library);
  return library;
}

/**
 * Starts a program that has a library of HotSpot's name and, at SIGQUIT, does what these statements of Perl say. `$S` is
 * the path of its attach socket, `$R` that of the request in its working directory. It ends with the test.
 */
export async function startFakeHotSpot(
  atQuit: string,
  userId = process.geteuid?.() ?? 0,
): Promise<{ readonly jvm: Jvm; readonly socket: string; readonly output: () => string }> {
  const folder = temporaryFolder();
  const library = fakeHotSpotLibrary(folder);
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
