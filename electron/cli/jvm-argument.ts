import type { ThreadState } from '../../shared/facts/recording-choice.ts';
import { jvmName } from '../jvm/attach.ts';
import { type DumpSettings, dumpSettings } from '../jvm/dump-recording.ts';
import { findJvm, newJvmLister, NO_JVMS } from '../jvm/jvm-list.ts';
import { type Jvm, obstacleText } from '../jvm/jvm.ts';
import { canRecord, type RecordingStart } from '../jvm/dumped-recording.ts';
import { choosesEvents } from '../jvm/flight-recorder.ts';
import { CommandError, type CommandIo, didYouMean, UsageError, writeMessage } from './command-io.ts';

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

/** How threads are sampled by thread dumps, by the values of the options for it. Throws UsageError. */
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
