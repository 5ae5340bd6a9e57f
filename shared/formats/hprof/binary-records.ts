import type { KeepBytes } from '../../bytes/keep-bytes.ts';
import { i4 } from './big-endian.ts';
import type { BinaryHeader } from './binary-header.ts';
import type { FrameSource } from './frame-columns.ts';
import type { HprofContents } from './hprof-contents.ts';
import { IdCells } from './id-cells.ts';
import type { RecordProblem, RecordReader } from './record-stream.ts';
import {
  CPU_SAMPLES,
  END_THREAD,
  FRAME,
  isHeap,
  LOAD_CLASS,
  START_THREAD,
  TRACE,
  UTF8,
} from './record-tags.ts';
import { tableProblem } from './sample-tables.ts';
import { StringPool } from './string-pool.ts';
import { TraceReader } from './trace-reader.ts';

/** A flag in CONTROL_SETTINGS. An agent that times methods does not set it. */
const CPU_SAMPLING = 2;
const ANDROID_MAGIC = 'JAVA PROFILE 1.0.2';
/** Line of a native method: Android copies it from StackTraceElement (specs: hprof, section 2). */
const ANDROID_NATIVE = -2;
/** Line of a native method in files of the JDK's agent. */
const AGENT_NATIVE = -3;

/** Cells of a frame: method name hi lo, source hi lo, class serial, line, 1 if it is defined. */
const FRAME_WIDTH = 7;
/** Cells of a class: name hi lo. */
const CLASS_WIDTH = 2;

const MISSING_FRAME: FrameSource = {
  className: '',
  methodName: '(frame not in the file)',
  file: '',
  line: undefined,
  isNative: false,
};

/** The byte order of this machine; files are big-endian. */
const IS_LITTLE_ENDIAN = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

const NS_PER_MICRO = 1000;
/** Bytes of the ids of a thread's names. */
const START_BYTES = 200;

/** The suffix of a hidden class, as in `Foo/0x1234` and `Foo/123`. Its `/` does not become a dot. */
const HIDDEN_SUFFIX = /\/(?:0x[0-9a-f]+|\d+)$/i;

/**
 * Reads the bodies of a binary file's records (specs: hprof, section 2). Names may be defined after they are used, so
 * they are looked up when the complete file has been read.
 */
export class BinaryRecords implements RecordReader {
  readonly idSize: 4 | 8;
  hasTimes = false;

  readonly #contents: HprofContents;
  readonly #magic: string;
  readonly #strings: StringPool;
  /** By serial number. */
  readonly #classes: IdCells;
  readonly #frames: IdCells;
  readonly #keeps: KeepBytes | undefined;
  #flags: number | undefined;
  readonly #trace: TraceReader;
  /** Threads whose names are looked up at the end. `ids`: name hi lo, group hi lo, parent group hi lo. */
  readonly #starts: (readonly [row: number, ids: readonly number[]])[] = [];
  /** Halves of the id that `#id` read last. */
  #hi = 0;
  #lo = 0;

  constructor(contents: HprofContents, { idSize, magic }: BinaryHeader, keeps?: KeepBytes) {
    this.#contents = contents;
    this.#keeps = keeps;
    this.#strings = new StringPool(keeps);
    this.#classes = new IdCells(CLASS_WIDTH, keeps);
    this.#frames = new IdCells(FRAME_WIDTH, keeps);
    this.#magic = magic;
    this.idSize = idSize;
    this.#trace = new TraceReader(idSize, (hi, lo) => this.#frames.row(hi, lo));
  }

  get isAndroid(): boolean {
    return this.#magic === ANDROID_MAGIC && this.#flags === CPU_SAMPLING && !this.hasTimes;
  }

  skip(tag: number): void {
    if (isHeap(tag)) this.#contents.hasHeapDump = true;
  }

  read(tag: number, bytes: Uint8Array, from: number, to: number, micros: number): RecordProblem | undefined {
    switch (tag) {
      case UTF8:
        this.#id(bytes, from);
        this.#strings.add(this.#hi, this.#lo, bytes, from + this.idSize, to);
        return undefined;
      case LOAD_CLASS:
        this.#loadClass(bytes, from);
        return undefined;
      case FRAME:
        this.#frame(bytes, from);
        return undefined;
      case TRACE:
        return this.#placeTrace(bytes, from, to);
      case START_THREAD:
        this.#startThread(bytes, from, micros);
        return undefined;
      case END_THREAD: {
        const { threads } = this.#contents;
        threads.end(threads.row(0, i4(bytes, from)), micros * NS_PER_MICRO);
        return undefined;
      }
      case CPU_SAMPLES:
        return this.#samples(bytes, from, to);
      default:
        this.#flags = i4(bytes, from);
        this.#contents.depthLimit = i4(bytes, from + 2) & 0xffff || undefined;
        return undefined;
    }
  }

  /** Reads the complete rows of a table of samples that the end of the file truncates. */
  readIncompleteTable(bytes: Uint8Array, from: number, to: number): void {
    if (to - from >= 8) this.#rows(bytes, from, to);
  }

  /** Looks up names. Call when the complete file has been read. */
  finish(): void {
    const contents = this.#contents;
    if (contents.tables.last !== undefined && this.#flags !== undefined && (this.#flags & CPU_SAMPLING) === 0)
      contents.counted = 'cost';
    for (const [row, [nameHi, nameLo, groupHi, groupLo, parentHi, parentLo]] of this.#starts) {
      contents.threads.describe(row, {
        name: this.#strings.text(nameHi, nameLo),
        group: this.#strings.text(groupHi, groupLo),
        parentGroup: this.#strings.text(parentHi, parentLo),
      });
    }
    if (this.idSize === 4) this.#nameFramesById();
    const native = this.isAndroid ? ANDROID_NATIVE : AGENT_NATIVE;
    const { cells, length } = this.#frames;
    for (let frame = 0, at = 0; frame < length; frame++, at += FRAME_WIDTH) {
      if (cells[at + 6] === 0) {
        contents.frames.set(frame, MISSING_FRAME);
        continue;
      }
      const line = cells[at + 5];
      contents.frames.set(frame, {
        className: this.#className(cells[at + 4]),
        methodName: this.#strings.text(cells[at], cells[at + 1]) ?? '<Unknown Method>',
        file: this.#strings.text(cells[at + 2], cells[at + 3]) ?? '',
        line: line > 0 ? line : undefined,
        isNative: line === native,
      });
    }
  }

  #loadClass(bytes: Uint8Array, from: number): void {
    const serial = i4(bytes, from);
    if (this.#classes.find(0, serial) >= 0) return;
    const row = this.#classes.row(0, serial);
    this.#id(bytes, from + 8 + this.idSize);
    this.#classes.cells[row * CLASS_WIDTH] = this.#hi;
    this.#classes.cells[row * CLASS_WIDTH + 1] = this.#lo;
  }

  #frame(bytes: Uint8Array, from: number): void {
    const { idSize } = this;
    this.#id(bytes, from);
    const at = this.#frames.row(this.#hi, this.#lo) * FRAME_WIDTH;
    const { cells } = this.#frames;
    // The first definition counts.
    if (cells[at + 6] === 1) return;
    this.#id(bytes, from + idSize);
    cells[at] = this.#hi;
    cells[at + 1] = this.#lo;
    this.#id(bytes, from + 3 * idSize);
    cells[at + 2] = this.#hi;
    cells[at + 3] = this.#lo;
    cells[at + 4] = i4(bytes, from + 4 * idSize);
    cells[at + 5] = i4(bytes, from + 4 * idSize + 4);
    cells[at + 6] = 1;
  }

  #placeTrace(bytes: Uint8Array, from: number, to: number): RecordProblem | undefined {
    const trace = this.#trace;
    const problem = trace.read(bytes, from, to);
    if (problem !== undefined) return problem;
    const { traces, threads } = this.#contents;
    const thread = threads.row(0, trace.thread);
    if (!traces.add(0, trace.serial, thread, trace.stack, trace.depth)) this.#contents.duplicateTraces++;
    return undefined;
  }

  /** Ids of 4 bytes are in stacks as in the file. All frames that are not defined have one row after the others. */
  #nameFramesById(): void {
    const { frames } = this.#contents;
    const ids = this.#frames;
    this.#contents.frameIds = {
      isSwapped: IS_LITTLE_ENDIAN,
      rowOf: (id) => {
        const row = ids.find(0, id | 0);
        if (row >= 0) return row;
        frames.set(ids.length, MISSING_FRAME);
        return ids.length;
      },
    };
  }

  #startThread(bytes: Uint8Array, from: number, micros: number): void {
    const { threads } = this.#contents;
    const row = threads.row(0, i4(bytes, from));
    const ids: number[] = [];
    for (let id = 0; id < 3; id++) {
      this.#id(bytes, from + 8 + this.idSize + id * this.idSize);
      ids.push(this.#hi, this.#lo);
    }
    // The start counts as an event now; names are looked up by `finish`.
    threads.start(row, micros * NS_PER_MICRO);
    if (this.#keeps?.(START_BYTES) !== false) this.#starts.push([row, ids]);
  }

  #samples(bytes: Uint8Array, from: number, to: number): RecordProblem | undefined {
    const problem = tableProblem(bytes, from, to);
    if (problem !== undefined) return problem;
    this.#rows(bytes, from, to);
    this.#contents.tables.end();
    return undefined;
  }

  #rows(bytes: Uint8Array, from: number, to: number): void {
    const rows = (to - from - 8) >> 3;
    const table = this.#contents.tables.begin(i4(bytes, from) >>> 0, false, rows);
    for (let at = from + 8; at + 8 <= to; at += 8) table.add(0, i4(bytes, at + 4), i4(bytes, at) >>> 0, 0);
  }

  #className(serial: number): string {
    const row = this.#classes.find(0, serial);
    if (row < 0) return '';
    const at = row * CLASS_WIDTH;
    return dotted(this.#strings.text(this.#classes.cells[at], this.#classes.cells[at + 1]) ?? '');
  }

  #id(bytes: Uint8Array, at: number): void {
    this.#hi = this.idSize === 4 ? 0 : i4(bytes, at);
    this.#lo = i4(bytes, at + this.idSize - 4);
  }
}

/** Replaces slashes by dots: HotSpot's heap dumps have slashes in class names. */
function dotted(name: string): string {
  if (!name.includes('/')) return name;
  const suffix = HIDDEN_SUFFIX.exec(name)?.[0] ?? '';
  const rest = name.slice(0, name.length - suffix.length);
  return rest.includes('.') ? name : rest.replaceAll('/', '.') + suffix;
}
