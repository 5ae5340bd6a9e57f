import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { Int64Index } from '../../aggregate/int64-index.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { MethodNames } from '../../profile/method-table.ts';
import { int64Text } from '../../profile/int64.ts';
import { CLASS_DEF, METHOD_DEF, THREAD_START } from './messages.ts';
import { OpenCalls } from './open-calls.ts';
import type { TraceEvent } from './trace-event.ts';

const CLASS = CLASS_DEF.at;
const METHOD = METHOD_DEF.at;

/** Bytes of an id with its entries in all tables, of a class, and of a method with its figures, without its names. */
const ID_BYTES = 64;
const CLASS_BYTES = 120;
const METHOD_BYTES = 220;
/** Bytes of a method whose class is not defined yet. */
const WAITING_BYTES = 300;

interface TraceClass {
  readonly name: string;
  readonly file: string;
}

/** Ids of one kind -> dense numbers. */
class Ids {
  readonly #index = new Int64Index();
  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  numberOf(hi: number, lo: number): number {
    const known = this.#index.find(hi, lo);
    if (known >= 0) return known;
    this.#memory.keep(ID_BYTES);
    return this.#index.add(hi, lo);
  }
}

/**
 * Ids of objects that have a static and a transient id -> numbers. An event refers to an object by the transient id if
 * the static one is 0 or absent.
 */
class StaticOrTransientIds {
  readonly #ids: Ids;
  readonly #transientIds: Ids;

  constructor(memory: MemoryBudget) {
    this.#ids = new Ids(memory);
    this.#transientIds = new Ids(memory);
  }

  /** Even numbers are static ids, odd ones transient. */
  numberOf(event: TraceEvent, at: number, transientAt: number): number {
    if (!event.isSet(at) && event.isSet(transientAt)) return this.transientNumber(event, transientAt);
    return 2 * this.#ids.numberOf(event.hi[at], event.lo[at]);
  }

  transientNumber(event: TraceEvent, at: number): number {
    return 2 * this.#transientIds.numberOf(event.hi[at], event.lo[at]) + 1;
  }
}

/**
 * Classes and methods by their ids. An id may be reused: a later definition applies to later events only, and the
 * method then has another number (specs: tptp, section 3).
 */
export class TraceNames {
  /** Method number -> its names, once it and its class are defined. */
  readonly names: (MethodNames | undefined)[] = [];

  readonly #sink: SampleSink;
  readonly #classIds: StaticOrTransientIds;
  readonly #classes: (TraceClass | undefined)[] = [];
  readonly #methodIds: Ids;
  /** Number of an id -> number of the method that currently has the id. */
  readonly #methodOfId: number[] = [];
  /** Class without a definition -> its methods, which are named when it is defined. */
  readonly #waiting = new Map<number, { readonly method: number; readonly methodName: string }[]>();

  constructor(sink: SampleSink) {
    this.#sink = sink;
    this.#classIds = new StaticOrTransientIds(sink.memory);
    this.#methodIds = new Ids(sink.memory);
  }

  /** The number of the method that currently has this id; a new one for a new id. */
  method(hi: number, lo: number): number {
    const id = this.#methodIds.numberOf(hi, lo);
    if (id < this.#methodOfId.length) return this.#methodOfId[id];
    return (this.#methodOfId[id] = this.#newMethod());
  }

  defineClass(event: TraceEvent): void {
    const defined = { name: javaName(event.text(CLASS.name)), file: event.text(CLASS.sourceName) };
    this.#sink.memory.keep(CLASS_BYTES + 2 * (defined.name.length + defined.file.length));
    const keys = [this.#classIds.numberOf(event, CLASS.classId, CLASS.transientClassId)];
    if (event.isSet(CLASS.transientClassId))
      keys.push(this.#classIds.transientNumber(event, CLASS.transientClassId));
    for (const key of keys) {
      this.#classes[key] = defined;
      for (const { method, methodName } of this.#waiting.get(key) ?? [])
        this.#define(method, methodName, defined);
      this.#waiting.delete(key);
    }
  }

  defineMethod(event: TraceEvent): void {
    const methodName = event.text(METHOD.name).replace(/^-(init|clinit)-$/, '<$1>');
    const classKey = this.#classIds.numberOf(event, METHOD.classIdRef, METHOD.transientClassIdRef);
    const id = this.#methodIds.numberOf(event.hi[METHOD.methodId], event.lo[METHOD.methodId]);
    let method = this.method(event.hi[METHOD.methodId], event.lo[METHOD.methodId]);
    const namesNothing = !event.isSet(METHOD.classIdRef) && !event.isSet(METHOD.transientClassIdRef);
    const owner = this.#classes[classKey] ?? (namesNothing ? { name: '', file: '' } : undefined);
    const earlier = this.names[method];
    if (earlier !== undefined) {
      if (owner === undefined || (earlier.methodName === methodName && earlier.className === owner.name))
        return;
      method = this.#methodOfId[id] = this.#newMethod();
    }
    if (owner !== undefined) {
      this.#define(method, methodName, owner);
      return;
    }
    this.#sink.memory.keep(WAITING_BYTES + 2 * methodName.length);
    const waiting = this.#waiting.get(classKey);
    if (waiting === undefined) this.#waiting.set(classKey, [{ method, methodName }]);
    else waiting.push({ method, methodName });
  }

  /** The name of the class that an event refers to; undefined if it is not defined. */
  className(event: TraceEvent, at: number, transientAt: number): string | undefined {
    return this.#classes[this.#classIds.numberOf(event, at, transientAt)]?.name;
  }

  /** No more definitions are expected: methods of classes that are not defined get an empty class name. */
  end(): void {
    for (const waiting of this.#waiting.values())
      for (const { method, methodName } of waiting) this.#define(method, methodName, { name: '', file: '' });
    this.#waiting.clear();
  }

  #newMethod(): number {
    this.#sink.memory.keep(METHOD_BYTES);
    return this.names.push(undefined) - 1;
  }

  #define(method: number, methodName: string, { name, file }: TraceClass): void {
    if (this.names[method] !== undefined) return;
    const names = { file, className: name, methodName };
    this.names[method] = names;
    this.#sink.defineMethod(this.#sink.method(0, method), names);
  }
}

/** Replaces the slashes of `java/lang/String` by dots, but not before the address in `Shop$$Lambda/0x7f01`. */
function javaName(name: string): string {
  return name.includes('.') ? name : name.replace(/\/(?=\D)/g, '.');
}

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
