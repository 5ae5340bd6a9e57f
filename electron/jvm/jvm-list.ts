import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  hasAttachSocket,
  hasHotSpotLibrary,
  jvmLibraryOf,
  numbersIn,
  temporaryFolderOf,
  processArguments,
  processFile,
  processLink,
  processStatus,
  processTimes,
  type ProcessTimes,
  TICKS_PER_SECOND,
} from './process-places.ts';
import { CAN_ATTACH, IS_MAC } from './platform.ts';
import {
  abilitiesOf,
  type AttachObstacle,
  type HonestAgent,
  honestAgentIn,
  HOTSPOT,
  type Jvm,
} from './jvm.ts';
import {
  allJvmArguments,
  launcherCommand,
  parseJavaCommand,
  parseMainCommand,
  splitJvmArguments,
} from './command-line.ts';
import { installedVersion, type VersionOf } from './installed-version.ts';
import { perfDataFolders, perfDataIn } from './perf-data.ts';
import { MacJvmList } from './mac-jvm.ts';

const WANTED: ReadonlySet<string> = new Set([
  'sun.rt.javaCommand',
  'java.rt.vmArgs',
  'java.property.java.version',
  'java.property.java.vm.name',
]);
/** A process is looked at in its first lists, because a shell may become a JVM; later in every tenth. */
const FIRST_LISTS = 5;
const LATER_LISTS = 10;

/** A JVM starts more threads than this, once it is loaded. */
const LEAST_THREADS = 5;

/** A JVM loads its library, catches signals and starts its agent in its first moments: seconds. */
const STARTS_WITHIN_S = 30;
/** Obstacles that a JVM may have for a moment while it starts. */
const OBSTACLES_AT_START: ReadonlySet<AttachObstacle | undefined> = new Set([
  'not HotSpot',
  'SIGQUIT not caught',
]);

/** Facts of a JVM that stay as they are after its start. */
type FixedFacts = Omit<Jvm, 'uptime' | 'cpu'>;

interface KnownJvm {
  readonly facts: FixedFacts;
  /** Uptime at which the facts were read. */
  readonly readAt: number;
  /** At the previous list. */
  readonly cpuTicks: number;
  readonly uptime: number;
}

/**
 * The JVMs of this machine, from their perf data files and from /proc (specs: live-jvm, section 1). Reads the files of
 * a process once; afterwards a list costs one small file per JVM.
 */
export class JvmList {
  readonly #known = new Map<number, KnownJvm>();
  /** Pid of another process -> number of lists in which it was looked at. */
  readonly #others = new Map<number, number>();
  /** Pid of another process -> the fewest threads that it had since it was known to have no JVM. */
  readonly #threads = new Map<number, number>();
  #lists = 0;
  readonly #versionOf: VersionOf;

  /** `versionOf`: of JVMs without perf data. */
  constructor(versionOf = installedVersion) {
    this.#versionOf = versionOf;
  }

  /** All JVMs, by pid. Empty where there is no /proc. */
  read(): readonly Jvm[] {
    const now = secondsSinceBoot();
    if (now === undefined) return [];
    const withPerfData = perfDataPids();
    const pids = numbersIn('/proc');
    const jvms: Jvm[] = [];
    for (const pid of pids) {
      const jvm = this.#read(pid, now, withPerfData);
      if (jvm !== undefined) jvms.push(jvm);
    }
    const running = new Set(pids);
    for (const pids of [this.#known, this.#others, this.#threads])
      for (const pid of pids.keys()) if (!running.has(pid)) pids.delete(pid);
    this.#lists++;
    return jvms;
  }

  #read(pid: number, now: number, withPerfData: ReadonlySet<number>): Jvm | undefined {
    const known = this.#known.get(pid);
    if (known === undefined && !this.#isDue(pid)) return undefined;
    const times = processTimes(pid);
    if (times === undefined) return undefined;
    if (times.hasEnded) {
      this.#known.delete(pid);
      return undefined;
    }
    if (known === undefined && !withPerfData.has(pid) && !this.#mayBeJvm(pid, times)) return undefined;
    const uptime = Math.max(0, now - times.startTicks / TICKS_PER_SECOND);
    const same = known?.facts.startTicks === times.startTicks ? known : undefined;
    const kept = same === undefined || this.#mayChange(same) ? undefined : same;
    const facts = kept?.facts ?? readFacts(pid, times.startTicks, this.#versionOf);
    if (facts === undefined) {
      this.#known.delete(pid);
      return undefined;
    }
    this.#others.delete(pid);
    this.#threads.delete(pid);
    const { cpuTicks } = times;
    this.#known.set(pid, { facts, readAt: kept?.readAt ?? uptime, cpuTicks, uptime });
    const cpu = cpuShare(cpuTicks - (same?.cpuTicks ?? 0), uptime - (same?.uptime ?? 0));
    return { ...facts, uptime, cpu };
  }

  /** Whether the facts are not yet those of a JVM that has started, or its version was not known so far. */
  #mayChange({ facts: { pid, version, isVersionAwaited, obstacle, agent }, readAt }: KnownJvm): boolean {
    if (version === undefined) {
      const found = this.#versionOf(pid);
      if (found.version !== undefined || found.isAwaited !== isVersionAwaited) return true;
    }
    const isLogUnknown = agent !== undefined && agent.log === undefined;
    return readAt < STARTS_WITHIN_S && (OBSTACLES_AT_START.has(obstacle) || isLogUnknown);
  }

  /**
   * Whether a process has a JVM, also one with a launcher of its own and without perf data. What it has mapped takes long
   * to read, so it is read once, and again when there are as many more threads as a JVM starts.
   */
  #mayBeJvm(pid: number, { threads }: ProcessTimes): boolean {
    if (isJavaProgram(pid)) return true;
    const before = this.#threads.get(pid) ?? 0;
    const isDue = threads >= before + LEAST_THREADS;
    if (isDue && jvmLibraryOf(pid) !== undefined) return true;
    this.#threads.set(pid, isDue ? threads : Math.min(threads, before));
    return false;
  }

  #isDue(pid: number): boolean {
    const lists = this.#others.get(pid) ?? 0;
    this.#others.set(pid, lists + 1);
    return lists < FIRST_LISTS || (this.#lists + pid) % LATER_LISTS === 0;
  }
}

/** Reads what is known about a process; undefined if it is not a JVM after all. */
function readFacts(pid: number, startTicks: number, versionOf: VersionOf): FixedFacts | undefined {
  const status = processStatus(pid);
  const argv = processArguments(pid);
  // A zombie has no arguments.
  if (status === undefined || argv.length === 0) return undefined;
  const folder = temporaryFolderOf(pid);
  const perf = perfDataIn(folder, status.ownPid, { user: status.user, wanted: WANTED });
  const isJava = isJavaProgram(pid);
  // Perf data of a JVM that was killed stays, and another program may have its pid now.
  if (!isJava && jvmLibraryOf(pid) === undefined) return undefined;
  const text = (name: string): string | undefined => {
    const value = perf?.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const command = isJava ? parseJavaCommand(argv) : launcherCommand(argv);
  const vmArgs = text('java.rt.vmArgs');
  const jvmArguments =
    isJava || perf === undefined
      ? allJvmArguments(command.jvmArguments, vmArgs)
      : splitJvmArguments(vmArgs ?? '');
  const mainCommand = text('sun.rt.javaCommand');
  const vmName = text('java.property.java.vm.name');
  const ofPerfData = text('java.property.java.version');
  const { version, isAwaited: isVersionAwaited } =
    ofPerfData === undefined ? versionOf(pid) : { version: ofPerfData, isAwaited: false };
  const obstacle = obstacleOf(pid, status, vmName, jvmArguments);
  return {
    pid,
    ownPid: status.ownPid,
    startTicks,
    ...(mainCommand === undefined ? command : parseMainCommand(mainCommand)),
    jvmArguments,
    version,
    isVersionAwaited,
    vmName,
    userId: status.user,
    user: userName(status.user),
    can: obstacle === undefined ? abilitiesOf(version) : [],
    obstacle,
    agent: agentOf(pid, jvmArguments),
  };
}

function obstacleOf(
  pid: number,
  status: { readonly user: number; readonly ownPid: number; readonly catchesQuit: boolean },
  vmName: string | undefined,
  jvmArguments: readonly string[],
): AttachObstacle | undefined {
  const own = process.geteuid?.();
  if (own !== undefined && own !== 0 && own !== status.user) return 'other user';
  const isHotSpot = vmName === undefined ? hasHotSpotLibrary(pid) : HOTSPOT.test(vmName);
  if (!isHotSpot) return 'not HotSpot';
  if (jvmArguments.includes('-XX:+DisableAttachMechanism')) return 'attach disabled';
  // With -Xrs a JVM catches no SIGQUIT and opens its socket at its start.
  return status.catchesQuit || hasAttachSocket(pid, status) ? undefined : 'SIGQUIT not caught';
}

function agentOf(pid: number, jvmArguments: readonly string[]): HonestAgent | undefined {
  const agent = honestAgentIn(jvmArguments, processLink(pid, 'cwd') ?? '/');
  if (agent === undefined) return undefined;
  return { ...agent, log: agent.log ?? openHonestLog(pid) };
}

/** The log that an agent without `logPath` has open. */
function openHonestLog(pid: number): string | undefined {
  for (const descriptor of numbersIn(`/proc/${pid}/fd`)) {
    const path = processLink(pid, `fd/${descriptor}`);
    if (path !== undefined && /^log-\d+-\d+\.hpl$/.test(basename(path))) return path;
  }
  return undefined;
}

/** Pids of the perf data files in /tmp. Some may be left over from JVMs that were killed. */
function perfDataPids(): ReadonlySet<number> {
  return new Set(perfDataFolders('/tmp').flatMap((name) => numbersIn(join('/tmp', name))));
}

/** Whether a process runs a Java launcher. The link to the program cannot be read for other users' processes. */
function isJavaProgram(pid: number): boolean {
  const name = processFile(pid, 'comm')?.toString('latin1').trimEnd();
  if (name === 'java') return true;
  const program = processLink(pid, 'exe');
  return program !== undefined && basename(program) === 'java';
}

function secondsSinceBoot(): number | undefined {
  try {
    return parseFloat(readFileSync('/proc/uptime', 'latin1'));
  } catch {
    return undefined;
  }
}

function cpuShare(ticks: number, seconds: number): number {
  return seconds > 0 ? ticks / TICKS_PER_SECOND / seconds : 0;
}

let names: ReadonlyMap<number, string> | undefined;

/** The name of a user id by /etc/passwd, else the number. The file is read once. */
function userName(id: number): string {
  names ??= readNames();
  return names.get(id) ?? String(id);
}

function readNames(): ReadonlyMap<number, string> {
  try {
    return parsePasswords(readFileSync('/etc/passwd', 'utf8'));
  } catch {
    return new Map();
  }
}

/** `text`: lines `name:password:id:…`. The first name of an id counts. */
function parsePasswords(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const line of text.split('\n')) {
    const match = /^([^:]+):[^:]*:(\d+):/.exec(line);
    if (match !== null && !found.has(Number(match[2]))) found.set(Number(match[2]), match[1]);
  }
  return found;
}

/** Lists the JVMs of this machine, again and again. */
export interface JvmLister {
  /** All JVMs, by pid. Throws or rejects with errors of the system. */
  read(): readonly Jvm[] | Promise<readonly Jvm[]>;
}

/** `versionOf`: of JVMs without perf data, which macOS does not need. Lists of Windows are empty. */
export function newJvmLister(versionOf: VersionOf = installedVersion): JvmLister {
  if (!CAN_ATTACH) return { read: () => [] };
  return IS_MAC ? new MacJvmList() : new JvmList(versionOf);
}

/** Why a list is empty: a clause. */
export const NO_JVMS = CAN_ATTACH
  ? 'no JVM runs on this machine'
  : 'JVMs are found on Linux and macOS only: on Windows, attaching takes native code';

type FoundJvm =
  | { readonly jvm: Jvm }
  /** Several JVMs match; empty: none does. */
  | { readonly matches: readonly Jvm[] };

/**
 * Finds the JVM that a user names: by its pid, or by a part of its main class or jar, in any case. A name that one JVM
 * has completely is that JVM, even if it is a part of other names.
 */
export function findJvm(jvms: readonly Jvm[], wanted: string): FoundJvm {
  const byPid = /^\d+$/.test(wanted) ? jvms.find(({ pid }) => pid === Number(wanted)) : undefined;
  if (byPid !== undefined) return { jvm: byPid };
  const text = wanted.toLowerCase();
  const exact = jvms.filter(({ main }) => main === wanted);
  const matches =
    exact.length === 1 ? exact : jvms.filter(({ main }) => text !== '' && main.toLowerCase().includes(text));
  return matches.length === 1 ? { jvm: matches[0] } : { matches };
}
