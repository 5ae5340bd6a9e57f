import { majorVersion } from '../../shared/text/java-version.ts';
import { isAbsolute, resolve } from 'node:path';
import { parseAgentOptions } from '../../shared/agent/agent-options.ts';
import type { AgentAddress } from './agent-control.ts';

/** Why a JVM cannot be attached to. */
export type AttachObstacle =
  | 'other user'
  | 'not HotSpot'
  | 'attach disabled'
  | 'SIGQUIT not caught'
  | 'no perf data';

/** A way to sample a JVM. `jfr`: a flight recording can be followed; `jfr-dump`: it can be dumped only. */
type JvmAbility = 'jfr' | 'jfr-dump' | 'dumps';

/** A JVM that runs on this machine. */
export interface Jvm {
  readonly pid: number;
  /** Pid inside of its container; equals `pid` outside of containers. */
  readonly ownPid: number;
  /**
   * Clock ticks from the start of the system (macOS: from 1970) to that of the JVM. With the pid, it identifies the
   * process.
   */
  readonly startTicks: number;
  /** Main class or jar; the name of the program if it is unknown. */
  readonly main: string;
  /** Arguments of the main class. */
  readonly mainArguments: string;
  readonly jvmArguments: readonly string[];
  /** For example 17.0.12; undefined if the JVM does not tell. */
  readonly version: string | undefined;
  /** The version, and with it what else the JVM can do, may be found later. */
  readonly isVersionAwaited: boolean;
  readonly vmName: string | undefined;
  readonly userId: number;
  /** The name of the user, or the number of one without a name. */
  readonly user: string;
  /** Seconds since the start of the JVM. */
  readonly uptime: number;
  /** CPUs used, since the previous list or since the start of the JVM: 1.5 is one and a half CPUs. */
  readonly cpu: number;
  readonly can: readonly JvmAbility[];
  readonly obstacle: AttachObstacle | undefined;
  readonly agent: HonestAgent | undefined;
}

/** The obstacle as a clause: 'it belongs to another user'. */
export function obstacleText(obstacle: AttachObstacle): string {
  switch (obstacle) {
    case 'other user':
      return 'it belongs to another user';
    case 'not HotSpot':
      return 'it is not a HotSpot JVM';
    case 'attach disabled':
      return 'it was started with -XX:+DisableAttachMechanism';
    case 'SIGQUIT not caught':
      return 'it does not catch SIGQUIT, which asks for its attach socket';
    case 'no perf data':
      return 'its perf data, by which macOS tells whether it can be attached to, are missing or incomplete';
  }
}

/** Names of the virtual machines that are HotSpot, of all vendors. */
export const HOTSPOT = /HotSpot|OpenJDK|\b(?:Server|Client|Minimal|Zero) VM\b/;

const VERSION = /^(\d+)(?:\.(\d+))?(?:\.\d+(?:_(\d+))?)?/;

/**
 * The abilities of a HotSpot JVM of this version. JFR writes its constants at each flush from JDK 14 on; JDK 11 to 13 and
 * 8u262 and later have JFR without flushing. Every version can dump its threads.
 */
export function abilitiesOf(version: string | undefined): readonly JvmAbility[] {
  const major = majorVersion(version);
  if (major === undefined) return ['dumps'];
  if (major >= 14) return ['jfr', 'dumps'];
  const update = Number(VERSION.exec(version ?? '')?.at(3) ?? 0);
  return major >= 11 || (major === 8 && update >= 262) ? ['jfr-dump', 'dumps'] : ['dumps'];
}

/** A name may be as long as a command line. */
const MOST_MAIN_CHARACTERS = 200;

/** The main class or jar for titles and messages. */
export function shortMain(main: string): string {
  return main.length > MOST_MAIN_CHARACTERS ? `${main.slice(0, MOST_MAIN_CHARACTERS)}…` : main;
}

/** Honest Profiler's agent in the arguments of a JVM. */
export interface HonestAgent {
  readonly library: string;
  /** The log that it writes, as the JVM sees it; undefined if it chose the name itself: `log-<pid>-<milliseconds>.hpl`. */
  readonly log: string | undefined;
  /** Its control port; undefined if it has none. */
  readonly control: AgentAddress | undefined;
}

/** A longer argument is cut: it would take long to be searched, and anybody can start a program with one. */
const MOST_ARGUMENT_CHARACTERS = 16_384;
/** By its path, or by its name: the JVM looks for the library then. */
const AGENT = /^-(?:agentpath:(.*liblagent\.(?:so|dylib|dll))|agentlib:(lagent))(?:=(.*))?$/;

/**
 * Finds Honest Profiler's agent among JVM arguments. A relative log path is resolved against `folder`, the working
 * directory of the JVM; the log is unknown if that is.
 */
export function honestAgentIn(
  jvmArguments: readonly string[],
  folder: string | undefined,
): HonestAgent | undefined {
  for (const argument of jvmArguments) {
    const found = AGENT.exec(argument.slice(0, MOST_ARGUMENT_CHARACTERS));
    if (found === null) continue;
    const { logPath, host, port: portText } = parseAgentOptions(found.at(3) ?? '');
    const port = Number(portText ?? NaN);
    const hasControl = host !== undefined && Number.isInteger(port) && port > 0 && port < 65_536;
    return {
      library: found.at(1) ?? found[2],
      log: logPath === undefined ? undefined : pathIn(folder, logPath),
      control: hasControl ? { host, port } : undefined,
    };
  }
  return undefined;
}

function pathIn(folder: string | undefined, path: string): string | undefined {
  if (isAbsolute(path)) return path;
  return folder === undefined ? undefined : resolve(folder, path);
}
