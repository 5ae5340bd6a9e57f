import { type Jvm, obstacleText } from '../jvm/jvm.ts';
import { newJvmLister, NO_JVMS } from '../jvm/jvm-list.ts';
import { visiblePath } from '../jvm/process-places.ts';
import { alignedLines } from '../../shared/text/aligned-lines.ts';
import { printable } from '../../shared/text/printable.ts';
import { uptimeText } from '../../shared/text/format-value.ts';
import { answerJson, type CommandIo, type ExitStatus, UsageError } from './command-io.ts';
import { COMMANDS } from './commands.ts';
import { readArguments } from './options.ts';

/** Prints the JVMs of this machine, a line each. */
export async function jvmsCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.jvms.options);
  if (args.files.length > 0) throw new UsageError('jvms takes no FILE');
  const jvms = (await newJvmLister().read()).map(withVisibleLog);
  if (args.values.json) io.stdout(answerJson('jvms', { jvms: jvms.map(jvmJson) }));
  else if (jvms.length === 0) io.stdout(`${NO_JVMS[0].toUpperCase()}${NO_JVMS.slice(1)}.\n`);
  else io.stdout(jvmTable(jvms));
  return 0;
}

/** The path of the log of its agent as this process sees it. */
function withVisibleLog(jvm: Jvm): Jvm {
  const { pid, agent } = jvm;
  if (agent?.log === undefined) return jvm;
  return { ...jvm, agent: { ...agent, log: visiblePath(pid, agent.log) } };
}

const HEADINGS = ['PID', 'MAIN', 'JAVA', 'USER', 'UPTIME', 'CPU', 'POSSIBLE', 'AGENT LOG'];
const MOST_NAME_CHARACTERS = 60;

/** Aligned columns for people; `--json` is for programs. */
export function jvmTable(jvms: readonly Jvm[]): string {
  return alignedLines([HEADINGS, ...jvms.map(cellsOf)])
    .map((line) => `${line}\n`)
    .join('');
}

function cellsOf(jvm: Jvm): string[] {
  const { pid, main, version, user, uptime, cpu, can, obstacle, agent } = jvm;
  const name = printable(main);
  return [
    String(pid),
    name.length > MOST_NAME_CHARACTERS ? `${name.slice(0, MOST_NAME_CHARACTERS - 1)}…` : name,
    printable(version ?? '-'),
    printable(user),
    uptimeText(uptime),
    `${Math.round(cpu * 100)} %`,
    obstacle === undefined ? can.join(', ') : `nothing: ${obstacleText(obstacle)}`,
    printable(agent?.log ?? (agent === undefined ? '' : 'log unknown')),
  ];
}

/** The stable names of `jvms --json`. */
function jvmJson(jvm: Jvm): object {
  const { agent, can, obstacle, uptime, cpu } = jvm;
  return {
    pid: jvm.pid,
    ownPid: jvm.ownPid,
    main: jvm.main,
    mainArguments: jvm.mainArguments,
    jvmArguments: jvm.jvmArguments,
    javaVersion: jvm.version ?? null,
    vm: jvm.vmName ?? null,
    user: jvm.user,
    uptimeSeconds: Math.round(uptime * 100) / 100,
    cpu: Math.round(cpu * 1000) / 1000,
    possible: can,
    obstacle: obstacle ?? null,
    agent:
      agent === undefined
        ? null
        : { library: agent.library, log: agent.log ?? null, control: agent.control ?? null },
  };
}
