import type { ReactNode } from 'react';
import type { SamplingState } from '../../shared/protocol/jvm-messages.ts';
import { controlSampling } from '../store/jvm-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import type { MenuItem } from '../widgets/Menu.tsx';

/** Pauses the sampling of a JVM by thread dumps, or goes on in the same log. Nothing for any other log. */
export function SamplingButton({ log: { hostLog } }: { readonly log: LogView }): ReactNode {
  const state = useWindow(({ jvms }) => (hostLog === undefined ? undefined : jvms.samplings[hostLog]));
  const command = hostLog === undefined ? undefined : samplingCommand(hostLog, state);
  if (command === undefined) return null;
  return (
    <Button
      testId="sampling"
      tip="The JVM is asked for thread dumps; its details say what they cost"
      onClick={command.run}
    >
      {command.text}
    </Button>
  );
}

/** The button as an entry of a menu. */
export function samplingCommand(
  log: NonNullable<LogView['hostLog']>,
  state: SamplingState | undefined,
): MenuItem | undefined {
  if (state === undefined || state === 'over') return undefined;
  const isRunning = state === 'running';
  return {
    text: isRunning ? 'Pause sampling' : 'Go on sampling',
    run: () => controlSampling(log, !isRunning),
  };
}
