import { MOST_FRAMES } from '../aggregate/memory-budget.ts';
import { FRAME_CELLS, type SampleSink } from '../aggregate/sample-sink.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../profile/frame-table.ts';
import { dottedClass } from '../profile/frame-text.ts';
import type { MethodNames } from '../profile/method-table.ts';
import { EMPTY_STACK_NAME } from '../text/pseudo-frames.ts';
import type { NamedMethods } from './named-frames.ts';

/** Locations and frames that samples of any input may have together: so many are visited in a fraction of a second. */
const BASE_VISITS = 1 << 22;
/** Further ones per byte. A location of a sample takes a byte at least, and stands for a few frames. */
const VISITS_PER_BYTE = 64;
/** async-profiler writes this if the JVM does not know the line. */
const UNKNOWN_LINE = 0xffff;

/** The functions and locations of a pprof or OpenTelemetry profile. */
export interface SymbolTables {
  /** Indexes of texts. */
  readonly functions: readonly { readonly name: number; readonly file: number }[];
  readonly locations: readonly SymbolLocation[];
  text: (index: number) => string;
}

export interface SymbolLocation {
  /** Address of the machine code, as text. */
  readonly address: string;
  /** Leaf first; several if functions are inlined. `function`: its row, or -1. */
  readonly lines: readonly { readonly function: number; readonly line: number }[];
}

/**
 * The frames of a sample's locations, leaf first, as cells of a SampleSink. Its memory is used again for each sample.
 *
 *   methods   functions │ locations without lines, which are named after their address │ unknown function │ no stack
 */
export class LocationStack {
  cells = new Int32Array(FIRST_ROWS * FRAME_CELLS);
  /** Frames of the sample. */
  depth = 0;
  readonly #tables: SymbolTables;
  readonly #sink: SampleSink;
  /** For tables of several files: methods of one name are one. */
  readonly #shared: NamedMethods | undefined;
  /** Their numbers, in the order above. */
  readonly #numbers: (number | undefined)[] = [];
  /** Locations and frames of all samples so far. */
  #visited = 0;

  constructor(tables: SymbolTables, sink: SampleSink, shared?: NamedMethods) {
    this.#tables = tables;
    this.#sink = sink;
    this.#shared = shared;
    for (const [row, { name, file }] of tables.functions.entries())
      this.#define(row, functionNames(tables.text(name), tables.text(file)));
    for (const [row, { address, lines }] of tables.locations.entries())
      if (lines.length === 0) this.#define(tables.functions.length + row, named(address));
  }

  /**
   * No sink takes more frames. A location of many lines may be repeated in a sample, so ask before each location: the
   * memory then is at most that of the limit and of one location.
   */
  get isFull(): boolean {
    return this.depth > MOST_FRAMES;
  }

  /**
   * Whether more locations and frames were visited than in any recording: a location of a million lines can be repeated
   * in each of a million samples of a few bytes, which would take hours. `inputBytes`: length of the input.
   */
  isOverspent(inputBytes: number): boolean {
    return this.#visited > BASE_VISITS + VISITS_PER_BYTE * inputBytes;
  }

  /** Begins another sample. */
  clear(): void {
    this.depth = 0;
  }

  /** Appends the frames of a location. False if there is none with this row. */
  push(row: number): boolean {
    this.#visited++;
    const { functions, locations } = this.#tables;
    const location = locations[row] as SymbolLocation | undefined;
    if (location === undefined) return false;
    const { lines } = location;
    if (lines.length === 0) this.#push(functions.length + row, NO_LINE);
    for (const { function: called, line } of lines)
      this.#push(
        called < 0 ? functions.length + locations.length : called,
        line > 0 && line !== UNKNOWN_LINE ? line : NO_LINE,
      );
    return true;
  }

  /** The only frame of a sample without a stack: it says so, because the sample is a part of the total. */
  pushEmpty(): void {
    const { functions, locations } = this.#tables;
    const method = functions.length + locations.length + 1;
    this.#define(method, named(EMPTY_STACK_NAME));
    this.#push(method, NO_LINE);
  }

  #define(method: number, names: MethodNames): void {
    const { file, className, methodName } = names;
    if (this.#shared === undefined) this.#sink.defineMethod(this.#sink.method(0, method), names);
    else this.#numbers[method] ??= this.#shared.numberOf(`${file}\n${className}\n${methodName}`, names);
  }

  #push(method: number, line: number): void {
    const at = this.depth * FRAME_CELLS;
    const end = at + FRAME_CELLS;
    if (end > this.cells.length) this.cells = grown(this.cells, nextCapacity(this.cells.length, end));
    const number = this.#shared === undefined ? method : this.#numbers[method];
    // Only the function that is in no table has no number.
    this.cells[at] = number === undefined ? 1 : 0;
    this.cells[at + 1] = number ?? 0;
    this.cells[at + 2] = line;
    this.cells[at + 3] = NO_BCI;
    this.depth++;
    this.#visited++;
  }
}

function named(methodName: string): MethodNames {
  return { file: '', className: '', methodName };
}

/** A name with a class: it contains no spaces or arguments, and has a method after the last dot. */
const QUALIFIED = /^([^\s;]*[^\s;.])\.([\w$<>-]+)$/;

/**
 * Splits a function's name into class and method if it has both, so that frames can be shown without their package.
 *
 *   java.util.HashMap.get         java.util.HashMap   get
 *   java/util/HashMap.get         java.util.HashMap   get
 *   github.com/a/b.(*T).Run       github.com/a/b.(*T)   Run
 *   std::sort(int*, a.b)                              std::sort(int*, a.b)
 */
export function functionNames(name: string, file: string): MethodNames {
  const [, qualifier = '', methodName = name] = QUALIFIED.exec(name) ?? [];
  return {
    file,
    className: dottedClass(qualifier),
    methodName: methodName === '' ? '(unnamed function)' : methodName,
  };
}
