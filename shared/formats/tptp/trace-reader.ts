import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { Choice, Chosen } from '../../facts/choice.ts';
import { chosenOption } from '../../facts/choice.ts';
import { type FactTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { CallBuilder } from './call-builder.ts';
import type { CallSum } from './call-figures.ts';
import { EventSummary } from './event-summary.ts';
import {
  AGENT_CREATE,
  AGGREGATED_ENTRY,
  AGGREGATED_EXIT,
  CLASS_DEF,
  CONTENDED_ENTER,
  CONTENDED_ENTERED,
  CUSTOM,
  FILTER,
  GC_FINISH,
  GC_ROOT,
  GC_START,
  HEAP_DUMP,
  MESSAGES,
  METHOD_DEF,
  METHOD_ENTRY,
  METHOD_EXIT,
  MONITOR_WAIT,
  MONITOR_WAITED,
  NODE,
  OBJECT_ALLOCATION,
  OBJECT_FREE,
  OPTION,
  PROCESS_CREATE,
  REFERENCE,
  THREAD_END,
  THREAD_START,
  TRACE_END,
} from './messages.ts';
import { NO_TICKET } from './open-calls.ts';
import { TraceClock } from './trace-clock.ts';
import type { EventReceiver, TraceEvent } from './trace-event.ts';
import {
  callNodesTable,
  guessNotes,
  messagesTable,
  methodsTable,
  threadsTable,
  TraceProperties,
} from './trace-facts.ts';
import { TraceNames } from './trace-names.ts';
import { type TraceThread, TraceThreads } from './trace-threads.ts';

/** Thread and time have the same indexes in other events of a thread. */
const ENTRY = METHOD_ENTRY.at;
const EXIT = METHOD_EXIT.at;
const AGGREGATED = AGGREGATED_ENTRY.at;
const MONITOR = MONITOR_WAIT.at;

/** Most open calls, and threads, that `pause` ends: it is called for each piece of the trace. */
const MOST_RUNNING = 10_000;

const FIRST_ID = MESSAGES[0].id;
const VALUES = ['wall', 'cpu'] as const;

/** Turns events of either form into calls and facts. Both decoders use it. */
export class TraceReader implements EventReceiver {
  readonly clock = new TraceClock();
  readonly names: TraceNames;
  readonly threads: TraceThreads;
  readonly builder: CallBuilder;
  readonly #sink: SampleSink;
  readonly #value: (typeof VALUES)[number];
  readonly #events: EventSummary;
  readonly #properties = new TraceProperties();
  /** The sink has times that a later clock frequency has changed, and cannot convert them. */
  #hasWrongTimes = false;
  /** Open calls are ended provisionally, and no event has come since. */
  #isPaused = false;
  /** Message id minus FIRST_ID -> number of messages. */
  readonly #counts = new Float64Array(MESSAGES[MESSAGES.length - 1].id - FIRST_ID + 1);
  readonly #sum: CallSum = { calls: 0, self: 0, total: 0, selfCpu: 0, cpu: 0, shortest: 0, longest: 0 };

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#value = chosenOption(chosen, 'value', VALUES, 'wall');
    this.names = new TraceNames(sink);
    this.threads = new TraceThreads(sink);
    this.builder = new CallBuilder(sink, this.#value === 'cpu', this.clock);
    this.#events = new EventSummary(this.names);
  }

  take(event: TraceEvent): void {
    const { message } = event;
    this.#resume();
    this.#counts[message.id - FIRST_ID]++;
    // So nothing more is kept: threads and names count what they take, and go on.
    if (this.#sink.isFull) return;
    switch (message) {
      case METHOD_ENTRY:
        this.#enter(event);
        break;
      case METHOD_EXIT:
        this.#exit(event);
        break;
      case AGGREGATED_ENTRY:
        this.#enterAggregated(event);
        break;
      case AGGREGATED_EXIT: {
        const { threadIdRef: thread, methodIdRef: method } = AGGREGATED;
        this.builder.exitAggregated(
          this.threads.of(event, thread, thread),
          this.names.method(event.hi[method], event.lo[method]),
        );
        break;
      }
      case CLASS_DEF:
        this.names.defineClass(event);
        break;
      case METHOD_DEF:
        this.names.defineMethod(event);
        break;
      case THREAD_START: {
        const { thread, replaced } = this.threads.start(event);
        if (replaced !== undefined) this.builder.endCalls(replaced, replaced.lastMoment);
        if (event.isSet(ENTRY.time)) this.#momentOf(event, thread, ENTRY.time);
        break;
      }
      case THREAD_END: {
        const thread = this.threads.of(event, ENTRY.threadIdRef, ENTRY.transientThreadIdRef);
        this.builder.endCalls(thread, this.#momentOf(event, thread, ENTRY.time));
        thread.hasEnded = true;
        thread.calls.release();
        thread.aggregated.release();
        break;
      }
      case TRACE_END:
        if (event.isSet(TRACE_END.at.time)) this.clock.moment(event, TRACE_END.at.time);
        for (const thread of this.threads.all) this.builder.endCalls(thread, thread.lastMoment);
        break;
      default:
        this.#takeOther(event);
    }
  }

  /**
   * Ticks per second, of all times of the trace. Returns true if times before were converted again.
   */
  setFrequency(frequency: number): boolean {
    const { clock, builder } = this;
    this.#resume();
    const before = clock.origin;
    const convert = clock.setFrequency(frequency);
    if (convert === undefined) return false;
    const isConverted = this.#sink.convertTimes?.(convert, before, clock.origin) ?? true;
    this.#hasWrongTimes ||= builder.hasEndedCalls && !isConverted;
    builder.convertTimes(convert);
    for (const thread of this.threads.all) thread.convertTimes(convert);
    this.#events.convertTimes(convert);
    return true;
  }

  /** Passes the calls that ended since the last `emit` to the sink. */
  emit(): void {
    this.builder.emit();
  }

  /** Ends all open calls provisionally, unless there are very many: those are counted once the trace rests. */
  pause(): void {
    // Without further events, the calls would only be ended again, each time that a piece of an event arrives.
    if (this.#isPaused) return;
    let running = 0;
    for (const { calls, aggregated } of this.threads.all) {
      running += 1 + calls.length + aggregated.length;
      if (running > MOST_RUNNING) return;
    }
    this.builder.endProvisionally(this.threads.all);
    this.#isPaused = true;
  }

  /** Undoes `pause` and `end`, because more events follow. */
  #resume(): void {
    if (this.#isPaused) this.builder.resume();
    this.#isPaused = false;
  }

  /** No more events are expected. */
  end(): void {
    this.names.end();
    this.builder.endProvisionally(this.threads.all);
    this.#isPaused = true;
  }

  /** `notes`, `properties` and `unknown` messages come from the decoder. */
  facts(
    notes: readonly string[],
    properties: readonly (readonly [string, string])[],
    unknown: ReadonlyMap<string, number>,
  ): FormatFacts {
    const { clock, builder } = this;
    const { earliest, latest } = clock;
    const tables: (FactTable | undefined)[] = [
      methodsTable(builder, this.names),
      callNodesTable(builder, this.names),
      threadsTable(this.threads),
      this.#events.table(),
      messagesTable((id) => this.#counts[id - FIRST_ID], unknown),
      this.#properties.table(properties),
    ];
    return {
      ...NO_FACTS,
      units: {
        counted: { one: 'call', many: 'calls' },
        value: { name: this.#value === 'cpu' ? 'CPU time' : 'Time', unit: 'ns' },
      },
      choices: builder.hasCpu || this.#value === 'cpu' ? [this.#choice()] : [],
      notes: [
        ...notes,
        ...(this.#hasWrongTimes
          ? [
              'The clock frequency changed times that are too large to convert: when each call began is not shown.',
            ]
          : []),
        ...guessNotes(
          builder.guesses,
          this.#events.unfinishedCount,
          this.#counts[AGGREGATED_ENTRY.id - FIRST_ID] > 0,
        ),
      ],
      tables: tables.filter((table) => table !== undefined),
      firstTime: earliest === undefined ? undefined : clock.absolute(earliest),
      lastTime: latest === undefined ? undefined : clock.absolute(latest),
      hasSampleTimes: builder.hasTimes && !this.#hasWrongTimes,
    };
  }

  #choice(): Choice {
    return {
      id: 'value',
      name: 'Time',
      hint: 'Whether times are those of the clock or of the processor.',
      kind: 'one',
      options: [
        { value: 'wall', text: 'Wall clock' },
        { value: 'cpu', text: 'CPU' },
      ],
      chosen: this.#value,
    };
  }

  #enter(event: TraceEvent): void {
    const thread = this.threads.of(event, ENTRY.threadIdRef, ENTRY.transientThreadIdRef);
    const { methodIdRef: method, ticket, stackDepth: depth, threadCpuTime: cpu } = ENTRY;
    this.builder.enter(
      thread,
      this.names.method(event.hi[method], event.lo[method]),
      event.has(ticket) ? event.number(ticket) : NO_TICKET,
      event.number(depth),
      this.#momentOf(event, thread, ENTRY.time),
      event.isSet(cpu) ? this.clock.interval(event, cpu) : NaN,
    );
  }

  #exit(event: TraceEvent): void {
    const thread = this.threads.of(event, ENTRY.threadIdRef, ENTRY.transientThreadIdRef);
    const { methodIdRef: method, ticket, threadCpuTime: cpu } = EXIT;
    this.builder.exit(
      thread,
      event.has(method) ? this.names.method(event.hi[method], event.lo[method]) : -1,
      event.has(ticket) ? event.number(ticket) : NO_TICKET,
      this.#momentOf(event, thread, ENTRY.time),
      event.has(cpu) ? this.clock.interval(event, cpu) : NaN,
    );
  }

  #enterAggregated(event: TraceEvent): void {
    const { clock } = this;
    const sum = this.#sum;
    // Without a number of calls, the event is one call. A number of 0 means that only its callees were recorded.
    sum.calls = event.has(AGGREGATED.numCalls) ? Math.max(0, event.number(AGGREGATED.numCalls)) : 1;
    sum.self = clock.interval(event, AGGREGATED.baseTime);
    sum.selfCpu = clock.interval(event, AGGREGATED.baseCPUTime);
    sum.shortest = clock.interval(event, AGGREGATED.minTime);
    sum.longest = clock.interval(event, AGGREGATED.maxTime);
    const thread = this.threads.of(event, AGGREGATED.threadIdRef, AGGREGATED.threadIdRef);
    const { methodIdRef: method } = AGGREGATED;
    this.builder.enterAggregated(thread, this.names.method(event.hi[method], event.lo[method]), sum);
  }

  #takeOther(event: TraceEvent): void {
    const events = this.#events;
    switch (event.message) {
      case NODE:
      case PROCESS_CREATE:
      case AGENT_CREATE:
      case OPTION:
      case FILTER:
        this.#properties.take(event);
        break;
      case OBJECT_ALLOCATION:
        events.allocated(event);
        break;
      case OBJECT_FREE:
        events.freed();
        break;
      case GC_START:
        events.collectionStarted(this.clock.moment(event, ENTRY.time));
        break;
      case GC_FINISH:
        events.collectionFinished(event, this.clock.moment(event, ENTRY.time));
        break;
      case MONITOR_WAIT:
      case MONITOR_WAITED:
      case CONTENDED_ENTER:
      case CONTENDED_ENTERED: {
        const thread = this.threads.of(event, MONITOR.threadIdRef, MONITOR.threadIdRef);
        events.monitor(event, thread, this.#momentOf(event, thread, MONITOR.time));
        break;
      }
      case HEAP_DUMP:
        events.heapDump(event);
        break;
      case GC_ROOT:
        events.gcRoot(event);
        break;
      case REFERENCE:
        events.reference();
        break;
      case CUSTOM:
        events.custom(event);
        break;
    }
  }

  #momentOf(event: TraceEvent, thread: TraceThread, at: number): number {
    if (!event.has(at)) return Math.max(thread.lastMoment, this.clock.earliest ?? 0);
    const moment = this.clock.moment(event, at);
    if (moment > thread.lastMoment) thread.lastMoment = moment;
    return moment;
  }
}
