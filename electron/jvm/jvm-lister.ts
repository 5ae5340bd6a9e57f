import { installedVersion, type VersionOf } from './installed-version.ts';
import { JvmList } from './jvm-list.ts';
import type { Jvm } from './jvm.ts';
import { MacJvmList } from './mac-jvm-list.ts';
import { CAN_ATTACH, IS_MAC } from './platform.ts';

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
