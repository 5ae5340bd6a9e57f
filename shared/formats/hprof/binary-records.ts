import { Int64Index } from '../../aggregate/int64-index.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import type { HprofContents } from './contents.ts';
import type { StackFrame } from '../stack-frame.ts';
import {
  ANDROID_MAGIC,
  type BinaryHeader,
  CLASS,
  CPU_SAMPLES,
  CPU_SAMPLING,
  decodeText,
  FRAME,
  NATIVE_LINES,
  RecordBody,
  type RecordProblem,
  type RecordType,
  SETTINGS,
  STRING,
  THREAD_END,
  THREAD_START,
  TRACE,
} from './records.ts';

const MISSING_FRAME: StackFrame = {
  className: '',
  methodName: '(frame not in the file)',
  file: '',
  line: NO_LINE,
  bci: NO_BCI,
};
const NS_PER_MICRO = 1000;
/** The fields of THREAD_START that are names of a thread: its own, its group's, its parent group's. */
const THREAD_NAMES = [THREAD_START.at.name, THREAD_START.at.group, THREAD_START.at.parentGroup];
/** Bytes of the ids of a thread's names. */
const START_BYTES = 200;

/**
 * The content of the records of a binary file (specs: hprof, section 2). Names may be defined after they are used, so
 * they are looked up when the complete file has been read.
 */
export class BinaryRecords {
  /** A record has a time: then the file was not written by Android's profiler. */
  hasTimes = false;
  readonly idSize: 4 | 8;

  readonly #contents: HprofContents;
  readonly #magic: string;
  readonly #body: RecordBody;
  readonly #strings: StringPool;
  readonly #classes: Definitions;
  readonly #frames: Definitions;
  readonly #memory: MemoryBudget;
  #flags: number | undefined;
  /** The frames of the trace read last: ids of 4 bytes, or rows of `#frames`. */
  #stack = new Int32Array(FIRST_ROWS);
  /** Threads whose names are looked up at the end. `ids`: halves of the ids of THREAD_NAMES. */
  readonly #starts: (readonly [row: number, ids: readonly number[]])[] = [];

  constructor(contents: HprofContents, { idSize, magic }: BinaryHeader, memory: MemoryBudget) {
    this.#contents = contents;
    this.#magic = magic;
    this.#memory = memory;
    this.idSize = idSize;
    this.#body = new RecordBody(idSize);
    this.#strings = new StringPool(memory);
    this.#classes = new Definitions(CLASS, memory);
    this.#frames = new Definitions(FRAME, memory);
  }

  /** `micros`: the time of the record since that in the header; 0 in all records of a file without times. */
  read(
    type: RecordType,
    bytes: Uint8Array,
    from: number,
    to: number,
    micros: number,
  ): RecordProblem | undefined {
    const body = this.#body;
    const { threads, tables } = this.#contents;
    const problem = body.read(type, bytes, from, to);
    if (problem !== undefined) return problem;
    switch (type) {
      case STRING:
        this.#strings.add(body.hi[0], body.lo[0], bytes, body.from, body.to);
        break;
      case CLASS:
        this.#classes.define(body);
        break;
      case FRAME:
        this.#frames.define(body);
        break;
      case TRACE:
        this.#addTrace();
        break;
      case THREAD_START: {
        // The start counts as an event now; names are looked up by `finish`.
        const row = threads.row(body.u4(THREAD_START.at.serial));
        threads.start(row, micros * NS_PER_MICRO);
        if (this.#memory.keep(START_BYTES))
          this.#starts.push([row, THREAD_NAMES.flatMap((at) => [body.hi[at], body.lo[at]])]);
        break;
      }
      case THREAD_END:
        threads.end(threads.row(body.u4(THREAD_END.at.serial)), micros * NS_PER_MICRO);
        break;
      case CPU_SAMPLES:
        this.#addRows();
        tables.end();
        break;
      case SETTINGS:
        this.#flags = body.lo[SETTINGS.at.flags];
        this.#contents.depthLimit = body.lo[SETTINGS.at.depth] || undefined;
        break;
    }
    return undefined;
  }

  /** Reads the complete rows of a table of samples that the end of the file truncates. */
  readIncompleteTable(bytes: Uint8Array, from: number): void {
    if (bytes.length - from < 8) return;
    this.#body.read(CPU_SAMPLES, bytes, from, bytes.length);
    this.#addRows();
  }

  /** Looks up the names of threads. Call when the complete file has been read. */
  finish(): void {
    const contents = this.#contents;
    const isAndroid = this.#magic === ANDROID_MAGIC && this.#flags === CPU_SAMPLING && !this.hasTimes;
    contents.dialect = isAndroid ? 'android' : 'agent';
    if (contents.tables.last !== undefined && this.#flags !== undefined && (this.#flags & CPU_SAMPLING) === 0)
      contents.counted = 'cost';
    for (const [row, ids] of this.#starts) {
      const [name, group, parentGroup] = [0, 2, 4].map((at) => this.#strings.text(ids[at], ids[at + 1]));
      contents.threads.describe(row, { name, group, parentGroup });
    }
  }

  /** The frame of a number in the stacks; call after `finish`. */
  frame(number: number): StackFrame {
    const frames = this.#frames;
    const row = this.idSize === 4 ? frames.find(0, number | 0) : number;
    if (row < 0 || !frames.isDefined(row)) return MISSING_FRAME;
    const line = frames.lo(row, FRAME.at.line);
    const ofClass = this.#classes.find(0, frames.lo(row, FRAME.at.class));
    return {
      className: ofClass < 0 ? '' : dottedClass(this.#text(this.#classes, ofClass, CLASS.at.name) ?? ''),
      methodName: this.#text(frames, row, FRAME.at.method) ?? '<Unknown Method>',
      file: this.#text(frames, row, FRAME.at.file) ?? '',
      line: line > 0 ? line : NO_LINE,
      bci: line === NATIVE_LINES[this.#contents.dialect ?? 'agent'] ? NATIVE_BCI : NO_BCI,
    };
  }

  #text(records: Definitions, row: number, at: number): string | undefined {
    return this.#strings.text(records.hi(row, at), records.lo(row, at));
  }

  #addTrace(): void {
    const { view, from } = this.#body;
    const depth = this.#body.u4(TRACE.at.depth);
    if (depth > this.#stack.length) this.#stack = new Int32Array(nextCapacity(this.#stack.length, depth));
    const stack = this.#stack;
    if (this.idSize === 4)
      for (let index = 0, at = from; index < depth; index++, at += 4) stack[index] = view.getInt32(at);
    else
      for (let index = 0, at = from; index < depth; index++, at += 8)
        stack[index] = this.#frames.row(view.getInt32(at), view.getInt32(at + 4));
    const { traces, threads } = this.#contents;
    const thread = threads.row(this.#body.u4(TRACE.at.thread));
    if (!traces.add(this.#body.u4(TRACE.at.serial), thread, stack, depth)) this.#contents.duplicateTraces++;
  }

  #addRows(): void {
    const { view, from, to } = this.#body;
    const total = this.#body.u4(CPU_SAMPLES.at.total);
    const table = this.#contents.tables.begin(total, false, (to - from) >> 3);
    for (let at = from; at + 8 <= to; at += 8) table.add(view.getUint32(at + 4), view.getUint32(at), 0);
  }
}

/** Bytes of an id in the index, and of a field, while the table is copied to grow. */
const ID_BYTES = 40;
const FIELD_BYTES = 16;

/** The records of one kind by their first field; the first one with an id counts. */
class Definitions {
  readonly #width: number;
  readonly #ids = new Int64Index();
  /** -> halves of each field; the row of an id that is not defined has zeros. */
  #cells: Int32Array<ArrayBuffer>;
  #defined = new Uint8Array(FIRST_ROWS);
  #length = 0;
  readonly #memory: MemoryBudget;

  constructor({ fields }: RecordType, memory: MemoryBudget) {
    this.#width = 2 * fields.length;
    this.#memory = memory;
    this.#cells = new Int32Array(FIRST_ROWS * this.#width);
  }

  /** The row of an id, or -1. */
  find(hi: number, lo: number): number {
    return this.#ids.find(hi, lo);
  }

  /** The row of an id, which is added if it is new. The first row if the memory budget allows no more. */
  row(hi: number, lo: number): number {
    const known = this.#ids.find(hi, lo);
    if (known >= 0) return known;
    const width = this.#width;
    if (!this.#memory.keep(ID_BYTES + (width / 2) * FIELD_BYTES) && this.#length > 0) return 0;
    const row = this.#ids.add(hi, lo);
    this.#length = row + 1;
    if (row === this.#defined.length) {
      const capacity = nextCapacity(row, row + 1);
      this.#cells = grown(this.#cells, capacity * width);
      this.#defined = grown(this.#defined, capacity);
    }
    return row;
  }

  define({ hi, lo }: RecordBody): void {
    const row = this.row(hi[0], lo[0]);
    if (this.#defined[row] === 1) return;
    this.#defined[row] = 1;
    const cells = this.#cells;
    for (let index = 0, at = row * this.#width; index < this.#width / 2; index++) {
      cells[at++] = hi[index];
      cells[at++] = lo[index];
    }
  }

  isDefined(row: number): boolean {
    return this.#defined[row] === 1;
  }

  hi(row: number, field: number): number {
    return this.#cells[row * this.#width + 2 * field];
  }

  lo(row: number, field: number): number {
    return this.#cells[row * this.#width + 2 * field + 1];
  }
}

/** Bytes of a string in the tables, without its text. */
const STRING_BYTES = 32;

/** The strings of a file. They are decoded on demand, because few of the names in a heap dump are needed. */
export class StringPool {
  readonly #ids = new Int64Index();
  #arena = new Uint8Array(0);
  /** Row -> its first byte in the arena; one extra entry at the end. */
  #starts = new Float64Array(FIRST_ROWS);
  #length = 0;
  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** Adds a string, unless there is one with this id, or no memory for it. */
  add(hi: number, lo: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#ids.find(hi, lo) >= 0) return;
    if (!this.#memory.keep(STRING_BYTES + to - from)) return;
    this.#ids.add(hi, lo);
    const row = this.#length++;
    const start = this.#starts[row];
    const end = start + to - from;
    if (end > this.#arena.length) this.#arena = grown(this.#arena, nextCapacity(this.#arena.length, end));
    this.#arena.set(bytes.subarray(from, to), start);
    if (row + 2 > this.#starts.length) this.#starts = grown(this.#starts, nextCapacity(row, row + 2));
    this.#starts[row + 1] = end;
  }

  /** Undefined for the id 0, which means null, and for an unknown id. */
  text(hi: number, lo: number): string | undefined {
    if (hi === 0 && lo === 0) return undefined;
    const row = this.#ids.find(hi, lo);
    return row < 0 ? undefined : decodeText(this.#arena.subarray(this.#starts[row], this.#starts[row + 1]));
  }
}

/** The suffix of a hidden class, as in `Foo/0x1234` and `Foo/123`. Its `/` does not become a dot. */
const HIDDEN_SUFFIX = /\/(?:0x[0-9a-f]+|\d+)$/i;

/** Replaces slashes by dots: HotSpot's heap dumps have slashes in class names. */
function dottedClass(name: string): string {
  if (!name.includes('/')) return name;
  const suffix = HIDDEN_SUFFIX.exec(name)?.[0] ?? '';
  const rest = name.slice(0, name.length - suffix.length);
  return rest.includes('.') ? name : rest.replaceAll('/', '.') + suffix;
}
