import type { ReactNode } from 'react';
import { stopRecording } from '../store/jvm-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';

/** Ends a recording that Leanscope has started, and keeps it open. Nothing for any other log. */
export function StopButton({ log: { hostLog } }: { readonly log: LogView }): ReactNode {
  const state = useWindow(({ jvms }) => (hostLog === undefined ? undefined : jvms.recordings[hostLog]));
  if (hostLog === undefined || state !== 'running') return null;
  return (
    <button
      type="button"
      className="button button-small"
      data-rank="0"
      data-testid="stop"
      data-tip="End the recording in the JVM and keep it open"
      onClick={() => stopRecording(hostLog)}
    >
      Stop
    </button>
  );
}
