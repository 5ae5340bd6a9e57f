/**
 * What the desktop's preload script puts on `window.leanscope`: the window's only way out of its sandbox. In a browser
 * the property is absent, and the window talks to its host by WebSocket. `DroppedFile` is the DOM's File, a type
 * parameter because this folder has no DOM types.
 */
export interface DesktopBridge<DroppedFile> {
  readonly transport: {
    send(message: string | ArrayBuffer): void;
    onMessage(listener: (message: string | ArrayBuffer) => void): void;
    /** Called once, with a reason to show to the user. */
    onClose(listener: (reason: string) => void): void;
    close(): void;
  };
  /**
   * Asks the host to open a dropped file by its path. False when the file has none, such as an image dragged from a web
   * page.
   */
  openDropped(file: DroppedFile): boolean;
  /** `process.platform`; keys are written with ⌘ on 'darwin'. */
  readonly platform: string;
  /** Commands of the application menu for the window. Commands sent before there is a listener are queued for it. */
  onCommand(listener: (command: WindowCommand) => void): void;
}

/** Menu items that the window itself carries out: the window's keyboard commands that are also in a menu. */
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
