import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const UNSHARE = ['--pid', '--fork', '--mount', '--kill-child'];
const CHECKOUT = process.cwd();
/** A /tmp and a /proc of its own, as in a container. The checkout stays where it is, also if that is below /tmp. */
const MOUNT = [
  `mount --bind "${CHECKOUT}" /mnt`,
  'mount -t tmpfs none /tmp',
  `mkdir -p "${CHECKOUT}"`,
  `mount --move /mnt "${CHECKOUT}"`,
  'mount -t proc none /proc',
].join(' && ');

/** What a container has in its /tmp for the checkout; undefined if that is elsewhere. */
export const CHECKOUT_IN_TMP = /^\/tmp\/([^/]+)/.exec(CHECKOUT)?.[1];

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
