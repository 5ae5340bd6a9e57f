/**
 * Most frames of a stack. Stacks of a million frames occur in deep recursions; one of them needs 24 MB while it is
 * placed. Reading stops at a deeper one.
 */
export const MOST_FRAMES = 1 << 20;

/** Memory for any input, however small. */
const BASE_BYTES = 64 << 20;
/** Further memory per byte of the input, as it is stored. */
const BYTES_PER_INPUT_BYTE = 64;
/** Most memory for any input: what 25 million call nodes, the most that a window shows, take there, 100 bytes each. */
const MOST_BYTES = (25 << 20) * 100;
/** Most of it for names and tables, which are in the heap: it may have two gigabytes. */
const MOST_KEPT_BYTES = 1 << 30;

/**
 * The memory budget of an input of which so many stored bytes have been read, in bytes. It covers call nodes, names, times,
 * tables of decoders, and input that is held until it can be decoded. Compressed data, and formats that name something
 * once and refer to it, let a few bytes stand for gigabytes. Recordings of programs need less than a quarter of it.
 */
export function memoryAllowed(inputBytes: number): number {
  return Math.min(BASE_BYTES + BYTES_PER_INPUT_BYTE * inputBytes, MOST_BYTES);
}

/** Bytes of an object in a table of a decoder, with its entries in an index and the copy that is made while they grow. */
const ROW_BYTES = 200;

/**
 * Counts the bytes that are kept of one input. Whoever keeps some asks first, and keeps nothing that is refused. After a
 * refusal everything else is refused, too.
 *
 * A decoder counts what grows with its input before it is in the profile: tables, texts, and input that is held. A row
 * that a decoder keeps for a thread or a method of the profile needs no counting: the profile counts some of it.
 */
export class MemoryBudget {
  /** It may only be raised. */
  most = Infinity;
  /** The limit because of which bytes were refused first, in bytes; undefined if none were. */
  exceeded: number | undefined;
  #bytes = 0;
  #keptBytes = 0;

  /** Reserves bytes in the heap, for texts and tables. False if they are too many. */
  keep(bytes: number): boolean {
    if (!this.hold(bytes)) return false;
    this.#keptBytes += bytes;
    return this.#keptBytes <= MOST_KEPT_BYTES || this.#refuse(MOST_KEPT_BYTES);
  }

  /** Reserves bytes in the heap for an object of a table, and for its texts of so many characters. */
  keepRow(characters = 0): boolean {
    return this.keep(ROW_BYTES + characters * KeptBytes.character);
  }

  /** Reserves bytes for columns, or for input that is held. */
  hold(bytes: number): boolean {
    if (this.isExceeded || this.#bytes + bytes > this.most) return this.#refuse(this.most);
    this.#bytes += bytes;
    return true;
  }

  /** Gives back bytes that `hold` has reserved. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Something was refused: nothing more is to be read. */
  get isExceeded(): boolean {
    return this.exceeded !== undefined;
  }

  /** Bytes that are still allowed. */
  get spare(): number {
    return Math.max(0, this.most - this.#bytes);
  }

  #refuse(limit: number): false {
    this.exceeded ??= limit;
    return false;
  }
}

/** The part of a budget that is given back at once, such as the tables of a chunk. */
export class HeldMemory {
  readonly #budget: MemoryBudget;
  #bytes = 0;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  get isExceeded(): boolean {
    return this.#budget.isExceeded;
  }

  /** See `MemoryBudget.hold`. */
  hold(bytes: number): boolean {
    if (!this.#budget.hold(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Gives back all that was held. */
  release(): void {
    this.#budget.release(this.#bytes);
    this.#bytes = 0;
  }
}

/** Bytes counted for a row of a profile, without its names. They include the copy that is made while a table grows. */
export const KeptBytes = {
  /** Its columns and its byte in the index of children. */
  node: 24,
  /** The node at the end of a stack: with its entry in the index of children, and its row in the SelfTable. */
  leaf: 80,
  /** With its entry in the index of ids, and the path of its latest stack, without its frames. */
  thread: 500,
  /** With its entry in the index of ids, and the object of its names. */
  method: 120,
  /** With its entry in the index of frames. */
  frame: 64,
  sample: 20,
  /** A context, and an attribute of one, without their texts. */
  context: 54,
  attribute: 12,
  /** An entry in a table of texts, besides the characters. */
  text: 80,
  /** A character of a name: in its string, and often in the table of a decoder, too. */
  character: 2,
} as const;
