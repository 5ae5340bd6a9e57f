import { errnoOf } from '../source/source-error.ts';
import { hasAttachSocket, numbersIn, TICKS_PER_SECOND } from './process-places.ts';
import { abilitiesOf, type AttachObstacle, honestAgentIn, HOTSPOT, type Jvm } from './jvm.ts';
import { hasMacHotSpot, type MacProcess, macProcesses, macTemporaryFolder } from './mac-processes.ts';
import { type PerfData, perfDataFolders, perfDataIn } from './perf-data.ts';
import { basename, join } from 'node:path';
import { launcherCommand, parseJavaCommand, parseMainCommand, splitJvmArguments } from './command-line.ts';

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
function ticksOf(ms: number): number {
  return Math.floor(ms / MS_PER_TICK);
}

/**
 * The perf data of a process; undefined if it is no HotSpot JVM that has started. A file that was left over is older than
 * the process that has its number now. A JVM makes its data readable after it has set its signal handlers
 * (Threads::create_vm).
 */
function macPerfData({ pid, userId, startMs }: MacProcess): PerfData | undefined {
  const data = perfDataIn(macTemporaryFolder(), pid, { user: userId, wanted: WANTED });
  const begin = data?.get('sun.rt.createVmBeginTime');
  return typeof begin === 'number' && begin >= startMs - CLOCK_MS ? data : undefined;
}

/** The start of the JVM, as in `Jvm.startTicks`. */
function startTicksIn(data: PerfData): number {
  return ticksOf(Number(data.get('sun.rt.createVmBeginTime')));
}

function textIn(data: PerfData | undefined, name: string): string | undefined {
  const value = data?.get(name);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Why a JVM cannot be attached to. macOS has no command that tells which signals a process catches. A HotSpot JVM that has
 * started catches SIGQUIT, unless an option says that it uses fewer signals; then it has its socket from the start.
 */
function macObstacle(
  { pid, userId }: Pick<Jvm, 'pid' | 'userId'>,
  data: PerfData | undefined,
): AttachObstacle | undefined {
  // Root cannot attach either: the perf data and the socket of another user are in a folder of that user.
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

/** Facts of a JVM that stay as they are while it runs. */
type FixedFacts = Omit<Jvm, 'uptime' | 'cpu'>;

interface KnownJvm {
  readonly process: MacProcess;
  readonly facts: FixedFacts;
  readonly listedAt: number;
}

/**
 * The JVMs of a Mac, from the perf data files of this user and from `ps`, which is run once for each list. JVMs of others
 * are known by the name of their program alone.
 */
export class MacJvmList {
  /** Pid -> as it was in the list before. */
  #known: ReadonlyMap<number, KnownJvm> = new Map();
  #reading: Promise<readonly Jvm[]> | undefined;

  /** All JVMs, by pid. Rejects if `ps` cannot be run. */
  read(): Promise<readonly Jvm[]> {
    this.#reading ??= this.#list().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #list(): Promise<readonly Jvm[]> {
    const processes = await macProcesses();
    const folder = macTemporaryFolder();
    const withPerfData = new Set(perfDataFolders(folder).flatMap((name) => numbersIn(join(folder, name))));
    const now = Date.now();
    const jvms: Jvm[] = [];
    const known = new Map<number, KnownJvm>();
    for (const process of processes) {
      const before = this.#known.get(process.pid);
      const same = before?.process.startMs === process.startMs ? before : undefined;
      const facts =
        same !== undefined && isFinal(same.facts)
          ? same.facts
          : factsOf(process, withPerfData.has(process.pid));
      if (facts === undefined) continue;
      known.set(process.pid, { process, facts, listedAt: now });
      const uptime = Math.max(0, now - process.startMs) / 1_000;
      const seconds = same === undefined ? uptime : (now - same.listedAt) / 1_000;
      const used = process.cpuSeconds - (same?.process.cpuSeconds ?? 0);
      jvms.push({ ...facts, uptime, cpu: seconds > 0 ? Math.max(0, used) / seconds : 0 });
    }
    this.#known = known;
    return jvms.sort((a, b) => a.pid - b.pid);
  }
}

/** A JVM that starts has no perf data for a moment, and one with fewer signals opens its socket. */
function isFinal({ obstacle }: FixedFacts): boolean {
  return obstacle !== 'no perf data' && obstacle !== 'SIGQUIT not caught';
}

/** Undefined for a process that is no JVM. */
function factsOf(process: MacProcess, hasPerfData: boolean): FixedFacts | undefined {
  const { pid, userId, user, startMs } = process;
  const words = process.command.split(' ');
  const isJava = basename(words[0]) === 'java';
  const data = hasPerfData ? macPerfData(process) : undefined;
  if (data === undefined && !isJava) return undefined;
  const text = (name: string): string | undefined => {
    const found = textIn(data, name);
    return found === '' ? undefined : found;
  };
  const mainCommand = text('sun.rt.javaCommand');
  const command = isJava ? parseJavaCommand(words) : launcherCommand(words);
  const vmArgs = text('java.rt.vmArgs');
  const jvmArguments = vmArgs === undefined ? command.jvmArguments : splitJvmArguments(vmArgs);
  const version = text('java.property.java.version');
  const obstacle = macObstacle(process, data);
  return {
    pid,
    ownPid: pid,
    startTicks: data === undefined ? ticksOf(startMs) : startTicksIn(data),
    ...(mainCommand === undefined ? command : parseMainCommand(mainCommand)),
    jvmArguments,
    version,
    isVersionAwaited: false,
    vmName: text('java.property.java.vm.name'),
    userId,
    user,
    can: obstacle === undefined ? abilitiesOf(version) : [],
    obstacle,
    // Its working folder is not known.
    agent: honestAgentIn(jvmArguments, undefined),
  };
}
