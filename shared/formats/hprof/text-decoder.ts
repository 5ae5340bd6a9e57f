import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { LineSplitter, MAX_LINE_BYTES } from '../../read/line-splitter.ts';
import { SliceInterner } from '../../read/slice-interner.ts';
import type { Chosen } from '../../facts/choice.ts';
import { type Damage, tooLongLines } from '../../facts/damage.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { EMPTY_STACK_NAME } from '../../text/pseudo-frames.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { HprofContents } from './contents.ts';
import type { FrameOf } from './emit-samples.ts';
import { parseStackFrame } from '../stack-frame.ts';
import { decodeText } from './records.ts';
import type { SampleTable, TraceTable } from './traces.ts';

const TAB = 0x09;
/** The line that ends the agent's glossary. Lines of the glossary begin like lines of the profile. */
const DASHES = '--------';
/** Other outputs of agents, each up to a line `… END`. */
const OTHER_BLOCKS = ['SITES BEGIN', 'MONITOR TIME BEGIN', 'MONITOR DUMP BEGIN'];
const OTHER_LINES = ['WAIT: ', 'WAITED: ', 'EXIT: ', 'SLEEP: '];

/** The section of the file that the next line belongs to. */
type Section = 'begin' | 'glossary' | 'profile' | 'trace' | 'table' | 'other block';

/**
 * Decodes text files of Android's AsciiHprofWriter and of the JDK's agent (specs: hprof, section 3). A line of a trace
 * costs one look-up of its bytes; each frame is parsed once, at the end.
 */
export class HprofTextDecoder implements ProfileDecoder {
  damage: Damage | undefined;
  records = 0;

  readonly #sink: SampleSink;
  readonly #contents: HprofContents;
  readonly #lines = new LineSplitter();
  readonly #frameTexts: SliceInterner;
  #section: Section = 'begin';
  #table: SampleTable | undefined;
  #tableOffset = 0;
  /** The trace that is being read: id, row of its thread, frames. */
  #trace = 0;
  #thread = 0;
  #stack = new Int32Array(FIRST_ROWS);
  #depth = 0;
  /** The number that `#number` read last, and the offset after it. */
  #value = 0;
  #at = 0;
  #appended = 0;
  #accepted = 0;
  #skipped = 0;
  #isEnded = false;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#frameTexts = new SliceInterner(sink.memory);
    this.#contents = new HprofContents(chosen, sink.memory);
  }

  append(bytes: Uint8Array): void {
    this.#appended += bytes.length;
    if (this.#isEnded) {
      this.#skipped += bytes.length;
      return;
    }
    this.#lines.take(bytes);
    this.#readLines();
  }

  emitOpen(ended: boolean): void {
    if (!ended || this.#isEnded) return;
    this.#isEnded = true;
    this.#lines.end();
    this.#readLines();
    this.#endTrace();
    this.#noteDamage();
    const contents = this.#contents;
    const frameOf: FrameOf = (frame) => parseStackFrame(decodeText(this.#frameTexts.bytesOf(frame)), false);
    contents.depthLimit = guessedDepthLimit(contents.traces, frameOf);
    contents.isLimitGuessed = true;
    contents.emitSamples(this.#sink, frameOf);
  }

  get bytes(): ByteAccount {
    const accepted = this.#accepted;
    const skipped = this.#skipped;
    return { accepted, skipped, pending: this.#appended - accepted - skipped };
  }

  get refusal(): string | undefined {
    return this.#contents.refusal;
  }

  get instead(): string | undefined {
    return this.#contents.instead;
  }

  facts(): FormatFacts {
    return { ...this.#contents.facts(), skips: tooLongLines(this.#lines.tooLong, MAX_LINE_BYTES) };
  }

  #readLines(): void {
    const lines = this.#lines;
    while (lines.next()) {
      const { bytes, from, to } = lines;
      let isRead = !lines.isTooLong;
      if (isRead && bytes[from] === TAB && this.#section === 'trace' && to > from)
        this.#frame(bytes, from + 1, to);
      else isRead &&= this.#line(bytes, from, to);
      if (isRead) this.#accepted += lines.stored;
      else this.#skipped += lines.stored;
    }
  }

  #frame(bytes: Uint8Array, from: number, to: number): void {
    const depth = this.#depth;
    if (depth === 0 && startsWith(bytes, from, to, EMPTY_STACK_NAME)) return;
    if (depth === this.#stack.length) this.#stack = grown(this.#stack, nextCapacity(depth, depth + 1));
    this.#stack[depth] = this.#frameTexts.intern(bytes, from, to);
    this.#depth = depth + 1;
  }

  /** Reads any line except a frame of a trace. False if the format has no such line. */
  #line(bytes: Uint8Array, from: number, to: number): boolean {
    switch (this.#section) {
      case 'begin':
        this.#section = 'profile';
        if (!startsWith(bytes, from, to, 'JAVA PROFILE ')) return this.#profileLine(bytes, from, to);
        this.#contents.dialect = 'agent';
        this.#section = 'glossary';
        return true;
      case 'glossary':
        if (to - from === DASHES.length && startsWith(bytes, from, to, DASHES)) this.#section = 'profile';
        return true;
      case 'trace':
        this.#endTrace();
        return this.#profileLine(bytes, from, to);
      case 'profile':
        return this.#profileLine(bytes, from, to);
      case 'table':
        return this.#tableLine(bytes, from, to);
      case 'other block':
        if (endsWith(bytes, from, to, ' END')) this.#section = 'profile';
        return true;
    }
  }

  #profileLine(bytes: Uint8Array, from: number, to: number): boolean {
    const begins = (text: string): boolean => startsWith(bytes, from, to, text);
    if (from === to || OTHER_LINES.some(begins)) return true;
    const isHeap = begins('HEAP DUMP BEGIN');
    if (isHeap) this.#contents.hasHeapDump = true;
    if (isHeap || OTHER_BLOCKS.some(begins)) this.#section = 'other block';
    else if (begins('CPU SAMPLES BEGIN')) this.#beginTable(bytes, from, to, false);
    else if (begins('CPU TIME (ms) BEGIN')) this.#beginTable(bytes, from, to, true);
    else if (begins('TRACE ') && this.#number(bytes, from + 'TRACE '.length, to)) this.#beginTrace(bytes, to);
    else if (begins('THREAD END (id = ') && this.#number(bytes, from + 'THREAD END (id = '.length, to))
      this.#contents.threads.end(this.#contents.threads.row(this.#value));
    else if (!begins('THREAD START (') || !this.#startThread(decodeText(bytes.subarray(from, to))))
      return false;
    this.records++;
    return true;
  }

  /** `TRACE 300017: (thread=200001)`. Agents can be configured to omit the thread, and may add a phase of the JVM. */
  #beginTrace(bytes: Uint8Array, to: number): void {
    const thread = ': (thread=';
    this.#trace = this.#value;
    const hasThread =
      startsWith(bytes, this.#at, to, thread) && this.#number(bytes, this.#at + thread.length, to);
    this.#thread = this.#contents.threads.row(hasThread ? this.#value : 0);
    this.#depth = 0;
    this.#section = 'trace';
  }

  #endTrace(): void {
    if (this.#section !== 'trace') return;
    this.#section = 'profile';
    if (!this.#contents.traces.add(this.#trace, this.#thread, this.#stack, this.#depth))
      this.#contents.duplicateTraces++;
  }

  #startThread(line: string): boolean {
    const start = parseThreadStart(line);
    if (start === undefined) return false;
    const { threads, dialect } = this.#contents;
    const isInGroup = start.group !== (dialect === 'agent' ? '' : 'null');
    const row = threads.row(start.id);
    threads.start(row);
    threads.describe(row, {
      name: start.name,
      group: isInGroup ? start.group : undefined,
      parentGroup: undefined,
    });
    return true;
  }

  #beginTable(bytes: Uint8Array, from: number, to: number, isTimes: boolean): void {
    const equals = bytes.indexOf(0x3d, from);
    const hasTotal = equals >= 0 && equals < to && this.#number(bytes, equals + 2, to);
    this.#table = this.#contents.tables.begin(hasTotal ? this.#value : NaN, isTimes);
    this.#tableOffset = this.#accepted + this.#skipped;
    this.#contents.dialect ??= 'android';
    this.#section = 'table';
  }

  /** `   1 13.04% 13.04%     126 300027 class.method`. Percentages may have a decimal comma instead of a point. */
  #tableLine(bytes: Uint8Array, from: number, to: number): boolean {
    if (startsWith(bytes, from, to, 'CPU ') && endsWith(bytes, from, to, ' END')) {
      this.#contents.tables.end();
      this.#section = 'profile';
      return true;
    }
    if (!this.#number(bytes, skipBlanks(bytes, from, to), to)) return startsWith(bytes, from, to, 'rank ');
    const share = skipBlanks(bytes, this.#at, to);
    const accumulated = skipBlanks(bytes, skipWord(bytes, share, to), to);
    if (!this.#number(bytes, skipBlanks(bytes, skipWord(bytes, accumulated, to), to), to)) return false;
    const count = this.#value;
    if (!this.#number(bytes, skipBlanks(bytes, this.#at, to), to)) return false;
    const hundredths = this.#table?.isTimes === true ? hundredthsOf(bytes, share, to) : 0;
    this.#table?.add(this.#value, count, hundredths);
    this.records++;
    return true;
  }

  /** Reads the decimal digits at `from`, at most 2^53 - 1, without creating strings; false if there are none. */
  #number(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from;
    let value = 0;
    for (; at < to; at++) {
      const digit = bytes[at] - 0x30;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === from) return false;
    this.#value = Math.min(value, Number.MAX_SAFE_INTEGER);
    this.#at = at;
    return true;
  }

  /** Sets the damage of a file that ends too early. */
  #noteDamage(): void {
    const { tables, dialect, traces, threads } = this.#contents;
    if (tables.last?.isTimes === true) this.#contents.counted = 'calls';
    if (this.#section === 'table')
      this.#endsBefore('a line CPU SAMPLES END', 'table of CPU samples', this.#tableOffset);
    else if (this.#section === 'glossary')
      this.#endsBefore('a line of eight dashes after the glossary', 'glossary', this.#appended);
    else if (
      tables.begun === 0 &&
      dialect === undefined &&
      (traces.length > 0 || threads.threads.length > 0)
    ) {
      this.#contents.dialect = 'android';
      this.#endsBefore('a table of CPU samples', 'stack traces', this.#appended);
    }
  }

  #endsBefore(expected: string, what: string, byteOffset: number): void {
    this.damage = { what, byteOffset, record: this.records, found: 'the end of the file', expected };
  }
}

/**
 * Guesses the depth limit of a text file, which does not record it. It is the depth of the deepest stacks if they look
 * truncated. Complete stacks share their outermost methods, such as `main` or `Thread.run`. If the deepest stacks have
 * different outermost methods, and one of these is not the outermost method of any other stack, they were truncated.
 * Undefined otherwise: the deepest stack of a profile without a limit is not truncated.
 */
function guessedDepthLimit({ length, depth, top }: TraceTable, frameOf: FrameOf): number | undefined {
  let deepest = 0;
  for (let row = 0; row < length; row++) deepest = Math.max(deepest, depth[row]);
  const tops = new Set<number>();
  const otherTops = new Set<number>();
  for (let row = 0; row < length; row++)
    if (depth[row] > 0) (depth[row] === deepest ? tops : otherTops).add(top[row]);
  const methods = methodsOf(tops, frameOf);
  const otherMethods = methodsOf(otherTops, frameOf);
  return methods.size > 1 && [...methods].some((method) => !otherMethods.has(method)) ? deepest : undefined;
}

function methodsOf(frames: ReadonlySet<number>, frameOf: FrameOf): Set<string> {
  return new Set(
    Array.from(frames, (frame) => {
      const { className, methodName, file } = frameOf(frame);
      return [className, methodName, file].join('\n');
    }),
  );
}

function startsWith(bytes: Uint8Array, from: number, to: number, text: string): boolean {
  if (to - from < text.length) return false;
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}

function endsWith(bytes: Uint8Array, from: number, to: number, text: string): boolean {
  return to - from >= text.length && startsWith(bytes, to - text.length, to, text);
}

function skipBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] === 0x20) at++;
  return at;
}

function skipWord(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== 0x20) at++;
  return at;
}

/** `13.04%` or `13,04%` -> 1304. */
function hundredthsOf(bytes: Uint8Array, from: number, to: number): number {
  const text = String.fromCharCode(...bytes.subarray(from, Math.min(to, from + 40)));
  const [, whole, decimals = ''] = /^(\d*)(?:[.,](\d*))?/.exec(text) ?? [];
  return Number(`${whole}${decimals.slice(0, 2).padEnd(2, '0')}`);
}

const THREAD_START = /^THREAD START \(obj=[^,]*, id = (\d+), name="/;

/**
 * Parses `THREAD START (obj=1, id = 200001, name="main", group="main")`. Names are not escaped, so the name extends to
 * the last `", group="` (specs: hprof, section 3), or to the end of a line that does not have it. Undefined if the line
 * does not begin like this.
 */
function parseThreadStart(
  line: string,
): { readonly id: number; readonly name: string; readonly group: string | undefined } | undefined {
  const start = THREAD_START.exec(line);
  if (start === null) return undefined;
  const id = Math.min(Number(start[1]), Number.MAX_SAFE_INTEGER);
  const rest = line.slice(start[0].length);
  const between = rest.lastIndexOf('", group="');
  if (between < 0 || !rest.endsWith('")')) return { id, name: rest, group: undefined };
  return { id, name: rest.slice(0, between), group: rest.slice(between + '", group="'.length, -2) };
}
