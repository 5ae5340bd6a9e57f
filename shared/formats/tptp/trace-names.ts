import { Int64Index } from '../../aggregate/int64-index.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { MethodNames } from '../../profile/method-table.ts';
import { attributeAt, CLASS_DEF, METHOD_DEF } from '../../tptp/messages.ts';
import type { TraceEvent } from './trace-event.ts';

const CLASS = {
  id: attributeAt(CLASS_DEF, 'classId'),
  transientId: attributeAt(CLASS_DEF, 'transientClassId'),
  name: attributeAt(CLASS_DEF, 'name'),
  file: attributeAt(CLASS_DEF, 'sourceName'),
};
const METHOD = {
  id: attributeAt(METHOD_DEF, 'methodId'),
  classId: attributeAt(METHOD_DEF, 'classIdRef'),
  transientClassId: attributeAt(METHOD_DEF, 'transientClassIdRef'),
  name: attributeAt(METHOD_DEF, 'name'),
};

interface TraceClass {
  readonly name: string;
  readonly file: string;
}

/** Ids of one kind -> small numbers of their own. */
class Ids {
  readonly #index = new Int64Index();

  numberOf(hi: number, lo: number): number {
    const known = this.#index.find(hi, lo);
    return known >= 0 ? known : this.#index.add(hi, lo);
  }
}

/** An id where static and transient ones are kept apart: a static id that is 0 or absent gives way to the other. */
export class TwofoldIds {
  readonly #ids = new Ids();
  readonly #transientIds = new Ids();

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
 * Classes and methods by their ids. An id may be used again for something else: a later definition replaces an earlier
 * one, for later events only, and gives the method another number (specs: tptp, section 3).
 */
export class TraceNames {
  /** Method number -> its names, once its definition and its class's were read. */
  readonly names: (MethodNames | undefined)[] = [];
  /** Methods with a definition. */
  defined = 0;

  readonly #sink: SampleSink;
  readonly #classIds = new TwofoldIds();
  readonly #classes: (TraceClass | undefined)[] = [];
  readonly #methodIds = new Ids();
  /** Number of an id -> number of the method that it means now. */
  readonly #methodOfId: number[] = [];
  /** Class -> methods that wait for its name. */
  readonly #waiting = new Map<number, { readonly method: number; readonly methodName: string }[]>();

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** The number of the method that an id means now; a new one for a new id. */
  method(hi: number, lo: number): number {
    const id = this.#methodIds.numberOf(hi, lo);
    if (id < this.#methodOfId.length) return this.#methodOfId[id];
    return (this.#methodOfId[id] = this.#newMethod());
  }

  defineClass(event: TraceEvent): void {
    const defined = { name: javaName(event.text(CLASS.name)), file: event.text(CLASS.file) };
    const keys = [this.#classIds.numberOf(event, CLASS.id, CLASS.transientId)];
    if (event.isSet(CLASS.transientId)) keys.push(this.#classIds.transientNumber(event, CLASS.transientId));
    for (const key of keys) {
      this.#classes[key] = defined;
      for (const { method, methodName } of this.#waiting.get(key) ?? [])
        this.#define(method, methodName, defined);
      this.#waiting.delete(key);
    }
  }

  defineMethod(event: TraceEvent): void {
    const methodName = event.text(METHOD.name).replace(/^-(init|clinit)-$/, '<$1>');
    const classKey = this.#classIds.numberOf(event, METHOD.classId, METHOD.transientClassId);
    const id = this.#methodIds.numberOf(event.hi[METHOD.id], event.lo[METHOD.id]);
    let method = this.method(event.hi[METHOD.id], event.lo[METHOD.id]);
    const namesNothing = !event.isSet(METHOD.classId) && !event.isSet(METHOD.transientClassId);
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
    const waiting = this.#waiting.get(classKey);
    if (waiting === undefined) this.#waiting.set(classKey, [{ method, methodName }]);
    else waiting.push({ method, methodName });
  }

  /** The name of a class that events refer to; undefined when it was not defined. */
  className(event: TraceEvent, at: number, transientAt: number): string | undefined {
    return this.#classes[this.#classIds.numberOf(event, at, transientAt)]?.name;
  }

  /** Nothing more is expected: methods of classes without a name have no class. */
  end(): void {
    for (const waiting of this.#waiting.values())
      for (const { method, methodName } of waiting) this.#define(method, methodName, { name: '', file: '' });
    this.#waiting.clear();
  }

  #newMethod(): number {
    return this.names.push(undefined) - 1;
  }

  #define(method: number, methodName: string, { name, file }: TraceClass): void {
    if (this.names[method] !== undefined) return;
    const names = { file, className: name, methodName };
    this.names[method] = names;
    this.defined++;
    this.#sink.defineMethod(this.#sink.method(0, method), names);
  }
}

/** `java/lang/String` with dots; the number of a hidden class, `Shop$$Lambda/0x7f01`, is part of its name. */
function javaName(name: string): string {
  return name.includes('.') ? name : name.replace(/\/(?=\D)/g, '.');
}
