import type { LogId } from './messages.ts';

/** The guide's first page: the window leads to it, and the desktop's menu. */
export const GUIDE = 'https://github.com/leanscope/leanscope/blob/main/docs/user/first-five-minutes.md';

/**
 * The API that the desktop's preload script exposes as `window.leanscope`, the only one that reaches outside the page's
 * sandbox. In a browser it is undefined, and the page connects to its host by WebSocket. `DroppedFile` is the DOM's
 * File; it is a type parameter because this folder has no DOM types.
 */
export interface DesktopBridge<DroppedFile> {
  readonly transport: {
    send(message: string | ArrayBuffer): void;
    onMessage(listener: (message: string | ArrayBuffer) => void): void;
    /** The listener is called once, with a reason to show to the user. */
    onClose(listener: (reason: string) => void): void;
    close(): void;
  };
  /**
   * Asks the host to open a dropped file by its path. Returns false if the file has no path, such as an image dragged
   * from a web page.
   */
  openDropped(file: DroppedFile): boolean;
  /** `process.platform`; keys are written with ⌘ on 'darwin'. */
  readonly platform: string;
  /** Commands of the application menu for the page. Commands that come before there is a listener are queued. */
  onCommand(listener: (command: WindowCommand) => void): void;
  /** The window's theme, for its frame, its menu and its dialogs. */
  setTheme(theme: ThemeChoice): void;
  /** Tells the shown log to the title bar of macOS and the taskbar. */
  setShown(shown: ShownLog): void;
  /** Shows a log's file in the system's file manager. */
  revealLog(log: LogId): void;
  /** A file was saved; `name` without its folder. */
  onSaved(listener: (name: string) => void): void;
  /** Shows the file that was saved last in the system's file manager. */
  revealSaved(): void;
}

/** The active log and how much of it is read. */
export interface ShownLog {
  /** undefined: none, or one that the page reads itself. */
  readonly log: LogId | undefined;
  /** 0 to 1; undefined while nothing is being read. */
  readonly progress: number | undefined;
}

export const THEMES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEMES)[number];

/** Commands that the page executes: keyboard commands that are also menu items. */
export type WindowCommand =
  | 'attach'
  | 'export-svg'
  | 'compare'
  | 'mergeLogs'
  | 'closeTab'
  | 'nextTab'
  | 'previousTab'
  | 'undo'
  | 'redo'
  | 'search'
  | 'showTree'
  | 'showFlat'
  | 'showFlame'
  | 'showAll'
  | 'flipFlame'
  | 'resetZoom'
  | 'freeze'
  | 'theme'
  | 'palette'
  | 'help';
