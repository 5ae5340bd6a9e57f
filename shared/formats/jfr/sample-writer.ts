import { FRAME_CELLS, type SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { ChunkConstants } from './chunk-constants.ts';
import { ChunkStacks, NO_ROOM } from './chunk-stacks.ts';
import type { ChunkHeader } from './chunk-header.ts';
import type { Chunk } from './chunk.ts';
import type { SampleEvents } from './event-types.ts';
import { KeptSamples } from './kept-samples.ts';
import { KnownTexts } from './known-texts.ts';
import { MethodNumbers } from './method-numbers.ts';
import type { RecordingFacts } from './recording-facts.ts';
import type { KeptPart } from './recording-part.ts';
import type { SampleGroups } from './sample-groups.ts';
import { StackNumbers } from './stack-numbers.ts';

/** Hands the samples of one sample type on, chunk by chunk, with what their keys mean in the chunk. */
export class SampleWriter {
  readonly #sink: SampleSink;
  readonly #facts: RecordingFacts;
  readonly methods: MethodNumbers;
  readonly #texts = new KnownTexts();
  readonly #numbers = new StackNumbers();
  /** For a range that is not the first, until the capacity is used up. */
  #kept: KeptSamples | undefined;

  /** `keeps`: keep the samples for another decoder, which places their stacks. */
  constructor(sink: SampleSink, facts: RecordingFacts, keeps: boolean) {
    this.#sink = sink;
    this.#facts = facts;
    this.#kept = keeps ? new KeptSamples() : undefined;
    this.methods = new MethodNumbers(sink);
  }

  write(chunk: Chunk): void {
    const facts = this.#facts;
    const { sampleType: type } = facts;
    const { groups } = chunk;
    if (type === undefined || chunk.types === undefined || chunk.samples === undefined || groups.isEmpty)
      return;
    const { bytes, types, samples, pools } = chunk;
    const constants = new ChunkConstants(bytes, types.planner, pools, this.methods, this.#texts);
    const stacks = new ChunkStacks(bytes, samples, groups, constants, this.#numbers, facts.groupsTruncated);
    const threads = this.#threads(groups, samples, constants);
    const isWanted = this.#wantedStates(groups, samples, constants);
    const nsPerTick = 1e9 / chunk.header.ticksPerSecond;
    this.#noteTimes(groups, chunk.header);

    groups.takeAll((thread, stack, state, klass, count, sum) => {
      if (state !== NONE && isWanted[state] === 0) return;
      if (!stacks.find(stack, klass)) {
        if ((groups.stacks.hi[stack] | groups.stacks.lo[stack]) === 0) facts.withoutStack += count;
        else facts.withLostStack += count;
        return;
      }
      if (stacks.isTruncated) facts.truncatedStacks += count;
      let value = sum;
      if (type.valueIn === 'ticks') value = Math.round(value * nsPerTick);
      if (type.isPeriodic) value = count * facts.periodNs;
      this.#write(threads[thread], stacks, count, value);
    });
  }

  /** What was kept instead of being placed, if all was; nothing can be written afterwards. */
  kept(): KeptPart | undefined {
    return this.#kept?.part(this.#numbers.kept());
  }

  /**
   * Writes what a part kept. Its stacks have the numbers of methods here; `threads` says which are its threads here.
   */
  appendRange({ length, thread, stack, count, value, stacks }: KeptPart, threads: Int32Array): void {
    const framesOf = (row: number): Int32Array =>
      stacks.cells.subarray(stacks.starts[row], stacks.starts[row + 1]);
    const numbers = new Int32Array(stacks.length);
    for (let row = 0; row < stacks.length; row++) numbers[row] = this.#numbers.of(framesOf(row));
    for (let row = 0; row < length; row++) {
      const known = threads[thread[row]];
      const number = numbers[stack[row]];
      const sum = value.bigints?.get(row) ?? value.ns[row];
      if (!this.#countKnown(known, number, count[row], sum))
        this.#place(known, number, framesOf(stack[row]), count[row], sum);
    }
  }

  #write(thread: number, stacks: ChunkStacks, count: number, value: number): void {
    const { number } = stacks;
    if (this.#kept !== undefined) {
      if (number !== NO_ROOM && this.#kept.add(thread, number, count, value)) return;
      this.#placeKept(this.#kept);
    }
    if (!this.#countKnown(thread, number, count, value))
      this.#place(thread, number, stacks.frames(), count, value);
  }

  /** The capacity for kept samples is used up. */
  #placeKept(kept: KeptSamples): void {
    this.#kept = undefined;
    const { length, thread, stack, count, value } = kept.part(this.#numbers.kept());
    for (let row = 0; row < length; row++) {
      const sum = value.bigints?.get(row) ?? value.ns[row];
      this.#place(thread[row], stack[row], this.#numbers.cellsOf(stack[row]), count[row], sum);
    }
  }

  /** Counts samples where their stack ended before; false when it is not known where. */
  #countKnown(thread: number, number: number, count: number, value: number | bigint): boolean {
    const node = number === NO_ROOM ? NONE : this.#numbers.nodeOf(thread, number);
    if (node !== NONE) this.#sink.samplesAt(node, count, value);
    return node !== NONE;
  }

  #place(thread: number, number: number, frames: Int32Array, count: number, value: number | bigint): void {
    const node = this.#sink.samples(thread, frames, frames.length / FRAME_CELLS, count, value);
    if (number !== NO_ROOM && node !== NONE) this.#numbers.place(thread, number, node);
  }

  /** Threads that samples refer to -> threads of the profile. */
  #threads(
    { threads: { length, hi, lo } }: SampleGroups,
    { threadType }: SampleEvents,
    constants: ChunkConstants,
  ): Int32Array {
    const threads = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const { idHi, idLo, name } = constants.thread(threadType, hi[row], lo[row]);
      threads[row] = this.#sink.thread(idHi, idLo);
      if (name !== undefined) this.#sink.nameThread(threads[row], name);
    }
    return threads;
  }

  /** Per state whether its samples count; notes the states that there are. */
  #wantedStates(
    { states }: SampleGroups,
    { stateType }: SampleEvents,
    constants: ChunkConstants,
  ): Uint8Array {
    const isWanted = new Uint8Array(states.length);
    for (let row = 0; row < states.length; row++) {
      const name = constants.text(stateType, states.hi[row], states.lo[row]) ?? 'unknown';
      this.#facts.addState(name);
      isWanted[row] = this.#facts.state === undefined || this.#facts.state === name ? 1 : 0;
    }
    return isWanted;
  }

  #noteTimes({ firstTicks, lastTicks }: SampleGroups, header: ChunkHeader): void {
    const time = (ticks: number): bigint =>
      header.startNs + BigInt(Math.round(((ticks - header.startTicks) / header.ticksPerSecond) * 1e9));
    this.#facts.noteTime(time(firstTicks));
    this.#facts.noteTime(time(lastTicks));
  }
}
