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
import { CollapsedFrames } from './frames.ts';
import { type CountsOfStack, CountsOfStacks, isEmptyOrComment, LineWeight } from './weight.ts';

const NO_BYTES = new Uint8Array(0);
const SEMICOLON = 0x3b;
const OPEN_BRACKET = 0x5b;

/** The count of a stack that is read, if it has two; 'one': it has one, and the other number is a part of the name. */
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
  /** Frames of the latest stack, filled from the end: the first frame is the last for the sink. */
  #cells = new Int32Array(FIRST_ROWS * FRAME_CELLS);
  /** Where each of these frames ends, first frame first, from the start of the stack. */
  #ends = new Int32Array(FIRST_ROWS);
  #depth = 0;
  #thread: number = NONE;
  /** The latest stack is at #from … #to of these bytes. */
  #bytes: Uint8Array = NO_BYTES;
  #view: DataView = new DataView(NO_BYTES.buffer);
  #from = 0;
  #to = 0;

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
    // The line before was borrowed.
    this.#bytes = NO_BYTES;
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
    let depth = this.#sharedDepth(bytes, from, to);
    let at = depth === 0 ? from : from + this.#ends[depth - 1];
    if (depth === 0) {
      at = this.#threadEnd(bytes, from, to);
      this.#thread = at > from ? frames.threadOf(bytes, from, at) : this.#unnamedThread();
    }
    while (at < to) {
      // There is no frame between two consecutive semicolons.
      if (bytes[at] === SEMICOLON) {
        at++;
        continue;
      }
      const slice = frames.slice(bytes, at, to);
      at = frames.end;
      this.#putFrame(depth++, slice, at - from);
    }
    this.#depth = depth;
    this.#from = from;
    this.#to = to;
    if (depth === 0) return false;
    const { weight } = this.#weight;
    const stack = this.#cells.subarray(this.#cells.length - depth * FRAME_CELLS);
    this.#latest = this.#sink.samples(this.#thread, stack, depth, weight, this.#value(weight));
    return true;
  }

  /**
   * Number of first frames that the stack has in common with the one before it. Most files are sorted, so that these are
   * half of all frames, and comparing their bytes is faster than looking them up.
   */
  #sharedDepth(bytes: Uint8Array, from: number, to: number): number {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      return 0;
    }
    const view = this.#view;
    const before = this.#from - from;
    const most = Math.min(to, this.#to - before);
    let at = from;
    while (at + 4 <= most && view.getInt32(at) === view.getInt32(at + before)) at += 4;
    while (at < most && bytes[at] === bytes[at + before]) at++;
    let depth = this.#depth;
    while (depth > 0 && this.#ends[depth - 1] >= at - from) depth--;
    return depth;
  }

  #putFrame(depth: number, slice: number, end: number): void {
    let cells = this.#cells;
    const used = depth * FRAME_CELLS;
    if (used === cells.length) {
      this.#cells = new Int32Array(used * 2);
      this.#cells.set(cells, used);
      cells = this.#cells;
      this.#ends = grown(this.#ends, depth * 2);
    }
    this.#ends[depth] = end;
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
