import type { KeyTable } from '../engine/trees/keys.ts';

/** A test of the keys of frames, run once for each key. */
export class KeyTest {
  readonly #keys: KeyTable;
  readonly #passes: (label: string) => boolean;
  /** Key -> its result; absent where it was not tested yet. */
  readonly #results: (boolean | undefined)[] = [];

  constructor(keys: KeyTable, passes: (label: string) => boolean) {
    this.#keys = keys;
    this.#passes = passes;
  }

  of(frame: number): boolean {
    const key = keyOf(this.#keys, frame);
    return (this.#results[key] ??= this.#passes(this.#keys.labels[key]));
  }
}

/** The key of a frame, which may be newer than the table. */
export function keyOf(keys: KeyTable, frame: number): number {
  if (keys.keyOf(frame) === undefined) keys.update();
  return keys.ofFrame[frame];
}
