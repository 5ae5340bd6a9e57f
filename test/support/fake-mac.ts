import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** The programs of macOS that tell about processes, as scripts of a shell, for `MAC_PROGRAMS`. */
export interface FakeMac {
  readonly programs: { readonly getconf: string; readonly lsof: string; readonly ps: string };
  /** The processes that `ps` shows. */
  show(processes: readonly ShownProcess[]): void;
  /** Instead of them: lines as they are. */
  showLines(lines: readonly string[]): void;
  /** Files that `lsof` shows of each process; those that a process of Linux has mapped when not given. */
  showFiles(paths: readonly string[]): void;
  /** The arguments of each run of a program. */
  runs(program: 'getconf' | 'lsof' | 'ps'): readonly string[];
}

export interface ShownProcess {
  readonly pid: number;
  readonly command: string;
  readonly userId?: number;
  readonly user?: string;
  /** ms since 1970; now when not given. */
  readonly startMs?: number;
  /** As `ps` shows it. */
  readonly time?: string;
  readonly state?: string;
}

/** `folder`: that of temporary files. `bin`: where the scripts are. */
export function fakeMac(folder: string, bin = temporaryFolder()): FakeMac {
  const program = (name: string, script: string): string => {
    const path = join(bin, name);
    writeFileSync(path, `#!/bin/sh\necho "$*" >> "$0.runs"\n${script}\n`);
    chmodSync(path, 0o755);
    writeFileSync(`${path}.runs`, '');
    return path;
  };
  const programs = {
    getconf: program('getconf', `[ "$1" = DARWIN_USER_TEMP_DIR ] && echo '${folder}/'`),
    lsof: program(
      'lsof',
      `[ "$1 $2 $4 $5 $9" = '-a -p -d txt -Fn' ] || exit 1
[ -f "$0.files" ] && exec cat "$0.files"
sed -n 's#^[^/]*\\(/.*\\)\\.so$#n\\1.dylib#p' "/proc/$3/maps"`,
    ),
    ps: program(
      'ps',
      `[ "$LC_ALL $TZ" = 'C UTC' ] || exit 1
case "$1" in -p) grep "^ *$2 " "$0.lines" ;; -axww) cat "$0.lines" ;; esac`,
    ),
  };
  const showLines = (lines: readonly string[]): void =>
    writeFileSync(`${programs.ps}.lines`, lines.map((line) => `${line}\n`).join(''));
  return {
    programs,
    showLines,
    show: (processes) => showLines(processes.map(psLine)),
    showFiles: (paths) =>
      writeFileSync(`${programs.lsof}.files`, ['p1', ...paths.map((path) => `n${path}`), ''].join('\n')),
    runs: (name) => readFileSync(`${programs[name]}.runs`, 'utf8').split('\n').slice(0, -1),
  };
}

/** As `ps` of macOS writes it, in the columns pid, uid, stat, time, lstart, user and args. */
function psLine(process: ShownProcess): string {
  const { pid, command, startMs = Date.now(), time = '0:00.00', state = 'S+' } = process;
  const { userId = globalThis.process.geteuid?.() ?? 0, user = 'ann' } = process;
  const [weekday, day, month, year, clock] = new Date(startMs).toUTCString().split(/,? /);
  const start = `${weekday} ${month} ${String(Number(day)).padStart(2)} ${clock} ${year}`;
  return `${String(pid).padStart(5)} ${String(userId).padStart(5)} ${state.padEnd(4)} ${time.padStart(9)} ${start.padEnd(28)} ${user.padEnd(16)} ${command}`;
}
