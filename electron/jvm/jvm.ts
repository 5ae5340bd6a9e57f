import { majorVersion } from '../../shared/text/java-version.ts';
import type { HonestAgent } from './agent-options.ts';

/** Why a JVM cannot be attached to. */
export type AttachObstacle =
  | 'other user'
  | 'not HotSpot'
  | 'attach disabled'
  | 'SIGQUIT not caught'
  | 'no perf data';

/** What can be done with a JVM. `jfr`: a flight recording can be followed; `jfr-dump`: it can be dumped only. */
export type JvmAbility = 'jfr' | 'jfr-dump' | 'dumps';

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
 * What a HotSpot JVM of this version can do. JFR writes its constants at each flush from JDK 14 on; JDK 11 to 13 and
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
