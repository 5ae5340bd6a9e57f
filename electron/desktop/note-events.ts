import { app } from 'electron';
import type { EventLog } from './event-log.ts';
import { versionsText } from './versions.ts';

/** With the places in the program, where they are known. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? String(error)) : String(error);

/** For reports of problems: notes what is started, and what ends or fails unexpectedly until the program ends. */
export function noteEvents(log: EventLog): void {
  log.note(`started: ${versionsText()}`);
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit') log.note(`${type} process ended: ${reason}, exit code ${exitCode}`);
  });
  // Only recorded: Electron decides whether the program goes on.
  const onError = (error: unknown): void => log.note(errorText(error));
  process.on('uncaughtExceptionMonitor', onError);
  process.on('unhandledRejection', onError);
  app.on('will-quit', () => {
    process.off('uncaughtExceptionMonitor', onError);
    process.off('unhandledRejection', onError);
  });
}
