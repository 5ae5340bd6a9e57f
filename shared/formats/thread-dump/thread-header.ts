/** The first line of a thread in a dump. */
export interface ThreadHeader {
  /** Empty for a thread without a name. */
  readonly name: string;
  /** Java's number of the thread, `#12`; undefined for the VM's own threads and before JDK 8. */
  readonly number: string | undefined;
  readonly isDaemon: boolean;
  /** ns; undefined before JDK 11. */
  readonly cpu: number | undefined;
  readonly elapsed: number | undefined;
}

/**
 * Parses the first line of a thread; undefined if the line is not one.
 *
 *   JDK 8    "main" #1 prio=5 os_prio=0 tid=0x00007f93 nid=0xb9a runnable [0x00007f93]
 *   JDK 17   "main" #1 prio=5 os_prio=0 cpu=351.14ms elapsed=6.60s tid=0x00007f93 nid=0xb9a sleeping [0x00007f93]
 *   JDK 21   "main" #1 [2970] prio=5 os_prio=0 cpu=351.14ms elapsed=6.60s tid=0x00007f93 nid=2970 sleeping [0x00007f93]
 *   VM       "VM Thread" os_prio=0 cpu=47.52ms elapsed=6.57s tid=0x00007f93980f2d50 nid=0xba0 runnable
 *
 * Names are not escaped and may contain quotes. They end at the last quote, because the rest of the line has none.
 */
export function readThreadHeader(line: string): ThreadHeader | undefined {
  const quote = line.startsWith('"') ? line.lastIndexOf('"') : 0;
  const rest = line.slice(quote);
  if (!rest.includes('tid=0x')) return undefined;
  return {
    name: line.slice(1, Math.max(1, quote)),
    number: /^" #(\d+) /.exec(rest)?.[1],
    isDaemon: rest.includes(' daemon '),
    cpu: amount(/ cpu=(\d+(?:\.\d+)?)ms /.exec(rest), 1e6),
    elapsed: amount(/ elapsed=(\d+(?:\.\d+)?)s /.exec(rest), 1e9),
  };
}

/** The first line of a thread in a file of `jcmd Thread.dump_to_file`. */
export interface FileHeader extends ThreadHeader {
  /** Undefined before JDK 25. */
  readonly state: string | undefined;
}

/**
 * Parses the first line of a thread in a file of `jcmd Thread.dump_to_file`, JDK 21 and later. Its frames have no `at`.
 *
 *   #1 "main"
 *   #21 "" virtual
 *   #22 "http" virtual WAITING 2025-03-02T10:00:00.123Z        JDK 25
 */
export function readFileHeader(line: string): FileHeader | undefined {
  const found = /^#(\d+) "(.*)"( virtual)?(?: ([A-Z_]+))?(?: \d[\dT:.Z-]*)?$/.exec(line);
  if (found === null) return undefined;
  const [, number, name] = found;
  const isVirtual = found.at(3) !== undefined;
  return {
    name: name === '' && isVirtual ? virtualName(number) : name,
    number,
    isDaemon: isVirtual,
    cpu: undefined,
    elapsed: undefined,
    state: found.at(4),
  };
}

/** The name that is shown for a virtual thread without one, as most are. */
export function virtualName(number: string): string {
  return `virtual thread #${number}`;
}

function amount(found: RegExpExecArray | null, unit: number): number | undefined {
  return found === null ? undefined : Math.round(Number(found[1]) * unit);
}
