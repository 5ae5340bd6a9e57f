import { FRAME_CELLS, type SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { ChunkConstants } from './chunk-constants.ts';
import { ChunkStacks, NOT_KEPT } from './chunk-stacks.ts';
import type { ChunkHeader } from './chunk-header.ts';
import type { Chunk } from './chunk.ts';
import type { EventTypes, SampleEvents } from './event-types.ts';
import { KnownTexts } from './known-texts.ts';
import { MethodNumbers } from './method-numbers.ts';
import { PERIOD_SETTINGS } from './sampling-period.ts';
import type { RecordingFacts } from './recording-facts.ts';
import type { SampleGroups } from './sample-groups.ts';
import { StackNumbers } from './stack-numbers.ts';

/** Writes the samples of each chunk to the sink. Looks up the constants that their keys refer to in the chunk. */
export class SampleWriter {
  readonly #sink: SampleSink;
  readonly #facts: RecordingFacts;
  readonly #methods: MethodNumbers;
  readonly #texts = new KnownTexts();
  readonly #numbers = new StackNumbers();

  constructor(sink: SampleSink, facts: RecordingFacts) {
    this.#sink = sink;
    this.#facts = facts;
    this.#methods = new MethodNumbers(sink);
  }

  write(chunk: Chunk): void {
    const facts = this.#facts;
    const { sampleType: type } = facts;
    const { groups } = chunk;
    if (type === undefined || chunk.types === undefined || chunk.samples === undefined || groups.isEmpty)
      return;
    const { bytes, types, samples, pools } = chunk;
    const constants = new ChunkConstants(bytes, types.planner, pools, this.#methods, this.#texts);
    const stacks = new ChunkStacks(bytes, samples, groups, constants, this.#numbers, facts.groupsTruncated);
    const threads = this.#threads(groups, samples, constants);
    const isWanted = this.#wantedStates(groups, samples, constants);
    const nsPerTick = 1e9 / chunk.header.ticksPerSecond;
    this.#noteSettings(chunk, types, constants);
    this.#noteTimes(groups, chunk.header);

    groups.takeAll((thread, stack, state, klass, count, sum) => {
      if (this.#sink.isFull || (state !== NONE && isWanted[state] === 0)) return;
      if (!stacks.find(stack, klass)) {
        if ((groups.stacks.hi[stack] | groups.stacks.lo[stack]) === 0) facts.withoutStack += count;
        else facts.withLostStack += count;
        return;
      }
      if (stacks.isTruncated) facts.truncatedStacks += count;
      if (stacks.isEmpty) facts.withoutFrames += count;
      let value = sum;
      if (type.valueIn === 'ticks') value = Math.round(value * nsPerTick);
      else if (type.valueIn !== 1) value *= type.valueIn;
      if (type.isPeriodic) value = count * facts.periodNs;
      this.#write(threads[thread], stacks, count, value);
    });
  }

  #write(thread: number, stacks: ChunkStacks, count: number, value: number): void {
    const { number } = stacks;
    const known = number === NOT_KEPT ? NONE : this.#numbers.nodeOf(thread, number);
    if (known !== NONE) {
      this.#sink.samplesAt(known, count, value);
      return;
    }
    const frames = stacks.frames();
    const node = this.#sink.samples(thread, frames, frames.length / FRAME_CELLS, count, value);
    if (number !== NOT_KEPT && node !== NONE) this.#numbers.place(thread, number, node);
  }

  /** Row of the chunk's thread keys -> thread of the profile. */
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

  /** Row of the chunk's state keys -> 1 if samples in this state count. Adds the states to the facts. */
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

  #noteSettings(chunk: Chunk, types: EventTypes, constants: ChunkConstants): void {
    const textType = types.settings?.plan.wanted[1]?.type;
    if (textType === undefined) return;
    for (const { event, nameAt, valueAt } of chunk.settings) {
      const name = constants.textAt(textType, nameAt);
      if (name === undefined || !PERIOD_SETTINGS.has(name)) continue;
      const row = types.row(event);
      const value = constants.textAt(textType, valueAt);
      if (row !== NONE && value !== undefined) this.#facts.notePeriod(types.names[row], name, value);
    }
  }

  #noteTimes({ firstTicks, lastTicks }: SampleGroups, header: ChunkHeader): void {
    const time = (ticks: number): bigint =>
      header.startNs + BigInt(Math.round(((ticks - header.startTicks) / header.ticksPerSecond) * 1e9));
    this.#facts.noteTime(time(firstTicks));
    this.#facts.noteTime(time(lastTicks));
  }
}
