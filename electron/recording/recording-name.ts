import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs';
import { errnoOf } from '../source/source-error.ts';
import { IS_MAC } from '../jvm/platform.ts';
import { processLink, processTimes, namesIn } from '../jvm/process-places.ts';
import { join } from 'node:path';
import { systemPath } from '../source/open-file.ts';

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
/** Namespaces have no such number. */
const UNKNOWN_NAMESPACE = 0;
/** macOS has no namespaces: all of its processes are in the same one. */
const ONLY_NAMESPACE = 1;
/** Stands for the start of a process on macOS, where finding it takes a program. */
const UNKNOWN_START = 0;

/** The name of a recording that a process starts, of this one if none is given. Each is another one. */
export function newRecordingName(process: RecordingProcess = thisProcess()): string {
  const { pid, startTicks, namespace } = process;
  return `leanscope-${pid}-${startTicks}-${namespace}-${randomBytes(4).toString('hex')}`;
}

/** Whether a recording is one of Leanscope, of any process. */
export function isOwnName(name: string): boolean {
  return OWN_NAME.test(name);
}

/**
 * Whether a recording of a JVM is one of a Leanscope process that has ended. False for what cannot be judged from here: a
 * process of another container has its pid there, and may be running. A namespace id is reused only after
 * all of its processes have ended, so if it equals ours, looking up the pid gives the right answer.
 */
export function isAbandoned(name: string, here: RecordingProcess = thisProcess()): boolean {
  if (here.namespace === UNKNOWN_NAMESPACE) return false;
  const found = OWN_NAME.exec(name);
  if (found === null || Number(found[3]) !== here.namespace) return false;
  return hasEnded(Number(found[1]), Number(found[2]));
}

export function thisProcess(): RecordingProcess {
  const { pid } = process;
  if (IS_MAC) return { pid, startTicks: UNKNOWN_START, namespace: ONLY_NAMESPACE };
  const startTicks = processTimes(pid)?.startTicks;
  const namespace = Number(/\d+/.exec(processLink('self', 'ns/pid') ?? '')?.[0] ?? UNKNOWN_NAMESPACE);
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

function hasEnded(pid: number, startTicks: number): boolean {
  if (isGone(pid)) return true;
  if (startTicks === UNKNOWN_START) return false;
  // Undefined where /proc hides the processes of other users.
  const times = processTimes(pid);
  return times !== undefined && (times.startTicks !== startTicks || times.hasEnded);
}

/** No process has this pid. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errnoOf(error) === 'ESRCH';
  }
}

/** The parts of the name of a temporary file before and after the name of the process. */
const AROUND = /^\.|\.(tmp|tdump)$/g;

/**
 * The path of a temporary file or folder of this process. What processes that were killed have left in the folder is
 * removed first.
 */
export function temporaryPath(
  folder: string,
  before: '.' | '' = '',
  behind: '.tmp' | '.tdump' | '' = '',
): string {
  removeLeftBehind(folder);
  return join(folder, `${before}${newRecordingName()}${behind}`);
}

/** Makes a temporary folder in `parent` that only this user can read. Throws errors of the system. */
export function makeTemporaryFolder(parent: string): string {
  const path = temporaryPath(parent);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

/**
 * Removes the temporary files and folders of this user that are in the folder and whose process has ended. Never throws.
 * Such a folder has only files: what is deeper was put there by others, and stays.
 */
function removeLeftBehind(folder: string): void {
  for (const name of namesIn(folder) ?? []) {
    if (!isAbandoned(name.replace(AROUND, ''))) continue;
    const path = join(folder, name);
    try {
      const state = lstatSync(systemPath(path));
      if (state.uid !== process.geteuid?.()) continue;
      if (!state.isDirectory()) {
        unlinkSync(systemPath(path));
        continue;
      }
      for (const file of namesIn(path) ?? []) unlinkSync(systemPath(join(path, file)));
      rmdirSync(systemPath(path));
    } catch {
      // Another process has removed it, or something in it is not ours.
    }
  }
}
