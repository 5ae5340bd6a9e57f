import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';
import {
  AGGREGATED_ENTRY,
  AGGREGATED_EXIT,
  CLASS_DEF,
  CONTENDED_ENTER,
  CONTENDED_ENTERED,
  GC_FINISH,
  GC_START,
  HEADER_BYTES,
  magicLength,
  messageOfName,
  MESSAGES,
  METHOD_DEF,
  METHOD_ENTRY,
  METHOD_EXIT,
  MONITOR_WAIT,
  MONITOR_WAITED,
  THREAD_END,
  THREAD_START,
  TRACE_END,
} from './messages.ts';
import { BinaryEvents } from './binary-events.ts';
import { XmlEvents } from './xml-events.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { type Choice, type Chosen, chosenOption } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import { type FactTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { CallBuilder } from './call-builder.ts';
import type { CallSum } from './call-figures.ts';
import { EventSummary } from './event-summary.ts';
import { NO_TICKET } from './open-calls.ts';
import { TraceClock } from './trace-clock.ts';
import type { EventSource, TimedEventReceiver, TraceEvent } from './trace-event.ts';
import {
  callNodesTable,
  guessNotes,
  messagesTable,
  methodsTable,
  threadsTable,
  TraceProperties,
} from './trace-facts.ts';
import { TraceNames, type TraceThread, TraceThreads } from './trace-names.ts';

const NOT_RECORDED = [
  'lines and thread states',
  'callers that a filter of the agent excluded',
  'CPU time of calls, unless the agent measured it',
];

/** Eclipse TPTP's trace in its binary form (specs: tptp). */
export const TPTP_BINARY: ProfileFormat = {
  id: 'tptp',
  name: 'TPTP trace (binary)',
  listed: { group: 'Traces and dumps', entry: 'TPTP' },
  extensions: ['.trcbin'],
  follows: true,
  notRecorded: NOT_RECORDED,
  recognise: recogniseBinary,
  createDecoder: (sink, chosen) => new TraceDecoder(sink, chosen, (receiver) => new BinaryEvents(receiver)),
};

/** Eclipse TPTP's trace as XML elements, one for each event. */
export const TPTP_XML: ProfileFormat = {
  id: 'tptp-xml',
  name: 'TPTP trace (XML)',
  listed: { group: 'Traces and dumps', entry: 'TPTP' },
  extensions: ['.trcxml'],
  follows: true,
  notRecorded: NOT_RECORDED,
  recognise: recogniseXml,
  createDecoder: (sink, chosen) => new TraceDecoder(sink, chosen, (receiver) => new XmlEvents(receiver)),
};

function recogniseBinary(head: Uint8Array): Recognition {
  const length = Math.min(magicLength(head), head.length);
  if (length === 4) {
    if (head.length < HEADER_BYTES) return isPossible(0.9, 'its header is incomplete');
    return is('it begins with 0TBF');
  }
  const because = 'it does not begin with 0TBF';
  return length === head.length ? isPossible(0.3, because) : isNot(length < 2 ? 0 : length / 5, because);
}

/**
 * The first element after declarations and comments must be <TRACE>, or an event that has one of its attributes. If
 * `head` ends before that is certain, the verdict is 'possible'.
 */
function recogniseXml(head: Uint8Array): Recognition {
  const text = new TextDecoder('latin1').decode(head).replace(/^\xef\xbb\xbf/, '');
  const rest = text.replace(/^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<![A-Z][^<>[]*(?:\[[^\]]*\]\s*)?>)+/, '');
  if (rest === '') return isPossible(0.1, 'it has no XML element');
  if (!rest.startsWith('<')) return isNot(0, 'it does not begin with <');
  if (/^<[?!]/.test(rest)) return isPossible(0.2, 'its XML declaration is incomplete');
  if (/^<TRACE[\s/>]/.test(rest)) return is('it begins with <TRACE>');
  const [, name, attributes, end] = /^<([^\s/>]*)([^>]*)(>?)/.exec(rest) ?? ['', '', '', ''];
  const because = `its first element is <${name.slice(0, 40)}>, which TPTP traces do not have`;
  if (attributes === '' && end === '')
    return 'TRACE'.startsWith(name) || MESSAGES.some((each) => each.name.startsWith(name))
      ? isPossible(0.5, because)
      : isNot(0.1, because);
  const message = messageOfName(name);
  if (message === undefined) return isNot(0.1, because);
  const has = message.fields.find((attribute) => new RegExp(`\\s${attribute.name}\\s*=`).test(attributes));
  if (has !== undefined) return is(`it begins with <${name} ${has.name}=…>`);
  return end === ''
    ? isPossible(0.6, because)
    : isNot(0.5, `its first element <${name}> has none of the attributes of this event`);
}

/** Thread and time have the same indexes in other events of a thread. */
const ENTRY = METHOD_ENTRY.at;
const EXIT = METHOD_EXIT.at;
const AGGREGATED = AGGREGATED_ENTRY.at;
const MONITOR = MONITOR_WAIT.at;

/** Most open calls, and threads, that `pause` ends: it is called for each piece of the trace. */
const MOST_RUNNING = 10_000;

const FIRST_ID = MESSAGES[0].id;
const VALUES = ['wall', 'cpu'] as const;

/** Makes calls and facts of the events of either form. */
class TraceDecoder implements ProfileDecoder, TimedEventReceiver {
  readonly #source: EventSource;
  readonly #clock = new TraceClock();
  readonly #names: TraceNames;
  readonly #threads: TraceThreads;
  readonly #builder: CallBuilder;
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

  /** `sourceFor`: makes the reader of the trace's form, which passes its events to this decoder. */
  constructor(sink: SampleSink, chosen: Chosen, sourceFor: (receiver: TimedEventReceiver) => EventSource) {
    this.#sink = sink;
    this.#value = chosenOption(chosen, 'value', VALUES, 'wall');
    this.#names = new TraceNames(sink);
    this.#threads = new TraceThreads(sink);
    this.#builder = new CallBuilder(sink, this.#value === 'cpu', this.#clock);
    // How long a call took is known by the clock only.
    if (this.#value === 'wall') sink.samplesAreCalls();
    this.#events = new EventSummary(this.#names);
    this.#source = sourceFor(this);
  }

  append(bytes: Uint8Array): void {
    this.#source.append(bytes);
    this.#builder.emit();
  }

  emitOpen(ended: boolean): void {
    if (ended) this.#end();
    else this.#pause();
  }

  get bytes(): ByteAccount {
    return this.#source.bytes;
  }

  get damage(): Damage | undefined {
    return this.#source.damage;
  }

  get records(): number {
    return this.#source.records;
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
      case AGGREGATED_EXIT:
        this.#builder.exitAggregated(
          this.#threads.of(event, AGGREGATED.threadIdRef, AGGREGATED.threadIdRef),
          this.#methodOf(event, AGGREGATED.methodIdRef),
        );
        break;
      case CLASS_DEF:
        this.#names.defineClass(event);
        break;
      case METHOD_DEF:
        this.#names.defineMethod(event);
        break;
      case THREAD_START: {
        const { thread, replaced } = this.#threads.start(event);
        if (replaced !== undefined) this.#builder.endCalls(replaced, replaced.lastMoment);
        if (event.isSet(ENTRY.time)) this.#momentOf(event, thread, ENTRY.time);
        break;
      }
      case THREAD_END: {
        const thread = this.#threads.of(event, ENTRY.threadIdRef, ENTRY.transientThreadIdRef);
        this.#builder.endCalls(thread, this.#momentOf(event, thread, ENTRY.time));
        thread.hasEnded = true;
        thread.calls.release();
        thread.aggregated.release();
        break;
      }
      case TRACE_END:
        if (event.isSet(TRACE_END.at.time)) this.#clock.moment(event, TRACE_END.at.time);
        for (const thread of this.#threads.all) this.#builder.endCalls(thread, thread.lastMoment);
        break;
      case GC_START:
      case GC_FINISH:
        this.#events.collection(event, this.#clock.moment(event, ENTRY.time));
        break;
      case MONITOR_WAIT:
      case MONITOR_WAITED:
      case CONTENDED_ENTER:
      case CONTENDED_ENTERED: {
        const thread = this.#threads.of(event, MONITOR.threadIdRef, MONITOR.threadIdRef);
        this.#events.monitor(event, thread, this.#momentOf(event, thread, MONITOR.time));
        break;
      }
      default:
        this.#properties.take(event);
        this.#events.take(event);
    }
  }

  /**
   * Ticks per second, of all times of the trace. Returns true if times before were converted again.
   */
  setFrequency(frequency: number): boolean {
    const clock = this.#clock;
    const builder = this.#builder;
    this.#resume();
    const before = clock.origin;
    const convert = clock.setFrequency(frequency);
    if (convert === undefined) return false;
    const isConverted = this.#sink.convertTimes(convert, before, clock.origin);
    this.#hasWrongTimes ||= builder.hasEndedCalls && !isConverted;
    builder.convertTimes(convert);
    for (const thread of this.#threads.all) thread.convertTimes(convert);
    this.#events.convertTimes(convert);
    return true;
  }

  /** Ends all open calls provisionally, unless there are very many: those are counted once the trace rests. */
  #pause(): void {
    // Without further events, the calls would only be ended again, each time that a piece of an event arrives.
    if (this.#isPaused) return;
    let running = 0;
    for (const { calls, aggregated } of this.#threads.all) {
      running += 1 + calls.length + aggregated.length;
      if (running > MOST_RUNNING) return;
    }
    this.#builder.endProvisionally(this.#threads.all);
    this.#isPaused = true;
  }

  /** Undoes `#pause` and `#end`, because more events follow. */
  #resume(): void {
    if (this.#isPaused) this.#builder.resume();
    this.#isPaused = false;
  }

  /** No more events are expected. */
  #end(): void {
    this.#names.end();
    this.#builder.endProvisionally(this.#threads.all);
    this.#isPaused = true;
  }

  facts(): FormatFacts {
    const { notes, skips, properties, unknown } = this.#source;
    const clock = this.#clock;
    const builder = this.#builder;
    const { earliest, latest } = clock;
    const tables: (FactTable | undefined)[] = [
      methodsTable(builder, this.#names),
      callNodesTable(builder, this.#names, this.#sink.paths),
      threadsTable(this.#threads),
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
      skips,
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
    const thread = this.#threads.of(event, ENTRY.threadIdRef, ENTRY.transientThreadIdRef);
    const { methodIdRef: method, ticket, stackDepth: depth, threadCpuTime: cpu } = ENTRY;
    this.#builder.enter(
      thread,
      this.#methodOf(event, method),
      event.has(ticket) ? event.number(ticket) : NO_TICKET,
      event.number(depth),
      this.#momentOf(event, thread, ENTRY.time),
      event.isSet(cpu) ? this.#clock.interval(event, cpu) : NaN,
    );
  }

  #exit(event: TraceEvent): void {
    const thread = this.#threads.of(event, ENTRY.threadIdRef, ENTRY.transientThreadIdRef);
    const { methodIdRef: method, ticket, threadCpuTime: cpu } = EXIT;
    this.#builder.exit(
      thread,
      event.has(method) ? this.#methodOf(event, method) : -1,
      event.has(ticket) ? event.number(ticket) : NO_TICKET,
      this.#momentOf(event, thread, ENTRY.time),
      event.has(cpu) ? this.#clock.interval(event, cpu) : NaN,
    );
  }

  #enterAggregated(event: TraceEvent): void {
    const clock = this.#clock;
    const sum = this.#sum;
    // Without a number of calls, the event is one call. A number of 0 means that only its callees were recorded.
    sum.calls = event.has(AGGREGATED.numCalls) ? Math.max(0, event.number(AGGREGATED.numCalls)) : 1;
    sum.self = clock.interval(event, AGGREGATED.baseTime);
    sum.selfCpu = clock.interval(event, AGGREGATED.baseCPUTime);
    sum.shortest = clock.interval(event, AGGREGATED.minTime);
    sum.longest = clock.interval(event, AGGREGATED.maxTime);
    const thread = this.#threads.of(event, AGGREGATED.threadIdRef, AGGREGATED.threadIdRef);
    const { methodIdRef: method } = AGGREGATED;
    this.#builder.enterAggregated(thread, this.#methodOf(event, method), sum);
  }

  #methodOf(event: TraceEvent, at: number): number {
    return this.#names.method(event.hi[at], event.lo[at]);
  }

  #momentOf(event: TraceEvent, thread: TraceThread, at: number): number {
    if (!event.has(at)) return Math.max(thread.lastMoment, this.#clock.earliest ?? 0);
    const moment = this.#clock.moment(event, at);
    if (moment > thread.lastMoment) thread.lastMoment = moment;
    return moment;
  }
}
