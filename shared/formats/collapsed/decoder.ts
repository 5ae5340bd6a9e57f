import { NO_BCI } from '../../profile/frame-table.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { Carry } from '../../read/carry.ts';
import { LineSplitter, MAX_LINE_BYTES } from '../../read/line-splitter.ts';
import { hasUtf8Mark, utf16Order, Utf16Reader } from '../../read/utf16.ts';
import { FIRST_ROWS, grown, NONE } from '../../profile/columns.ts';
import { formatCount, formatQuantity } from '../../text/format-value.ts';
import { type Choice, type Chosen, chosenOption, chosenSwitch } from '../../facts/choice.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { tooLongLines } from '../../facts/damage.ts';
import { type ProfileUnits, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import { CollapsedFrames } from './frames.ts';
import {
  isEmptyOrComment,
  LineWeight,
  type CountsOfStack,
  countsOfStacks,
  MOST_EXAMINED_BYTES,
} from './weight.ts';

const LF = 0x0a;
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
 *
 * Lines are usually sorted, so the frames that a line shares with the line before are not looked up again.
 *
 *   bytes   Shop.main;Shop.serve;Cart.add 3      ends    9 20 29
 *           Shop.main;Shop.serve;Cart.sum 5      equal   26 bytes, so two frames
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
  /** The current chunk, to compare it by words. */
  #view = viewOf(this.#lines.bytes);
  readonly #weight = new LineWeight();

  #appended = 0;
  /** Bytes of the lines read, including the byte order mark. */
  #finished = 0;
  /** Bytes of invalid lines. */
  #skipped = 0;
  /** The first bytes, while they may be the start of a byte order mark. */
  #head: Uint8Array | undefined = new Uint8Array(0);
  #utf16: Utf16Reader | undefined;
  /** The first lines, until it is known how many counts a stack has. */
  readonly #first = new Carry();
  #counts: CountsOfStack | undefined;
  #hasTwoCounts = false;

  /** The stack of the line before is #before[#beforeFrom … #beforeTo): in the current chunk, or a copy. */
  #before: Uint8Array = new Uint8Array(0);
  #beforeView = viewOf(this.#before);
  #beforeFrom = 0;
  #beforeTo = 0;
  /** For each frame of that stack: its end, counted from the stack's first byte. */
  #ends = new Int32Array(FIRST_ROWS);
  /** For each frame: its call node. */
  #nodes = new Int32Array(FIRST_ROWS);
  /** For each frame: the depth of its call node below the root. */
  #depths = new Int32Array(FIRST_ROWS);
  #depth = 0;

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
    if (this.#head === undefined) {
      this.#read(bytes);
      return;
    }
    const head = new Uint8Array(this.#head.length + bytes.length);
    head.set(this.#head);
    head.set(bytes, this.#head.length);
    this.#head = head;
    if (head.length >= 4) this.#begin(head);
  }

  emitOpen(ended: boolean): void {
    if (!ended) return;
    if (this.#head !== undefined) this.#begin(this.#head);
    if (this.#counts === undefined) this.#examine(new Uint8Array(0), true);
    if (this.#open === undefined) this.#readOpenLine();
  }

  /** Reads the last line, which has no line break yet. If more bytes follow, `#undoOpenLine` removes it again. */
  #readOpenLine(): void {
    const { rest } = this.#lines;
    this.#open = {
      records: this.records,
      finished: this.#finished,
      skipped: this.#skipped,
      invalidLines: this.#invalidLines,
      firstInvalid: this.#firstInvalid,
      node: NONE,
      weight: 0,
    };
    this.#view = viewOf(rest);
    if (rest.length > 0) {
      this.#readLine(rest, 0, rest.length, this.#appended - this.#finished, this.#lines.line + 1);
      if (this.records > this.#open.records)
        this.#open = { ...this.#open, node: this.#latest, weight: this.#weight.weight };
    }
    if (this.#lines.isRestTooLong) this.#skipped += this.#appended - this.#finished;
    this.#copyBefore(rest);
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

  #begin(head: Uint8Array): void {
    this.#head = undefined;
    const order = utf16Order(head);
    if (order !== undefined) this.#utf16 = new Utf16Reader(order);
    this.#lines.isUtf16 = order !== undefined;
    let mark = hasUtf8Mark(head) ? 3 : 0;
    if (order !== undefined) mark = head[0] >= 0xfe ? 2 : 0;
    this.#finished = mark;
    this.#read(head.subarray(mark));
  }

  #read(bytes: Uint8Array): void {
    const text = this.#utf16 === undefined ? bytes : this.#utf16.read(bytes);
    if (this.#counts === undefined) this.#examine(text, false);
    else this.#readText(text);
  }

  /** Reads the first lines as soon as it is known how many counts a stack has. */
  #examine(text: Uint8Array, ended: boolean): void {
    const first = this.#first.join(text);
    // Without a line break, nothing new is known.
    const isKnown = ended || first.length >= MOST_EXAMINED_BYTES || text.includes(LF);
    const counts = isKnown ? countsOfStacks(first, ended) : undefined;
    if (counts === undefined) {
      this.#first.keep(first, 0);
      return;
    }
    this.#hasTwoCounts = counts === 2;
    this.#counts = this.#side === 'one' ? 1 : counts;
    this.#readText(first);
    this.#first.clear();
  }

  #readText(chunk: Uint8Array): void {
    const lastBreak = this.#lines.rest.length + chunk.lastIndexOf(LF);
    this.#lines.take(chunk);
    this.#readLines(lastBreak);
  }

  /** Copies the stack of the line before, if it is in a chunk that is about to be reused. */
  #copyBefore(chunk: Uint8Array): void {
    if (this.#before !== chunk) return;
    this.#before = this.#before.slice(this.#beforeFrom, this.#beforeTo);
    this.#beforeView = viewOf(this.#before);
    this.#beforeTo -= this.#beforeFrom;
    this.#beforeFrom = 0;
  }

  /** `lastBreak`: index of the last line break in the bytes of the splitter, if there is one. */
  #readLines(lastBreak: number): void {
    const lines = this.#lines;
    this.#view = viewOf(lines.bytes);
    while (lines.next()) {
      const { bytes, from, to } = lines;
      if (lines.isTooLong) {
        this.#finished += lines.stored;
        this.#skipped += lines.stored;
      } else this.#readLine(bytes, from, to, lines.stored, lines.line);
      if (to + 1 >= lastBreak) this.#copyBefore(bytes);
    }
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
    const sink = this.#sink;
    const frames = this.#frames;
    let frame = this.#shared(from, to);
    let at = frame === 0 ? from : from + this.#ends[frame - 1] + 1;
    let node = frame === 0 ? NONE : this.#nodes[frame - 1];
    let depth = frame === 0 ? 0 : this.#depths[frame - 1];
    if (frame === 0) {
      const end = this.#threadEnd(bytes, from, to);
      node = sink.root(end === from ? this.#unnamedThread() : frames.threadOf(bytes, from, end));
      if (end > from) {
        this.#note(frame++, end - from, node, 0);
        at = end + 1;
      }
    }
    for (; ; frame++) {
      let end = at;
      // There is no frame between two consecutive semicolons.
      if (at < to && bytes[at] !== SEMICOLON) {
        const slice = frames.slice(bytes, at, to);
        end = frames.end;
        node = sink.callee(node, ++depth, 0, frames.method[slice], frames.line[slice], NO_BCI);
      }
      this.#note(frame, end - from, node, depth);
      if (end === to) break;
      at = end + 1;
    }
    this.#depth = frame + 1;
    this.#before = bytes;
    this.#beforeView = this.#view;
    this.#beforeFrom = from;
    this.#beforeTo = to;
    if (depth === 0) return false;
    const { weight } = this.#weight;
    if (weight > 0) sink.samplesAt(node, weight, this.#value(weight));
    this.#latest = node;
    return true;
  }

  #value(weight: number): number {
    return this.#unit === 'samples' ? 0 : Math.round(weight);
  }

  #note(frame: number, end: number, node: number, depth: number): void {
    if (frame === this.#ends.length) this.#grow();
    this.#ends[frame] = end;
    this.#nodes[frame] = node;
    this.#depths[frame] = depth;
  }

  /** Number of leading frames that equal those of the stack before, except frames that are the last of either stack. */
  #shared(from: number, to: number): number {
    const view = this.#view;
    const before = this.#beforeView;
    const offset = this.#beforeFrom - from;
    const most = Math.min(to, from + this.#beforeTo - this.#beforeFrom);
    let at = from;
    while (at + 4 <= most && view.getInt32(at) === before.getInt32(at + offset)) at += 4;
    while (at < most && view.getUint8(at) === before.getUint8(at + offset)) at++;
    const ends = this.#ends;
    let frames = this.#depth;
    while (frames > 0 && ends[frames - 1] >= at - from) frames--;
    return frames;
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

  #grow(): void {
    const capacity = this.#ends.length * 2;
    this.#ends = grown(this.#ends, capacity);
    this.#nodes = grown(this.#nodes, capacity);
    this.#depths = grown(this.#depths, capacity);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
