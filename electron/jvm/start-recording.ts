import type { RecordedType } from '../../shared/facts/recording-choice.ts';
import { DumpedRecording } from './dumped-recording.ts';
import { OwnRecording, type RecordingSettings } from './flight-recorder.ts';
import type { Jvm } from './jvm.ts';
import type { JvmRecording } from './jvm-recording.ts';

/** Options of `startRecording`. */
export interface RecordingStart {
  readonly settings: RecordingSettings['settings'];
  /** Default: the event types of `settings`. A JVM whose JFR does not flush (before JDK 14) ignores it. */
  readonly types?: readonly RecordedType[] | undefined;
  /** Milliseconds between two dumps of a JVM whose JFR does not flush. */
  readonly dumpEveryMs?: number;
}

/** Whether flight recordings of a JVM can be shown while they are made. */
export function canRecord({ can }: Jvm): boolean {
  return can.includes('jfr') || can.includes('jfr-dump');
}

/** Starts a flight recording, in the way that the JVM is capable of. Throws AttachError. */
export function startRecording(
  jvm: Jvm,
  { settings, types, dumpEveryMs }: RecordingStart,
): Promise<JvmRecording & { readonly leftOut: readonly string[] }> {
  if (jvm.can.includes('jfr')) return OwnRecording.start(jvm, settings, types);
  return DumpedRecording.start(jvm, settings, dumpEveryMs);
}
