/** The desktop's file dialogs and messages, over the main window if there is one. */
import { statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type BrowserWindow, dialog, type Session, type WebContents } from 'electron';
import { suggestedFileName } from './file-name.ts';
import { printable } from '../../shared/text/printable.ts';
import { fileExtensions } from '../../shared/formats/formats.ts';
import { APP_ORIGIN } from './security.ts';

/** The first of these folders that exists. */
export function firstFolder(folders: readonly string[]): string | undefined {
  return folders.find((folder) => {
    try {
      return statSync(folder).isDirectory();
    } catch {
      return false;
    }
  });
}

const ALL_FILES: Electron.FileFilter = { name: 'All files', extensions: ['*'] };

/** Files with the ending of this name first. */
function filtersFor(name: string): Electron.FileFilter[] {
  const extension = extname(name).slice(1);
  return extension === ''
    ? [ALL_FILES]
    : [{ name: `${extension.toUpperCase()} files`, extensions: [extension] }, ALL_FILES];
}

type Over = BrowserWindow | undefined;

async function askForFiles(window: Over, options: Electron.OpenDialogOptions): Promise<readonly string[]> {
  const { filePaths } = await (window === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return filePaths;
}

/** Resolves to the number of the button that was pressed. */
async function ask(window: Over, options: Electron.MessageBoxOptions): Promise<number> {
  const { response } = await (window === undefined
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return response;
}

/** Asks for files to open; none if the user cancels. Starts in the first of these folders that exists. */
export function chooseProfiles(window: Over, folders: readonly string[]): Promise<readonly string[]> {
  const folder = firstFolder(folders);
  const options: Electron.OpenDialogOptions = {
    title: 'Open Profiles',
    ...(folder === undefined ? {} : { defaultPath: folder }),
    properties: ['openFile', 'multiSelections'],
    filters: [{ name: 'Profiles', extensions: [...fileExtensions()] }, ALL_FILES],
  };
  return askForFiles(window, options);
}

/** Asks where to save a file of this name; undefined if the user cancels. */
export async function chooseTarget(
  window: BrowserWindow,
  folder: string,
  name: string,
): Promise<string | undefined> {
  const options: Electron.SaveDialogOptions = {
    title: `Save ${name}`,
    defaultPath: join(folder, name),
    filters: filtersFor(name),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  };
  const { canceled, filePath } = await dialog.showSaveDialog(window, options);
  return canceled ? undefined : filePath;
}

/** Asks for folders of sources, or for archives; none if the user cancels. Starts in this folder if it exists. */
export function chooseSources(
  window: Over,
  kind: 'folder' | 'archive',
  folder: string,
): Promise<readonly string[]> {
  const defaultPath = firstFolder([folder]);
  const options: Electron.OpenDialogOptions = {
    ...(defaultPath === undefined ? {} : { defaultPath }),
    ...(kind === 'folder'
      ? { title: 'Add Folders of Sources', properties: ['openDirectory', 'multiSelections'] }
      : {
          title: 'Add Archives of Sources',
          properties: ['openFile', 'multiSelections'],
          filters: [{ name: 'Archives', extensions: ['jar', 'zip'] }, ALL_FILES],
        }),
  };
  return askForFiles(window, options);
}

/** Asks whether a command that the window was given is to be run. A page cannot answer this dialog. */
export async function confirmEditor(window: Over, command: string): Promise<boolean> {
  const response = await ask(window, {
    type: 'question',
    message: 'Run this command to open source files?',
    detail: printable(command),
    buttons: ['Use Command', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

type ClosingAnswer = 'save' | 'discard' | 'cancel';

/** Asks what becomes of recordings that are not saved, before the last window is closed. Names are shown. */
export async function askUnsaved(window: BrowserWindow, names: readonly string[]): Promise<ClosingAnswer> {
  const response = await ask(window, {
    type: 'warning',
    message:
      names.length === 1
        ? `The recording of ${printable(names[0])} is not saved.`
        : `${names.length} recordings are not saved.`,
    detail:
      'Closing the window ends recordings that still run. Discarded recordings stay among the recent files until five newer ones were discarded.',
    buttons: ['Save…', 'Discard', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  });
  return (['save', 'discard', 'cancel'] as const)[response] ?? 'cancel';
}

export function reportFailedSave(window: Over, path: string): void {
  void ask(window, {
    type: 'error',
    message: `${basename(path)} could not be saved.`,
    detail: `Not all of it could be written to ${dirname(path)}. The disk may be full or read-only.`,
  });
}

interface DownloadOptions {
  /** The folder to start in. */
  folder(): string;
  /** `page`: the page that created the file. */
  onSaved(path: string, page: WebContents): void;
  /** The file could not be written completely. */
  onFailed(path: string): void;
}

/** Allows downloads only of content that the page created, and asks the user where to save it. */
export function saveDownloads(session: Session, options: DownloadOptions): void {
  session.on('will-download', (event, item, page) => {
    if (!item.getURL().startsWith(`blob:${APP_ORIGIN}/`)) {
      event.preventDefault();
      return;
    }
    const name = suggestedFileName(item.getFilename());
    item.setSaveDialogOptions({
      // Without a title the dialog shows the address, "blob:app://…".
      title: `Save ${name}`,
      defaultPath: join(options.folder(), name),
      filters: filtersFor(name),
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    });
    item.once('done', (_event, state) => {
      if (state === 'completed') options.onSaved(item.getSavePath(), page);
      else if (state === 'interrupted') options.onFailed(item.getSavePath());
    });
  });
}
