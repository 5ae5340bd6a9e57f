import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { findEditors } from '../source-code/editor.ts';
import { findJdks } from '../source-code/jdks.ts';
import { HostSources, type SourceDialogs } from './host-sources.ts';
import type { WriteSettings } from './stored-file.ts';
import { SourceSettingsFile } from './source-settings.ts';

export interface LocalSourcesOptions {
  /** Where the settings are kept. */
  readonly settingsFolder: string;
  readonly write: WriteSettings;
  /** Folders and archives for this run only. */
  readonly roots: readonly string[];
  /** A command for this run only. */
  readonly editor?: string | undefined;
  readonly dialogs?: SourceDialogs;
}

/** The sources, JDKs and editors of this machine. */
export function localSources({
  settingsFolder,
  write,
  roots,
  editor,
  dialogs,
}: LocalSourcesOptions): HostSources {
  const { env, platform } = process;
  return new HostSources({
    settings: new SourceSettingsFile(settingsFolder, write),
    roots: roots.map((path) => resolve(path)),
    editor,
    findJdks: () => findJdks({ env, platform, userFolder: homedir() }),
    findEditors: () => findEditors({ env, platform }),
    ...(dialogs === undefined ? {} : { dialogs }),
  });
}
