import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { type Range, Ranges } from './ranges.ts';

/** The string table of a file. Strings are decoded on demand, and kept. */
export class Texts {
  readonly #input: Uint8Array;
  readonly #memory: MemoryBudget;
  readonly #ranges: Ranges;
  readonly #known = new Map<number, string>();

  constructor(input: Uint8Array, memory: MemoryBudget) {
    this.#input = input;
    this.#memory = memory;
    this.#ranges = new Ranges(memory);
  }

  push(range: Range): void {
    this.#ranges.push(range);
  }

  /** '' for an invalid index. */
  at(index: number): string {
    const known = this.#known.get(index);
    if (known !== undefined || index < 0 || index >= this.#ranges.length) return known ?? '';
    const text = this.decoded(this.#ranges.at(index));
    this.#known.set(index, text);
    return text;
  }

  /** Any text of the input; '' if the memory budget does not allow it. */
  decoded({ from, to }: Range): string {
    if (!this.#memory.keepRow(to - from)) return '';
    return utf8.decode(this.#input.subarray(from, to));
  }
}

const utf8 = new TextDecoder();
