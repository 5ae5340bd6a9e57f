import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { LineSplitter, MAX_LINE_BYTES } from '../../bytes/line-splitter.ts';
import { SliceInterner } from '../../bytes/slice-interner.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import type { Chosen } from '../../facts/choice.ts';
import { type Damage, tooLongLines } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { EMPTY_STACK_NAME } from '../../text/pseudo-frames.ts';
import { DecimalCursor } from './decimal-cursor.ts';
import { decodeText } from './decode-text.ts';
import { guessedDepthLimit } from './depth-limit.ts';
import { parseFrameText } from './frame-text.ts';
import { HprofContents } from './hprof-contents.ts';
import { hprofOptions } from './hprof-options.ts';
import type { SampleTable } from './sample-tables.ts';
import { parseThreadStart } from './thread-text.ts';

const TAB = 0x09;
const DASH = 0x2d;
/** Length of the line that ends the agent's glossary. Lines of the glossary begin like lines of the profile. */
const DASHES = 8;

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
  readonly #cursor = new DecimalCursor();
  #section: Section = 'begin';
  #table: SampleTable | undefined;
  /** The trace that is being read: id, row of its thread, frames. */
  #traceHi = 0;
  #traceLo = 0;
  #thread = 0;
  #stack = new Int32Array(FIRST_ROWS);
  #depth = 0;
  #tableOffset = 0;
  #appended = 0;
  #accepted = 0;
  #skipped = 0;
  #isEnded = false;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#frameTexts = new SliceInterner(sink.keeps);
    this.#contents = new HprofContents(hprofOptions(chosen), sink.keeps);
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
    const { frames, traces } = contents;
    for (let frame = 0; frame < this.#frameTexts.length; frame++)
      frames.set(frame, parseFrameText(decodeText(this.#frameTexts.bytesOf(frame))));
    contents.depthLimit = guessedDepthLimit(traces, frames);
    contents.isLimitGuessed = true;
    contents.emitSamples(this.#sink);
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
    return {
      ...this.#contents.facts(),
      skips: tooLongLines(this.#lines.tooLong, MAX_LINE_BYTES),
    };
  }

  #readLines(): void {
    const lines = this.#lines;
    while (lines.next()) {
      const { bytes, from, to } = lines;
      if (lines.isTooLong) {
        this.#skipped += lines.stored;
      } else if (bytes[from] === TAB && this.#section === 'trace' && to > from) {
        this.#frame(bytes, from + 1, to);
        this.#accepted += lines.stored;
      } else if (this.#line(bytes, from, to)) {
        this.#accepted += lines.stored;
      } else {
        this.#skipped += lines.stored;
      }
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
        if (isDashes(bytes, from, to)) this.#section = 'profile';
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
    if (startsWith(bytes, from, to, 'TRACE ')) return this.#traceStart(bytes, from, to);
    if (startsWith(bytes, from, to, 'THREAD START (')) return this.#threadStart(bytes.subarray(from, to));
    if (startsWith(bytes, from, to, 'THREAD END (id = ')) return this.#threadEnd(bytes, from, to);
    if (startsWith(bytes, from, to, 'CPU SAMPLES BEGIN')) return this.#tableStart(bytes, from, to, false);
    if (startsWith(bytes, from, to, 'CPU TIME (ms) BEGIN')) return this.#tableStart(bytes, from, to, true);
    const isHeap = startsWith(bytes, from, to, 'HEAP DUMP BEGIN');
    if (isHeap || OTHER_BLOCKS.some((begin) => startsWith(bytes, from, to, begin))) {
      this.#contents.hasHeapDump ||= isHeap;
      this.records++;
      this.#section = 'other block';
      return true;
    }
    return from === to || OTHER_LINES.some((begin) => startsWith(bytes, from, to, begin));
  }

  /** `TRACE 300017: (thread=200001)`. Agents can be configured to omit the thread, and may add a phase of the JVM. */
  #traceStart(bytes: Uint8Array, from: number, to: number): boolean {
    const cursor = this.#cursor;
    if (!cursor.read(bytes, from + 'TRACE '.length, to)) return false;
    this.#traceHi = cursor.hi;
    this.#traceLo = cursor.lo;
    let threadHi = 0;
    let threadLo = 0;
    const rest = cursor.at;
    if (startsWith(bytes, rest, to, ': (thread=') && cursor.read(bytes, rest + ': (thread='.length, to)) {
      threadHi = cursor.hi;
      threadLo = cursor.lo;
    }
    this.#thread = this.#contents.threads.row(threadHi, threadLo);
    this.#depth = 0;
    this.#section = 'trace';
    this.records++;
    return true;
  }

  #endTrace(): void {
    if (this.#section !== 'trace') return;
    this.#section = 'profile';
    const { traces } = this.#contents;
    if (!traces.add(this.#traceHi, this.#traceLo, this.#thread, this.#stack, this.#depth))
      this.#contents.duplicateTraces++;
  }

  #threadStart(line: Uint8Array): boolean {
    const start = parseThreadStart(decodeText(line));
    if (start === undefined) return false;
    const { threads } = this.#contents;
    const group = start.group === this.#noGroup() ? undefined : start.group;
    const row = threads.row(Math.floor(start.id / 2 ** 32), start.id);
    threads.start(row);
    threads.describe(row, { name: start.name, group, parentGroup: undefined });
    this.records++;
    return true;
  }

  #noGroup(): string {
    return this.#contents.dialect === 'agent' ? '' : 'null';
  }

  #threadEnd(bytes: Uint8Array, from: number, to: number): boolean {
    if (!this.#cursor.read(bytes, from + 'THREAD END (id = '.length, to)) return false;
    const { threads } = this.#contents;
    threads.end(threads.row(this.#cursor.hi, this.#cursor.lo));
    this.records++;
    return true;
  }

  #tableStart(bytes: Uint8Array, from: number, to: number, isTimes: boolean): boolean {
    const equals = bytes.indexOf(0x3d, from);
    const hasTotal = equals >= 0 && equals < to && this.#cursor.read(bytes, equals + 2, to);
    this.#table = this.#contents.tables.begin(hasTotal ? this.#cursor.value : NaN, isTimes);
    this.#tableOffset = this.#accepted + this.#skipped;
    this.#contents.dialect ??= 'android';
    this.#section = 'table';
    this.records++;
    return true;
  }

  /** `   1 13.04% 13.04%     126 300027 class.method`. Percentages may have a decimal comma instead of a point. */
  #tableLine(bytes: Uint8Array, from: number, to: number): boolean {
    if (startsWith(bytes, from, to, 'CPU ') && endsWith(bytes, from, to, ' END')) {
      this.#contents.tables.end();
      this.#section = 'profile';
      return true;
    }
    const cursor = this.#cursor;
    const rank = skipBlanks(bytes, from, to);
    if (!cursor.read(bytes, rank, to)) return startsWith(bytes, from, to, 'rank ');
    const share = skipBlanks(bytes, cursor.at, to);
    const accumulated = skipBlanks(bytes, skipWord(bytes, share, to), to);
    const countAt = skipBlanks(bytes, skipWord(bytes, accumulated, to), to);
    if (!cursor.read(bytes, countAt, to)) return false;
    const count = cursor.value;
    if (!cursor.read(bytes, skipBlanks(bytes, cursor.at, to), to)) return false;
    const hundredths = this.#table?.isTimes === true ? hundredthsOf(bytes, share, to) : 0;
    this.#table?.add(cursor.hi, cursor.lo, count, hundredths);
    this.records++;
    return true;
  }

  /** Sets the damage of a file that ends too early. */
  #noteDamage(): void {
    const { tables, dialect, traces, threads } = this.#contents;
    if (tables.last?.isTimes === true) this.#contents.counted = 'calls';
    const early = { record: this.records, found: 'the end of the file' };
    if (this.#section === 'table') {
      const byteOffset = this.#tableOffset;
      this.damage = {
        ...early,
        what: 'table of CPU samples',
        byteOffset,
        expected: 'a line CPU SAMPLES END',
      };
    } else if (this.#section === 'glossary') {
      const expected = 'a line of eight dashes after the glossary';
      this.damage = { ...early, what: 'glossary', byteOffset: this.#appended, expected };
    } else if (
      tables.begun === 0 &&
      dialect === undefined &&
      (traces.length > 0 || threads.threads.length > 0)
    ) {
      this.#contents.dialect = 'android';
      const expected = 'a table of CPU samples';
      this.damage = { ...early, what: 'stack traces', byteOffset: this.#appended, expected };
    }
  }
}

/** Other outputs of agents, each up to a line `… END`. */
const OTHER_BLOCKS = ['SITES BEGIN', 'MONITOR TIME BEGIN', 'MONITOR DUMP BEGIN'];
const OTHER_LINES = ['WAIT: ', 'WAITED: ', 'EXIT: ', 'SLEEP: '];

function startsWith(bytes: Uint8Array, from: number, to: number, text: string): boolean {
  if (to - from < text.length) return false;
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}

function endsWith(bytes: Uint8Array, from: number, to: number, text: string): boolean {
  return to - from >= text.length && startsWith(bytes, to - text.length, to, text);
}

function isDashes(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from !== DASHES) return false;
  for (let at = from; at < to; at++) if (bytes[at] !== DASH) return false;
  return true;
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
  let hundredths = 0;
  let decimals = -1;
  for (let at = from; at < to; at++) {
    const digit = bytes[at] - 0x30;
    if (digit >= 0 && digit <= 9) {
      if (decimals < 2) hundredths = hundredths * 10 + digit;
      if (decimals >= 0) decimals++;
    } else if (bytes[at] === 0x2e || bytes[at] === 0x2c) decimals = Math.max(decimals, 0);
    else break;
  }
  for (decimals = Math.max(decimals, 0); decimals < 2; decimals++) hundredths *= 10;
  return hundredths;
}
