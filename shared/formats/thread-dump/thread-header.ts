/** The first line of a thread in a dump. */
export interface ThreadHeader {
  /** Empty for a thread without a name; see `shownName`. */
  readonly name: string;
  /** Java's number of the thread, `#12`; undefined for the VM's own threads and before JDK 8. */
  readonly number: string | undefined;
  readonly isDaemon?: boolean;
  readonly isVirtual?: boolean;
  /** ns; undefined before JDK 11. */
  readonly cpu?: number | undefined;
  readonly elapsed?: number | undefined;
  /** java.lang.Thread.State, if the first line has it. */
  readonly state?: string | undefined;
  /** Characters of the line, if the name is a part of it and so keeps it in memory. */
  readonly lineLength?: number;
}

/** A java.lang.Thread.State. */
export const STATE = '(?:RUNNABLE|BLOCKED|TIMED_WAITING|WAITING|NEW|TERMINATED)';
export const STATE_WORD = new RegExp(String.raw`\b${STATE}\b`);

/** The text behind a thread's name, up to its first attribute. */
const ATTRIBUTES =
  /" *(?:- Thread t@\d|#\d+[ ,]|(?:virtual |daemon |suspended )*(?:prio|os_prio|priority|nice|tid|nid|[iI]d|ID|cpu|elapsed|Group|group|state|State)[=:])/g;
/** The owner of a lock: `owned by "main" Id=1`. */
const OWNER = / owned by "[^"]*" (?:[iI]d=|t@)\d+/;
const NUMBER = /^" (?:#(\d+)|- Thread t@(\d+)|.*?\b[iI][dD]=(\d+))/;

/**
 * Parses the first line of a thread; undefined if the line is not one.
 *
 *   JDK 8         "main" #1 prio=5 os_prio=0 tid=0x00007f93 nid=0xb9a runnable [0x00007f93]
 *   JDK 17        "main" #1 prio=5 os_prio=0 cpu=351.14ms elapsed=6.60s tid=0x00007f93 nid=0xb9a sleeping [0x00007f93]
 *   JDK 21        "main" #1 [2970] prio=5 os_prio=0 cpu=351.14ms elapsed=6.60s tid=0x00007f93 nid=2970 sleeping [0x00007f93]
 *   VM            "VM Thread" os_prio=0 cpu=47.52ms elapsed=6.57s tid=0x00007f93980f2d50 nid=0xba0 runnable
 *   HP-UX         "main" prio=8 tid=01233c80 nid=38 lwp_id=3194127 waiting on condition [5ddc0000..5ddc0500]
 *   VisualVM      "main" - Thread t@1
 *   ThreadInfo    "main" prio=5 Id=1 WAITING on java.lang.Object@7311acb7
 *   FullThreadDump, MBeans    "main" id=1 in RUNNABLE (running in native)
 *   Dropwizard    "main" id=1 state=WAITING
 *
 * Names are not escaped and may contain quotes. If attributes follow the last quote, the name ends there.
 */
export function readThreadHeader(line: string): ThreadHeader | undefined {
  if (!line.startsWith('"')) return /\btid=0x/.test(line) ? headerOf('', line) : undefined;
  const owner = OWNER.exec(line)?.index ?? line.length;
  const last = line.lastIndexOf('"', owner - 1);
  ATTRIBUTES.lastIndex = last;
  let found = ATTRIBUTES.exec(line);
  if (found?.index !== last) {
    ATTRIBUTES.lastIndex = 1;
    found = ATTRIBUTES.exec(line);
  }
  if (found === null) return undefined;
  return headerOf(line.slice(1, Math.max(1, found.index)), line.slice(found.index));
}

/**
 * Parses a line as the first of a thread in an unknown form, `"name" …`. Whether it is one depends on what follows.
 * Undefined if it cannot be one; lists of deadlocks have lines `"name":`.
 */
export function readLooseHeader(line: string): ThreadHeader | undefined {
  if (!line.startsWith('"')) return undefined;
  const last = line.lastIndexOf('"');
  const rest = line.slice(last);
  if (last === 0 || rest.startsWith('":') || rest.length > MOST_REST) return undefined;
  return headerOf(line.slice(1, last), rest);
}

/** More after a name is not a first line, but text that begins with a quotation. */
const MOST_REST = 300;

function headerOf(name: string, rest: string): ThreadHeader {
  const numbers = NUMBER.exec(rest);
  const number =
    numbers === null
      ? undefined
      : numbers.slice(1).find((each) => (each as string | undefined) !== undefined);
  return {
    name,
    number,
    isDaemon: / daemon\b| virtual /.test(rest),
    isVirtual: rest.includes(' virtual '),
    cpu: amount(/ cpu=(\d+(?:\.\d+)?)ms /.exec(rest), 1e6),
    elapsed: amount(/ elapsed=(\d+(?:\.\d+)?)s /.exec(rest), 1e9),
    state: STATE_WORD.exec(rest)?.[0] ?? (number === undefined ? stateOfStatus(rest) : undefined),
    lineLength: name.length + rest.length,
  };
}

/** The state for the words of a VM before JDK 6, which writes no java.lang.Thread.State. */
function stateOfStatus(rest: string): string | undefined {
  if (/ nid=/.exec(rest) === null) return undefined;
  if (/ runnable\b/.test(rest)) return 'RUNNABLE';
  if (/ waiting (for|to lock|for monitor entry)\b/.test(rest)) return 'BLOCKED';
  if (/ sleeping\b/.test(rest)) return 'TIMED_WAITING';
  return / (waiting on|in Object\.wait)/.test(rest) ? 'WAITING' : undefined;
}

/** `jcmd Thread.dump_to_file`, JDK 21 and later; with a state and a time from JDK 25 on. */
export const FILE_FORM = String.raw`#(\d+) "(.*)"( virtual)?(?: ([A-Z_]+))?(?: \d[\dT:.Z-]*)?\s*$`;
/** `jstack -F`; JDK 5 has other numbers. */
export const FORCED_FORM = String.raw`Thread (?:t@)?(\d+|0x[0-9a-f]+): \(state = ([A-Z_]+)\)`;

/** First lines that do not begin with a name. */
const FORMS: readonly (readonly [RegExp, (groups: readonly (string | undefined)[]) => ThreadHeader])[] = [
  [
    new RegExp(`^${FILE_FORM}`),
    ([, number, name = '', virtual, state]) => {
      const isVirtual = virtual !== undefined;
      return { name, number, isDaemon: isVirtual, isVirtual, state };
    },
  ],
  [
    new RegExp(`^${FORCED_FORM}`),
    ([, number, state = '']) => ({
      name: `thread ${number}`,
      number,
      // States of the VM: all except BLOCKED and NEW are of running threads.
      state: state.startsWith('IN_') ? 'RUNNABLE' : STATE_WORD.exec(state)?.[0],
    }),
  ],
  // `jhsdb jstack --mixed`
  [/^-{5,} (\d+) -{5,}$/, ([, number]) => ({ name: `thread ${number}`, number })],
];

/**
 * Parses the first line of a thread in any known form; undefined if the line is not one.
 *
 *   see `readThreadHeader`
 *   #1 "main"                                                  Thread.dump_to_file
 *   #22 "http" virtual WAITING 2025-03-02T10:00:00.123Z        JDK 25
 *   Thread 4576: (state = BLOCKED)                             jstack -F; its frames begin with `- `
 *   Thread t@10: (state = BLOCKED)                             JDK 5 on Solaris
 *   ----------------- 4577 -----------------                   jhsdb jstack --mixed
 */
export function threadHeaderIn(line: string): ThreadHeader | undefined {
  if (line.startsWith('"') || line.includes('tid=0x')) return readThreadHeader(line);
  for (const [form, headerOfGroups] of FORMS) {
    const groups = form.exec(line);
    if (groups !== null) return headerOfGroups(groups);
  }
  return undefined;
}

/** The name that is shown for a thread: virtual ones have none in most programs, and a platform thread may have none. */
export function shownName({ name, number, isVirtual }: ThreadHeader): string {
  if (name !== '') return name;
  if (isVirtual === true) return number === undefined ? 'virtual thread' : virtualName(number);
  return number === undefined ? '' : `thread #${number}`;
}

/** The name that is shown for a virtual thread without one, as most are. */
export function virtualName(number: string): string {
  return `virtual thread #${number}`;
}

function amount(found: RegExpExecArray | null, unit: number): number | undefined {
  return found === null ? undefined : Math.round(Number(found[1]) * unit);
}
