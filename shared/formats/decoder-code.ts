import { assert } from '../assert.ts';

/** The module that a decoder is in, fetched when an input needs it: all of them are ten times as much as one. */
export class DecoderCode<Module> {
  readonly #fetch: () => Promise<Module>;
  #module: Module | undefined;

  constructor(fetch: () => Promise<Module>) {
    this.#fetch = fetch;
  }

  get isLoaded(): boolean {
    return this.#module !== undefined;
  }

  async load(): Promise<void> {
    this.#module ??= await this.#fetch();
  }

  /** Once it is loaded. */
  get module(): Module {
    assert(this.#module !== undefined, 'a decoder is loaded before its input is read');
    return this.#module;
  }
}
