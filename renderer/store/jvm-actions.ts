import type { RecordingChoice, SamplingChoice } from '../../shared/facts/recording-choice.ts';
import type { AgentCommand } from '../../shared/protocol/client-messages.ts';
import type { JvmEntry, JvmId } from '../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../shared/protocol/messages.ts';
import { prefer } from './actions.ts';
import { withAskedAgent } from './jvms-view.ts';
import { services, useWindow } from './window-store.ts';

const { getState, setState } = useWindow;

/** Asks for the list of JVMs, again and again, or no longer. */
export function watchJvms(watch: boolean): void {
  services().client.send({ type: 'watchJvms', watch });
}

/** Records a JVM in the way that is chosen, or samples its threads if it has no flight recorder. */
export function attachTo({ id, hasRecorder }: JvmEntry): void {
  const { attachWith, sampling } = getState().preferences;
  if (attachWith === 'dumps' || !hasRecorder)
    services().client.send({ type: 'sampleJvm', jvm: id, ...sampling });
  else recordJvm(id, false);
}

/** Starts a recording and opens it; `always`: also beside recordings that the JVM has. */
export function recordJvm(jvm: JvmId, always: boolean): void {
  const { settings, types } = getState().preferences.record;
  services().client.send({ type: 'attachJvm', jvm, always, settings, types });
}

/** Opens a recording that the JVM has. */
export function followRecording(jvm: JvmId, recording: number): void {
  services().client.send({ type: 'followRecording', jvm, recording });
}

/** Stops the sampling by thread dumps, or goes on in the same log. */
export function controlSampling(log: LogId, run: boolean): void {
  services().client.send({ type: 'controlSampling', log, run });
}

/** Opens the log that Honest Profiler's agent writes in a JVM. */
export function openAgentLog(jvm: JvmId): void {
  services().client.send({ type: 'openAgentLog', jvm });
}

/** Asks or tells the agent of a JVM. */
export function controlAgent(jvm: JvmId, command: AgentCommand): void {
  setState(({ jvms }) => ({ jvms: withAskedAgent(jvms, jvm) }));
  services().client.send({ type: 'controlAgent', jvm, command });
}

/** Ends a recording, whose log stays open. */
export function stopRecording(log: LogId): void {
  services().client.send({ type: 'stopRecording', log });
}

/** Saves a recording as the JVM made it; then closes these logs, if there are any. */
export function saveRecording(log: LogId, closes: readonly LogId[] = []): void {
  const closing = closes.length === 0 ? {} : { closes };
  services().client.send({ type: 'saveRecording', log, ...closing });
}

/** Sets the settings and sample types of later recordings. */
export function recordWith(change: Partial<RecordingChoice>): void {
  prefer({ record: { ...getState().preferences.record, ...change } });
}

/** How threads are sampled later. */
export function sampleWith(change: Partial<SamplingChoice>): void {
  prefer({ sampling: { ...getState().preferences.sampling, ...change } });
}
