import { printable } from '../../shared/text/printable.ts';
import { agentLogOf } from '../host/jvms/host-agents.ts';
import { RealPaths } from '../source/real-paths.ts';
import { jvmName } from '../jvm/attach.ts';
import { DumpRecording } from '../recording/dump-recording.ts';
import { followRecording, recordingsOfOthers } from '../recording/flight-recorder.ts';
import type { Jvm } from '../jvm/jvm.ts';
import { canRecord, startRecording } from '../recording/dumped-recording.ts';
import { CommandError, type CommandIo, type ExitStatus, writeMessage } from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import { COMMANDS } from './options/commands.ts';
import { jvmArgument, namedJvm, requireFlightRecorder, samplingOf, tellOtherTypes } from './jvms-command.ts';
import { type Arguments, readArguments, type ValuesOf } from './options/options.ts';
import { sourcesOf, tellMissing } from './serve-command.ts';
import { type AttachRequest, serveUntilStopped } from './serving.ts';

/** Records a JVM and shows the recording in the browser as it grows, until a signal stops both. */
export async function attachCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.attach.options);
  const { files, values } = args;
  const [wanted] = files;
  if (files.length !== 1) throw new UsageError('attach needs one JVM: its pid, or a part of its name');
  const sources = sourcesOf(values);
  tellMissing(values, io);
  const attach = await attachRequest(wanted, args, io);
  const { port, 'no-open': prints } = values;
  await serveUntilStopped(
    { files: [], port, opensBrowser: !prints, traces: undefined, sources, attach, allowsAttach: false },
    io,
  );
  return 0;
}

/** The request of `attach`: a recording of the JVM that is named, or its log. Rejects with UsageError and CommandError. */
export async function attachRequest(
  wanted: string,
  { values, has }: Arguments<ValuesOf<typeof COMMANDS.attach.options>>,
  io: CommandIo,
): Promise<AttachRequest> {
  const sampling = samplingOf(values);
  const { with: given, recording: followed } = values;
  if (followed !== undefined) {
    if (given !== undefined && given !== 'jfr')
      throw new UsageError(`--recording is for flight recordings, not for --with ${given}`);
    if (has('types') || has('settings'))
      throw new UsageError('--types and --settings are for a recording that is started, not for --recording');
  }
  if (given === 'agent') return agentRequest(wanted);
  const jvm = await jvmArgument(wanted);
  if (followed !== undefined) {
    const id = await recordingNamed(followed, jvm);
    return { jvm, shows: `follows recording ${id}`, isOwn: false, start: () => followRecording(jvm, id) };
  }
  const dumped: AttachRequest = {
    jvm,
    shows: 'sampling by thread dumps',
    isOwn: true,
    start: () => DumpRecording.startTemporary(jvm, sampling),
  };
  if (given === 'dumps') return dumped;
  if (given === 'jfr') requireFlightRecorder(jvm);
  if (canRecord(jvm)) {
    tellOtherTypes(values, jvm, io);
    const { settings, types } = values;
    const ofTypes = types === undefined ? '' : `, types ${types.join(', ')}`;
    return {
      jvm,
      shows: `recording, settings ${settings}${ofTypes}`,
      isOwn: true,
      start: () => startRecording(jvm, { settings, types }),
    };
  }
  writeMessage(io, `${jvmName(jvm)}: has no flight recordings: sampling by thread dumps`);
  return dumped;
}

/** The number of a recording that runs. Rejects with UserError. */
async function recordingNamed(wanted: string, jvm: Jvm): Promise<number> {
  requireFlightRecorder(jvm);
  const recordings = await recordingsOfOthers(jvm);
  const found = recordings.find(({ id, name }) => name === wanted || String(id) === wanted);
  if (found !== undefined) return found.id;
  const names = recordings.map(({ id, name }) => `${id} ${printable(name)}`).join(', ');
  throw new CommandError(
    `${jvmName(jvm)}: no recording ${printable(wanted)} can be followed; ${names === '' ? 'there is none' : `there are: ${names}`}`,
  );
}

/** The log of a JVM's agent. It is a file, which needs no attaching. Rejects with UserError. */
async function agentRequest(wanted: string): Promise<AttachRequest> {
  const jvm = await namedJvm(wanted);
  if (jvm.agent === undefined)
    throw new CommandError(`${jvmName(jvm)}: was started without Honest Profiler's agent`);
  const log = await agentLogOf(jvm, new RealPaths());
  return {
    jvm,
    shows: `shows the log of its agent, ${log}`,
    isOwn: false,
    start: () => Promise.resolve(log),
  };
}
