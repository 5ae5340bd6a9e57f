import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';
import { waitFor } from './wait-for.ts';

const SHELL = '/bin/sh';

/** For `testUnless`: why there can be no program that is listed as a JVM and is none. */
export const NO_FAKE_JAVA =
  process.platform === 'linux' && existsSync(SHELL) ? undefined : 'it needs Linux and a shell';

/**
 * Starts a program that is called java and has these arguments: it is listed, but has no JVM to attach to. It ends with
 * the test. Resolves to its pid.
 *
 * `bin`: the folder of the program. What is in and beside it is taken for its JDK.
 */
export async function startFakeJava(args: readonly string[], bin = temporaryFolder()): Promise<number> {
  const java = join(bin, 'java');
  copyFileSync(SHELL, java);
  // A shell that reads its commands from its standard input, which stays empty.
  const child = spawn(java, ['-s', '--', ...args], { stdio: ['pipe', 'ignore', 'inherit'] });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  });
  const pid = child.pid ?? -1;
  await waitFor(() => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'java\n', 'the program');
  return pid;
}
