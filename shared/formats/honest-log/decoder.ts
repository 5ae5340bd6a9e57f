import type { ProfileAggregator } from '../../aggregate/profile-aggregator.ts';
import type { RangeProfile } from '../../aggregate/range-profile.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { joined } from '../../bytes/joined.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { ERROR_CLASS } from '../../profile/method-table.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, Preallocation, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import type { RangeDecoder, RangeState } from '../byte-ranges.ts';
import { methodNamesAt, stringsEnd, threadNameAt } from './definitions.ts';
import { KnownStacks } from './known-stacks.ts';
import { addCounts, logFacts, noCounts } from './log-counts.ts';
import { frameOutsideTrace, impossibleLength, unknownType } from './log-damage.ts';
import type { HonestLogPart } from './log-part.ts';
import { OpenStack } from './open-stack.ts';
import {
  ERROR_NAMES,
  FRAME_BCI_ONLY_SIZE,
  FRAME_FULL_SIZE,
  isTraceStart,
  RecordType,
  STRINGS_OFFSET,
  stringsOf,
  TRACE_START_SIZE,
  TRACE_START_WITH_TIME_SIZE,
} from './records.ts';
import { TraceClock } from './trace-clock.ts';

const NO_BYTES = new Uint8Array(0);
const PARTIAL = -1;
const DAMAGED = -2;

/**
 * Decodes in place: records are read directly from their chunk. Only a record that continues in the next chunk is
 * copied. A trace is emitted when the next one starts, because only then are its last frame and its time known;
 * `settle` emits the open one provisionally.
 */
export class HonestLogDecoder implements ProfileDecoder, Preallocation, RangeDecoder {
  readonly preallocation: Preallocation = this;
  readonly counts = noCounts();
  readonly clock = new TraceClock();
  damage: Damage | undefined;

  readonly #sink: SampleSink;
  /** Offset in the log of the first byte appended. */
  readonly #start: number;
  #firstByte: number | undefined;
  #accepted = 0;
  #skipped = 0;
  /** Length of the run of zeros that the input ends with so far. */
  #zeros = 0;
  /** Bytes of a record that the last chunk cut. */
  #cut = NO_BYTES;
  #records = 0;
  #sawHole = false;

  #traceIsOpen = false;
  #thread = 0;
  /** Frames that the open trace announced, and those it has. */
  #declaredDepth = 0;
  readonly #stack = new OpenStack();
  readonly #knownStacks: KnownStacks;
  /**
   * Where the open trace ends when its stack is a known one, which then is not in #stack but in the chunk that is being
   * read, from #knownAt on; else NONE.
   */
  #knownNode = NONE;
  #knownAt = 0;

  constructor(sink: SampleSink, start = 0) {
    this.#sink = sink;
    this.#start = start;
    this.#knownStacks = new KnownStacks(sink.paths);
    for (let code = 0; code < ERROR_NAMES.length; code++) {
      sink.defineMethod(sink.method(-1, -1 - code), {
        file: '',
        className: ERROR_CLASS,
        methodName: ERROR_NAMES[code],
      });
    }
  }

  get bytes(): ByteAccount {
    return { accepted: this.#accepted, skipped: this.#skipped, pending: this.#zeros + this.#cut.length };
  }

  get records(): number {
    return this.#records;
  }

  facts(): FormatFacts {
    return logFacts(this.counts, this.clock);
  }

  get resumeOffset(): number {
    return this.#accepted + this.#skipped;
  }

  rewind(): void {
    this.#zeros = 0;
    this.#cut = NO_BYTES;
  }

  append(bytes: Uint8Array): void {
    if (this.damage !== undefined) {
      this.#skipped += bytes.length;
      return;
    }
    this.#firstByte ??= bytes[0];
    const from = this.#cut.length > 0 ? this.#completeCut(bytes) : 0;
    const end = this.#cut.length > 0 ? from : this.#readRecords(bytes, from, bytes.length);
    if (this.#isDamaged()) {
      this.#skipped += this.#cut.length + bytes.length - end;
      this.#cut = NO_BYTES;
    } else if (end < bytes.length) {
      this.#cut = joined(this.#cut, bytes.subarray(end));
    }
  }

  settle(ended: boolean): void {
    if (!this.#traceIsOpen) return;
    const { cells, depth } = this.#stack;
    if (ended || depth >= this.#declaredDepth) {
      this.#sink.provisionalSample(this.#thread, cells, depth, this.clock.interval);
    } else {
      this.#sink.withdrawProvisional();
    }
  }

  detach(): RangeState {
    return { state: this.#part(), buffers: [] };
  }

  /** Undefined when the range does not begin with a trace: no decoder can append it. */
  #part(): HonestLogPart | undefined {
    const clock = this.clock.part;
    if (clock === undefined || !isTraceStart(this.#firstByte)) return undefined;
    return {
      start: this.#start,
      accepted: this.#accepted,
      skipped: this.#skipped,
      zeros: this.#zeros,
      cut: this.#cut,
      records: this.#records,
      damage: this.damage,
      counts: this.counts,
      clock,
      thread: this.#thread,
      declaredDepth: this.#declaredDepth,
      stack: this.#stack.copy(),
    };
  }

  /**
   * The part's first trace start ends the trace that is open here, and gives it its interval. After it every decoder is
   * in the same state whatever it read before, but for the clock, where the trace has no time.
   */
  appendRange(state: unknown, profile: RangeProfile, into: ProfileAggregator): boolean {
    const part = state as HonestLogPart | undefined;
    if (this.#isDamaged() || this.#cut.length > 0 || part === undefined) return false;
    const standsAt = this.#start + this.#accepted + this.#skipped + this.#zeros;
    if (part.start !== standsAt || !this.clock.canGoOnWith(part.clock)) return false;
    const [secondsHi, secondsLo, nanosHi, nanosLo] = part.clock.first;
    this.clock.start(secondsHi, secondsLo, nanosHi, nanosLo);
    if (this.#traceIsOpen) this.#handOn();
    const threads = into.append(profile);

    this.#accepted += part.accepted;
    this.#skipped += this.#zeros + part.skipped;
    this.#zeros = part.zeros;
    this.#cut = part.cut;
    if (part.damage !== undefined)
      this.damage = { ...part.damage, record: this.#records + part.damage.record };
    this.#records += part.records;
    addCounts(this.counts, part.counts);
    this.clock.goOnWith(part.clock);

    this.#traceIsOpen = true;
    this.#thread = threads[part.thread];
    this.#declaredDepth = part.declaredDepth;
    this.#stack.set(part.stack);
    return true;
  }

  /**
   * Completes the record that the last chunk cut with as few bytes of this chunk as possible; returns their number.
   * Returns 0 and keeps the cut record unchanged when the chunk does not complete it.
   */
  #completeCut(bytes: Uint8Array): number {
    const cut = this.#cut;
    for (let taken = Math.min(256, bytes.length); ; taken = Math.min(taken * 8, bytes.length)) {
      const end = this.#readRecords(joined(cut, bytes.subarray(0, taken)), 0, 1);
      if (end > 0) {
        this.#cut = NO_BYTES;
        return end - cut.length;
      }
      if (taken === bytes.length || this.#isDamaged()) return 0;
    }
  }

  /** A method, because TypeScript would keep the narrowed type of the property across the call that sets it. */
  #isDamaged(): boolean {
    return this.damage !== undefined;
  }

  /**
   * Reads the complete records of `input` that start in [from, before); returns the offset of the first byte after
   * them.
   */
  #readRecords(input: Uint8Array, from: number, before: number): number {
    const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
    const end = input.length;
    const start = this.#start + this.#accepted + this.#skipped + this.#zeros - from;
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
          if (this.#knownNode !== NONE) this.#unfoldKnownStack(input, view);
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
          if (this.#knownNode !== NONE) this.#unfoldKnownStack(input, view);
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
        } else {
          this.#startTrace(view, at, 0, 0, 0, 0);
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
        size = this.#readNames(type, input, view, at, start + at, records);
      }
      if (size === PARTIAL || size === DAMAGED) break;
      if (size > 0) accepted += size;
      else this.#skipped -= size;
      at += Math.abs(size);
      records++;
    }
    if (this.#knownNode !== NONE) this.#unfoldKnownStack(input, view);
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
    if (this.#traceIsOpen) this.#handOn();
    const numFrames = view.getInt32(at + 1);
    this.#thread = sink.thread(view.getInt32(at + 5), view.getInt32(at + 9));
    sink.openThread(this.#thread);
    this.#traceIsOpen = true;
    this.#declaredDepth = numFrames;
    this.#stack.length = 0;
    this.counts.traceStarts++;
    if (numFrames <= 0) this.#pushErrorFrame(numFrames);
  }

  #handOn(): void {
    const sink = this.#sink;
    if (this.#knownNode !== NONE) {
      sink.sampleAt(this.#knownNode, this.clock.interval);
      this.#knownNode = NONE;
      return;
    }
    const { cells, depth } = this.#stack;
    const node = sink.sample(this.#thread, cells, depth, this.clock.interval);
    this.#knownStacks.endedAt(depth === this.#declaredDepth ? node : NONE);
  }

  /** The stack of the open trace goes on although it is complete, or the chunk that it lies in ends. */
  #unfoldKnownStack(input: Uint8Array, view: DataView): void {
    this.#knownNode = NONE;
    this.#stack.readAll(input, view, this.#knownAt, this.#knownStacks.foundEnd);
  }

  /** The pseudo frame of an AsyncGetCallTrace error: method id numFrames - 1, BCI -1, no line. */
  #pushErrorFrame(numFrames: number): void {
    const { errorTraces } = this.counts;
    errorTraces.set(numFrames, (errorTraces.get(numFrames) ?? 0) + 1);
    const idLo = (numFrames - 1) | 0;
    if (-numFrames >= ERROR_NAMES.length) {
      this.#sink.defineMethod(this.#sink.method(-1, idLo), {
        file: '',
        className: ERROR_CLASS,
        methodName: `UnknownErrCode${-numFrames}`,
      });
    }
    this.#stack.push(-1, idLo, NO_LINE, NO_BCI);
  }

  /**
   * A frame before the first trace start. After a hole its trace start may be what was lost: skipped (a negative
   * size). Without one the log is cut at the front, and what the frames belong to cannot be known: damage.
   */
  #frameOutsideTrace(type: number, offset: number, record: number, size: number): number {
    if (this.#sawHole) return -size;
    return this.#reject(frameOutsideTrace(type, offset, record));
  }

  /** Records of types 3, 31 and 4; the size of the record, PARTIAL or DAMAGED. */
  #readNames(
    type: number,
    input: Uint8Array,
    view: DataView,
    at: number,
    offset: number,
    record: number,
  ): number {
    const isThread = type === RecordType.threadMeta;
    const isSigned = type === RecordType.methodWithSignature;
    if (!isThread && !isSigned && type !== RecordType.method) {
      return this.#reject(unknownType(type, offset, record));
    }
    const next = stringsEnd(view, at + STRINGS_OFFSET, stringsOf(type));
    if (next === 'cut') return PARTIAL;
    if (typeof next === 'object') {
      const what = isThread ? 'thread' : 'method definition';
      const { impossibleAt } = next;
      const length = view.getInt32(impossibleAt);
      return this.#reject(impossibleLength(what, offset, record, length, offset + impossibleAt - at));
    }

    const idHi = view.getInt32(at + 1);
    const idLo = view.getInt32(at + 5);
    const sink = this.#sink;
    if (isThread) {
      sink.nameThread(sink.thread(idHi, idLo), threadNameAt(input, view, at));
      this.counts.threadRecords++;
    } else {
      sink.defineMethod(sink.method(idHi, idLo), methodNamesAt(input, view, at, isSigned));
      this.counts.methodRecords++;
      if (isSigned) this.counts.signedMethods++;
    }
    return next - at;
  }

  #reject(damage: Damage): number {
    this.damage = damage;
    return DAMAGED;
  }
}
