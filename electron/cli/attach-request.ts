import { agentLogOf } from '../host/host-agents.ts';
import { RealPaths } from '../host/real-paths.ts';
import { AgentControlError } from '../jvm/agent-control.ts';
import { jvmName } from '../jvm/attach.ts';
import { canRecord } from '../jvm/start-recording.ts';
import { choiceValue, type ParsedArguments } from './arguments.ts';
import { CommandError, type CommandIo, writeMessage } from './command-io.ts';
import { jvmArgument, namedJvm, requireFlightRecorder } from './jvm-argument.ts';
import { samplingOf } from './sampling-options.ts';
import type { AttachRequest } from './serving.ts';

/** What `attach` shows of the JVM that is named. Rejects with UsageError and CommandError. */
export async function attachRequest(
  wanted: string,
  args: ParsedArguments,
  io: CommandIo,
): Promise<AttachRequest> {
  const settings = choiceValue(args, '--settings', ['default', 'profile'], 'profile');
  const sampling = samplingOf(args);
  const given = args.value('--with');
  if (given === 'agent') return agentRequest(wanted);
  const jvm = await jvmArgument(wanted);
  if (given === 'dumps') return { jvm, sampling };
  if (given === 'jfr') requireFlightRecorder(jvm);
  if (canRecord(jvm)) return { jvm, settings };
  writeMessage(io, `${jvmName(jvm)}: has no flight recordings: sampling by thread dumps`);
  return { jvm, sampling };
}

/** The log of a JVM's agent. It is a file, which needs no attaching. Rejects with CommandError. */
async function agentRequest(wanted: string): Promise<AttachRequest> {
  const jvm = await namedJvm(wanted);
  if (jvm.agent === undefined)
    throw new CommandError(`${jvmName(jvm)}: was started without Honest Profiler's agent`);
  const agentLog = await agentLogOf(jvm, new RealPaths()).catch((error: unknown) => {
    throw error instanceof AgentControlError ? new CommandError(error.message) : error;
  });
  return { jvm, agentLog };
}
