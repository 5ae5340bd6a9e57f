/** Starts the desktop application: one instance, which opens its window when Electron is ready. */
import { join } from 'node:path';
import { app, crashReporter, dialog, protocol, shell } from 'electron';
import type { SourceArguments } from '../runtime/find-runtime.ts';
import { APP_SCHEME, hardenContents } from './security.ts';
import { Desktop } from './desktop.ts';
import { errorText, noteEvents } from './reports.ts';
import { EventLog } from './event-log.ts';
import { FilesToOpen, type InstanceData } from './opened-files.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

/** Call it while Electron starts, before it is ready. `switches`: those of Chromium. */
export function runDesktop(
  files: readonly string[],
  sources: SourceArguments,
  switches: readonly string[],
): void {
  const instanceData: InstanceData =
    sources.roots.length === 0 ? { files } : { files, sources: sources.roots };
  if (!app.requestSingleInstanceLock({ ...instanceData })) {
    app.exit(0);
    return;
  }
  sandbox();
  keepCrashReports();
  // Dialogs of an older portal ignore the folder to start in; Electron then shows GTK's.
  if (process.platform === 'linux') app.commandLine.appendSwitch('xdg-portal-required-version', '4');
  app.setAppUserModelId('org.leanscope.desktop');
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  hardenContents(app, (url) => void shell.openExternal(url));

  const filesToOpen = new FilesToOpen();
  filesToOpen.add(files);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    filesToOpen.add([path]);
  });
  const log = new EventLog(join(app.getPath('logs'), 'leanscope.log'));
  noteEvents(log);
  app
    .whenReady()
    .then(() => new Desktop({ filesToOpen, sources, switches, log }))
    .catch((error: unknown) => endFailedStart(error, log));
}

/**
 * Runs every page in Chromium's sandbox, except with `--no-sandbox`: containers, root, and systems without user namespaces
 * need it, and enableSandbox() would undo it. The GPU process then runs without its own sandbox, too.
 */
function sandbox(): void {
  const { commandLine } = app;
  if (!commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  else if (!commandLine.hasSwitch('disable-gpu-sandbox')) commandLine.appendSwitch('disable-gpu-sandbox');
}

/** Crash reports stay on this machine, in the folder of the log. */
function keepCrashReports(): void {
  app.setPath('crashDumps', join(app.getPath('logs'), 'crashes'));
  crashReporter.start({ uploadToServer: false });
}

/** Ends the program, which would go on without a window and keep every later start from opening one. */
function endFailedStart(error: unknown, log: EventLog): void {
  log.note(`not started: ${errorText(error)}`);
  dialog.showErrorBox('Leanscope cannot start', errorMessage(error));
  app.exit(1);
}

/** Ends the program after a command that needs no window. */
export function exitDesktop(status: number): void {
  app.exit(status);
}
