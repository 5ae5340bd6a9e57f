/**
 * What the desktop's preload script puts on `window.leanscope`: the window's only way out of its sandbox. In a browser
 * the property is absent, and the window talks to its host by WebSocket. `DroppedFile` is the DOM's File, which this
 * folder does not know.
 */
export interface DesktopBridge<DroppedFile> {
  readonly transport: {
    send(message: string | ArrayBuffer): void;
    onMessage(listener: (message: string | ArrayBuffer) => void): void;
    /** Called once, with a reason for people. */
    onClose(listener: (reason: string) => void): void;
    close(): void;
  };
  /** Asks the host to open a dropped file by its path. False when the file has none: a picture dragged from a page. */
  openDropped(file: DroppedFile): boolean;
  /** `process.platform`; keys are written with ⌘ on 'darwin'. */
  readonly platform: string;
  /** What the application menu asks of the window's content. Commands given before there is a listener wait for it. */
  onCommand(listener: (command: WindowCommand) => void): void;
}

/** Menu items whose work the window does: those of its own key commands that a menu shows. */
export type WindowCommand =
  | 'exportSvg'
  | 'closeTab'
  | 'nextTab'
  | 'previousTab'
  | 'search'
  | 'showTree'
  | 'showFlat'
  | 'showFlame'
  | 'showAll'
  | 'turnFlame'
  | 'resetZoom'
  | 'freeze'
  | 'theme'
  | 'help';
