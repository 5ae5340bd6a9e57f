import { jvmName } from '../jvm/attach.ts';
import { canRecord } from '../jvm/start-recording.ts';
import { choiceValue, type ParsedArguments } from './arguments.ts';
import { CommandError, type CommandIo, writeMessage } from './command-io.ts';
import { jvmArgument, namedJvm, requireFlightRecorder } from './jvm-argument.ts';
import { shownSamplingOf } from './sampling-options.ts';
import type { AttachRequest } from './serving.ts';

/** What `attach` shows of the JVM that is named. Throws UsageError and CommandError. */
export function attachRequest(wanted: string, args: ParsedArguments, io: CommandIo): AttachRequest {
  const settings = choiceValue(args, '--settings', ['default', 'profile'], 'profile');
  const sampling = shownSamplingOf(args);
  const given = args.value('--with');
  if (given === 'agent') return agentRequest(wanted);
  const jvm = jvmArgument(wanted);
  if (given === 'dumps') return { jvm, sampling };
  if (given === 'jfr') requireFlightRecorder(jvm);
  if (canRecord(jvm)) return { jvm, settings };
  writeMessage(io, `${jvmName(jvm)}: has no flight recordings: sampling by thread dumps`);
  return { jvm, sampling };
}

/** The log of a JVM's agent. It is a file, which needs no attaching. Throws CommandError. */
function agentRequest(wanted: string): AttachRequest {
  const jvm = namedJvm(wanted);
  const { agent } = jvm;
  if (agent === undefined)
    throw new CommandError(`${jvmName(jvm)}: was started without Honest Profiler's agent`);
  if (agent.log === undefined)
    throw new CommandError(
      `${jvmName(jvm)}: has no log of its agent open; it may not have started to sample`,
    );
  return { jvm, agentLog: agent.log };
}
