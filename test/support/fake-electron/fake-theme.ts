import { EventEmitter } from 'node:events';

/** Electron's nativeTheme on a system whose theme is dark. */
export class FakeTheme extends EventEmitter {
  #source = 'system';

  get themeSource(): string {
    return this.#source;
  }

  set themeSource(source: string) {
    if (!['system', 'light', 'dark'].includes(source))
      throw new TypeError(`conversion failure from ${source}`);
    this.#source = source;
    this.emit('updated');
  }

  get shouldUseDarkColors(): boolean {
    return this.#source !== 'light';
  }
}
