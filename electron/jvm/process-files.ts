import { readFileSync, readlinkSync } from 'node:fs';

/** Numbers of a process from /proc (Linux). */
export interface ProcessStatus {
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
