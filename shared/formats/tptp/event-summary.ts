import { type FactTable, factTable } from '../../facts/format-facts.ts';
import {
  attributeAt,
  CONTENDED_ENTER,
  CONTENDED_ENTERED,
  CUSTOM,
  GC_FINISH,
  GC_ROOT,
  HEAP_DUMP,
  type Message,
  MONITOR_WAIT,
  MONITOR_WAITED,
  OBJECT_ALLOCATION,
} from '../../tptp/messages.ts';
import type { TraceEvent } from './trace-event.ts';
import type { TraceNames } from './trace-names.ts';
import type { TraceThread } from './trace-threads.ts';
import { int64Text } from '../../profile/int64.ts';

const ALLOCATION = {
  size: attributeAt(OBJECT_ALLOCATION, 'size'),
  classId: attributeAt(OBJECT_ALLOCATION, 'classIdRef'),
  transientClassId: attributeAt(OBJECT_ALLOCATION, 'transientClassIdRef'),
};
const DUMP_NAME = attributeAt(HEAP_DUMP, 'name');
const ROOT_TYPE = attributeAt(GC_ROOT, 'type');
const BODY = attributeAt(CUSTOM, 'body');
const USED_SPACE = attributeAt(GC_FINISH, 'usedObjSpace');
/** Monitor messages have their object at the same place, and their stacks at one of two. */
const MONITOR = attributeAt(MONITOR_WAIT, 'objIdRef');

/** So many things of one kind are told apart; what comes later counts as 'others'. */
const MOST_THINGS = 10_000;
/** So many of a kind are shown. */
const SHOWN_THINGS = 20;
/** So many waits may be under way; more can only be waits whose end was lost. */
const MOST_WAITS = 100_000;

/** What happened besides calls: a line of the table of events. */
interface Occurrence {
  readonly event: string;
  readonly thing: string;
  count: number;
  /** ns; undefined for what takes no time that the trace tells. */
  time: number | undefined;
  bytes: number | undefined;
}

/**
 * Garbage collections, allocations, monitors and heap dumps, counted: memory for the kinds of things, not for events.
 *
 *   Event                   Of                     Count   Time     Size
 *   allocation              java.lang.String       120              2,880
 *   waiting for a monitor   Ledger$Entry.post      1       1 ms
 */
export class EventSummary {
  readonly #names: TraceNames;
  readonly #occurrences = new Map<string, Map<string, Occurrence>>();
  /** Thread and object -> since when. */
  readonly #waits = new Map<string, number>();
  #collectingSince: number | undefined;

  constructor(names: TraceNames) {
    this.#names = names;
  }

  collectionStarted(moment: number): void {
    this.#collectingSince = moment;
  }

  collectionFinished(event: TraceEvent, moment: number): void {
    const since = this.#collectingSince;
    const line = this.#count('garbage collection', '', since === undefined ? 0 : Math.max(0, moment - since));
    if (event.isSet(USED_SPACE)) line.bytes = event.number(USED_SPACE);
    this.#collectingSince = undefined;
  }

  allocated(event: TraceEvent): void {
    const { classId, transientClassId, size } = ALLOCATION;
    const at = event.isSet(classId) ? classId : transientClassId;
    const name =
      this.#names.className(event, classId, transientClassId) ??
      `class ${int64Text(event.hi[at], event.lo[at])}`;
    const line = this.#count('allocation', name, undefined);
    line.bytes = (line.bytes ?? 0) + Math.max(0, event.number(size));
  }

  freed(): void {
    this.#count('object freed', '', undefined);
  }

  monitor(event: TraceEvent, thread: TraceThread, moment: number): void {
    const { message } = event;
    const isWait = message === MONITOR_WAIT || message === MONITOR_WAITED;
    const key = `${isWait ? 'w' : 'c'}${thread.index}/${int64Text(event.hi[MONITOR], event.lo[MONITOR])}`;
    if (message === MONITOR_WAIT || message === CONTENDED_ENTER) {
      if (this.#waits.size < MOST_WAITS) this.#waits.set(key, moment);
      return;
    }
    const since = this.#waits.get(key);
    this.#waits.delete(key);
    const method = event.firstText(stackAt(message));
    const time = since === undefined ? 0 : Math.max(0, moment - since);
    this.#count(isWait ? 'waiting on a monitor' : 'waiting for a monitor', method, time);
  }

  heapDump(event: TraceEvent): void {
    this.#count('heap dump', event.text(DUMP_NAME), undefined);
  }

  gcRoot(event: TraceEvent): void {
    this.#count('GC root', event.text(ROOT_TYPE), undefined);
  }

  reference(): void {
    this.#count('object reference', '', undefined);
  }

  custom(event: TraceEvent): void {
    const line = this.#count('custom event', '', undefined);
    line.bytes = (line.bytes ?? 0) + event.to[BODY] - event.from[BODY];
  }

  /** A collection, a wait or a contention that has begun and not ended. */
  get underWay(): number {
    return this.#waits.size + (this.#collectingSince === undefined ? 0 : 1);
  }

  table(): FactTable | undefined {
    const rows: FactTable['rows'][number][] = [];
    for (const [event, things] of this.#occurrences) {
      const lines = [...things.values()].sort(
        (a, b) => (b.bytes ?? 0) - (a.bytes ?? 0) || (b.time ?? 0) - (a.time ?? 0) || b.count - a.count,
      );
      for (const { thing, count, time, bytes } of lines.slice(0, SHOWN_THINGS))
        rows.push([event, thing, count, time, bytes]);
      const rest = lines.slice(SHOWN_THINGS);
      if (rest.length > 0) rows.push([event, `${rest.length} others`, ...sums(rest)]);
    }
    if (rows.length === 0) return undefined;
    return factTable(
      'Events',
      [
        { name: 'Event', kind: 'text' },
        { name: 'Of', kind: 'text' },
        { name: 'Count', kind: 'count' },
        { name: 'Time', kind: 'ns' },
        { name: 'Size', kind: 'bytes' },
      ],
      rows,
    );
  }

  #count(event: string, thing: string, time: number | undefined): Occurrence {
    let things = this.#occurrences.get(event);
    if (things === undefined) this.#occurrences.set(event, (things = new Map<string, Occurrence>()));
    const key = things.has(thing) || things.size < MOST_THINGS ? thing : 'others';
    let line = things.get(key);
    if (line === undefined) things.set(key, (line = { event, thing: key, count: 0, time, bytes: undefined }));
    else if (time !== undefined) line.time = (line.time ?? 0) + time;
    line.count++;
    return line;
  }
}

function stackAt(message: Message): number {
  return message === CONTENDED_ENTERED ? CONTENDED_STACK : WAIT_STACK;
}

const WAIT_STACK = attributeAt(MONITOR_WAITED, 'stackMethods');
const CONTENDED_STACK = attributeAt(CONTENDED_ENTERED, 'stackMethods');

function sums(lines: readonly Occurrence[]): [number, number | undefined, number | undefined] {
  let count = 0;
  let time: number | undefined;
  let bytes: number | undefined;
  for (const line of lines) {
    count += line.count;
    if (line.time !== undefined) time = (time ?? 0) + line.time;
    if (line.bytes !== undefined) bytes = (bytes ?? 0) + line.bytes;
  }
  return [count, time, bytes];
}
