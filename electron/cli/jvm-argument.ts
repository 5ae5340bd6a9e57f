import { jvmName } from '../jvm/attach.ts';
import { findJvm, newJvmLister, NO_JVMS } from '../jvm/jvm-list.ts';
import { type Jvm, obstacleText } from '../jvm/jvm.ts';
import { canRecord } from '../jvm/start-recording.ts';
import { choosesEvents } from '../jvm/flight-recorder.ts';
import { CommandError, type CommandIo, writeMessage } from './command-io.ts';
import { didYouMean } from './did-you-mean.ts';
import type { RecordingOptions } from './recording-options.ts';

/** As `namedJvm`. Rejects with CommandError also if the JVM cannot be attached. */
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
export function tellOtherTypes({ types }: RecordingOptions, jvm: Jvm, io: CommandIo): void {
  if (types === undefined || choosesEvents(jvm.version)) return;
  writeMessage(
    io,
    `${jvmName(jvm)}: records all sample types of its settings: before JDK 17, none can be left out`,
  );
}
