import {
  ANDROID_MAGIC,
  CLASS,
  CPU_SAMPLES,
  CPU_SAMPLING,
  fixedBytes,
  FRAME,
  NATIVE_LINES,
  type RecordType,
  SETTINGS,
  STRING,
  THREAD_START,
  TRACE,
  UNKNOWN_LINE,
} from '../formats/hprof/records.ts';
import { NATIVE_BCI, NO_LINE } from '../profile/frame-table.ts';
import { ByteWriter } from './byte-writer.ts';
import type { ByteSink, ExportWriter } from './export-input.ts';
import { formatQuantity } from '../text/format-value.ts';
import { ExportRefusal } from './export-budget.ts';
import { addTraceNotes, HprofTraces } from './hprof-traces.ts';

/** Counts have four bytes, which readers in Java treat as signed. */
const MOST_HPROF_SAMPLES = 0x7fff_ffff;

const ID_SIZE = 4;

export const writeHprofBinary: ExportWriter = ({ profile, depth }, sink, addNote) => {
  const traces = new HprofTraces(profile, depth);
  if (traces.total > MOST_HPROF_SAMPLES) {
    const most = formatQuantity(MOST_HPROF_SAMPLES, 'sample');
    const total = formatQuantity(traces.total, 'sample');
    throw new ExportRefusal('too many samples', `has ${total}, and hprof holds at most ${most}`);
  }
  exportHprofBinary(traces, sink);
  addTraceNotes(profile, traces, addNote);
};

/**
 * The profile as a binary hprof file in the order of Android's BinaryHprofWriter (specs: hprof, section 2): settings,
 * threads, traces, counts. Before a trace come the names, classes and frames that no earlier trace has used. A profile
 * has neither thread groups nor times: groups are left out, and the start time is 1970. `traces.total` must be at most
 * MOST_HPROF_SAMPLES.
 */
export function exportHprofBinary(traces: HprofTraces, sink: ByteSink): void {
  const writer = new RecordWriter(sink);
  const strings = new Map<string, number>();
  const classes = new Map<string, number>();
  /** Frame -> whether it was written. Its id in the file is one more than its number. */
  const isDefined: boolean[] = [];
  const stringId = (text: string): number =>
    idOf(strings, text, (id) => writer.write(STRING, { id, text: new TextEncoder().encode(text) }));
  const classSerial = (className: string): number => {
    const known = classes.get(className);
    if (known !== undefined) return known;
    const name = stringId(className);
    return idOf(classes, className, (serial) => writer.write(CLASS, { serial, name }));
  };

  writer.write(SETTINGS, { flags: CPU_SAMPLING, depth: traces.depthLimit });
  for (const [row, { serial, name: text }] of traces.threads.entries()) {
    const name = stringId(text);
    writer.write(THREAD_START, { serial, object: row + 1, name });
  }
  for (let trace = 0; trace < traces.length; trace++) {
    const stack = traces.stack(trace);
    for (const row of stack) {
      if (isDefined[row]) continue;
      isDefined[row] = true;
      const frame = traces.frames[row];
      const method = stringId(frame.methodName);
      const file = frame.file === '' ? 0 : stringId(frame.file);
      const known = frame.line === NO_LINE ? UNKNOWN_LINE : frame.line;
      const line = frame.bci === NATIVE_BCI ? NATIVE_LINES.android : known;
      writer.write(FRAME, { id: row + 1, method, file, class: classSerial(frame.className), line });
    }
    writer.write(TRACE, {
      serial: traces.serial(trace),
      thread: traces.threads[traces.thread(trace)].serial,
      depth: stack.length,
      frames: stack.map((row) => row + 1),
    });
    writer.bytes.share = trace / traces.length;
  }
  if (traces.length > 0) {
    const rows = Array.from({ length: traces.length }, (_, row) => [traces.count(row), traces.serial(row)]);
    writer.write(CPU_SAMPLES, { total: traces.total, length: traces.length, rows: rows.flat() });
  }
  writer.bytes.flush();
}

/** The id of a name; `define` writes a name that is new, with the next id. */
function idOf(ids: Map<string, number>, name: string, define: (id: number) => void): number {
  const known = ids.get(name);
  if (known !== undefined) return known;
  const id = ids.size + 1;
  ids.set(name, id);
  define(id);
  return id;
}

/** A number, or an open field: bytes, ids, or pairs one after the other. */
type FieldValue = number | Uint8Array | readonly number[];

/** Writes the header and records. */
class RecordWriter {
  readonly bytes: ByteWriter;

  constructor(sink: ByteSink) {
    this.bytes = new ByteWriter(sink, false);
    this.bytes.bytes(new TextEncoder().encode(`${ANDROID_MAGIC}\0`));
    for (const word of [ID_SIZE, 0, 0]) this.bytes.number(word, 4);
  }

  /** Writes a record without a time, as Android writes it. Fields without a value are 0 or empty. */
  write<Field extends string>(
    type: RecordType<Field>,
    values: Readonly<Partial<Record<Field, FieldValue>>>,
  ): void {
    const { bytes } = this;
    const open: FieldValue | undefined = values[type.fields[type.fields.length - 1].name];
    const openBytes =
      open instanceof Uint8Array ? open.length : typeof open === 'object' ? 4 * open.length : 0;
    bytes.number(type.tag, 1);
    bytes.number(0, 4);
    bytes.number(fixedBytes(type, ID_SIZE) + openBytes, 4);
    for (const { name, type: fieldType } of type.fields) {
      const value: FieldValue = values[name] ?? 0;
      if (value instanceof Uint8Array) bytes.bytes(value);
      else if (typeof value === 'object') for (const each of value) bytes.number(each, 4);
      else bytes.number(value, fieldType === 'u2' ? 2 : 4);
    }
  }
}
