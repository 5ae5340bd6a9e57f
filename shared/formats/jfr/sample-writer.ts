import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { ChunkConstants } from './chunk-constants.ts';
import type { ChunkHeader } from './chunk-header.ts';
import type { Chunk } from './chunk.ts';
import { MethodNumbers } from './method-numbers.ts';
import type { RecordingFacts } from './recording-facts.ts';
import type { SampleGroups } from './sample-groups.ts';
import { StackTraces } from './stack-traces.ts';

/** Hands the samples of one sample type on, chunk by chunk, with what their keys mean in the chunk. */
export class SampleWriter {
  readonly #sink: SampleSink;
  readonly #facts: RecordingFacts;
  readonly #methods: MethodNumbers;

  constructor(sink: SampleSink, facts: RecordingFacts) {
    this.#sink = sink;
    this.#facts = facts;
    this.#methods = new MethodNumbers(sink);
  }

  write(chunk: Chunk): void {
    const type = this.#facts.chooseFrom(chunk);
    const groups = type === undefined ? undefined : chunk.groups.get(type);
    if (type === undefined || groups === undefined || chunk.planner === undefined || groups.length === 0)
      return;
    const facts = this.#facts;
    const sink = this.#sink;
    const { bytes, header } = chunk;
    const constants = new ChunkConstants(bytes, chunk.planner, chunk.pools, this.#methods);
    const stacks = new StackTraces(bytes, constants, chunk.stackType);
    const threads = this.#threads(chunk, constants);
    const isWanted = this.#wantedStates(chunk, constants, groups);
    const nsPerTick = 1e9 / header.ticksPerSecond;
    this.#noteTimes(groups, header);

    for (let row = 0; row < groups.length; row++) {
      const state = groups.state[row];
      if (state !== NONE && isWanted[state] === 0) continue;
      const key = groups.stack[row];
      const count = groups.count[row];
      const [stackHi, stackLo] = [chunk.stacks.hi[key], chunk.stacks.lo[key]];
      const klass = groups.class[row];
      const leaf = klass === NONE ? 0 : 1;
      if (!stacks.read(stackHi, stackLo, leaf)) {
        if ((stackHi | stackLo) === 0) facts.withoutStack += count;
        else facts.withLostStack += count;
        continue;
      }
      if (leaf > 0) stacks.putPseudo(0, this.#className(chunk, constants, klass));
      let { depth } = stacks;
      if (stacks.isTruncated) {
        facts.cutStacks += count;
        if (facts.withCuts) stacks.putPseudo(depth++, this.#methods.ofPseudo('(truncated)'));
      }
      let value = groups.value[row];
      if (type.valueIn === 'ticks') value = Math.round(value * nsPerTick);
      if (type.isPeriodic) value = count * facts.periodNs;
      sink.samples(threads[groups.thread[row]], stacks.stack, depth, count, value);
    }
  }

  /** Threads that samples refer to -> threads of the profile. */
  #threads({ threads: { length, hi, lo }, threadType }: Chunk, constants: ChunkConstants): Int32Array {
    const threads = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const { idHi, idLo, name } = constants.thread(threadType, hi[row], lo[row]);
      threads[row] = this.#sink.thread(idHi, idLo);
      if (name !== undefined) this.#sink.nameThread(threads[row], name);
    }
    return threads;
  }

  /** Per state whether its samples count; notes the states that there are. */
  #wantedStates({ states, stateType }: Chunk, constants: ChunkConstants, groups: SampleGroups): Uint8Array {
    const isMet = new Uint8Array(states.length);
    for (let row = 0; row < groups.length; row++)
      if (groups.state[row] !== NONE) isMet[groups.state[row]] = 1;
    const isWanted = new Uint8Array(states.length);
    for (let row = 0; row < states.length; row++) {
      if (isMet[row] === 0) continue;
      const name = constants.text(stateType, states.hi[row], states.lo[row]) ?? 'unknown';
      this.#facts.addState(name);
      isWanted[row] = this.#facts.state === undefined || this.#facts.state === name ? 1 : 0;
    }
    return isWanted;
  }

  #className({ classes, classType }: Chunk, constants: ChunkConstants, klass: number): number {
    const name = constants.className(classType, classes.hi[klass], classes.lo[klass]);
    return this.#methods.ofPseudo(name ?? '(unknown class)');
  }

  #noteTimes({ firstTicks, lastTicks }: SampleGroups, header: ChunkHeader): void {
    const time = (ticks: number): bigint =>
      header.startNs + BigInt(Math.round(((ticks - header.startTicks) / header.ticksPerSecond) * 1e9));
    const facts = this.#facts;
    const [first, last] = [time(firstTicks), time(lastTicks)];
    if (facts.firstTime === undefined || first < facts.firstTime) facts.firstTime = first;
    if (facts.lastTime === undefined || last > facts.lastTime) facts.lastTime = last;
  }
}
