import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { type ThemeChoice, THEMES } from '../../shared/protocol/desktop-bridge.ts';
import { StoredFile, type WriteSettings } from '../host/stored-file.ts';

const folder = z.string().refine(isAbsolute).optional().catch(undefined);

/** Settings of the desktop beside the bounds of the window and the recent files. A value that is invalid is left out. */
const desktopSettings = z.object({
  /** Folder of the file that was saved last. */
  saveFolder: folder,
  /** Folder of the sources that were added last. */
  sourceFolder: folder,
  /** The window's theme: the next start needs it before the page is loaded. */
  theme: z.enum(THEMES).optional().catch(undefined),
  /** Notify when a log restarts or ends while no window has the focus. */
  notifies: z.boolean().optional().catch(undefined),
});
export type DesktopSettings = Readonly<z.infer<typeof desktopSettings>>;

export const isTheme = (value: unknown): value is ThemeChoice => THEMES.some((theme) => theme === value);

export const settingsFile = (file: string, write?: WriteSettings) =>
  new StoredFile(file, desktopSettings, write);
