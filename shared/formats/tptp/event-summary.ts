import { type FactTable, factTable } from '../../facts/format-facts.ts';
import {
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
  OBJECT_FREE,
  REFERENCE,
} from './messages.ts';
import type { TraceEvent } from './trace-event.ts';
import type { TraceNames, TraceThread } from './trace-names.ts';
import { int64Text } from '../../profile/int64.ts';
import { formatQuantity } from '../../text/format-value.ts';

/** All monitor messages have their object at one index. */
const MONITOR = MONITOR_WAIT.at.objIdRef;

/** A kind of event that is only counted. */
interface Counted {
  readonly event: string;
  readonly subject?: (event: TraceEvent, names: TraceNames) => string;
  readonly bytes?: (event: TraceEvent) => number;
}

const COUNTED: ReadonlyMap<Message, Counted> = new Map<Message, Counted>([
  [
    OBJECT_ALLOCATION,
    {
      event: 'allocation',
      subject: allocatedClass,
      bytes: (event) => Math.max(0, event.number(OBJECT_ALLOCATION.at.size)),
    },
  ],
  [OBJECT_FREE, { event: 'object freed' }],
  [HEAP_DUMP, { event: 'heap dump', subject: (event) => event.text(HEAP_DUMP.at.name) }],
  [GC_ROOT, { event: 'GC root', subject: (event) => event.text(GC_ROOT.at.type) }],
  [REFERENCE, { event: 'object reference' }],
  [CUSTOM, { event: 'custom event', bytes: ({ from, to }) => to[CUSTOM.at.body] - from[CUSTOM.at.body] }],
]);

function allocatedClass(event: TraceEvent, names: TraceNames): string {
  const { classIdRef, transientClassIdRef } = OBJECT_ALLOCATION.at;
  const at = event.isSet(classIdRef) ? classIdRef : transientClassIdRef;
  const name = names.className(event, classIdRef, transientClassIdRef);
  return name ?? `class ${int64Text(event.hi[at], event.lo[at])}`;
}

/** Subjects per kind of event that are counted separately; later ones are counted as 'others'. */
const MAX_SUBJECTS = 10_000;
/** Rows per kind of event in the table. */
const SHOWN_SUBJECTS = 20;
/** Open waits; further ones are not measured. So many can only be waits whose end was lost. */
const MAX_WAITS = 100_000;

/** A row of the table of events: one kind of event with one subject, such as allocations of a class. */
interface Occurrence {
  readonly event: string;
  readonly subject: string;
  count: number;
  /** ns; undefined for events without a duration. */
  time: number | undefined;
  bytes: number | undefined;
}

/**
 * Counts garbage collections, allocations, monitors and heap dumps. It needs memory for each subject, not for each
 * event.
 *
 *   Event                   Of                     Count   Time     Size
 *   allocation              java.lang.String       120              2,880
 *   waiting for a monitor   Ledger$Entry.post      1       1 ms
 */
export class EventSummary {
  readonly #names: TraceNames;
  readonly #occurrences = new Map<string, Map<string, Occurrence>>();
  /** Thread and object -> start of the wait, in ns. */
  readonly #waits = new Map<string, number>();
  #collectingSince: number | undefined;

  constructor(names: TraceNames) {
    this.#names = names;
  }

  /** Converts all times. */
  convertTimes(convert: (ns: number) => number): void {
    for (const [wait, since] of this.#waits) this.#waits.set(wait, convert(since));
    if (this.#collectingSince !== undefined) this.#collectingSince = convert(this.#collectingSince);
    for (const subjects of this.#occurrences.values())
      for (const line of subjects.values()) if (line.time !== undefined) line.time = convert(line.time);
  }

  /** The beginning or the end of a garbage collection. */
  collection(event: TraceEvent, moment: number): void {
    const since = this.#collectingSince;
    this.#collectingSince = event.message === GC_FINISH ? undefined : moment;
    if (event.message !== GC_FINISH) return;
    const line = this.#count('garbage collection', '', since === undefined ? 0 : Math.max(0, moment - since));
    if (event.isSet(GC_FINISH.at.usedObjSpace)) line.bytes = event.number(GC_FINISH.at.usedObjSpace);
  }

  /** Counts any other event. */
  take(event: TraceEvent): void {
    const counted = COUNTED.get(event.message);
    if (counted === undefined) return;
    const line = this.#count(counted.event, counted.subject?.(event, this.#names) ?? '', undefined);
    if (counted.bytes !== undefined) line.bytes = (line.bytes ?? 0) + counted.bytes(event);
  }

  monitor(event: TraceEvent, thread: TraceThread, moment: number): void {
    const { message } = event;
    const isWait = message === MONITOR_WAIT || message === MONITOR_WAITED;
    const key = `${isWait ? 'w' : 'c'}${thread.index}/${int64Text(event.hi[MONITOR], event.lo[MONITOR])}`;
    if (message === MONITOR_WAIT || message === CONTENDED_ENTER) {
      if (this.#waits.size < MAX_WAITS) this.#waits.set(key, moment);
      return;
    }
    const since = this.#waits.get(key);
    this.#waits.delete(key);
    const method = event.firstText(
      (message === CONTENDED_ENTERED ? CONTENDED_ENTERED : MONITOR_WAITED).at.stackMethods,
    );
    const time = since === undefined ? 0 : Math.max(0, moment - since);
    this.#count(isWait ? 'waiting on a monitor' : 'waiting for a monitor', method, time);
  }

  /** Number of collections and waits that have begun and not ended. */
  get unfinishedCount(): number {
    return this.#waits.size + (this.#collectingSince === undefined ? 0 : 1);
  }

  table(): FactTable | undefined {
    const rows: FactTable['rows'][number][] = [];
    for (const [event, subjects] of this.#occurrences) {
      const lines = [...subjects.values()].sort(
        (a, b) => (b.bytes ?? 0) - (a.bytes ?? 0) || (b.time ?? 0) - (a.time ?? 0) || b.count - a.count,
      );
      for (const { subject, count, time, bytes } of lines.slice(0, SHOWN_SUBJECTS))
        rows.push([event, subject, count, time, bytes]);
      const rest = lines.slice(SHOWN_SUBJECTS);
      if (rest.length > 0) rows.push([event, formatQuantity(rest.length, 'other'), ...sums(rest)]);
    }
    if (rows.length === 0) return undefined;
    return factTable('Events', 'Event | Of | Count:count | Time:ns | Size:bytes', rows);
  }

  #count(event: string, subject: string, time: number | undefined): Occurrence {
    let subjects = this.#occurrences.get(event);
    if (subjects === undefined) this.#occurrences.set(event, (subjects = new Map<string, Occurrence>()));
    const key = subjects.has(subject) || subjects.size < MAX_SUBJECTS ? subject : 'others';
    let line = subjects.get(key);
    if (line === undefined)
      subjects.set(key, (line = { event, subject: key, count: 0, time, bytes: undefined }));
    else if (time !== undefined) line.time = (line.time ?? 0) + time;
    line.count++;
    return line;
  }
}

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
