import { NONE } from '../../profile/columns.ts';
import type { EventTypes, SampleEvent, SampleEvents } from './event-types.ts';
import { UNUSED_SLOT } from './field-plan.ts';
import { STATE_BITS, STATES } from './sample-counts.ts';
import { MAX_SAMPLES, type SampleGroups, stateKey } from './sample-groups.ts';
import { SAMPLE_FIELDS } from './sample-types.ts';

const { thread, stackTrace, state, samples, class: klass, value } = SAMPLE_FIELDS;
const HIGH = 4_294_967_296;
/** Bytes required after the first byte of an event, so that its start time can be read as words. */
const LOOKAHEAD_BYTES = 16;
/** Entries of a batch, two per sample; see `SampleGroups.addBatch`. */
const BATCH_CELLS = 4096;
/** Least bytes of a sample: its size, type, start, thread and stack. */
const SAMPLE_BYTES = 5;

/**
 * Fast path for nearly all events of a chunk: size and type of one or two bytes, a described type, and, in samples,
 * only integers and keys that fit 32 bits. Stops before the first event that is different or invalid; `Chunk` reads
 * that one. A chunk has about a million events, and nearly all samples consist of a thread, a stack and a state. These
 * are read without a loop over fields and counted in batches of some thousand: two short loops are faster than one that
 * does both, and are compiled sooner.
 *
 *   size   type   startTime        thread   stack   state
 *   0D     21     C8 E2 C5 A3 0B   05       9A 02   01       read
 *   90 12  01     …                                          constant pools: stopped here
 */
export class PlainEvents {
  /** Events walked so far, by row of their type. */
  readonly counts: Int32Array;
  records = 0;
  readonly #bytes: Uint8Array;
  readonly #words: DataView;
  readonly #rowOfSmall: Int32Array;
  readonly #samples: SampleEvents;
  readonly #groups: SampleGroups;
  readonly #batch: Int32Array;
  /** Start of each sample of the batch. */
  readonly #batchTicks: Float64Array;
  /** Entries of the batch that are used. */
  #batched = 0;

  constructor(bytes: Uint8Array, types: EventTypes, sampleEvents: SampleEvents, groups: SampleGroups) {
    const batchCells = Math.min(BATCH_CELLS, 2 * Math.ceil(bytes.length / SAMPLE_BYTES));
    this.#batch = new Int32Array(batchCells);
    this.#batchTicks = new Float64Array(batchCells / 2);
    this.#bytes = bytes;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.counts = new Int32Array(types.names.length);
    this.#rowOfSmall = types.rowOfSmall;
    this.#samples = sampleEvents;
    this.#groups = groups;
  }

  /**
   * Reads from the event at `from` to the first event that is not plain, or shortly before `end`. Returns the offset of
   * the first event not read.
   */
  walk(from: number, end: number): number {
    let at = from;
    for (;;) {
      at = this.#walkBatch(at, end);
      this.#groups.addBatch(this.#batch, this.#batched, this.#batchTicks);
      if (this.#batched < BATCH_CELLS || this.#groups.memory.isExceeded) return at;
    }
  }

  /**
   * Reads like `walk`, but at most until the batch is full. It returns some hundred times per chunk, so V8 compiles it
   * including its exit. Bytes that only some events have are masked, not branched on: a branch taken for the first time
   * makes V8 discard the compiled code, and until it is compiled again, some 20 000 events take 1 µs each.
   */
  #walkBatch(from: number, end: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    const counts = this.counts;
    const rowOfSmall = this.#rowOfSmall;
    const { events } = this.#samples;
    const groups = this.#groups;
    let { firstTicks, lastTicks } = groups;
    const batch = this.#batch;
    const batchTicks = this.#batchTicks;
    let batched = 0;
    let records = 0;
    let at = from;
    const last = end - LOOKAHEAD_BYTES;
    while (at < last && batched < BATCH_CELLS) {
      const head = words.getInt32(at, true);
      const sizeContinues = (head >>> 7) & 1;
      const size = (head & 0x7f) | ((head >>> 1) & 0x3f80 & -sizeContinues);
      const rest = head >>> (8 << sizeContinues);
      const typeContinues = (rest >>> 7) & 1;
      const type = (rest & 0x7f) | ((rest >>> 1) & 0x3f80 & -typeContinues);
      let pos = at + 2 + sizeContinues + typeContinues;
      const next = at + size;
      if (
        (head & 0x8080) === 0x8080 ||
        (rest & 0x8080) === 0x8080 ||
        next > end ||
        pos > next ||
        type >= rowOfSmall.length
      )
        break;
      const row = rowOfSmall[type];
      if (row < 0) break;
      const event = events[row];
      if (event !== undefined) {
        const { plainSteps } = event;
        if (plainSteps === undefined) break;

        // Ticks count from the start of the machine, so they usually have five to seven bytes: two words.
        const low = words.getInt32(pos, true);
        const high = words.getInt32(pos + 4, true);
        // The lowest bit of each byte without a continuation bit.
        const lowEnds = (~low >>> 7) & 0x01010101;
        const highEnds = (~high >>> 7) & 0x01010101;
        if (((highEnds & 0x010101) | lowEnds) === 0) break;
        const ofLow = bytesUpTo(lowEnds);
        const ofHigh = lowEnds === 0 ? bytesUpTo(highEnds) : 0;
        pos += (64 - Math.clz32(ofLow) - Math.clz32(ofHigh)) >> 3;
        const ticks = sevenBitsEach(low & ofLow) + sevenBitsEach(high & ofHigh) * 0x1000_0000;

        if (event.hasExecutionFields) {
          // Longer keys, of more than three bytes, or more than one for the state, are rare: `#sample` reads them.
          let tail = pos;
          let thread = bytes[tail++];
          if (thread >= 0x80) {
            thread = (thread & 0x7f) | (bytes[tail++] << 7);
            if (thread >= 0x4000) thread = (thread & 0x3fff) | (bytes[tail++] << 14);
          }
          let stack = bytes[tail++];
          if (stack >= 0x80) {
            stack = (stack & 0x7f) | (bytes[tail++] << 7);
            if (stack >= 0x4000) stack = (stack & 0x3fff) | (bytes[tail++] << 14);
          }
          const state = (bytes[tail++] << 1) | event.number;
          if (tail <= next && (thread | stack) < 0x200000 && state < STATES) {
            batch[batched] = stack;
            batchTicks[batched >> 1] = ticks;
            batch[batched + 1] = ((thread << STATE_BITS) | state) + 1;
            batched += 2;
            if (ticks < firstTicks) firstTicks = ticks;
            if (ticks > lastTicks) lastTicks = ticks;
            counts[row]++;
            records++;
            at = next;
            continue;
          }
        }
        // Count the batch first, because keys are numbered in order of first appearance.
        groups.addBatch(batch, batched, batchTicks);
        batched = 0;
        groups.ticks = ticks;
        if (!this.#sample(event, plainSteps, pos, next)) break;
        if (ticks < firstTicks) firstTicks = ticks;
        if (ticks > lastTicks) lastTicks = ticks;
      }
      counts[row]++;
      records++;
      at = next;
    }
    this.#batched = batched;
    this.records += records;
    groups.firstTicks = firstTicks;
    groups.lastTicks = lastTicks;
    return at;
  }

  /** Reads a sample from the byte after its start time on, and counts it. Returns false if it is not plain. */
  #sample(event: SampleEvent, plainSteps: Int8Array, from: number, next: number): boolean {
    const bytes = this.#bytes;
    const groups = this.#groups;
    const { lo, hi } = event.values;
    let pos = from;
    hi[value] = 0;
    for (let step = 0; step < plainSteps.length; step++) {
      const slot = plainSteps[step];
      if (slot < 0) {
        pos -= slot;
        continue;
      }
      let byte = bytes[pos++];
      let low = byte & 0x7f;
      for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
        byte = bytes[pos++];
        low |= (byte & 0x7f) << shift;
      }
      if (byte >= 0x80) {
        if (slot !== UNUSED_SLOT && slot !== value) return false;
        byte = bytes[pos++];
        low |= byte << 28;
        let high = (byte & 0x7f) >> 4;
        for (let shift = 3; byte >= 0x80 && shift <= 24; shift += 7) {
          byte = bytes[pos++];
          high |= (shift < 24 ? byte & 0x7f : byte) << shift;
        }
        hi[slot] = high;
      }
      lo[slot] = low;
    }
    if (pos > next || groups.memory.isExceeded) return false;
    const ofState = event.hasState || event.number > 0 ? stateKey.lo(lo[state], event.number) : NONE;
    if (event.onlyCounts) {
      groups.addOne(lo[thread], lo[stackTrace], ofState);
      return true;
    }
    const count = event.hasSamples && lo[samples] >= 1 && lo[samples] <= MAX_SAMPLES ? lo[samples] : 1;
    groups.noteCount(count);
    groups.add(
      lo[thread],
      lo[stackTrace],
      ofState,
      event.hasClass ? lo[klass] : NONE,
      count,
      event.hasValue ? hi[value] * HIGH + (lo[value] >>> 0) : 0,
    );
    return true;
  }
}

/** A mask of all bits up to the end of the byte with the lowest bit of `ends`; of all 32 bits if `ends` is 0. */
function bytesUpTo(ends: number): number {
  return ((ends ^ (ends - 1)) << 7) | 0x7f;
}

/** Joins the lower seven bits of four bytes. */
function sevenBitsEach(word: number): number {
  return (word & 0x7f) | ((word >>> 1) & 0x3f80) | ((word >>> 2) & 0x1fc000) | ((word >>> 3) & 0xfe00000);
}
