/** Without /proc. Processes are looked at by programs of the system: see `MacJvmList`. */
export const IS_MAC = process.platform === 'darwin';

/** Windows asks a JVM by a thread that another process starts in it, for which Node has no function. */
export const CAN_ATTACH = IS_MAC || process.platform === 'linux';

/** Programs of macOS, by their paths: the search path may name others. */
export const MAC_PROGRAMS = { getconf: '/usr/bin/getconf', lsof: '/usr/sbin/lsof', ps: '/bin/ps' };
