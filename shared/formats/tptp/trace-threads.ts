import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { int64Text } from '../../profile/int64.ts';
import { THREAD_START } from './messages.ts';
import { OpenCalls } from './open-calls.ts';
import { StaticOrTransientIds } from './trace-names.ts';
import type { TraceEvent } from './trace-event.ts';

const START = THREAD_START.at;

/** Upper half of the ids given to threads whose own id belonged to an earlier thread. */
const REUSED_IDS = 0x7ee0_0000;

/** Bytes of a thread, without its open calls. */
const THREAD_BYTES = 700;

/** A thread. Another thread with the same id is another object. */
export class TraceThread {
  readonly calls: OpenCalls;
  /** Open aggregated calls, which nest only in each other. */
  readonly aggregated: OpenCalls;
  name = '';
  group = '';
  parentGroup = '';
  isStarted = false;
  hasEnded = false;
  /** ns of the latest event. */
  lastMoment = -Infinity;
  callCount = 0;
  /** The CPU time of an exit is that of its call, not a reading of the thread's CPU clock: a clock never decreases. */
  cpuIsPerCall = false;
  /** Row of the ThreadTable. */
  readonly index: number;
  /** The id, in decimal. */
  readonly idText: string;
  #lastCpu = -Infinity;

  constructor(index: number, idText: string, memory: MemoryBudget) {
    this.calls = new OpenCalls(memory);
    this.aggregated = new OpenCalls(memory);
    this.index = index;
    this.idText = idText;
  }

  /** Converts all times. */
  convertTimes(convert: (ns: number) => number): void {
    this.calls.convertTimes(convert);
    this.aggregated.convertTimes(convert);
    this.lastMoment = convert(this.lastMoment);
    this.#lastCpu = convert(this.#lastCpu);
  }

  noteCpu(cpu: number): void {
    if (cpu < this.#lastCpu) this.cpuIsPerCall = true;
    if (cpu === cpu) this.#lastCpu = cpu;
  }
}

/** The threads of a trace by their ids, which may be reused after a thread has ended. */
export class TraceThreads {
  /** In the order of their first event. */
  readonly all: TraceThread[] = [];
  readonly #sink: SampleSink;
  readonly #ids: StaticOrTransientIds;
  readonly #ofId: (TraceThread | undefined)[] = [];
  #reused = 0;

  constructor(sink: SampleSink) {
    this.#sink = sink;
    this.#ids = new StaticOrTransientIds(sink.memory);
  }

  /** The thread that an event refers to. `transientAt` equals `at` for events without a transient id. */
  of(event: TraceEvent, at: number, transientAt: number): TraceThread {
    const id = this.#ids.numberOf(event, at, transientAt);
    return this.#ofId[id] ?? this.#begin(id, event, at, transientAt);
  }

  /** The thread of a threadStart event. `replaced`: an earlier thread that had the same id. */
  start(event: TraceEvent): { readonly thread: TraceThread; readonly replaced: TraceThread | undefined } {
    const id = this.#ids.numberOf(event, START.threadId, START.transientThreadId);
    const name = event.text(START.threadName);
    const known = this.#ofId[id];
    const isOther = known !== undefined && (known.hasEnded || (known.isStarted && known.name !== name));
    const thread =
      known === undefined || isOther
        ? this.#begin(id, event, START.threadId, START.transientThreadId)
        : known;
    if (event.isSet(START.transientThreadId))
      this.#ofId[this.#ids.transientNumber(event, START.transientThreadId)] = thread;
    thread.isStarted = true;
    thread.name = name;
    thread.group = event.text(START.groupName);
    thread.parentGroup = event.text(START.parentName);
    this.#sink.memory.keep(2 * (name.length + thread.group.length + thread.parentGroup.length));
    this.#sink.nameThread(thread.index, name);
    return { thread, replaced: isOther ? known : undefined };
  }

  #begin(id: number, event: TraceEvent, at: number, transientAt: number): TraceThread {
    const from = event.isSet(at) ? at : transientAt;
    const hi = event.hi[from];
    const lo = event.lo[from];
    const isReused = this.#ofId[id] !== undefined;
    const index = isReused ? this.#sink.thread(REUSED_IDS, this.#reused++) : this.#sink.thread(hi, lo);
    this.#sink.memory.keep(THREAD_BYTES);
    const thread = new TraceThread(index, int64Text(hi, lo), this.#sink.memory);
    this.#ofId[id] = thread;
    this.all.push(thread);
    return thread;
  }
}
