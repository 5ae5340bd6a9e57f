import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { int64Text } from '../../profile/int64.ts';
import { attributeAt, THREAD_START } from '../../tptp/messages.ts';
import { OpenCalls } from './open-calls.ts';
import { TwofoldIds } from './trace-names.ts';
import type { TraceEvent } from './trace-event.ts';

const START = {
  id: attributeAt(THREAD_START, 'threadId'),
  transientId: attributeAt(THREAD_START, 'transientThreadId'),
  name: attributeAt(THREAD_START, 'threadName'),
  group: attributeAt(THREAD_START, 'groupName'),
  parentGroup: attributeAt(THREAD_START, 'parentName'),
};

/** Threads that have an id which another had before are given ids from here on. */
const REUSED_IDS = 0x7ee0_0000;

/** One life of a thread. */
export class TraceThread {
  readonly calls = new OpenCalls();
  /** Open aggregated calls: they nest among themselves. */
  readonly aggregated = new OpenCalls();
  name = '';
  group = '';
  parentGroup = '';
  isStarted = false;
  hasEnded = false;
  /** ns of the latest event. */
  lastMoment = -Infinity;
  callCount = 0;
  /** CPU times that decrease are not those of a clock, but of single calls. */
  cpuFell = false;
  /** Row of the ThreadTable. */
  readonly index: number;
  /** As the trace writes it. */
  readonly idText: string;
  #lastCpu = -Infinity;

  constructor(index: number, idText: string) {
    this.index = index;
    this.idText = idText;
  }

  noteCpu(cpu: number): void {
    if (cpu < this.#lastCpu) this.cpuFell = true;
    if (cpu === cpu) this.#lastCpu = cpu;
  }
}

/** The threads of a trace by their ids, which are used again once a thread has ended. */
export class TraceThreads {
  /** In the order of their first event. */
  readonly all: TraceThread[] = [];
  readonly #sink: SampleSink;
  readonly #ids = new TwofoldIds();
  readonly #ofId: (TraceThread | undefined)[] = [];
  #reused = 0;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** Where an event has no transient id, `transientAt` is `at`. */
  of(event: TraceEvent, at: number, transientAt: number): TraceThread {
    const id = this.#ids.numberOf(event, at, transientAt);
    return this.#ofId[id] ?? this.#begin(id, event, at, transientAt);
  }

  /** The thread that a threadStart tells of, and the one whose id it takes over. */
  start(event: TraceEvent): { readonly thread: TraceThread; readonly replaced: TraceThread | undefined } {
    const id = this.#ids.numberOf(event, START.id, START.transientId);
    const name = event.text(START.name);
    const known = this.#ofId[id];
    const isOther = known !== undefined && (known.hasEnded || (known.isStarted && known.name !== name));
    const thread =
      known === undefined || isOther ? this.#begin(id, event, START.id, START.transientId) : known;
    if (event.isSet(START.transientId))
      this.#ofId[this.#ids.transientNumber(event, START.transientId)] = thread;
    thread.isStarted = true;
    thread.name = name;
    thread.group = event.text(START.group);
    thread.parentGroup = event.text(START.parentGroup);
    this.#sink.nameThread(thread.index, name);
    return { thread, replaced: isOther ? known : undefined };
  }

  #begin(id: number, event: TraceEvent, at: number, transientAt: number): TraceThread {
    const from = event.isSet(at) ? at : transientAt;
    const hi = event.hi[from];
    const lo = event.lo[from];
    const isReused = this.#ofId[id] !== undefined;
    const index = isReused ? this.#sink.thread(REUSED_IDS, this.#reused++) : this.#sink.thread(hi, lo);
    const thread = new TraceThread(index, int64Text(hi, lo));
    this.#ofId[id] = thread;
    this.all.push(thread);
    return thread;
  }
}
