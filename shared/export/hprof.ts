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
import { NATIVE_BCI, NO_LINE, NO_BCI } from '../profile/frame-table.ts';
import { ByteWriter } from './binary-writer.ts';
import {
  type ByteSink,
  type ExportWriter,
  type AddNote,
  roundedCounts,
  ExportRefusal,
} from './export-input.ts';
import { formatQuantity } from '../text/format-value.ts';
import type { StackFrame } from '../formats/stack-frame.ts';
import { qualifiedName } from '../engine/trees/keys.ts';
import { printable } from '../text/printable.ts';
import { EMPTY_STACK_NAME, truncatedAt } from '../text/pseudo-frames.ts';
import { LineWriter, type TextSink } from './text-sink.ts';
import { ChildIndex } from '../profile/child-index.ts';
import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import { int64Text } from '../profile/int64.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { NodeTable } from '../profile/node-table.ts';

interface HprofThread {
  /** Four bytes, not 0. A thread that was read from an hprof file keeps its number. */
  readonly serial: number;
  readonly name: string;
}

/** The first numbers of threads and traces that Android uses. */
const FIRST_THREAD = 200_001;
const FIRST_TRACE = 300_001;
/** The depth limit in a binary file has two bytes, signed. */
const MOST_DEPTH = 32_767;

/**
 * A profile for both forms of hprof: threads, and stack traces with their counts. Frames that hprof cannot distinguish
 * are merged. Stacks deeper than `depth` keep their innermost frames, as from a profiler with that limit. Equal stacks
 * are one trace. Counts are rounded to integers, and traces whose count is 0 are left out. Needs memory for a second
 * call tree as large as the profile's.
 */
export class HprofTraces {
  /** Rows as in the profile's ThreadTable. */
  readonly threads: readonly HprofThread[];
  readonly frames: readonly StackFrame[];
  readonly total: number;
  /** Number of traces whose count was rounded, including those that were left out. */
  readonly rounded: number;
  /** The depth limit: stacks of this length may be truncated. If there is no limit, more than the longest stack has. */
  readonly depthLimit: number;

  /** The call tree of the traces. The frame of a root is the complement of its thread. */
  readonly #tree = new NodeTable();
  readonly #children = new ChildIndex(this.#tree);
  readonly #roots: (number | undefined)[] = [];
  /** node -> samples that ended there. */
  #counts = new Float64Array(1024);
  /** The nodes at which traces end, heaviest first. */
  readonly #leaves: readonly number[];

  constructor(profile: LeanProfile, depth: number | undefined) {
    const named = hprofFrames(profile);
    const limit = Math.min(depth ?? Infinity, named.truncatedDepth ?? Infinity);
    const longest = this.#addStacks(profile, named, limit);
    this.threads = hprofThreads(profile);
    this.frames = named.frames;
    this.depthLimit = Math.min(limit === Infinity ? longest + 1 : limit, MOST_DEPTH);
    const counts = this.#counts;
    const leaves: number[] = [];
    let total = 0;
    let rounded = 0;
    for (let node = 0; node < this.#tree.length; node++) {
      const whole = Math.round(counts[node]);
      if (whole !== counts[node]) rounded++;
      counts[node] = whole;
      if (counts[node] === 0) continue;
      total += counts[node];
      leaves.push(node);
    }
    this.#leaves = leaves.sort((a, b) => counts[b] - counts[a] || a - b);
    this.total = total;
    this.rounded = rounded;
  }

  get length(): number {
    return this.#leaves.length;
  }

  serial(trace: number): number {
    return FIRST_TRACE + trace;
  }

  count(trace: number): number {
    return this.#counts[this.#leaves[trace]];
  }

  /** Row of `threads`. */
  thread(trace: number): number {
    const { parent, frame } = this.#tree;
    let node = this.#leaves[trace];
    while (parent[node] !== NONE) node = parent[node];
    return ~frame[node];
  }

  /** Rows of `frames`, innermost first. */
  stack(trace: number): number[] {
    const { parent, frame } = this.#tree;
    const stack: number[] = [];
    for (let node = this.#leaves[trace]; parent[node] !== NONE; node = parent[node]) stack.push(frame[node]);
    return stack;
  }

  /** Adds all stacks with samples. Returns the length of the longest one. */
  #addStacks(
    { nodes, selfValues }: LeanProfile,
    { numberOf, emptyStack }: HprofFrames,
    limit: number,
  ): number {
    let longest = 0;
    let path = new Int32Array(256);
    for (let self = 0; self < selfValues.length; self++) {
      if (!(selfValues.count[self] > 0)) continue;
      let length = 0;
      let node = selfValues.node[self];
      for (; !nodes.isRoot(node); node = nodes.parent[node]) {
        const number = numberOf[nodes.frame[node]];
        if (number === NONE || length >= limit) continue;
        if (length === path.length) path = grown(path, nextCapacity(length, length + 1));
        path[length++] = number;
      }
      if (length === 1 && path[0] === emptyStack) length = 0;
      longest = Math.max(longest, length);
      const leaf = this.#place(~nodes.frame[node], path, length);
      if (leaf >= this.#counts.length) this.#counts = grown(this.#counts, this.#tree.capacity);
      this.#counts[leaf] += selfValues.count[self];
    }
    return longest;
  }

  #place(thread: number, path: Int32Array, length: number): number {
    let node = (this.#roots[thread] ??= this.#append(NONE, ~thread));
    for (let at = length - 1; at >= 0; at--) {
      const known = this.#children.find(node, path[at]);
      node = known === NONE ? this.#append(node, path[at]) : known;
    }
    return node;
  }

  #append(parent: number, frame: number): number {
    const node = this.#tree.append(parent, frame);
    this.#children.reserve(this.#tree.capacity);
    if (parent !== NONE) this.#children.add(parent, node);
    return node;
  }
}

/** All threads of a profile. A thread whose id is not a valid number in hprof gets an unused one. */
function hprofThreads({ threads }: LeanProfile): HprofThread[] {
  let next = FIRST_THREAD;
  for (let row = 0; row < threads.length; row++) {
    if (threads.idHi[row] === 0 && threads.idLo[row] >= next) next = threads.idLo[row] + 1;
  }
  // Logs that were merged may have used the same id.
  const kept = new Set<number>();
  return Array.from({ length: threads.length }, (_, row) => {
    const isKept = threads.idHi[row] === 0 && threads.idLo[row] > 0 && !kept.has(threads.idLo[row]);
    if (isKept) kept.add(threads.idLo[row]);
    const name = threads.name[row] ?? `thread ${int64Text(threads.idHi[row], threads.idLo[row])}`;
    return { serial: isKept ? threads.idLo[row] : next++, name };
  });
}

interface HprofFrames {
  readonly frames: readonly StackFrame[];
  /** Row of the FrameTable -> row of `frames`; NONE for a frame that stands for truncated callers. */
  readonly numberOf: Int32Array;
  /** The depth in the name of such a frame, if there is one. */
  readonly truncatedDepth: number | undefined;
  /** The frame that stands for an empty stack; NONE when there is none. */
  readonly emptyStack: number;
}

/** The frames of a profile as hprof stores them: frames that differ only in their BCI or method id are one. */
function hprofFrames({ frames: table, methods }: LeanProfile): HprofFrames {
  const frames: StackFrame[] = [];
  const numbers = new Map<string, number>();
  const numberOf = new Int32Array(table.length);
  let truncatedDepth: number | undefined;
  let emptyStack = NONE;
  for (let row = 0; row < table.length; row++) {
    const method = table.method[row];
    const names = methods.namesOf(method);
    const line = table.line[row] > 0 ? table.line[row] : NO_LINE;
    const bci = table.bci[row] === NATIVE_BCI ? NATIVE_BCI : NO_BCI;
    const depth = names.className === '' ? truncatedAt(names.methodName) : undefined;
    if (depth !== undefined) {
      truncatedDepth ??= depth;
      numberOf[row] = NONE;
      continue;
    }
    const key = [names.className, names.methodName, names.file, line, bci].join('\n');
    let number = numbers.get(key);
    if (number === undefined) {
      number = frames.length;
      frames.push({ ...names, line, bci });
      numbers.set(key, number);
    }
    numberOf[row] = number;
    if (names.className === '' && names.methodName === EMPTY_STACK_NAME) emptyStack = number;
  }
  return { frames, numberOf, truncatedDepth, emptyStack };
}

/** Tells what both forms of hprof round and leave out. */
function addTraceNotes({ selfValues }: LeanProfile, traces: HprofTraces, addNote: AddNote): void {
  addNote(traces.rounded, roundedCounts);
  const { length, count, time } = selfValues;
  let stacks = 0;
  for (let self = 0; self < length; self++) if (count[self] === 0 && time.ns[self] !== 0) stacks++;
  addNote(stacks, () => `${formatQuantity(stacks, 'stack')} without samples left out`);
}

/** The format requires a date; a profile has none. */
const NO_DATE = 'Thu Jan 1 00:00:00 1970';

/** Readers remove `loader/module@version/` before a class name. A name that only looks like that is marked with `//`. */
const LOOKS_LIKE_MODULE = /^[^/]*\/(?!0x[0-9a-f]|\d+\.)/i;

export const writeHprofText: ExportWriter = ({ profile, depth }, sink, addNote) => {
  const traces = new HprofTraces(profile, depth);
  exportHprofText(traces, sink);
  addTraceNotes(profile, traces, addNote);
};

/**
 * The profile as an hprof text file in the layout of Android's AsciiHprofWriter (specs: hprof, section 3). Names are
 * `printable`.
 */
export function exportHprofText(traces: HprofTraces, sink: TextSink): void {
  const writer = new LineWriter(sink, traces.threads.length + traces.length * 2);
  for (const [row, { serial, name }] of traces.threads.entries())
    writer.line(`THREAD START (obj=${row + 1}, id = ${serial}, name="${printable(name)}", group="null")`);
  const frames = traces.frames.map(frameText);
  for (let trace = 0; trace < traces.length; trace++) {
    const thread = traces.threads[traces.thread(trace)];
    const stack = traces.stack(trace);
    const texts = stack.length === 0 ? [EMPTY_STACK_NAME] : stack.map((frame) => frames[frame]);
    writer.line(`TRACE ${traces.serial(trace)}: (thread=${thread.serial})\n\t${texts.join('\n\t')}`);
  }
  writer.line(`CPU SAMPLES BEGIN (total = ${traces.total}) ${NO_DATE}`);
  writer.line('rank   self  accum   count trace method');
  let accumulated = 0;
  for (let trace = 0; trace < traces.length; trace++) {
    const count = traces.count(trace);
    accumulated += count;
    const rank = String(trace + 1).padStart(4);
    const top = traces.stack(trace).at(0);
    const method = top === undefined ? EMPTY_STACK_NAME : qualifiedName(traces.frames[top]);
    writer.line(
      `${rank} ${percent(count, traces)} ${percent(accumulated, traces)} ${String(count).padStart(7)}  ${traces.serial(trace)} ${method}`,
    );
  }
  writer.line('CPU SAMPLES END');
  writer.flush();
}

function percent(count: number, { total }: HprofTraces): string {
  return `${((count / total) * 100).toFixed(2).padStart(5)}%`;
}

function frameText(frame: StackFrame): string {
  const method = qualifiedName(frame);
  return `${LOOKS_LIKE_MODULE.test(method) ? '//' : ''}${method}(${placeText(frame)})`;
}

/** The place of a frame as in StackTraceElement.toString(), but with the line even if the file is unknown. */
function placeText({ file, line, bci }: StackFrame): string {
  if (bci === NATIVE_BCI) return 'Native Method';
  const source = file === '' ? 'Unknown Source' : printable(file);
  return line === NO_LINE ? source : `${source}:${line}`;
}

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
