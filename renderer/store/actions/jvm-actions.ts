import type { LogId } from '../../../shared/protocol/messages.ts';
import { useWindow, send } from '../state/window-store.ts';
import type { JvmEntry, JvmId } from '../../../shared/protocol/jvm-messages.ts';
import type { AgentCommand } from '../../../shared/protocol/client-messages.ts';
import { withAgent } from '../state/jvms-view.ts';
import type { RecordingChoice } from '../../../shared/facts/recording-choice.ts';
import { prefer } from './actions.ts';

const { getState, setState } = useWindow;

/** Records a JVM in the way that is chosen, or samples its threads if it has no flight recorder. */
export function attachTo({ id, hasRecorder }: JvmEntry): void {
  const { attachWith } = getState().preferences;
  if (attachWith === 'dumps' || !hasRecorder) send({ type: 'sampleJvm', jvm: id });
  else recordJvm(id, false);
}

/** Starts a recording and opens it; `always`: also beside recordings that the JVM has. */
export function recordJvm(jvm: JvmId, always: boolean): void {
  const { settings, types } = getState().preferences.record;
  send({ type: 'attachJvm', jvm, always, settings, types });
}

/** Asks or tells the agent of a JVM. */
export function controlAgent(jvm: JvmId, command: AgentCommand): void {
  setState(({ jvms }) => ({ jvms: withAgent(jvms, jvm, { problem: undefined, isAsked: true }) }));
  send({ type: 'controlAgent', jvm, command });
}

/** Saves a recording as the JVM made it; then closes these logs, if there are any. */
export function saveRecording(log: LogId, closes: readonly LogId[] = []): void {
  const closing = closes.length === 0 ? {} : { closes };
  send({ type: 'saveRecording', log, ...closing });
}

/** Sets the settings and sample types of later recordings. */
export function recordWith(change: Partial<RecordingChoice>): void {
  prefer({ record: { ...getState().preferences.record, ...change } });
}
