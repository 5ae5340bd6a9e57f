import { FRAME_CELLS, type SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE, nextCapacity } from '../../profile/columns.ts';
import { MOST_REPEATED } from '../repeated-times.ts';
import { ChunkConstants, type RecordedThread } from './chunk/chunk-constants.ts';
import { ChunkStacks, NOT_KEPT, StackNumbers } from './events/chunk-stacks.ts';
import type { ChunkHeader } from './chunk/chunk-header.ts';
import type { Chunk } from './events/chunk.ts';
import { NotedEvent, readContext } from './events/noted-events.ts';
import { type EventTimes, type SampleGroups, stateKey } from './events/sample-groups.ts';
import type { EventTypes, SampleEvents } from './events/event-types.ts';
import { KnownTexts, MethodNumbers } from './chunk/known-texts.ts';
import type { RecordingFacts } from './facts/recording-facts.ts';
import { Int64Index } from '../../aggregate/int64-index.ts';

/** Writes the samples of each chunk to the sink. Looks up the constants that their keys refer to in the chunk. */
export class SampleWriter {
  readonly #sink: SampleSink;
  readonly #facts: RecordingFacts;
  readonly #methods: MethodNumbers;
  readonly #texts: KnownTexts;
  readonly #numbers = new StackNumbers();
  readonly #threadNames: ThreadNames;
  /** Reused for each chunk: group -> its call node; NONE where its samples are not counted. */
  #nodes = new Int32Array(0);

  constructor(sink: SampleSink, facts: RecordingFacts) {
    this.#sink = sink;
    this.#facts = facts;
    this.#methods = new MethodNumbers(sink);
    this.#texts = new KnownTexts(sink.memory);
    this.#threadNames = new ThreadNames(sink, (from, to, isLast) => facts.threads.rename(from, to, isLast));
  }

  write(chunk: Chunk): void {
    const facts = this.#facts;
    const { sampleType: type } = facts;
    const { bytes, types, samples, pools, groups } = chunk;
    if (types === undefined) return;
    const constants = new ChunkConstants(bytes, types.planner, pools, this.#methods, this.#texts);
    // Also without samples: in a growing recording, the settings come before the first sample.
    this.#threadNames.update(constants);
    this.#note(chunk, types, new NotedEvent(bytes, chunk.header, constants));
    if (type === undefined || samples === undefined || groups.isEmpty) return;
    const stacks = new ChunkStacks(bytes, samples, groups, constants, this.#numbers, facts.groupsTruncated);
    const { threads, names } = this.#threads(groups, samples, constants);
    const states = this.#states(groups, samples, constants);
    const isWanted = this.#areWanted(states);
    const nsPerTick = 1e9 / chunk.header.ticksPerSecond;
    this.#noteTimes(groups, chunk.header, nsPerTick);

    facts.hasWeights ||= groups.latestOf.size > 0;
    const times = this.#sink.keepsTimes ? groups.times : undefined;
    // Looked up once: these are used for each sample.
    const { periodNs } = facts;
    const periods = this.#periods(groups);
    const hasOnePeriod = periods.every((each) => each === periodNs);
    const valueOf = (count: number, sum: number, period: number): number => {
      if (type.isPeriodic) return count * period;
      return type.valueIn === 'ticks' ? Math.round(sum * nsPerTick) : sum * type.valueIn;
    };
    const numbered = times === undefined ? 0 : groups.length;
    if (numbered > this.#nodes.length)
      this.#nodes = new Int32Array(nextCapacity(this.#nodes.length, numbered));
    const nodes = this.#nodes.subarray(0, numbered).fill(NONE);
    /** Group -> the time that each of its samples stands for; empty where that is the same for all. */
    const periodOf = new Float64Array(hasOnePeriod ? 0 : numbered);
    /** Thread, then state -> 1 if there are samples of the thread in the state. */
    const inState = new Uint8Array(threads.length * states.length);
    this.#sink.takenAt(undefined, 0);
    groups.takeAll((thread, stack, state, klass, count, sum, group) => {
      let node = NONE;
      const period = state === NONE ? periodNs : periods[state];
      const isTaken = !this.#sink.isFull && (state === NONE || isWanted[state] === 1);
      if (isTaken && this.#find(stacks, groups, stack, klass, count)) {
        node = this.#count(threads[thread], stacks, count, valueOf(count, sum, period));
        if (state !== NONE) inState[thread * states.length + state] = 1;
      }
      if (times === undefined) return;
      nodes[group] = node;
      if (!hasOnePeriod) periodOf[group] = period;
    });
    facts.deepestStack = Math.max(facts.deepestStack, stacks.deepest);
    this.#noteThreads(names, groups, samples, constants, (thread) =>
      states.filter((_, state) => inState[thread * states.length + state] === 1),
    );
    if (times === undefined) return;
    const most = this.#sink.timesAllowed;
    const repeated = times.repeated(periodNs / nsPerTick, (count, rows) =>
      facts.repeatedTimes.allows(count, most - rows),
    );
    const isEach = type.isPeriodic && hasOnePeriod && areExact(periodNs, repeated.length);
    const { startNs, startTicks, ticksPerSecond } = chunk.header;
    const { length, ticks, group } = repeated;
    const value = isEach
      ? periodNs
      : distributedValues(repeated, nodes.length, (count, sum, group) =>
          valueOf(count, sum, hasOnePeriod ? periodNs : periodOf[group]),
        );
    const clock = { start: startTicks, perSecond: ticksPerSecond };
    this.#sink.addTimes(startNs, { length, ticks, clock, group, value }, nodes);
  }

  /** Finds the stack of `count` samples. False if the chunk does not contain it. */
  #find(stacks: ChunkStacks, groups: SampleGroups, stack: number, klass: number, count: number): boolean {
    const facts = this.#facts;
    if (!stacks.find(stack, klass)) {
      if ((groups.stacks.hi[stack] | groups.stacks.lo[stack]) === 0) facts.losses.withoutStack += count;
      else facts.losses.withLostStack += count;
      return false;
    }
    if (stacks.isTruncated) facts.losses.truncatedStacks += count;
    if (stacks.isEmpty) facts.losses.withoutFrames += count;
    return true;
  }

  /** Counts samples of the stack that was found last. Returns its call node. */
  #count(thread: number, stacks: ChunkStacks, count: number, value: number): number {
    const { number } = stacks;
    const known = number === NOT_KEPT ? NONE : this.#numbers.nodeOf(thread, number);
    if (known !== NONE) {
      if (count > 0) this.#sink.samplesAt(known, count, value);
      return known;
    }
    const frames = stacks.frames();
    const node = this.#sink.samples(thread, frames, frames.length / FRAME_CELLS, count, value);
    if (number !== NOT_KEPT && node !== NONE) this.#numbers.place(thread, number, node);
    return node;
  }

  /** Row of the chunk's thread keys -> thread of the profile, and its name. */
  #threads(
    { threads: { length, hi, lo } }: SampleGroups,
    { threadType }: SampleEvents,
    constants: ChunkConstants,
  ): { readonly threads: Int32Array; readonly names: readonly (string | undefined)[] } {
    const threads = new Int32Array(length);
    const names: (string | undefined)[] = [];
    for (let row = 0; row < length; row++) {
      const thread = constants.thread(threadType, hi[row], lo[row]);
      threads[row] = this.#threadNames.of(thread);
      names.push(thread.name);
    }
    return { threads, names };
  }

  /** Adds threads with their groups and the states of their samples to the facts. */
  #noteThreads(
    names: readonly (string | undefined)[],
    { threads: { hi, lo } }: SampleGroups,
    { threadType }: SampleEvents,
    constants: ChunkConstants,
    statesOf: (thread: number) => readonly string[],
  ): void {
    for (const [row, name] of names.entries()) {
      const group = constants.threadGroup(threadType, hi[row], lo[row]);
      if (name !== undefined && name !== '') this.#facts.threads.add(name, group, statesOf(row));
    }
  }

  /** Row of the chunk's state keys -> its name. */
  #states(
    { states }: SampleGroups,
    { stateType }: SampleEvents,
    constants: ChunkConstants,
  ): readonly string[] {
    return Array.from({ length: states.length }, (_, row) => {
      const [hi, lo] = [states.hi[row], states.lo[row]];
      return constants.text(stateType, stateKey.stateHi(hi), stateKey.stateLo(hi, lo)) ?? 'unknown';
    });
  }

  /** Row of the chunk's state keys -> the time in ns that each of its samples stands for. */
  #periods({ states: { length, lo } }: SampleGroups): Float64Array {
    const ofEvent = [this.#facts.periodOf(0), this.#facts.periodOf(1)];
    return Float64Array.from({ length }, (_, row) => ofEvent[stateKey.eventOf(lo[row])]);
  }

  /** State -> 1 if samples in it count. Adds the states to the facts. */
  #areWanted(states: readonly string[]): Uint8Array {
    const wanted = this.#facts.state;
    for (const state of states) this.#facts.addState(state);
    return Uint8Array.from(states, (state) => (wanted === undefined || wanted === state ? 1 : 0));
  }

  /** Passes on what events say besides samples: the constants of the chunk are there now. */
  #note({ noted, header }: Chunk, types: EventTypes, event: NotedEvent): void {
    const sink = this.#sink;
    for (let at = 0; at < noted.length; at += 3)
      for (const how of types.noted[noted[at]] ?? []) {
        if (!event.read(how.plan, noted[at + 1], noted[at + 2])) continue;
        if ('note' in how) how.note(event, this.#facts);
        else if (sink.keepsTimes) {
          const { thread, from, to, name, attributes } = readContext(event, how);
          sink.addContext(this.#threadNames.of(thread), header.startNs, from, to, name, attributes);
        }
      }
  }

  #noteTimes(
    { firstTicks, lastTicks, latestOf }: SampleGroups,
    header: ChunkHeader,
    nsPerTick: number,
  ): void {
    const time = (ticks: number): bigint =>
      header.startNs + BigInt(Math.round(((ticks - header.startTicks) / header.ticksPerSecond) * 1e9));
    this.#facts.noteTime(time(firstTicks));
    this.#facts.noteTime(time(lastTicks));
    const period = this.#facts.periodNs / nsPerTick;
    // The last sample of an event is so many periods after its start: see `EventTimes.repeated`.
    for (const [count, ticks] of latestOf)
      if (count <= MOST_REPEATED) this.#facts.noteTime(time(ticks + (count - 1) * period));
  }
}

/** So many values are whole, and so is their sum. */
function areExact(value: number, count: number): boolean {
  return Number.isInteger(value) && value * count <= Number.MAX_SAFE_INTEGER;
}

/**
 * The addition of each sample to the value of its group, so that rounded values have the sum that was counted. Replaces
 * the values of `times`.
 */
function distributedValues(
  { length, group, value: given }: EventTimes,
  groups: number,
  valueOf: (count: number, sum: number, group: number) => number,
): Float64Array {
  const value = given ?? new Float64Array(length);
  const counts = new Float64Array(groups);
  const sums = new Float64Array(groups);
  const values = new Float64Array(groups);
  for (let row = 0; row < length; row++) {
    const of = group[row];
    counts[of]++;
    sums[of] += value[row];
    const sum = valueOf(counts[of], sums[of], of);
    value[row] = sum - values[of];
    values[of] = sum;
  }
  return value;
}

/**
 * The threads of a recording and their names. A thread that was renamed has one name: that of the last chunk that lists it,
 * whether it has samples there or not. So the name is the same for each sample type.
 */
class ThreadNames {
  readonly #sink: Pick<SampleSink, 'thread' | 'nameThread'>;
  readonly #renamed: (from: string, to: string, isLast: boolean) => void;
  readonly #ids = new Int64Index();
  /** By index of #ids: the thread of the profile, and its name; empty for none. */
  readonly #threads: number[] = [];
  readonly #names: string[] = [];

  /** `renamed`: a thread has another name from now on. `isLast`: no other thread has the former one. */
  constructor(
    sink: Pick<SampleSink, 'thread' | 'nameThread'>,
    renamed: (from: string, to: string, isLast: boolean) => void,
  ) {
    this.#sink = sink;
    this.#renamed = renamed;
  }

  /** The thread of the profile, which is added if necessary. */
  of({ idHi, idLo, name = '' }: RecordedThread): number {
    let row = this.#ids.find(idHi, idLo);
    if (row < 0) {
      row = this.#ids.add(idHi, idLo);
      this.#threads.push(this.#sink.thread(idHi, idLo));
      this.#names.push('');
      // A thread without a name is known by its id still.
      this.#sink.nameThread(this.#threads[row], '');
    }
    this.#name(row, name);
    return this.#threads[row];
  }

  /** Takes the names of all threads that a chunk lists. */
  update(constants: ChunkConstants): void {
    if (this.#threads.length === 0) return;
    constants.eachThread(
      (hi, lo) => this.#ids.find(hi, lo) >= 0,
      ({ idHi, idLo, name = '' }) => this.#name(this.#ids.find(idHi, idLo), name),
    );
  }

  #name(row: number, name: string): void {
    const former = this.#names[row];
    if (name === '' || name === former) return;
    this.#names[row] = name;
    this.#sink.nameThread(this.#threads[row], name);
    if (former !== '') this.#renamed(former, name, !this.#names.includes(former));
  }
}
