import { assert } from '../assert.ts';

/** Imports the module of a decoder when an input needs it. All decoders together are ten times as large as one. */
export class DecoderCode<Module> {
  readonly #import: () => Promise<Module>;
  #module: Module | undefined;

  constructor(importModule: () => Promise<Module>) {
    this.#import = importModule;
  }

  get isLoaded(): boolean {
    return this.#module !== undefined;
  }

  async load(): Promise<void> {
    this.#module ??= await this.#import();
  }

  /** `load` must have finished. */
  get module(): Module {
    assert(this.#module !== undefined, 'a decoder is loaded before its input is read');
    return this.#module;
  }
}
