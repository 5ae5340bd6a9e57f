import { isAbsolute } from 'node:path';
import { type ThemeChoice, THEMES } from '../../shared/protocol/desktop-bridge.ts';
import type { WriteSettings } from '../host/settings-writer.ts';
import { readJson, writeJson } from './stored-json.ts';

/** What the desktop stores beside the bounds of the window and the recent files. */
export interface DesktopSettings {
  /** Folder of the file that was saved last. */
  readonly saveFolder?: string;
  /** Folder of the sources that were added last. */
  readonly sourceFolder?: string;
  /** The window's theme: the next start needs it before the page is loaded. */
  readonly theme?: ThemeChoice;
  /** Notify when a log restarts or ends while no window has the focus. */
  readonly notifies?: boolean;
}

export const isTheme = (value: unknown): value is ThemeChoice => THEMES.some((theme) => theme === value);

const isFolder = (value: unknown): value is string => typeof value === 'string' && isAbsolute(value);

/** What is stored, without values that `writeSettings` cannot have written. */
export function readSettings(file: string): DesktopSettings {
  const { saveFolder, sourceFolder, theme, notifies } = readJson(file);
  return {
    ...(isFolder(saveFolder) ? { saveFolder } : {}),
    ...(isFolder(sourceFolder) ? { sourceFolder } : {}),
    ...(isTheme(theme) ? { theme } : {}),
    ...(notifies === true ? { notifies } : {}),
  };
}

export const writeSettings = (file: string, settings: DesktopSettings, write?: WriteSettings): void =>
  writeJson(file, settings, write);
