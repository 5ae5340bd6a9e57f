import type { ByteSink } from './byte-sink.ts';
import { ByteWriter } from './byte-writer.ts';
import type { HprofFrame } from './hprof-frames.ts';
import type { HprofTraces } from './hprof-traces.ts';

/** Counts have four bytes, which readers in Java treat as signed. */
export const MOST_HPROF_SAMPLES = 0x7fff_ffff;

const MAGIC = 'JAVA PROFILE 1.0.2\0';
const ID_SIZE = 4;
const CPU_SAMPLING = 2;
/** The line numbers of Java's StackTraceElement, which Android writes. */
const UNKNOWN_LINE = -1;
const NATIVE_LINE = -2;

/**
 * The profile as a binary hprof file in the order of Android's BinaryHprofWriter (specs: hprof, section 2): settings,
 * threads, traces, counts. Before a trace come the names, classes and frames that no earlier trace has used. A profile
 * has neither thread groups nor times: groups are left out, and the start time is 1970. `traces.total` must be at most
 * MOST_HPROF_SAMPLES.
 */
export function exportHprofBinary(traces: HprofTraces, sink: ByteSink): void {
  const writer = new RecordWriter(sink);
  writer.header(traces.depthLimit);
  for (const [row, { serial, name }] of traces.threads.entries()) writer.startThread(serial, row + 1, name);
  for (let trace = 0; trace < traces.length; trace++) {
    const stack = traces.stack(trace);
    for (const frame of stack) writer.define(frame, traces.frames[frame]);
    writer.trace(traces.serial(trace), traces.threads[traces.thread(trace)].serial, stack);
    writer.bytes.share = trace / traces.length;
  }
  if (traces.length > 0) writer.samples(traces);
  writer.bytes.flush();
}

/** Writes records. Each name, class and frame is written once. */
class RecordWriter {
  readonly bytes: ByteWriter;
  readonly #strings = new Map<string, number>();
  readonly #classes = new Map<string, number>();
  /** frame -> whether it was written. Its id in the file is one more than its number. */
  readonly #isDefined: boolean[] = [];
  readonly #encoder = new TextEncoder();

  constructor(sink: ByteSink) {
    this.bytes = new ByteWriter(sink);
  }

  header(depthLimit: number): void {
    const { bytes } = this;
    bytes.bytes(this.#encoder.encode(MAGIC));
    bytes.u4(ID_SIZE);
    bytes.u4(0);
    bytes.u4(0);
    this.#head(0x0e, 6);
    bytes.u4(CPU_SAMPLING);
    bytes.u2(depthLimit);
  }

  startThread(serial: number, objectId: number, name: string): void {
    const nameId = this.#string(name);
    const { bytes } = this;
    this.#head(0x0a, 24);
    bytes.u4(serial);
    bytes.u4(objectId);
    bytes.u4(0);
    bytes.u4(nameId);
    bytes.u4(0);
    bytes.u4(0);
  }

  /** Writes a frame, unless it was written before. */
  define(frame: number, { className, methodName, file, line, isNative }: HprofFrame): void {
    if (this.#isDefined[frame]) return;
    this.#isDefined[frame] = true;
    const methodId = this.#string(methodName);
    const fileId = file === '' ? 0 : this.#string(file);
    const classSerial = this.#class(className);
    const { bytes } = this;
    this.#head(0x04, 24);
    bytes.u4(frame + 1);
    bytes.u4(methodId);
    bytes.u4(0);
    bytes.u4(fileId);
    bytes.u4(classSerial);
    bytes.u4(isNative ? NATIVE_LINE : (line ?? UNKNOWN_LINE));
  }

  trace(serial: number, thread: number, stack: readonly number[]): void {
    const { bytes } = this;
    this.#head(0x05, 12 + ID_SIZE * stack.length);
    bytes.u4(serial);
    bytes.u4(thread);
    bytes.u4(stack.length);
    for (const frame of stack) bytes.u4(frame + 1);
  }

  samples(traces: HprofTraces): void {
    const { bytes } = this;
    this.#head(0x0d, 8 + 8 * traces.length);
    bytes.u4(traces.total);
    bytes.u4(traces.length);
    for (let trace = 0; trace < traces.length; trace++) {
      bytes.u4(traces.count(trace));
      bytes.u4(traces.serial(trace));
    }
  }

  #class(name: string): number {
    const known = this.#classes.get(name);
    if (known !== undefined) return known;
    const nameId = this.#string(name);
    const serial = this.#classes.size + 1;
    this.#classes.set(name, serial);
    this.#head(0x02, 16);
    this.bytes.u4(serial);
    this.bytes.u4(0);
    this.bytes.u4(0);
    this.bytes.u4(nameId);
    return serial;
  }

  #string(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    const id = this.#strings.size + 1;
    this.#strings.set(text, id);
    const encoded = this.#encoder.encode(text);
    this.#head(0x01, ID_SIZE + encoded.length);
    this.bytes.u4(id);
    this.bytes.bytes(encoded);
    return id;
  }

  /** Writes the head of a record: tag, time (always 0, as Android writes it), length. */
  #head(tag: number, length: number): void {
    this.bytes.u1(tag);
    this.bytes.u4(0);
    this.bytes.u4(length);
  }
}
