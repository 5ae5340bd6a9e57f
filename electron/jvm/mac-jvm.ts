import { errnoOf } from '../source/source-error.ts';
import { hasAttachSocket } from './attach-socket.ts';
import { type AttachObstacle, HOTSPOT, type Jvm } from './jvm.ts';
import { hasMacHotSpot, type MacProcess, macProcesses, macTemporaryFolder } from './mac-processes.ts';
import { perfDataIn } from './perf-data-file.ts';
import type { PerfData } from './perf-data.ts';
import { TICKS_PER_SECOND } from './process-files.ts';

const WANTED: ReadonlySet<string> = new Set([
  'java.property.java.version',
  'java.property.java.vm.name',
  'java.rt.vmArgs',
  'java.rt.vmFlags',
  'sun.rt.createVmBeginTime',
  'sun.rt.javaCommand',
  'sun.rt.jvmCapabilities',
]);
/** A process starts its JVM later than itself, but a clock may be set back a little between. */
const CLOCK_MS = 1_000;
const MS_PER_TICK = 1_000 / TICKS_PER_SECOND;

/** A moment as `Jvm.startTicks` has it. */
export function ticksOf(ms: number): number {
  return Math.floor(ms / MS_PER_TICK);
}

/**
 * The perf data of a process; undefined if it is no HotSpot JVM that has started. A file that was left over is older than
 * the process that has its number now. A JVM makes its data readable after it has set its signal handlers
 * (Threads::create_vm).
 */
export function macPerfData({ pid, userId, startMs }: MacProcess): PerfData | undefined {
  const data = perfDataIn(macTemporaryFolder(), pid, { user: userId, wanted: WANTED });
  const begin = data?.get('sun.rt.createVmBeginTime');
  return typeof begin === 'number' && begin >= startMs - CLOCK_MS ? data : undefined;
}

/** As `Jvm.startTicks`. */
export function startTicksIn(data: PerfData): number {
  return ticksOf(Number(data.get('sun.rt.createVmBeginTime')));
}

export function textIn(data: PerfData | undefined, name: string): string | undefined {
  const value = data?.get(name);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Why a JVM cannot be attached to. macOS has no command that tells which signals a process catches. A HotSpot JVM that has
 * started catches SIGQUIT, unless an option says that it uses fewer signals; then it has its socket from the start.
 */
export function macObstacle(
  { pid, userId }: Pick<Jvm, 'pid' | 'userId'>,
  data: PerfData | undefined,
): AttachObstacle | undefined {
  // Also of root: the perf data and the socket of another user are in a folder of that user.
  if (process.geteuid?.() !== userId) return 'other user';
  if (data === undefined) return 'no perf data';
  if (!HOTSPOT.test(textIn(data, 'java.property.java.vm.name') ?? '')) return 'not HotSpot';
  const capabilities = textIn(data, 'sun.rt.jvmCapabilities');
  const options = [textIn(data, 'java.rt.vmArgs'), textIn(data, 'java.rt.vmFlags')];
  // Left out where the file was too small for them.
  if (capabilities === undefined || options.includes(undefined)) return 'no perf data';
  if (!capabilities.startsWith('1')) return 'attach disabled';
  const usesFewerSignals = /-Xrs(?: |$)|ReduceSignalUsage/.test(options.join(' '));
  return usesFewerSignals && !hasAttachSocket(pid, { user: userId, ownPid: pid })
    ? 'SIGQUIT not caught'
    : undefined;
}

/** Whether a JVM still runs. It removes its perf data at its end; they may also be removed as old files of /tmp. */
export function isMacJvmRunning({
  pid,
  startTicks,
  userId,
}: Pick<Jvm, 'pid' | 'startTicks' | 'userId'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') return false;
  }
  const data = perfDataIn(macTemporaryFolder(), pid, { user: userId, wanted: WANTED });
  if (data === undefined) return hasAttachSocket(pid, { user: userId, ownPid: pid });
  return startTicksIn(data) === startTicks;
}

/**
 * Why a JVM must not be sent SIGQUIT now, as `requestSocket` says it. What was listed is looked at again, and the library
 * of HotSpot must be loaded: the signal would end any other program.
 */
export async function macSignalProblem(
  jvm: Pick<Jvm, 'pid' | 'startTicks' | 'userId'>,
): Promise<'has ended' | 'has changed' | AttachObstacle | undefined> {
  const found = (await macProcesses(jvm.pid)).find(({ pid }) => pid === jvm.pid);
  if (found === undefined) return 'has ended';
  if (found.userId !== jvm.userId) return 'has changed';
  const obstacle = macObstacle(jvm, macPerfData(found));
  if (obstacle !== undefined) return obstacle;
  if (!(await hasMacHotSpot(jvm.pid))) return 'not HotSpot';
  return isMacJvmRunning(jvm) ? undefined : 'has ended';
}
