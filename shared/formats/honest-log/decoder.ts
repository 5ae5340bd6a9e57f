import { FRAME_CELLS, type SampleSink } from '../../aggregate/sample-sink.ts';
import { joined } from '../../read/carry.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { ERROR_CLASS } from '../../profile/method-table.ts';
import { TRUNCATED_NAME } from '../../text/pseudo-frames.ts';
import { AGCT_ERRORS } from '../../facts/agct-errors.ts';
import type { Damage } from '../../facts/damage.ts';
import { type Chosen, NOTHING_CHOSEN } from '../../facts/choice.ts';
import type { ByteAccount, Preallocation, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import {
  readDefinition,
  recordEnd,
  frameOutsideTrace,
  impossibleLength,
  unknownType,
  FRAME_BCI_ONLY_SIZE,
  FRAME_FULL_SIZE,
  RecordType,
  stringsOf,
  TRACE_START_SIZE,
  TRACE_START_WITH_TIME_SIZE,
} from './records.ts';
import { KnownStacks } from './known-stacks.ts';
import { countError, logFacts, noCounts } from './log-counts.ts';
import { OpenStack } from './open-stack.ts';
import { LogClock } from './log-clock.ts';
import { chosenTruncation, TRUNCATED_ID_HI, TRUNCATED_ID_LO, StackDepths } from './truncation.ts';

const NO_BYTES = new Uint8Array(0);
/** Instead of the size of a record. */
const INCOMPLETE = -1;
const DAMAGED = -2;

/** Zeros at the end of a valid record, at most: those of a type 31 with the id 0 and six empty strings. */
const MOST_ZEROS_OF_RECORD = 32;

/**
 * Decodes in place: records are read directly from their chunk. Only a record that continues in the next chunk is
 * copied. A trace is emitted when the next one starts, because only then are its last frame and its time known;
 * `emitOpen` emits the open one provisionally.
 *
 * Zeros at the end of the input belong to no record until something follows them: of a record that ends within them,
 * only a part may have been written.
 *
 *   … 21 bci line id 4 id 00 00 00 00 00 00 00 00 00 │ end of the input
 *                    └─ incomplete ─┘└─ trailing zeros
 */
export class HonestLogDecoder implements ProfileDecoder, Preallocation {
  readonly preallocation: Preallocation = this;
  readonly counts = noCounts();
  readonly clock = new LogClock();
  damage: Damage | undefined;

  readonly #sink: SampleSink;
  #accepted = 0;
  #skipped = 0;
  /** Zeros after the last record. */
  #zeros = 0;
  /** The incomplete record after the last record. */
  #incomplete = NO_BYTES;
  /** Zeros at the end of the bytes appended so far, after those of #zeros or #incomplete. */
  #trailingZeros = 0;
  /** More zeros followed a record than can belong to it: the writer preallocates the file. */
  #isPreallocated = false;
  #records = 0;
  /** A record followed zeros, so records before it may be missing. */
  #sawHole = false;

  #traceIsOpen = false;
  #thread = 0;
  /** Frames that the open trace announces. */
  #declaredDepth = 0;
  readonly #stack = new OpenStack();
  readonly #knownStacks: KnownStacks;
  readonly #depths: StackDepths;
  /** Stacks of this depth are placed below (truncated). */
  readonly #truncatedDepth: number | undefined;
  /** Frames of the deepest stack. */
  #deepest = 0;
  /**
   * The node at which the stack of the open trace ends, if KnownStacks has found it; otherwise NONE. The frames of such
   * a stack are not in #stack but in the current chunk, from #knownAt on.
   */
  #knownNode = NONE;
  #knownAt = 0;

  constructor(sink: SampleSink, chosen: Chosen = NOTHING_CHOSEN) {
    this.#sink = sink;
    this.#depths = new StackDepths(sink.memory);
    this.#truncatedDepth = chosenTruncation(chosen);
    this.#knownStacks = new KnownStacks(sink.paths, { truncatedDepth: this.#truncatedDepth });
    if (this.#truncatedDepth !== undefined) {
      const method = sink.method(TRUNCATED_ID_HI, TRUNCATED_ID_LO);
      sink.defineMethod(method, { file: '', className: '', methodName: TRUNCATED_NAME });
    }
    for (const [code, { frame }] of AGCT_ERRORS.entries()) {
      sink.defineMethod(sink.method(-1, -1 - code), { file: '', className: ERROR_CLASS, methodName: frame });
    }
  }

  get bytes(): ByteAccount {
    return {
      accepted: this.#accepted,
      skipped: this.#skipped,
      pending: this.#zeros + this.#incomplete.length + this.#trailingZeros,
    };
  }

  get records(): number {
    return this.#records;
  }

  facts(): FormatFacts {
    return {
      ...logFacts(this.counts, this.clock, this.#depths, this.#truncatedDepth),
      deepestStack: this.#truncatedDepth === undefined || this.#deepest === 0 ? undefined : this.#deepest,
    };
  }

  get zerosOffset(): number {
    return this.#accepted + this.#skipped + dataEnd(this.#incomplete);
  }

  get isWithinRecord(): boolean {
    return this.#isPreallocated && this.#incomplete.length > 0 && this.#trailingZeros > 0;
  }

  overwriteZeros(bytes: Uint8Array): void {
    const { zerosOffset } = this;
    const zeros = this.#accepted + this.#skipped + this.bytes.pending - zerosOffset;
    this.#incomplete = this.#incomplete.subarray(0, dataEnd(this.#incomplete));
    this.#zeros = 0;
    this.#trailingZeros = 0;
    this.append(bytes);
    this.#addTrailingZeros(zeros - bytes.length);
  }

  append(bytes: Uint8Array): void {
    const end = dataEnd(bytes);
    if (end > 0) this.#readTrailingZeros();
    if (this.#isDamaged()) this.#skipped += end;
    else if (end > 0) this.#appendData(end === bytes.length ? bytes : bytes.subarray(0, end));
    this.#addTrailingZeros(bytes.length - end);
  }

  emitOpen(ended: boolean): void {
    if (ended || this.#isCompletedByZeros()) this.#readTrailingZeros();
    if (!this.#traceIsOpen) return;
    if (ended || this.#stack.depth >= this.#declaredDepth) {
      const depth = this.#placedDepth();
      this.#sink.provisionalSample(this.#thread, this.#stack.cells, depth, this.clock.interval);
    } else {
      this.#sink.withdrawProvisional();
    }
  }

  #addTrailingZeros(count: number): void {
    if (this.#isDamaged()) this.#skipped += count;
    else this.#trailingZeros += count;
  }

  /** The zeros at the end are not overwritten any more: they complete a record, and the others follow it. */
  #readTrailingZeros(): void {
    let zeros = this.#trailingZeros;
    this.#trailingZeros = 0;
    while (zeros > 0 && this.#incomplete.length > 0) {
      const piece = new Uint8Array(Math.min(zeros, Math.max(256, this.#incomplete.length)));
      zeros -= piece.length;
      this.#appendData(piece);
    }
    if (this.#isDamaged()) this.#skipped += zeros;
    else this.#zeros += zeros;
  }

  /**
   * The zeros at the end complete the incomplete record and none is left: then they belong to it. Not in a file that is
   * preallocated: there it may be a part of a record that ends with the preallocated part.
   */
  #isCompletedByZeros(): boolean {
    const zeros = this.#trailingZeros;
    if (zeros === 0 || this.#isPreallocated) return false;
    const record = this.#incomplete;
    if (record.length > 0 && zeros <= MOST_ZEROS_OF_RECORD) {
      const end = recordEnd(joined(record, new Uint8Array(zeros)));
      if (end === 'incomplete') return false;
      if (end === record.length + zeros) return true;
    }
    this.#isPreallocated = true;
    return false;
  }

  /** Bytes that follow those of #zeros or #incomplete. */
  #appendData(bytes: Uint8Array): void {
    const from = this.#incomplete.length > 0 ? this.#completeRecord(bytes) : 0;
    const end = this.#incomplete.length > 0 ? from : this.#readRecords(bytes, from, bytes.length);
    if (this.#isDamaged()) {
      this.#skipped += this.#incomplete.length + bytes.length - end;
      this.#incomplete = NO_BYTES;
    } else if (end < bytes.length) {
      this.#incomplete = joined(this.#incomplete, bytes.subarray(end));
    }
  }

  /**
   * Completes the incomplete record with the first bytes of a chunk and reads it. Returns how many bytes of the chunk
   * belong to it; 0 if the chunk does not complete it. To copy little, it tries with 256 bytes first, then with more.
   */
  #completeRecord(bytes: Uint8Array): number {
    const incomplete = this.#incomplete;
    for (let taken = Math.min(256, bytes.length); ; taken = Math.min(taken * 8, bytes.length)) {
      const end = this.#readRecords(joined(incomplete, bytes.subarray(0, taken)), 0, 1);
      if (end > 0) {
        this.#incomplete = NO_BYTES;
        return end - incomplete.length;
      }
      if (taken === bytes.length || this.#isDamaged()) return 0;
    }
  }

  /** A method because TypeScript would assume that `damage` is still undefined after a call that sets it. */
  #isDamaged(): boolean {
    return this.damage !== undefined;
  }

  /** Reads the complete records of `input` that start in [from, before); returns the offset after them. */
  #readRecords(input: Uint8Array, from: number, before: number): number {
    const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
    const end = input.length;
    const start = this.#accepted + this.#skipped + this.#zeros - from;
    let at = from;
    let accepted = 0;
    let records = this.#records;
    let frameRecords = 0;

    while (at < before) {
      const type = input[at];
      if (this.#zeros > 0 && type !== RecordType.notWritten) {
        this.#skipped += this.#zeros;
        this.#zeros = 0;
        this.#sawHole = true;
      }
      let size: number;
      if (type === RecordType.frameFull) {
        size = FRAME_FULL_SIZE;
        if (end - at < size) break;
        if (!this.#traceIsOpen) {
          size = this.#frameOutsideTrace(type, start + at, records, size);
        } else {
          if (this.#knownNode !== NONE) this.#decodeKnownStack(input, view);
          const framesEnd = this.#stack.readFrames(input, view, at, before);
          const frames = (framesEnd - at) / FRAME_FULL_SIZE;
          frameRecords += frames;
          records += frames;
          accepted += framesEnd - at;
          at = framesEnd;
          continue;
        }
      } else if (type === RecordType.frameBciOnly) {
        size = FRAME_BCI_ONLY_SIZE;
        if (end - at < size) break;
        if (!this.#traceIsOpen) {
          size = this.#frameOutsideTrace(type, start + at, records, size);
        } else {
          if (this.#knownNode !== NONE) this.#decodeKnownStack(input, view);
          this.#stack.readBciOnlyFrame(view, at);
          frameRecords++;
          this.counts.bciOnlyFrames++;
        }
      } else if (type === RecordType.traceStartWithTime || type === RecordType.traceStart) {
        const timed = type === RecordType.traceStartWithTime;
        size = timed ? TRACE_START_WITH_TIME_SIZE : TRACE_START_SIZE;
        if (end - at < size) break;
        if (timed) {
          this.#startTrace(
            view,
            at,
            view.getInt32(at + 13),
            view.getInt32(at + 17),
            view.getInt32(at + 21),
            view.getInt32(at + 25),
          );
          this.counts.timedTraceStarts++;
          this.clock.noteTime();
          this.#sink.takenAt(this.clock.base, this.clock.sinceFirst);
        } else {
          this.#startTrace(view, at, 0, 0, 0, 0);
          this.#sink.takenAt(undefined, 0);
        }
        if (this.#declaredDepth > 0 && before === end) {
          const depth = this.#declaredDepth;
          const node = this.#knownStacks.find(this.#thread, input, view, at + size, depth);
          if (node !== NONE) {
            const length = this.#knownStacks.foundEnd - at - size;
            this.#knownNode = node;
            this.#knownAt = at + size;
            this.counts.bciOnlyFrames +=
              (depth * FRAME_FULL_SIZE - length) / (FRAME_FULL_SIZE - FRAME_BCI_ONLY_SIZE);
            frameRecords += depth;
            records += depth;
            size += length;
          }
        }
      } else if (type === RecordType.notWritten) {
        let zerosEnd = at + 1;
        while (zerosEnd < end && input[zerosEnd] === 0) zerosEnd++;
        this.#zeros += zerosEnd - at;
        at = zerosEnd;
        continue;
      } else {
        size = this.#readDefinition(type, input, view, at, start + at, records);
      }
      if (size === INCOMPLETE || size === DAMAGED) break;
      if (size > 0) accepted += size;
      else this.#skipped -= size;
      at += Math.abs(size);
      records++;
    }
    if (this.#knownNode !== NONE) this.#decodeKnownStack(input, view);
    this.#accepted += accepted;
    this.#records = records;
    this.counts.frameRecords += frameRecords;
    return at;
  }

  #startTrace(
    view: DataView,
    at: number,
    secondsHi: number,
    secondsLo: number,
    nanosHi: number,
    nanosLo: number,
  ): void {
    const sink = this.#sink;
    this.clock.start(secondsHi, secondsLo, nanosHi, nanosLo);
    if (this.#traceIsOpen) this.#emitTrace();
    const numFrames = view.getInt32(at + 1);
    this.#thread = sink.thread(view.getInt32(at + 5), view.getInt32(at + 9));
    sink.openThread(this.#thread);
    this.#traceIsOpen = true;
    this.#declaredDepth = numFrames;
    this.#stack.length = 0;
    this.counts.traceStarts++;
    if (numFrames <= 0) this.#pushErrorFrame(numFrames);
  }

  /** Emits the open trace as a sample. */
  #emitTrace(): void {
    const sink = this.#sink;
    if (this.#knownNode !== NONE) {
      sink.sampleAt(this.#knownNode, this.clock.interval);
      this.#depths.noteAgain(this.#declaredDepth);
      this.#knownNode = NONE;
      return;
    }
    const { depth } = this.#stack;
    const placedDepth = this.#placedDepth();
    const { cells } = this.#stack;
    const node = sink.sample(this.#thread, cells, placedDepth, this.clock.interval);
    this.#knownStacks.endedAt(depth === this.#declaredDepth ? node : NONE);
    const isError = this.#declaredDepth <= 0;
    if (isError || depth === 0) return;
    const root = (depth - 1) * FRAME_CELLS;
    this.#depths.note(depth, sink.method(cells[root], cells[root + 1]));
  }

  /** The depth of the open stack in the call tree. A truncated stack has the frame (truncated) as one more caller. */
  #placedDepth(): number {
    const { depth } = this.#stack;
    if (depth > this.#deepest) this.#deepest = depth;
    if (depth !== this.#truncatedDepth) return depth;
    this.#stack.putCaller(TRUNCATED_ID_HI, TRUNCATED_ID_LO);
    return depth + 1;
  }

  /** Decodes a known stack because more frames follow than announced, or because its chunk ends. */
  #decodeKnownStack(input: Uint8Array, view: DataView): void {
    this.#knownNode = NONE;
    this.#stack.readAll(input, view, this.#knownAt, this.#knownStacks.foundEnd);
  }

  /** The pseudo frame of an AsyncGetCallTrace error: method id numFrames - 1, BCI -1, no line. */
  #pushErrorFrame(numFrames: number): void {
    countError(this.counts, numFrames, this.#thread, this.#sink.memory);
    const idLo = (numFrames - 1) | 0;
    if (-numFrames >= AGCT_ERRORS.length) {
      this.#sink.defineMethod(this.#sink.method(-1, idLo), {
        file: '',
        className: ERROR_CLASS,
        methodName: `UnknownErrCode${-numFrames}`,
      });
    }
    this.#stack.push(-1, idLo, NO_LINE, NO_BCI);
  }

  /**
   * A frame before the first trace start. After zeros, its trace start may be what was lost: the frame is skipped, and
   * the returned size is negative. Otherwise the start of the log is missing, which is damage.
   */
  #frameOutsideTrace(type: number, offset: number, record: number, size: number): number {
    if (this.#sawHole) return -size;
    return this.#reject(frameOutsideTrace(type, offset, record));
  }

  /** Reads a record of type 3, 31 or 4; any other type is damage. Returns its size, INCOMPLETE or DAMAGED. */
  #readDefinition(
    type: number,
    input: Uint8Array,
    view: DataView,
    at: number,
    offset: number,
    record: number,
  ): number {
    if (stringsOf(type) === 0) return this.#reject(unknownType(type, offset, record));
    const end = readDefinition(input, view, at, this.#sink, this.counts);
    if (end === 'incomplete') return INCOMPLETE;
    if (typeof end === 'number') return end - at;
    const length = { found: end.found, at: offset + end.at - at };
    return this.#reject(impossibleLength(type, offset, record, length));
  }

  #reject(damage: Damage): number {
    this.damage = damage;
    return DAMAGED;
  }
}

/** The offset after the last byte that is not zero. */
function dataEnd(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}
