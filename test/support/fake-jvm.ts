import type { Jvm } from '../../electron/jvm/jvm.ts';
import { processTimes } from '../../electron/jvm/process-places.ts';

/** What a list says of a JVM. It is this process, which runs and is none; with other `startTicks` it has ended. */
export function jvmOf(startTicks = processTimes(process.pid)?.startTicks ?? 0): Jvm {
  return {
    pid: process.pid,
    ownPid: process.pid,
    startTicks,
    main: 'Busy',
    mainArguments: '',
    jvmArguments: [],
    version: '17.0.12',
    isVersionAwaited: false,
    vmName: undefined,
    userId: process.getuid?.() ?? 0,
    user: 'root',
    uptime: 1,
    cpu: 0,
    can: ['jfr', 'dumps'],
    obstacle: undefined,
    agent: undefined,
  };
}
