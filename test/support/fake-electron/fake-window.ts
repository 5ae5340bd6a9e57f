import { EventEmitter } from 'node:events';
import { FakeContents, preventable } from './fake-contents.ts';

export type WindowOptions = Record<string, unknown> & { readonly webPreferences: Record<string, unknown> };

/** A window as Electron keeps it: hidden or shown, and of no use once it is destroyed. */
export class FakeWindow extends EventEmitter {
  readonly options: WindowOptions;
  readonly webContents = new FakeContents();
  readonly addresses: string[] = [];
  backgroundColor: unknown;
  hasFocus = false;
  readonly #journal: string[];
  #isDestroyed = false;
  #isVisible: boolean;
  #isMinimized = false;
  #isMaximized = false;
  #isFullScreen = false;

  constructor(options: WindowOptions, journal: string[]) {
    super();
    this.options = options;
    this.backgroundColor = options.backgroundColor;
    this.#isVisible = options.show !== false;
    this.#journal = journal;
  }

  loadURL(url: string): Promise<void> {
    this.#use();
    this.addresses.push(url);
    this.webContents.address = url;
    return Promise.resolve();
  }

  show(): void {
    this.#do('show');
    this.#isVisible = true;
  }

  focus(): void {
    this.#do('focus');
    this.hasFocus = true;
    this.emit('focus');
  }

  setProgressBar(progress: number): void {
    this.#do(`progress ${progress}`);
  }

  setRepresentedFilename(path: string): void {
    this.#do(`represents ${path}`);
  }

  minimize(): void {
    this.#do('minimize');
    this.#isMinimized = true;
  }

  restore(): void {
    this.#do('restore');
    this.#isMinimized = false;
  }

  /** Also shows a hidden window. */
  maximize(): void {
    this.#do('maximize');
    this.#isMaximized = true;
    this.#isVisible = true;
  }

  /** Also shows a hidden window. */
  setFullScreen(isFullScreen: boolean): void {
    this.#do(isFullScreen ? 'enter full screen' : 'leave full screen');
    this.#isFullScreen = isFullScreen;
    if (isFullScreen) this.#isVisible = true;
  }

  isFullScreen(): boolean {
    this.#use();
    return this.#isFullScreen;
  }

  setBackgroundColor(colour: string): void {
    this.#use();
    this.backgroundColor = colour;
  }

  isVisible(): boolean {
    this.#use();
    return this.#isVisible;
  }

  isMinimized(): boolean {
    this.#use();
    return this.#isMinimized;
  }

  isMaximized(): boolean {
    this.#use();
    return this.#isMaximized;
  }

  getNormalBounds(): object {
    this.#use();
    return { x: 10, y: 20, width: 1000, height: 700 };
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.webContents.destroyed = true;
    this.webContents.emit('destroyed');
    this.emit('closed');
  }

  close(): void {
    this.#use();
    const { event, isPrevented } = preventable();
    this.emit('close', event);
    if (!isPrevented()) this.destroy();
  }

  #do(what: string): void {
    this.#use();
    this.#journal.push(what);
  }

  #use(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
  }
}
