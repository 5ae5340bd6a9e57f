import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { errnoOf } from '../source/source-error.ts';
import { IS_MAC } from './platform.ts';
import { processLink, processTimes } from './process-files.ts';

/** A process that has started a recording. */
export interface RecordingProcess {
  readonly pid: number;
  /** With the pid, it identifies the process. */
  readonly startTicks: number;
  /** Number of the pid namespace in which it has that pid: each container has one of its own. */
  readonly namespace: number;
}

/**
 * `leanscope-<pid>-<start ticks>-<pid namespace>-<random>`. Complete, because a name is a part of a command: after a blank
 * there would be another option of it.
 */
const OWN_NAME = /^leanscope-(\d+)-(\d+)-(\d+)-\w+$/;
/** `leanscope-<pid>-<random>`: the names of earlier versions, whose recordings an update may leave behind. */
const EARLIER_NAME = /^leanscope-(\d+)-[0-9a-f]{8}$/;
/** Namespaces have no such number. */
const UNKNOWN_NAMESPACE = 0;
/** macOS has no namespaces: all of its processes are in the same one. */
const ONLY_NAMESPACE = 1;
/** Of a process on macOS: finding it out takes a program. */
const UNKNOWN_START = 0;

/** The name of a recording that a process starts, of this one if none is given. Each is another one. */
export function newRecordingName(process: RecordingProcess = thisProcess()): string {
  const { pid, startTicks, namespace } = process;
  return `leanscope-${pid}-${startTicks}-${namespace}-${randomBytes(4).toString('hex')}`;
}

/** Whether a recording is one of Leanscope, of any process. */
export function isOwnName(name: string): boolean {
  return OWN_NAME.test(name) || EARLIER_NAME.test(name);
}

/**
 * Whether a recording of a JVM is one of a Leanscope process that has ended. False for what cannot be judged from here: a
 * process of another container has its pid there, and may be running. The number of a namespace may be used again once all
 * of its processes have ended, so that the same number means that the answer is right. An earlier name has no namespace:
 * that of the JVM is taken for it, and a pid that another process may have is left alone.
 */
export function isAbandoned(name: string, jvm: number, here: RecordingProcess = thisProcess()): boolean {
  if (here.namespace === UNKNOWN_NAMESPACE) return false;
  const found = OWN_NAME.exec(name);
  if (found !== null)
    return Number(found[3]) === here.namespace && hasEnded(Number(found[1]), Number(found[2]));
  const earlier = EARLIER_NAME.exec(name);
  return earlier !== null && namespaceOf(jvm) === here.namespace && isGone(Number(earlier[1]));
}

export function thisProcess(): RecordingProcess {
  const { pid } = process;
  if (IS_MAC) return { pid, startTicks: UNKNOWN_START, namespace: ONLY_NAMESPACE };
  const startTicks = processTimes(pid)?.startTicks;
  const namespace = namespaceOf('self');
  // Where /proc shows the processes of another namespace, the pids there are not those of this process.
  if (startTicks === undefined || linkToSelf() !== String(pid))
    return { pid, startTicks: UNKNOWN_START, namespace: UNKNOWN_NAMESPACE };
  return { pid, startTicks, namespace };
}

function linkToSelf(): string | undefined {
  try {
    return readlinkSync('/proc/self');
  } catch {
    return undefined;
  }
}

function namespaceOf(pid: number | 'self'): number {
  return Number(/\d+/.exec(processLink(pid, 'ns/pid') ?? '')?.[0] ?? UNKNOWN_NAMESPACE);
}

function hasEnded(pid: number, startTicks: number): boolean {
  if (isGone(pid)) return true;
  if (startTicks === UNKNOWN_START) return false;
  // Undefined where /proc hides the processes of other users.
  const times = processTimes(pid);
  return times !== undefined && (times.startTicks !== startTicks || times.hasEnded);
}

/** No process has this pid. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errnoOf(error) === 'ESRCH';
  }
}
