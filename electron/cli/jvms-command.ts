import { type Jvm, obstacleText } from '../jvm/jvm.ts';
import { newJvmLister, NO_JVMS, findJvm } from '../jvm/jvm-list.ts';
import { visiblePath } from '../jvm/process-places.ts';
import { alignedLines } from '../../shared/text/aligned-lines.ts';
import { printable } from '../../shared/text/printable.ts';
import { uptimeText } from '../../shared/text/format-value.ts';
import { answerJson, type CommandIo, type ExitStatus, CommandError, writeMessage } from './io/command-io.ts';
import { UsageError, didYouMean } from './options/usage-error.ts';
import { COMMANDS } from './options/commands.ts';
import { readArguments } from './options/options.ts';
import type { ThreadState } from '../../shared/facts/recording-choice.ts';
import { jvmName } from '../jvm/attach.ts';
import { type DumpSettings, dumpSettings } from '../recording/dump-recording.ts';
import { canRecord, type RecordingStart } from '../recording/dumped-recording.ts';
import { choosesEvents } from '../recording/flight-recorder.ts';

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
function jvmTable(jvms: readonly Jvm[]): string {
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

/** The JVM that a command line names. Rejects with CommandError if `namedJvm` does, or if it cannot be attached. */
export async function jvmArgument(wanted: string): Promise<Jvm> {
  const jvm = await namedJvm(wanted);
  if (jvm.obstacle === undefined) return jvm;
  throw new CommandError(`${jvmName(jvm)}: cannot be attached: ${obstacleText(jvm.obstacle)}`);
}

/**
 * The JVM that a command line names, by its pid or a part of its main class or jar. Rejects with CommandError if there is
 * none, or if there are several.
 */
export async function namedJvm(wanted: string): Promise<Jvm> {
  const jvms = await newJvmLister().read();
  const found = findJvm(jvms, wanted);
  if ('jvm' in found) return found.jvm;
  const { matches } = found;
  if (matches.length > 0) {
    const names = matches.map(({ pid, main }) => `${pid} ${main}`).join(', ');
    throw new CommandError(`${wanted}: is a part of several JVMs' names: ${names}; give a pid`);
  }
  throw new CommandError(
    jvms.length === 0
      ? `${wanted}: ${NO_JVMS}`
      : `${wanted}: no JVM has this pid or name; leanscope jvms lists them${didYouMean(
          wanted,
          jvms.map(({ main }) => main),
        )}`,
  );
}

/** Throws CommandError if flight recordings of a JVM cannot be followed. */
export function requireFlightRecorder(jvm: Jvm): void {
  if (canRecord(jvm)) return;
  throw new CommandError(
    `${jvmName(jvm)}: Java ${jvm.version ?? 'of an unknown version'} has no flight recordings; sample its threads --with dumps`,
  );
}

/** Says that a JVM records more than was asked for. */
export function tellOtherTypes({ types }: Pick<RecordingStart, 'types'>, jvm: Jvm, io: CommandIo): void {
  if (types === undefined || choosesEvents(jvm.version)) return;
  writeMessage(
    io,
    `${jvmName(jvm)}: records all sample types of its settings: before JDK 17, none can be left out`,
  );
}

const DEFAULT_SHARE = 1;

/** The settings for sampling threads by thread dumps, from the values of the options. Throws UsageError. */
export function samplingOf(values: {
  readonly interval: number;
  readonly share: number | undefined;
  readonly depth: number | undefined;
  readonly thread: readonly string[];
  readonly states: readonly ThreadState[] | undefined;
}): DumpSettings {
  const { interval: intervalMs, share: sharePercent = DEFAULT_SHARE, depth, thread: threads } = values;
  try {
    return dumpSettings({ intervalMs, sharePercent, depth, threads, states: values.states ?? [] });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--thread: ${error.message}`);
  }
}
