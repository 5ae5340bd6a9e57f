import { basename, join } from 'node:path';
import { honestAgentIn } from './agent-options.ts';
import { launcherCommand, parseJavaCommand, parseMainCommand, splitJvmArguments } from './command-line.ts';
import { abilitiesOf, type Jvm } from './jvm.ts';
import { macObstacle, macPerfData, startTicksIn, textIn, ticksOf } from './mac-jvm.ts';
import { type MacProcess, macProcesses, macTemporaryFolder } from './mac-processes.ts';
import { perfDataFolders } from './perf-data-file.ts';
import { numbersIn } from './process-places.ts';

/** What does not change while a JVM runs. */
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
