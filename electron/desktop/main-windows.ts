import { type MainWindow, type MainWindowOptions, openMainWindow } from './window.ts';
import { readPlace, type WindowPlace } from './window-place.ts';

/** From one window to the next, so that both can be seen; device-independent pixels. */
const OFFSET = 24;

/**
 * The windows that show logs, all of the same host. In front is the one that had the focus last: dialogs belong to it, and
 * it comes forward when a file is opened from outside.
 */
export class MainWindows {
  readonly #options: MainWindowOptions;
  /** The last one is in front. */
  #open: readonly MainWindow[] = [];

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  get front(): MainWindow | undefined {
    return this.#open.at(-1);
  }

  get count(): number {
    return this.#open.length;
  }

  with(window: Electron.BaseWindow | undefined): MainWindow | undefined {
    return this.#open.find((each) => each.window === window);
  }

  /** The first window is where the last one was; another one is beside the one in front. */
  openNew(): void {
    const { front } = this;
    const opened = openMainWindow(
      this.#options,
      front === undefined ? readPlace(this.#options.placeFile) : placeBeside(front),
    );
    this.#open = [...this.#open, opened];
    opened.window.on('focus', () => {
      this.#open = [...this.#open.filter((each) => each !== opened), opened];
    });
    opened.window.on('closed', () => {
      this.#open = this.#open.filter((each) => each !== opened);
    });
  }

  /** Opens a window if there is none. */
  show(): void {
    if (this.front === undefined) this.openNew();
    else this.front.bringToFront();
  }
}

function placeBeside({ window }: MainWindow): WindowPlace {
  const { x, y, width, height } = window.getNormalBounds();
  return {
    bounds: { x: x + OFFSET, y: y + OFFSET, width, height },
    isMaximized: false,
    isFullScreen: false,
  };
}
