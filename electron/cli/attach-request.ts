import { agentLogOf } from '../host/host-agents.ts';
import { RealPaths } from '../host/real-paths.ts';
import { AgentControlError } from '../jvm/agent-control.ts';
import { printable } from '../../shared/text/printable.ts';
import { AttachError, jvmName } from '../jvm/attach.ts';
import { recordingsOfOthers } from '../jvm/flight-recorder.ts';
import { canRecord } from '../jvm/start-recording.ts';
import type { Jvm } from '../jvm/jvm.ts';
import type { ParsedArguments } from './arguments.ts';
import { CommandError, type CommandIo, UsageError, writeMessage } from './command-io.ts';
import { jvmArgument, namedJvm, requireFlightRecorder, tellOtherTypes } from './jvm-argument.ts';
import { recordingOf } from './recording-options.ts';
import { samplingOf } from './sampling-options.ts';
import type { AttachRequest } from './serving.ts';

/** What `attach` shows of the JVM that is named. Rejects with UsageError and CommandError. */
export async function attachRequest(
  wanted: string,
  args: ParsedArguments,
  io: CommandIo,
): Promise<AttachRequest> {
  const recording = recordingOf(args);
  const sampling = samplingOf(args);
  const given = args.value('--with');
  const followed = args.value('--recording');
  if (followed !== undefined) {
    if (given !== undefined && given !== 'jfr')
      throw new UsageError(`--recording is for flight recordings, not for --with ${given}`);
    if (args.has('--types') || args.has('--settings'))
      throw new UsageError('--types and --settings are for a recording that is started, not for --recording');
  }
  if (given === 'agent') return agentRequest(wanted);
  const jvm = await jvmArgument(wanted);
  if (followed !== undefined) return { jvm, followed: await recordingNamed(followed, jvm) };
  if (given === 'dumps') return { jvm, sampling };
  if (given === 'jfr') requireFlightRecorder(jvm);
  if (canRecord(jvm)) {
    tellOtherTypes(recording, jvm, io);
    return { jvm, recording };
  }
  writeMessage(io, `${jvmName(jvm)}: has no flight recordings: sampling by thread dumps`);
  return { jvm, sampling };
}

/** The number of a recording that runs. Rejects with CommandError. */
async function recordingNamed(wanted: string, jvm: Jvm): Promise<number> {
  requireFlightRecorder(jvm);
  const recordings = await recordingsOfOthers(jvm).catch((error: unknown) => {
    throw error instanceof AttachError ? new CommandError(error.message) : error;
  });
  const found = recordings.find(({ id, name }) => name === wanted || String(id) === wanted);
  if (found !== undefined) return found.id;
  const names = recordings.map(({ id, name }) => `${id} ${printable(name)}`).join(', ');
  throw new CommandError(
    `${jvmName(jvm)}: no recording ${printable(wanted)} can be followed; ${names === '' ? 'there is none' : `there are: ${names}`}`,
  );
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
