import type { HonestAgent } from './agent-options.ts';

/** Why a JVM cannot be attached to. */
export type AttachObstacle =
  'other user' | 'not HotSpot' | 'attach disabled' | 'SIGQUIT not caught' | 'not supported on this system';

/** What can be done with a JVM. `jfr`: a flight recording can be followed; `jfr-dump`: it can be dumped only. */
export type JvmAbility = 'jfr' | 'jfr-dump' | 'dumps';

/** A JVM that runs on this machine. */
export interface Jvm {
  readonly pid: number;
  /** Pid inside of its container; equals `pid` outside of containers. */
  readonly ownPid: number;
  /** Clock ticks from the start of the system to that of the JVM. With the pid, it identifies the process. */
  readonly startTicks: number;
  /** Main class or jar; the name of the program if it is unknown. */
  readonly main: string;
  /** Arguments of the main class. */
  readonly mainArguments: string;
  readonly jvmArguments: readonly string[];
  /** For example 17.0.12; undefined if the JVM does not tell. */
  readonly version: string | undefined;
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
    case 'not supported on this system':
      return 'attaching works on Linux only';
  }
}

/**
 * What a HotSpot JVM of this version can do. JFR writes its constants at each flush from JDK 14 on; JDK 11 to 13 and
 * 8u262 and later have JFR without flushing. Every version can dump its threads.
 */
export function abilitiesOf(version: string | undefined): readonly JvmAbility[] {
  const parts = /^(\d+)(?:\.(\d+))?(?:\.\d+(?:_(\d+))?)?/.exec(version ?? '');
  if (parts === null) return ['dumps'];
  const isOld = parts[1] === '1';
  const major = Number(isOld ? (parts.at(2) ?? 0) : parts[1]);
  if (major >= 14) return ['jfr', 'dumps'];
  const hasDumps = major >= 11 || (major === 8 && Number(parts.at(3) ?? 0) >= 262);
  return hasDumps ? ['jfr-dump', 'dumps'] : ['dumps'];
}
