import { HeldMemory } from '../../aggregate/memory-budget.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { isObject, type JsonObject, listOf, numberOf, textOf } from '../json.ts';
import { functionNames } from '../location-stack.ts';
import type { NamedFrames } from '../named-frames.ts';

/** A cell that is neither an index nor empty. */
const INVALID = -2;
const CELL_BYTES = 4;
/** Bytes of a text and of its place in a list, without its characters. */
const TEXT_BYTES = 40;
const CHARACTER_BYTES = 2;
const LARGEST_INDEX = 2 ** 31 - 1;
/** The name of a function that was not symbolicated: an address. */
const ADDRESS = /^0x[0-9a-f]+$/i;

/**
 * The tables of one thread, or those that all threads of a file share. They refer to each other by row.
 *
 *   stacks   frame   caller       frames   function   line       functions   name    file
 *   0        0       -            0        0          3          0           main    shop.js
 *   1        1       0            1        1          7          1           parse   shop.js
 *   2        2       1            2        1          9
 *
 * A stack is a call node: its frame, and the row of its caller, which is above it. An inlined function is a frame like any
 * other. Versions before 60 have these tables in each thread, those before 56 also the texts.
 */
export class FirefoxTables {
  /** Stacks without a frame, or whose caller is not above them. */
  invalidStacks = 0;
  /** Functions of stacks that were used, and how many of them are addresses. */
  functions = 0;
  addresses = 0;
  readonly #sink: SampleSink;
  readonly #named: NamedFrames;
  readonly #held: HeldMemory;
  /** Stack -> row of its caller, NONE for none. */
  readonly #caller: Int32Array;
  readonly #frame: Int32Array;
  /** Stack -> frames from the root to it; 0: it is invalid. */
  readonly #depth: Int32Array;
  readonly #category: Int32Array;
  /** Stack -> its node in the thread that used it last, and this thread. */
  readonly #node: Int32Array;
  readonly #nodeThread: Int32Array;
  /** Frame -> function, line. */
  readonly #function: Int32Array;
  readonly #line: Int32Array;
  /** Function -> texts of its name and of its file or library. */
  readonly #name: Int32Array;
  readonly #file: Int32Array;
  /** Function -> number of its method, NONE before it is used. */
  readonly #method: Int32Array;
  readonly #texts: readonly string[];

  /** `owner` has the tables: a thread, or `shared`. */
  constructor(
    owner: JsonObject,
    shared: JsonObject,
    defaultCategory: number,
    { sink, named }: { readonly sink: SampleSink; readonly named: NamedFrames },
  ) {
    this.#sink = sink;
    this.#named = named;
    this.#held = new HeldMemory(sink.memory);
    const [stacks, frames, functions, resources] = [
      'stackTable',
      'frameTable',
      'funcTable',
      'resourceTable',
    ].map((name) => tableOf(owner, name));
    this.#texts = this.#textsOf(owner.stringArray ?? shared.stringArray);
    this.#frame = this.#column(stacks, 'frame');
    const { length } = this.#frame;
    // The newest files say how many rows above its stack a caller is.
    const isOffset = stacks.prefix === undefined;
    this.#caller = this.#column(stacks, isOffset ? 'prefixOffset' : 'prefix', length);
    this.#depth = this.#empty(length);
    this.#node = this.#empty(length);
    this.#nodeThread = this.#empty(length).fill(NONE);
    this.#function = this.#column(frames, 'func');
    this.#line = this.#column(frames, 'line', this.#function.length);
    this.#name = this.#column(functions, 'name');
    this.#method = this.#empty(this.#name.length).fill(NONE);
    this.#file = this.#filesOf(functions, resources, tableOf(shared, 'sources'));
    this.#category = this.#column(stacks, 'category', length);
    const ofFrames = this.#column(frames, 'category', this.#function.length);
    if (!sink.isFull) this.#place(isOffset, ofFrames, defaultCategory);
  }

  get length(): number {
    return this.#frame.length;
  }

  /** Whether a sample can have this stack. */
  has(stack: number): boolean {
    return stack >= 0 && stack < this.#depth.length && this.#depth[stack] > 0;
  }

  /** The index of a stack's category. */
  categoryOf(stack: number): number {
    return this.#category[stack];
  }

  /** The node of a stack in a thread. The nodes of its callers are added first. */
  nodeOf(stack: number, thread: number, root: number): number {
    const pending: number[] = [];
    let at = stack;
    while (at !== NONE && this.#nodeThread[at] !== thread) {
      pending.push(at);
      at = this.#caller[at];
    }
    let node = at === NONE ? root : this.#node[at];
    for (let next = pending.pop(); next !== undefined && !this.#sink.isFull; next = pending.pop()) {
      const frame = this.#frame[next];
      const line = this.#line[frame];
      const method = this.#methodOf(this.#function[frame]);
      node = this.#sink.callee(node, this.#depth[next], 0, method, line > 0 ? line : NO_LINE, NO_BCI);
      this.#node[next] = node;
      this.#nodeThread[next] = thread;
    }
    return node;
  }

  /** Nothing more is asked. */
  release(): void {
    this.#held.release();
  }

  /** Computes depths and categories; callers become rows. */
  #place(isOffset: boolean, frameCategory: Int32Array, defaultCategory: number): void {
    for (let stack = 0; stack < this.length; stack++) {
      const cell = this.#caller[stack];
      const caller = !isOffset ? cell : cell === 0 ? NONE : cell > 0 ? stack - cell : INVALID;
      this.#caller[stack] = caller;
      const frame = this.#frame[stack];
      const isFrame = frame >= 0 && frame < this.#function.length;
      const isValid = isFrame && (caller === NONE || (caller < stack && this.has(caller)));
      if (!isValid) {
        this.invalidStacks++;
        continue;
      }
      this.#depth[stack] = caller === NONE ? 1 : this.#depth[caller] + 1;
      if (this.#category[stack] >= 0) continue;
      const inherited = caller === NONE ? defaultCategory : this.#category[caller];
      this.#category[stack] = frameCategory[frame] >= 0 ? frameCategory[frame] : inherited;
    }
  }

  #methodOf(called: number): number {
    const isKnown = called >= 0 && called < this.#method.length;
    if (isKnown && this.#method[called] !== NONE) return this.#method[called];
    const name = isKnown ? this.#textAt(this.#name[called]) : '';
    const file = isKnown ? this.#textAt(this.#file[called]) : '';
    const { method } = this.#named.of({ ...functionNames(name, file), line: NO_LINE });
    if (isKnown) this.#method[called] = method;
    this.functions++;
    if (ADDRESS.test(name)) this.addresses++;
    return method;
  }

  #textAt(text: number): string {
    return this.#texts.at(Math.max(text, NONE)) ?? '';
  }

  /** The file of each function: its source, or the library or page that it is from. */
  #filesOf(functions: JsonObject, resources: JsonObject, sources: JsonObject): Int32Array {
    const { length } = this.#name;
    const files = this.#column(functions, 'fileName', length);
    const source = this.#column(functions, 'source', length);
    const resource = this.#column(functions, 'resource', length);
    const sourceFile = this.#column(sources, 'filename');
    const resourceName = this.#column(resources, 'name');
    for (let row = 0; row < files.length; row++) {
      if (files[row] >= 0) continue;
      const [bySource, byResource] = [source[row], resource[row]];
      if (bySource >= 0 && bySource < sourceFile.length) files[row] = sourceFile[bySource];
      else if (byResource >= 0 && byResource < resourceName.length) files[row] = resourceName[byResource];
    }
    return files;
  }

  /** A column of indexes, NONE where there is none. `length`: that of its table. */
  #column(table: JsonObject, name: string, length?: number): Int32Array {
    const list = listOf(table[name]);
    const cells = this.#empty(length ?? list.length).fill(INVALID);
    let row = 0;
    for (const value of list) {
      if (row >= cells.length) break;
      cells[row++] = indexOf(value);
    }
    return cells;
  }

  #empty(length: number): Int32Array {
    return new Int32Array(this.#held.hold(length * CELL_BYTES) ? length : 0);
  }

  #textsOf(list: unknown): readonly string[] {
    const texts: string[] = [];
    for (const value of listOf(list)) {
      const text = textOf(value);
      if (!this.#held.hold(TEXT_BYTES + text.length * CHARACTER_BYTES)) break;
      texts.push(text);
    }
    return texts;
  }
}

/** The tables that threads have, or share. */
export function tableOf(owner: JsonObject, name: string): JsonObject {
  const table = owner[name];
  return isObject(table) ? table : {};
}

/** NONE for none: null, and -1 in the newest files. */
export function indexOf(value: unknown): number {
  if (value === null) return NONE;
  const number = numberOf(value) ?? INVALID;
  return Number.isInteger(number) && number >= NONE && number <= LARGEST_INDEX ? number : INVALID;
}
