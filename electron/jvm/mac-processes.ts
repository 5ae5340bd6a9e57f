import { execFile, execFileSync } from 'node:child_process';
import { MAC_PROGRAMS } from './platform.ts';

/** A process of macOS as `ps` shows it. */
export interface MacProcess {
  readonly pid: number;
  /** Effective user id. */
  readonly userId: number;
  readonly user: string;
  /** ms since 1970, a whole second: the process has started within it. */
  readonly startMs: number;
  readonly cpuSeconds: number;
  /** Program and arguments, joined by blanks. */
  readonly command: string;
}

/** Each with an empty heading, so that there is none. Without a limit of width, the last one is not cut. */
const COLUMNS = ['pid', 'uid', 'stat', 'time', 'lstart', 'user', 'args'].flatMap((name) => [
  '-o',
  `${name}=`,
]);
const LINE =
  /^ *(\d+) +(-?\d+) +(\S+) +(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?) +\w{3} +(\w{3}) +(\d+) (\d\d:\d\d:\d\d) (\d{4}) +(\S+) +(.*)$/;
/** Environment of the programs of the system: their output is in English, and times are UTC. */
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };
const TIMEOUT_MS = 5_000;
const MOST_OUTPUT_BYTES = 64 << 20;

/** All processes, or one. Rejects if `ps` cannot be run, or does not end in time. */
export async function macProcesses(pid?: number): Promise<readonly MacProcess[]> {
  const which = pid === undefined ? ['-axww'] : ['-p', String(pid), '-ww'];
  return parseProcesses(await outputOf(MAC_PROGRAMS.ps, [...which, ...COLUMNS]));
}

/** `text`: lines of `ps`. Those that are no processes, and zombies, are left out. */
export function parseProcesses(text: string): readonly MacProcess[] {
  const found: MacProcess[] = [];
  for (const line of text.split('\n')) {
    const fields = LINE.exec(line);
    if (fields === null || fields[3].startsWith('Z')) continue;
    const [, pid, userId, , days = '0', hours = '0', minutes, seconds] = fields;
    const [month, day, time, year, user, command] = fields.slice(8);
    found.push({
      pid: Number(pid),
      // A large one is shown as a negative number, such as -2 for nobody.
      userId: Number(userId) >>> 0,
      user,
      startMs: Date.parse(`${day} ${month} ${year} ${time} GMT`),
      cpuSeconds: ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds),
      command,
    });
  }
  return found;
}

/** Whether a process has loaded HotSpot's library. False if that cannot be found out. */
export async function hasMacHotSpot(pid: number): Promise<boolean> {
  // Names of files only, `n` before each.
  const args = ['-a', '-p', String(pid), '-d', 'txt', '-n', '-P', '-w', '-Fn'];
  const files = await outputOf(MAC_PROGRAMS.lsof, args).catch(() => '');
  return (
    /^n\/.*\/(?:server|client|minimal|zero)\/libjvm\.dylib$/m.test(files) &&
    !/\/libj9\w*\.dylib$/m.test(files)
  );
}

let temporaryFolder: string | undefined;

/** Where JVMs have their perf data and sockets: the folder of the user, whatever TMPDIR says. */
export function macTemporaryFolder(): string {
  temporaryFolder ??= askForTemporaryFolder();
  return temporaryFolder;
}

function askForTemporaryFolder(): string {
  try {
    const options = { env: ENVIRONMENT, timeout: TIMEOUT_MS, encoding: 'utf8' } as const;
    const folder = execFileSync(MAC_PROGRAMS.getconf, ['DARWIN_USER_TEMP_DIR'], options).trim();
    if (folder.startsWith('/')) return folder.replace(/\/+$/, '');
  } catch {
    // A JVM takes the same one then.
  }
  return '/tmp';
}

/** The output of a program, also if its exit status says that it has found nothing. */
function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: ENVIRONMENT, timeout: TIMEOUT_MS, maxBuffer: MOST_OUTPUT_BYTES };
    execFile(program, args, options, (error, stdout) => {
      if (error === null || (typeof error.code === 'number' && error.killed !== true)) resolve(stdout);
      else reject(new Error(`${program}: ${error.message}`, { cause: error }));
    });
  });
}
