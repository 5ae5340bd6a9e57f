/** The desktop's file dialogs and messages, over the main window if there is one. */
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import { PROFILE_EXTENSIONS } from './profile-extensions.ts';

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

export const ALL_FILES: Electron.FileFilter = { name: 'All files', extensions: ['*'] };

/** Asks for files to open; none if the user cancels. Starts in the first of these folders that exists. */
export async function chooseProfiles(
  window: BrowserWindow | undefined,
  folders: readonly string[],
): Promise<readonly string[]> {
  const folder = firstFolder(folders);
  const options: Electron.OpenDialogOptions = {
    title: 'Open Profiles',
    ...(folder === undefined ? {} : { defaultPath: folder }),
    properties: ['openFile', 'multiSelections'],
    filters: [{ name: 'Profiles', extensions: PROFILE_EXTENSIONS }, ALL_FILES],
  };
  const { filePaths } = await (window === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return filePaths;
}

export function reportFailedSave(window: BrowserWindow | undefined, path: string): void {
  const options: Electron.MessageBoxOptions = {
    type: 'error',
    message: `${basename(path)} could not be saved.`,
    detail: `Not all of it could be written to ${dirname(path)}. The disk may be full or read-only.`,
  };
  void (window === undefined ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options));
}
