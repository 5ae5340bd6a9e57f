import { app } from 'electron';

/** Has Electron start the program when it has ended, with these files and switches of Chromium. */
export function startAgain(files: readonly string[], switches: readonly string[]): void {
  const { APPIMAGE } = process.env;
  app.relaunch({
    args: [...(app.isPackaged ? [] : [app.getAppPath()]), ...switches, '--', ...files],
    // The program itself is in a file system that goes with it.
    ...(APPIMAGE === undefined ? {} : { execPath: APPIMAGE }),
  });
}
