import { release } from 'node:os';
import { app } from 'electron';
import type { EventLog } from './event-log.ts';

/** Versions of the program and the system for a report of a problem, in one line. */
function versionsText(): string {
  const { electron, chrome, node } = process.versions;
  return `Leanscope ${app.getVersion()}, Electron ${electron}, Chromium ${chrome}, Node ${node}, ${process.platform} ${process.arch} ${release()}`;
}

/** The page in the web on which a problem is reported, with the versions filled in. */
export function reportAddress(): string {
  const body = `What happened, and what should have happened?\n\n\n${versionsText()}\n`;
  return `https://github.com/leanscope/leanscope/issues/new?body=${encodeURIComponent(body)}`;
}

/** The stack trace of an error where there is one, else its message. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? String(error)) : String(error);

/** Notes the start of the program, and every unexpected end or failure, for reports of problems. */
export function noteEvents(log: EventLog): void {
  log.note(`started: ${versionsText()}`);
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit') log.note(`${type} process ended: ${reason}, exit code ${exitCode}`);
  });
  // These handlers only record: Electron decides whether the program goes on.
  const onError = (error: unknown): void => log.note(errorText(error));
  process.on('uncaughtExceptionMonitor', onError);
  process.on('unhandledRejection', onError);
  app.on('will-quit', () => {
    process.off('uncaughtExceptionMonitor', onError);
    process.off('unhandledRejection', onError);
  });
}
