import { type BigIntStats, lstatSync, readdirSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemPath } from '../source/system-path.ts';
import { macTemporaryFolder } from './mac-processes.ts';
import { IS_MAC } from './platform.ts';
import { processFile, processLink } from './process-files.ts';

/**
 * The folder in which a JVM has its perf data and its socket: what the process sees as /tmp, also in a container. On macOS
 * each user has one.
 */
export function temporaryFolderOf(pid: number): string {
  if (IS_MAC) return macTemporaryFolder();
  if (hasSameRoot(pid)) return '/tmp';
  const folder = join(`/proc/${pid}`, 'root', 'tmp');
  return namesIn(folder) === undefined ? '/tmp' : folder;
}

/**
 * A path of a process as this process sees it: that of a container is below its root. What is not there yet is where the
 * nearest of its folders is.
 */
export function visiblePath(pid: number, path: string): string {
  if (hasSameRoot(pid)) return path;
  const inRoot = join(`/proc/${pid}`, 'root', path);
  const rooted = found(inRoot);
  if (rooted === undefined) {
    const folder = dirname(path);
    return folder === path ? path : join(visiblePath(pid, folder), basename(path));
  }
  return isSameFile(rooted, found(path)) ? path : inRoot;
}

/** `visiblePath` without waiting for the file system, which may be a network drive that is gone. */
export async function findVisiblePath(pid: number, path: string): Promise<string> {
  if (hasSameRoot(pid)) return path;
  const inRoot = join(`/proc/${pid}`, 'root', path);
  // One after the other: each that is not answered holds one of Node's few threads.
  const rooted = await foundLater(inRoot);
  if (rooted === undefined) {
    const folder = dirname(path);
    return folder === path ? path : join(await findVisiblePath(pid, folder), basename(path));
  }
  return isSameFile(rooted, await foundLater(path)) ? path : inRoot;
}

/** Whether a process sees the files that this one sees. Asks no file system. */
function hasSameRoot(pid: number): boolean {
  if (IS_MAC) return true;
  const mounts = processLink(pid, 'ns/mnt');
  if (mounts === undefined || mounts !== processLink('self', 'ns/mnt')) return false;
  const root = processLink(pid, 'root');
  return root !== undefined && root === processLink('self', 'root');
}

/** Undefined without permission to look, too. */
function found(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Undefined without permission to look, too. */
function foundLater(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch(() => undefined);
}

function isSameFile(a: BigIntStats, b: BigIntStats | undefined): boolean {
  return a.ino === b?.ino && a.dev === b.dev;
}

/** Whether a process has a network of its own, as in a container: an address of it may be that of another program here. */
export function isInOtherNetwork({
  pid,
  ownPid,
}: {
  readonly pid: number;
  readonly ownPid: number;
}): boolean {
  const network = processLink(pid, 'ns/net');
  // Without permission to look: the processes of a container have numbers of their own, too.
  return network === undefined ? ownPid !== pid : network !== processLink('self', 'ns/net');
}

/** The library of the JVM, of any kind, that a process has loaded, as it sees it. Undefined without permission to look. */
export function jvmLibraryOf(pid: number): string | undefined {
  return /^[^/\n]*(\/.*\/libjvm\.so)$/m.exec(mapsOf(pid))?.[1];
}

/** Whether that JVM is HotSpot. OpenJ9 has a libjvm.so too, besides its own libraries. */
export function hasHotSpotLibrary(pid: number): boolean {
  const maps = mapsOf(pid);
  return /\/(?:server|client|minimal|zero)\/libjvm\.so$/m.test(maps) && !/\/libj9\w*\.so$/m.test(maps);
}

/** The numbers among the names in a folder; empty if it cannot be read. */
export function numbersIn(folder: string): number[] {
  return (namesIn(folder) ?? []).filter((name) => /^\d+$/.test(name)).map(Number);
}

export function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(systemPath(folder));
  } catch {
    return undefined;
  }
}

/** The files that a process has mapped, one per line. */
function mapsOf(pid: number): string {
  return processFile(pid, 'maps')?.toString('latin1') ?? '';
}

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
