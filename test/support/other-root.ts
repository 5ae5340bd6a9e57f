import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const PERL = '/usr/bin/perl';

/** For `testUnless`: why there can be no process with another root. */
export const NO_OTHER_ROOT =
  process.geteuid?.() === 0 && existsSync(PERL) ? undefined : 'it needs root and perl';

/**
 * Starts a process that is called java and has these arguments, and whose root is `folder`, as in a container. It ends
 * with the test. Resolves to its pid.
 */
export async function javaInRoot(folder: string, args: readonly string[] = []): Promise<number> {
  const java = join(folder, 'bin/java');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  if (!existsSync(java)) copyFileSync(PERL, java);
  const program = '-e$|=1; chroot $ARGV[-1] or die; chdir "/"; print "there"; sleep 60';
  const child = spawn(java, [program, '--', ...args, 'Main', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  return child.pid!;
}
