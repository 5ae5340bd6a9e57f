import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const UNSHARE = ['--pid', '--fork', '--mount', '--kill-child'];
/** A /tmp and a /proc of its own, as in a container. */
const MOUNT = 'mount -t tmpfs none /tmp && mount -t proc none /proc';

/** For `testUnless`: why there can be no process with its own pids and its own /tmp. */
export const NO_CONTAINER =
  spawnSync('unshare', [...UNSHARE, 'sh', '-c', MOUNT]).status === 0
    ? undefined
    : 'it needs root and unshare';

/** A launcher of `program` in namespaces of its own, where it has the pid 1. It ends with the launcher. */
export function containerLauncher(program: string): string {
  const path = join(temporaryFolder(), 'launcher');
  const inside = `'${MOUNT} && exec "${program}" "$@"'`;
  writeFileSync(path, `#!/bin/sh\nexec unshare ${UNSHARE.join(' ')} sh -c ${inside} sh "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
