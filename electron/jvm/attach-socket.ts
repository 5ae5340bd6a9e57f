import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolderOf } from './process-places.ts';

/** The socket that a HotSpot JVM opens for attaching; see `AttachedJvm`. */
export function attachSocketOf(pid: number, ownPid: number): string {
  return join(temporaryFolderOf(pid), `.java_pid${ownPid}`);
}

export function hasAttachSocket(
  pid: number,
  { user, ownPid }: { readonly user: number; readonly ownPid: number },
): boolean {
  return isSocketOf(attachSocketOf(pid, ownPid), user);
}

/** Whether a path is a socket of the JVM's user. Another user could have put a socket into /tmp. */
export function isSocketOf(path: string, user: number): boolean {
  try {
    const found = lstatSync(path);
    return found.isSocket() && found.uid === user;
  } catch {
    return false;
  }
}
