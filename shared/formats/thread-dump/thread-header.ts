/** What the first line of a thread in a dump says. */
export interface ThreadHeader {
  /** Empty for a thread without one. */
  readonly name: string;
  /** Java's number of the thread, `#12`; undefined for the VM's own threads and before JDK 8. */
  readonly number: string | undefined;
  readonly isDaemon: boolean;
  /** ns; undefined before JDK 11. */
  readonly cpu: number | undefined;
  readonly elapsed: number | undefined;
}

/**
 * Reads the first line of a thread; undefined when it is none.
 *
 *   JDK 8    "main" #1 prio=5 os_prio=0 tid=0x00007f93 nid=0xb9a runnable [0x00007f93]
 *   JDK 17   "main" #1 prio=5 os_prio=0 cpu=351.14ms elapsed=6.60s tid=0x00007f93 nid=0xb9a sleeping [0x00007f93]
 *   JDK 21   "main" #1 [2970] prio=5 os_prio=0 cpu=351.14ms elapsed=6.60s tid=0x00007f93 nid=2970 sleeping [0x00007f93]
 *   VM       "VM Thread" os_prio=0 cpu=47.52ms elapsed=6.57s tid=0x00007f93980f2d50 nid=0xba0 runnable
 *
 * Names are not escaped, and may hold quotes and all that follows a name here; but nothing behind a name has a quote.
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

function amount(found: RegExpExecArray | null, unit: number): number | undefined {
  return found === null ? undefined : Math.round(Number(found[1]) * unit);
}
