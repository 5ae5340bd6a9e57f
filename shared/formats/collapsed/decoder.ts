import { NO_BCI } from '../../profile/frame-table.ts';
import { FRAME_CELLS, type SampleSink } from '../../aggregate/sample-sink.ts';
import { LineSplitter, MAX_LINE_BYTES } from '../../read/line-splitter.ts';
import { FIRST_ROWS, grown, NONE } from '../../profile/columns.ts';
import { formatCount, formatQuantity } from '../../text/format-value.ts';
import { type Choice, type Chosen, chosenOption, chosenSwitch } from '../../facts/choice.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { tooLongLines } from '../../facts/damage.ts';
import { type ProfileUnits, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import { type CountsOfStack, CountsOfStacks, isEmptyOrComment, LineWeight } from './weight.ts';
import { SliceInterner } from '../../read/slice-interner.ts';
import { frameFromText, threadFromText } from '../../profile/frame-text.ts';
import { NamedMethods } from '../named-frames.ts';

const NO_BYTES = new Uint8Array(0);
const SEMICOLON = 0x3b;
const OPEN_BRACKET = 0x5b;

/** Which count of a stack is read, if it has two; 'one': it has one, and the other number is a part of the name. */
type Side = 'new' | 'base' | 'one';

type Unit = 'samples' | 'bytes' | 'nanoseconds';

/** The weight is both the count and the value, so percentages are right in both columns; the value has the unit. */
const UNITS: Readonly<Record<Unit, ProfileUnits>> = {
  samples: SAMPLES_ONLY,
  bytes: {
    counted: { one: 'byte', many: 'bytes', isDependent: true },
    value: { name: 'Bytes', unit: 'bytes' },
  },
  nanoseconds: {
    counted: { one: 'nanosecond', many: 'nanoseconds', isDependent: true },
    value: { name: 'Time', unit: 'ns' },
  },
};

const COUNT_READ: Readonly<Record<Side, string>> = {
  new: 'Each stack has two counts, as difffolded.pl writes them: the new one is shown. Choose the base to see the other.',
  base: 'Each stack has two counts, as difffolded.pl writes them: the base is shown.',
  one: '',
};

/** A line, copied. */
interface Line {
  readonly bytes: Uint8Array;
  /** Bytes of the line in the file, including its line break. */
  readonly stored: number;
  readonly number: number;
}

/** State before the last line was read, which has no line break yet; and the node and weight that it added. */
interface OpenLine {
  readonly records: number;
  readonly finished: number;
  readonly skipped: number;
  readonly invalidLines: number;
  readonly firstInvalid: number;
  readonly node: number;
  readonly weight: number;
}

/**
 * Decodes collapsed stacks: a stack per line, root first, with `;` between frames, then a space and the weight (specs:
 * other formats, Collapsed; FlameGraph's stackcollapse-*.pl, async-profiler -o collapsed).
 *
 *   [main tid=7];Shop.main_[0];Shop.serve_[j] 17
 */
export class CollapsedDecoder implements ProfileDecoder {
  readonly damage = undefined;
  records = 0;

  readonly #sink: SampleSink;
  readonly #unit: Unit;
  readonly #readsThreads: boolean;
  readonly #keepsSuffixes: boolean;
  readonly #side: Side;
  readonly #frames: CollapsedFrames;
  readonly #lines = new LineSplitter();
  readonly #weight = new LineWeight();

  #appended = 0;
  /** Bytes of the lines read, including the byte order mark. */
  #finished = 0;
  /** Bytes of invalid lines. */
  #skipped = 0;
  /** The first lines, until it is known how many counts a stack has. */
  #first: Line[] = [];
  readonly #examined = new CountsOfStacks();
  #counts: CountsOfStack | undefined;
  #hasTwoCounts = false;
  /** Room for the frames of a stack, filled from the end: the first frame is the last for the sink. */
  #cells = new Int32Array(FIRST_ROWS * FRAME_CELLS);

  /** The call node of the latest stack. */
  #latest: number = NONE;
  #open: OpenLine | undefined;
  /** The thread of stacks without a thread. */
  #unnamed: number = NONE;
  #hasThreads = false;
  #invalidLines = 0;
  #firstInvalid = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#unit = chosenOption(chosen, 'unit', ['samples', 'bytes', 'nanoseconds'], 'samples');
    this.#readsThreads = chosenSwitch(chosen, 'threads', true);
    this.#keepsSuffixes = chosenSwitch(chosen, 'frame-types', false);
    this.#side = chosenOption(chosen, 'count', ['new', 'base', 'one'], 'new');
    this.#frames = new CollapsedFrames(sink, this.#keepsSuffixes);
  }

  append(bytes: Uint8Array): void {
    if (this.#open !== undefined) this.#undoOpenLine(this.#open);
    this.#appended += bytes.length;
    this.#lines.take(bytes);
    this.#readLines();
  }

  emitOpen(ended: boolean): void {
    if (!ended) return;
    this.#lines.take(NO_BYTES, true);
    this.#readLines();
    if (this.#open === undefined) this.#readOpenLine();
  }

  /** Reads the last line, which has no line break yet. If more bytes follow, `#undoOpenLine` removes it again. */
  #readOpenLine(): void {
    const { rest, line } = this.#lines;
    if (this.#counts === undefined)
      this.#readFirst(this.#examined.after(rest, 0, rest.length) ?? this.#examined.atEnd);
    this.#open = {
      records: this.records,
      finished: this.#finished,
      skipped: this.#skipped,
      invalidLines: this.#invalidLines,
      firstInvalid: this.#firstInvalid,
      node: NONE,
      weight: 0,
    };
    if (rest.length > 0) {
      this.#readLine(rest, 0, rest.length, this.#appended - this.#finished, line + 1);
      if (this.records > this.#open.records)
        this.#open = { ...this.#open, node: this.#latest, weight: this.#weight.weight };
    }
    if (this.#lines.isRestTooLong) this.#skipped += this.#appended - this.#finished;
    this.#finished = this.#appended;
  }

  #undoOpenLine(open: OpenLine): void {
    this.#open = undefined;
    this.records = open.records;
    this.#finished = open.finished;
    this.#skipped = open.skipped;
    this.#invalidLines = open.invalidLines;
    this.#firstInvalid = open.firstInvalid;
    if (open.weight > 0) this.#sink.samplesAt(open.node, -open.weight, -this.#value(open.weight));
  }

  get bytes(): ByteAccount {
    const skipped = Math.min(this.#skipped, this.#finished);
    return { accepted: this.#finished - skipped, skipped, pending: this.#appended - this.#finished };
  }

  facts(): FormatFacts {
    const isOpenTooLong = this.#open !== undefined && this.#lines.isRestTooLong;
    const tooLong = this.#lines.tooLong + (isOpenTooLong ? 1 : 0);
    return {
      ...NO_FACTS,
      units: UNITS[this.#unit],
      choices: this.#choices(),
      notes: this.#counts === 2 ? [COUNT_READ[this.#side]] : [],
      skips: [...tooLongLines(tooLong, MAX_LINE_BYTES), ...this.#invalidLinesSkipped()],
    };
  }

  #choices(): Choice[] {
    const choices: Choice[] = [
      {
        id: 'unit',
        name: 'Weights are',
        hint: 'Unit of the number after a stack, which the file does not record',
        kind: 'one',
        options: [
          { value: 'samples', text: 'samples' },
          { value: 'bytes', text: 'bytes' },
          { value: 'nanoseconds', text: 'nanoseconds' },
        ],
        chosen: this.#unit,
      },
    ];
    if (this.#hasTwoCounts) {
      choices.push({
        id: 'count',
        name: 'Count',
        hint: 'Which of the two numbers after a stack is its count',
        kind: 'one',
        options: [
          { value: 'new', text: 'new' },
          { value: 'base', text: 'base' },
          { value: 'one', text: 'the last, and the other is a part of the name' },
        ],
        chosen: this.#side,
      });
    }
    if (this.#hasThreads) {
      choices.push({
        id: 'threads',
        name: 'Threads',
        hint: 'Reads a first frame [name tid=42] as the thread',
        kind: 'switch',
        chosen: this.#readsThreads,
      });
    }
    if (this.#frames.hasSuffixes) {
      choices.push({
        id: 'frame-types',
        name: 'Frame types',
        hint: 'Keeps the suffixes _[j], _[i], _[k], _[0], _[1], which tell how a frame was compiled',
        kind: 'switch',
        chosen: this.#keepsSuffixes,
      });
    }
    return choices;
  }

  #invalidLinesSkipped(): string[] {
    if (this.#invalidLines === 0) return [];
    const lines = formatQuantity(this.#invalidLines, 'line');
    return [
      `${lines} skipped: not a stack followed by a number. The first is line ${formatCount(this.#firstInvalid)}.`,
    ];
  }

  #readLines(): void {
    const lines = this.#lines;
    while (lines.next()) {
      const { bytes, from, to, stored, line } = lines;
      if (lines.isTooLong) {
        this.#finished += stored;
        this.#skipped += stored;
      } else if (this.#counts === undefined) {
        this.#first.push({ bytes: bytes.slice(from, to), stored, number: line });
        const counts = this.#examined.after(bytes, from, to);
        if (counts !== undefined) this.#readFirst(counts);
      } else this.#readLine(bytes, from, to, stored, line);
    }
  }

  /** Reads the first lines: it is known now how many counts a stack has. */
  #readFirst(counts: CountsOfStack): void {
    this.#hasTwoCounts = counts === 2;
    this.#counts = this.#side === 'one' ? 1 : counts;
    for (const { bytes, stored, number } of this.#first)
      this.#readLine(bytes, 0, bytes.length, stored, number);
    this.#first = [];
  }

  /** `stored`: bytes of the line in the file, including its line break. */
  #readLine(bytes: Uint8Array, from: number, to: number, stored: number, line: number): void {
    this.#finished += stored;
    if (isEmptyOrComment(bytes, from, to)) return;
    if (this.#readWeight(bytes, from, to) && this.#stack(bytes, from, this.#weight.stackEnd)) {
      this.records++;
      return;
    }
    this.#skipped += stored;
    if (this.#invalidLines++ === 0) this.#firstInvalid = line;
  }

  /** False if the line has not as many counts as it must have. */
  #readWeight(bytes: Uint8Array, from: number, to: number): boolean {
    const weight = this.#weight;
    if (!weight.read(bytes, from, to)) return false;
    if (this.#counts !== 2) return true;
    const counted = weight.weight;
    if (!weight.read(bytes, from, weight.stackEnd)) return false;
    if (this.#side === 'new') weight.weight = counted;
    return true;
  }

  /** Counts the stack at bytes[from … to); false if it has no frame. */
  #stack(bytes: Uint8Array, from: number, to: number): boolean {
    const frames = this.#frames;
    const threadEnd = this.#threadEnd(bytes, from, to);
    const isNamed = threadEnd > from;
    const thread = isNamed ? frames.threadOf(bytes, from, threadEnd) : this.#unnamedThread();
    let depth = 0;
    for (let at = isNamed ? threadEnd + 1 : from; at <= to; at++) {
      // There is no frame between two consecutive semicolons.
      if (at === to || bytes[at] === SEMICOLON) continue;
      this.#putFrame(depth++, frames.slice(bytes, at, to));
      at = frames.end;
    }
    if (depth === 0) return false;
    const { weight } = this.#weight;
    const stack = this.#cells.subarray(this.#cells.length - depth * FRAME_CELLS);
    this.#latest = this.#sink.samples(thread, stack, depth, weight, this.#value(weight));
    return true;
  }

  #putFrame(depth: number, slice: number): void {
    let cells = this.#cells;
    const used = depth * FRAME_CELLS;
    if (used === cells.length) {
      this.#cells = new Int32Array(used * 2);
      this.#cells.set(cells, used);
      cells = this.#cells;
    }
    const at = cells.length - used - FRAME_CELLS;
    cells[at + 1] = this.#frames.method[slice];
    cells[at + 2] = this.#frames.line[slice];
    cells[at + 3] = NO_BCI;
  }

  #value(weight: number): number {
    return this.#unit === 'samples' ? 0 : Math.round(weight);
  }

  /** The end of the first frame if it is read as a thread: it names a thread and calls another frame. Else `from`. */
  #threadEnd(bytes: Uint8Array, from: number, to: number): number {
    if (bytes[from] !== OPEN_BRACKET) return from;
    const end = bytes.indexOf(SEMICOLON, from);
    if (end < 0 || end >= to || this.#frames.threadOf(bytes, from, end) === NONE) return from;
    this.#hasThreads = true;
    return this.#readsThreads ? end : from;
  }

  #unnamedThread(): number {
    if (this.#unnamed === NONE) {
      // No operating system uses this thread id.
      this.#unnamed = this.#sink.thread(-1, -1);
      this.#sink.nameThread(this.#unnamed, 'all threads');
    }
    return this.#unnamed;
  }
}

/**
 * async-profiler's suffix for the type of a frame: _[j] compiled by the JIT, _[i] inlined, _[k] kernel, _[0]
 * interpreted, _[1] compiled by C1 (specs: other formats, Collapsed).
 */
const SUFFIX = /_\[[jik01]\]$/;

/**
 * The frames of collapsed stacks: bytes -> method and line. Each distinct frame is parsed once.
 *
 *   slice   bytes                 method   line
 *   0       Shop.serve:12_[j]     0        12
 *   1       Shop.serve:14_[0]     0        14      the same method
 */
class CollapsedFrames {
  /** slice -> lower half of its method's id; the upper half is 0. */
  method = new Int32Array(FIRST_ROWS);
  /** slice -> line, NO_LINE for none. */
  line = new Int32Array(FIRST_ROWS);
  /** A frame had a suffix, whether it was kept or not. */
  hasSuffixes = false;

  readonly #sink: SampleSink;
  readonly #keepsSuffixes: boolean;
  readonly #slices: SliceInterner;
  /** Number of slices whose frame has been parsed. */
  #known = 0;
  readonly #methods: NamedMethods;
  /** First frames of stacks, in brackets. */
  readonly #firstFrames: SliceInterner;
  /** Slice of #firstFrames -> thread; NONE if it is not a thread. */
  readonly #threads: number[] = [];
  /** tid -> text of its first thread. Another text is another thread, because ids are reused. */
  readonly #tids = new Map<number, string>();
  #reusedIds = 0;

  constructor(sink: SampleSink, keepsSuffixes: boolean) {
    this.#sink = sink;
    this.#slices = new SliceInterner(sink.memory);
    this.#firstFrames = new SliceInterner(sink.memory);
    this.#methods = new NamedMethods(sink);
    this.#keepsSuffixes = keepsSuffixes;
  }

  /** The slice of the frame from bytes[from] to the next semicolon or `to`. `end` is then its end. */
  slice(bytes: Uint8Array, from: number, to: number): number {
    const slice = this.#slices.internUntil(bytes, from, to, SEMICOLON);
    if (slice === this.#known) this.#add(utf8.decode(bytes.subarray(from, this.#slices.end)));
    return slice;
  }

  get end(): number {
    return this.#slices.end;
  }

  /** The thread that the frame bytes[from … to) names; NONE if it is not a thread. */
  threadOf(bytes: Uint8Array, from: number, to: number): number {
    const first = this.#firstFrames.intern(bytes, from, to);
    if (first === this.#threads.length)
      this.#threads.push(this.#threadNamed(utf8.decode(bytes.subarray(from, to))));
    return this.#threads[first];
  }

  #add(text: string): void {
    const slice = this.#known++;
    if (slice === this.method.length) {
      this.method = grown(this.method, slice * 2);
      this.line = grown(this.line, slice * 2);
    }
    const bare = text.replace(SUFFIX, '');
    if (bare.length < text.length) this.hasSuffixes = true;
    const { file, className, methodName, line } = frameFromText(this.#keepsSuffixes ? text : bare);
    const names = { file, className, methodName };
    this.method[slice] = this.#methods.numberOf(`${className}.${methodName}`, names);
    this.line[slice] = line;
  }

  #threadNamed(text: string): number {
    const named = threadFromText(text);
    if (named === undefined) return NONE;
    const tid = named.tid | 0;
    const known = this.#tids.get(tid);
    if (known === undefined) this.#tids.set(tid, text);
    const thread = this.#sink.thread(known === undefined || known === text ? 0 : ++this.#reusedIds, tid);
    this.#sink.nameThread(thread, named.name);
    return thread;
  }
}

const utf8 = new TextDecoder();
