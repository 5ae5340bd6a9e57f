import type { FindingsProject } from '../../shared/findings/finding.ts';
import type {
  Capabilities,
  FileEntry,
  FileId,
  LogDescription,
  LogStatus,
} from '../../shared/protocol/messages.ts';
import type { HostJvmsOptions } from './jvms/host-jvms.ts';
import type { HostSources } from './host-sources.ts';
import type { KeptRecordings } from './kept-recordings.ts';
import type { RealPaths } from '../source/real-paths.ts';

/** The list of recent files as the host uses it; `RecentFiles` keeps it on disk. */
interface RecentFileList {
  list(): readonly FileEntry[];
  pathOf(id: FileId): string | undefined;
  add(path: string): void;
  /** These files are not there any more, or are no profiles. False if none of them was in the list. */
  remove(paths: readonly string[]): boolean;
  forget(): void;
}

/** Dialogs of the system over the window of a client. */
export interface ClientDialogs {
  /** Shows the system's file dialog and resolves to the chosen paths. */
  openDialog(): Promise<readonly string[]>;
  /** Asks where to save a file of this name; undefined: nowhere. */
  chooseTarget(name: string): Promise<string | undefined>;
  /** A file was saved there for this client. */
  onSaved(path: string): void;
}

export interface HostOptions {
  readonly version: string;
  readonly capabilities: Capabilities;
  /** The built log worker. */
  readonly workerUrl: URL;
  /** The folder of the sample recordings; undefined if there are none. */
  readonly sampleFolder: string | undefined;
  readonly recentFiles: RecentFileList;
  /** Monotonic ms; the system's clock when not given. */
  readonly now?: () => number;
  /** The operating system's when not given. */
  readonly realPaths?: RealPaths;
  /** The settings of findings in the project file; undefined: there is none. */
  readonly project?: FindingsProject;
  /** Finds the sources of classes; undefined: there are none. */
  readonly sources?: HostSources;
  /** JVMs of this machine; undefined: there are none that could be attached to. */
  readonly jvms?: HostJvmsOptions;
  /** Where recordings are kept that were closed without having been saved; undefined: they are lost. */
  readonly keptRecordings?: KeptRecordings;
  /** Hears each state of each log. */
  readonly onStatus?: (log: LogDescription, status: LogStatus) => void;
  /** Called when a log was opened or closed, and not when the host stops. */
  readonly onLogs?: () => void;
}
