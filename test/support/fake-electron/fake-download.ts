import { EventEmitter } from 'node:events';
import { preventable } from './fake-contents.ts';
import type { FakeElectron } from './fake-electron.ts';

/** A download as Electron reports it; `options` are those of its save dialog. */
export class FakeDownload extends EventEmitter {
  options: Readonly<Record<string, unknown>> | undefined;
  readonly isRefused: boolean;
  readonly #url: string;
  readonly #name: string;
  #path = '';

  constructor(
    electron: FakeElectron,
    name: string,
    url = 'blob:app://leanscope/1',
    page = electron.windows[0].webContents,
  ) {
    super();
    this.#url = url;
    this.#name = name;
    const { event, isPrevented } = preventable();
    electron.session.emit('will-download', event, this, page);
    this.isRefused = isPrevented();
  }

  getURL = () => this.#url;
  getFilename = () => this.#name;
  getSavePath = () => this.#path;
  setSaveDialogOptions = (options: Readonly<Record<string, unknown>>) => void (this.options = options);

  end(state: 'completed' | 'cancelled' | 'interrupted', path: string): void {
    this.#path = path;
    this.emit('done', {}, state);
  }
}
