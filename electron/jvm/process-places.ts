import { type BigIntStats, lstatSync, readdirSync, statSync, readFileSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemPath } from '../source/open-file.ts';
import { macTemporaryFolder } from './mac-processes.ts';
import { IS_MAC } from './platform.ts';

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

/** Numbers of a process from /proc (Linux). */
interface ProcessStatus {
  /** Effective user id. */
  readonly user: number;
  /** Pid in the innermost pid namespace: inside of its container. */
  readonly ownPid: number;
  /** The process handles SIGQUIT; otherwise the signal would end it. */
  readonly catchesQuit: boolean;
}

export interface ProcessTimes {
  /** Clock ticks between the start of the system and of the process. Identifies a process together with its pid. */
  readonly startTicks: number;
  /** Clock ticks on CPUs, of all threads. */
  readonly cpuTicks: number;
  readonly threads: number;
  /** It is a zombie: only its parent has not noticed yet, which may be never in a container. */
  readonly hasEnded: boolean;
}

/** USER_HZ, which Linux reports times of processes in. It is 100 on all its architectures with a JVM. */
export const TICKS_PER_SECOND = 100;
const SIGQUIT = 3;

/** The contents of a file below /proc/PID; undefined if the process has ended or may not be looked at. */
export function processFile(pid: number, name: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch {
    return undefined;
  }
}

/** The target of a link below /proc/PID. */
export function processLink(pid: number | 'self', name: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return undefined;
  }
}

export function processStatus(pid: number): ProcessStatus | undefined {
  const text = processFile(pid, 'status')?.toString('latin1');
  return text === undefined ? undefined : parseStatus(text, pid);
}

/** `text`: /proc/PID/status. */
export function parseStatus(text: string, pid: number): ProcessStatus | undefined {
  const user = /^Uid:\t\d+\t(\d+)/m.exec(text)?.[1];
  if (user === undefined) return undefined;
  const ownPid = /^NSpid:(?:\t\d+)*\t(\d+)$/m.exec(text)?.[1];
  const caught = /^SigCgt:\t[0-9a-f]*([0-9a-f]{2})$/m.exec(text)?.[1];
  return {
    user: Number(user),
    ownPid: ownPid === undefined ? pid : Number(ownPid),
    catchesQuit: caught !== undefined && (parseInt(caught, 16) & (1 << (SIGQUIT - 1))) !== 0,
  };
}

export function processTimes(pid: number): ProcessTimes | undefined {
  const text = processFile(pid, 'stat')?.toString('latin1');
  return text === undefined ? undefined : parseTimes(text);
}

/** Whether the process that has this pid and began at this time runs. False if it may not be looked at. */
export function isProcessRunning(pid: number, startTicks: number): boolean {
  const times = processTimes(pid);
  return times?.startTicks === startTicks && !times.hasEnded;
}

/** `text`: /proc/PID/stat. The name in parentheses may contain anything, so fields are counted from its end. */
export function parseTimes(text: string): ProcessTimes | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const numbers = [fields[11], fields[12], fields[17], fields[19]].map(Number);
  if (!numbers.every((each) => each >= 0)) return undefined;
  const [userTicks, systemTicks, threads, startTicks] = numbers;
  // Other threads may go on when the first one has ended.
  const hasEnded = /^[ZXx]$/.test(fields[0]) && threads <= 1;
  return { startTicks, cpuTicks: userTicks + systemTicks, threads, hasEnded };
}

/** The arguments of a process; empty for a zombie or without permission. */
export function processArguments(pid: number): readonly string[] {
  const text = processFile(pid, 'cmdline')?.toString() ?? '';
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}
