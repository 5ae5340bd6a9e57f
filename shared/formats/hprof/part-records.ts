import { assert } from '../../assert.ts';
import { Int64Index } from '../../aggregate/int64-index.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { u4 } from './big-endian.ts';
import type { RecordProblem, RecordReader } from './record-stream.ts';
import { CPU_SAMPLES, isHeap, RECORD_HEAD, TRACE } from './record-tags.ts';
import { tableProblem } from './sample-tables.ts';
import { TraceReader } from './trace-reader.ts';
import { type TracePart, TraceTable } from './trace-table.ts';

/** Limit for the bytes of records that are not traces. A range with more is read again by the decoder before it. */
const MOST_KEPT = 64 << 20;

/** Contents of a byte range, structured-cloneable. */
export interface PartContents {
  /** Row of `traces` -> the serial of the trace. */
  readonly ids: Int32Array<ArrayBuffer>;
  readonly traces: TracePart;
  /** Serials of the threads that traces name, in the order in which they do; `traces.thread` is a row here. */
  readonly threads: Int32Array<ArrayBuffer>;
  /** Per thread the length of `kept` when a trace named it first: threads are in the order in which they are met. */
  readonly threadsAt: Int32Array<ArrayBuffer>;
  /** The records that are read but are no traces. */
  readonly kept: Uint8Array<ArrayBuffer>;
  readonly duplicates: number;
  readonly holdsHeap: boolean;
  readonly hasTimes: boolean;
}

/**
 * The records of a part of a file, with ids of 4 bytes: stacks, nearly all of a large file, are placed; everything else
 * is kept as it is, to be read when what is before it is known.
 */
export class PartRecords implements RecordReader {
  readonly idSize = 4;
  hasTimes = false;

  readonly #traces = new TraceTable();
  readonly #trace = new TraceReader(4);
  #ids = new Int32Array(64);
  readonly #threadRows = new Int64Index();
  readonly #threads: number[] = [];
  readonly #threadsAt: number[] = [];
  #kept = new Uint8Array(1 << 12);
  #keptLength = 0;
  #isTooMuch = false;
  #duplicates = 0;
  #holdsHeap = false;

  read(tag: number, bytes: Uint8Array, from: number, to: number): RecordProblem | undefined {
    if (tag === TRACE) return this.#placeTrace(bytes, from, to);
    const problem = tag === CPU_SAMPLES ? tableProblem(bytes, from, to) : undefined;
    if (problem === undefined) this.#keep(bytes, from - RECORD_HEAD, to);
    return problem;
  }

  passOver(tag: number): void {
    if (isHeap(tag)) this.#holdsHeap = true;
  }

  /** Undefined when no decoder can append the range. */
  get contents(): PartContents | undefined {
    if (this.#isTooMuch) return undefined;
    return {
      ids: this.#ids.subarray(0, this.#traces.length),
      traces: this.#traces.part,
      threads: Int32Array.from(this.#threads),
      threadsAt: Int32Array.from(this.#threadsAt),
      kept: this.#kept.subarray(0, this.#keptLength),
      duplicates: this.#duplicates,
      holdsHeap: this.#holdsHeap,
      hasTimes: this.hasTimes,
    };
  }

  #placeTrace(bytes: Uint8Array, from: number, to: number): RecordProblem | undefined {
    const trace = this.#trace;
    const problem = trace.read(bytes, from, to);
    if (problem !== undefined) return problem;
    const row = this.#traces.length;
    if (!this.#traces.add(0, trace.serial, this.#threadOf(trace.thread), trace.stack, trace.depth)) {
      this.#duplicates++;
      return undefined;
    }
    if (row === this.#ids.length) this.#ids = grown(this.#ids, nextCapacity(row, row + 1));
    this.#ids[row] = trace.serial;
    return undefined;
  }

  #threadOf(serial: number): number {
    const known = this.#threadRows.find(0, serial);
    if (known >= 0) return known;
    this.#threads.push(serial);
    this.#threadsAt.push(this.#keptLength);
    return this.#threadRows.add(0, serial);
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    const length = this.#keptLength + to - from;
    this.#isTooMuch ||= length > MOST_KEPT;
    if (this.#isTooMuch) return;
    if (length > this.#kept.length) this.#kept = grown(this.#kept, nextCapacity(this.#kept.length, length));
    this.#kept.set(bytes.subarray(from, to), this.#keptLength);
    this.#keptLength = length;
  }
}

/** Hands what a part kept to another reader, and in between the threads that traces named. */
export function readKept(
  { kept, threads, threadsAt }: PartContents,
  reader: RecordReader,
  meetThread: (serial: number) => void,
): void {
  let thread = 0;
  for (let at = 0; at < kept.length;) {
    for (; threadsAt[thread] <= at; thread++) meetThread(threads[thread]);
    const end = at + RECORD_HEAD + u4(kept, at + 5);
    const problem = reader.read(kept[at], kept, at + RECORD_HEAD, end);
    assert(problem === undefined, 'what a part keeps makes sense');
    at = end;
  }
  for (; thread < threads.length; thread++) meetThread(threads[thread]);
}
