import type { JvmId, RecordingChoice } from '../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../shared/protocol/messages.ts';
import { prefer } from './actions.ts';
import { services, useWindow } from './window-store.ts';

const { getState, setState } = useWindow;

export function openAttach(dialogIsOpen: boolean): void {
  setState(({ jvms }) => ({ jvms: { ...jvms, dialogIsOpen } }));
}

/** Asks for the list of JVMs, again and again, or no longer. */
export function watchJvms(watch: boolean): void {
  services().client.send({ type: 'watchJvms', watch });
}

/** Starts a recording and opens it; `always`: also beside recordings that the JVM has. */
export function attachJvm(jvm: JvmId, always: boolean): void {
  const { settings, types } = getState().preferences.record;
  services().client.send({ type: 'attachJvm', jvm, always, settings, types });
}

/** Opens a recording that the JVM has. */
export function followRecording(jvm: JvmId, recording: number): void {
  services().client.send({ type: 'followRecording', jvm, recording });
}

/** Saves a recording as the JVM made it. */
export function saveRecording(log: LogId): void {
  services().client.send({ type: 'saveRecording', log });
}

/** What later recordings are made with. */
export function recordWith(change: Partial<RecordingChoice>): void {
  prefer({ record: { ...getState().preferences.record, ...change } });
}
