import {
  type Choice,
  type Chosen,
  chosenNumber,
  chosenSampleType,
  chosenSwitch,
  type ChoiceOption,
  SAMPLE_TYPE_CHOICE,
} from '../../../facts/choice.ts';
import { factTable, type FormatFacts, NO_FACTS } from '../../../facts/format-facts.ts';
import { noteOf, lossNotes } from '../../../facts/losses.ts';
import { type ProfileUnits, SAMPLES_ONLY } from '../../../profile/profile-units.ts';
import type { Chunk } from '../events/chunk.ts';
import type { SampleSelection } from '../events/event-types.ts';
import { SAMPLE_TYPES, type SampleType } from '../events/sample-types.ts';
import { capitalised, formatQuantity } from '../../../text/format-value.ts';
import { RepeatedTimes } from '../../repeated-times.ts';
import type { ChunkHeader } from '../chunk/chunk-header.ts';
import { type MeasuredField, RecordedMeasurements } from '../events/measured-events.ts';
import { MethodTimings, RecordedJvm, describeState, RecordedThreads } from './recorded-jvm.ts';
import type { RecordingNotes } from '../events/noted-events.ts';
import { RecordingLosses } from './recording-losses.ts';
import { SamplingPeriods, THROTTLE_SETTING, Throttles } from './recorded-settings.ts';

const ALL = 'all';
/** The sampling periods of the first and the second event type of a sample type. */
const PERIOD_CHOICES = [
  {
    id: 'period',
    name: 'Sampling period',
    hint: 'Time between two samples of a thread: each sample then stands for it.',
  },
  {
    id: 'native-period',
    name: 'Sampling period in native methods',
    hint: 'Time between two samples of a thread in a native method: each such sample then stands for it.',
  },
] as const;
/** The default sampling period of JDK Flight Recorder (default.jfc), and of wall-clock samples of async-profiler. */
const SUGGESTED_PERIOD_MS = 20;
const SUGGESTED_WALL_PERIOD_MS = 50;

/** Facts about a recording, collected chunk by chunk, and the user's choices. */
export class RecordingFacts implements SampleSelection, RecordingNotes {
  /** The type of the samples that are counted; undefined until a chunk has samples. */
  sampleType: SampleType | undefined;
  /** Samples in other states are skipped; undefined to count all. */
  readonly state: string | undefined;
  /** Whether classes are shown, as chosen; undefined: where events have a class. */
  readonly #withClasses: boolean | undefined;
  readonly groupsTruncated: boolean;
  readonly #requestedType: string | undefined;
  /** The only event type that is counted; undefined to count all of the sample type. */
  readonly #event: string | undefined;
  /** In ns, for each of PERIOD_CHOICES; undefined for what is not chosen. */
  readonly #chosenNs: readonly (number | undefined)[];

  firstTime: bigint | undefined;
  /** An event stands for several samples. */
  hasWeights = false;
  lastTime: bigint | undefined;
  /** Frames of the deepest stack, without "(truncated)". */
  deepestStack = 0;
  readonly #jvm = new RecordedJvm();
  readonly threads = new RecordedThreads();
  readonly #timings = new MethodTimings();
  readonly repeatedTimes = new RepeatedTimes();
  readonly #states = new Set<string>();
  /** Sample types that the recording has events of. */
  readonly #present = new Set<SampleType>();
  /** Sample types seen before one is selected. */
  readonly #candidates = new Set<SampleType>();
  readonly #periods = new SamplingPeriods();
  readonly #throttles = new Throttles();
  readonly #events = new Map<string, number>();
  readonly #measured = new RecordedMeasurements();
  #chunks = 0;
  readonly losses = new RecordingLosses();

  constructor(chosen: Chosen) {
    this.#requestedType = chosenSampleType(chosen);
    // Other texts, such as ALL, are not states, and not event types.
    this.state = 'state' in chosen && chosen.state.startsWith('STATE_') ? chosen.state : undefined;
    this.#event = 'events' in chosen && chosen.events !== ALL ? chosen.events : undefined;
    this.#withClasses = 'classes' in chosen ? chosenSwitch(chosen, 'classes', false) : undefined;
    this.groupsTruncated = chosenSwitch(chosen, 'cut', true);
    this.#chosenNs = PERIOD_CHOICES.map(({ id }) => {
      const ms = chosenNumber(chosen, id);
      return ms === undefined ? undefined : Math.round(ms * 1e6);
    });
  }

  /** The class of an event is a frame. */
  get withClasses(): boolean {
    return this.#withClasses ?? this.sampleType?.classIs !== undefined;
  }

  isCounted(event: string): boolean {
    return this.#countedEvent === undefined || this.#countedEvent === event;
  }

  /** The only event type of the sample type that is counted; undefined if all are. */
  get #countedEvent(): string | undefined {
    return this.#event !== undefined && this.sampleType?.events.has(this.#event) === true
      ? this.#event
      : undefined;
  }

  /** ns that a sample of the first event type that is counted stands for; 0 if unknown. */
  get periodNs(): number {
    const isSecond = this.#countedEvent !== undefined && this.#countedEvent === this.#eventAt(1);
    return this.periodOf(isSecond ? 1 : 0);
  }

  /**
   * ns that a sample of the first or second event type stands for: chosen, or else recorded for this event type, or else
   * that of the other one; 0 if unknown.
   */
  periodOf(number: 0 | 1): number {
    if (this.sampleType?.isPeriodic !== true) return 0;
    const known = (at: 0 | 1): number | undefined =>
      this.#eventAt(at) === undefined ? undefined : (this.#chosenNs[at] ?? this.#recordedPeriod(at));
    return known(number) ?? known(number === 0 ? 1 : 0) ?? 0;
  }

  #recordedPeriod(number: 0 | 1): number | undefined {
    const event = this.#eventAt(number);
    return event === undefined ? undefined : this.#periods.of(event);
  }

  /** The first or second event type of the sample type; undefined if it has no second one. */
  #eventAt(number: 0 | 1): string | undefined {
    return [...(this.sampleType?.events.keys() ?? [])].at(number);
  }

  /** The event types of the sample type that the recording has. */
  #presentEvents(): readonly string[] {
    return [...(this.sampleType?.events.keys() ?? [])].filter((event) => this.#events.has(event));
  }

  noteSetting(event: string, name: string, value: string): void {
    if (name === THROTTLE_SETTING) this.#throttles.note(event, value);
    else this.#periods.note(event, name, value);
  }

  noteJvm(event: string, texts: readonly string[]): void {
    this.#jvm.note(event, texts);
  }

  noteTiming(method: string, invocations: number, times: readonly (number | undefined)[]): void {
    const [least, average, most] = times;
    this.#timings.note(method, { invocations, least, average, most });
  }

  noteMeasured(of: MeasuredField, value: number, ticks: number, header: ChunkHeader): void {
    this.#measured.add(of, value, ticks, header);
  }

  /**
   * Selects the sample type, given those of one more chunk: the requested type, or a type of samples that are taken
   * regularly. False if neither is known yet; `isLast`: then selects the most preferred type of all chunks so far. The
   * selection is final, because counted samples stay.
   */
  chooseFrom(present: ReadonlySet<SampleType>, isLast: boolean): boolean {
    for (const type of present) this.#candidates.add(type);
    const known = SAMPLE_TYPES.filter((type) => this.#candidates.has(type));
    const others = [...this.#candidates].filter((type) => !SAMPLE_TYPES.includes(type));
    const candidates = [...known, ...others];
    const requested = this.#requestedType;
    this.sampleType =
      SAMPLE_TYPES.find(({ id }) => id === requested && (isLast || this.#candidates.size > 0)) ??
      candidates.find(({ id }) => id === requested);
    if (this.sampleType === undefined && (requested === undefined || isLast))
      this.sampleType = candidates.find(isSampling) ?? (isLast ? candidates[0] : undefined);
    return this.sampleType !== undefined;
  }

  /** Whether events of this type decide which one is selected: it is requested, or the most preferred one. */
  selects(type: SampleType): boolean {
    const requested = this.#requestedType;
    const isOther = requested !== undefined && !SAMPLE_TYPES.some(({ id }) => id === requested);
    return isOther ? type.id === requested : type === SAMPLE_TYPES[0];
  }

  addState(state: string): void {
    this.#states.add(state);
  }

  /** `isWhole`: false if the JVM has not written the end of the chunk. */
  addChunk(isWhole: boolean): void {
    this.#chunks++;
    this.losses.isUnfinished = !isWhole;
  }

  noteLost(event: string, amount: number): void {
    this.losses.noteLost(event, amount);
  }

  /** Adds the events that were read from a chunk, all or those since its latest flush. */
  addEvents(chunk: Chunk): void {
    this.losses.addChunk(chunk);
    const { types, counts } = chunk;
    if (types === undefined) return;
    const { names, sampleTypes } = types;
    for (const [row, count] of counts.entries()) {
      if (count === 0) continue;
      this.#events.set(names[row], (this.#events.get(names[row]) ?? 0) + count);
      const sampleType = sampleTypes[row];
      const isShown =
        sampleType !== undefined && (SAMPLE_TYPES.includes(sampleType) || chunk.withStacks.has(row));
      if (isShown) this.#present.add(sampleType);
    }
  }

  /** Includes the time of a sample in `firstTime` … `lastTime`. */
  noteTime(time: bigint): void {
    if (this.firstTime === undefined || time < this.firstTime) this.firstTime = time;
    if (this.lastTime === undefined || time > this.lastTime) this.lastTime = time;
  }

  facts(): FormatFacts {
    const losses = this.losses.ofSamples(this.groupsTruncated, this.sampleType);
    const events = [...this.#events].sort(([, a], [, b]) => b - a);
    return {
      ...NO_FACTS,
      skips: this.losses.skips(),
      units: this.#units(),
      choices: this.#choices(),
      notes: [...this.#notes(), ...lossNotes(losses)],
      losses: [...losses, ...this.losses.ofFields()],
      javaVersion: this.#jvm.javaVersion,
      tables: [
        ...this.#jvm.tables(),
        ...(events.length === 0 ? [] : [factTable('Events', 'Event | Count:count', events)]),
        ...this.#timings.tables(),
        ...this.threads.tables(),
      ],
      series: this.#measured.series(),
      deepestStack: this.deepestStack === 0 ? undefined : this.deepestStack,
      firstTime: this.firstTime,
      hasSampleTimes: this.firstTime !== undefined,
      lastTime: this.lastTime,
    };
  }

  #units(): ProfileUnits {
    const ofType = this.sampleType?.units ?? SAMPLES_ONLY;
    const isThrottled = this.#limits.length > 0;
    // The samples that an event stands for were not taken one by one.
    const chance = {
      ...(isThrottled ? { isSampled: true } : {}),
      ...(isThrottled || this.hasWeights ? { isDependent: true } : {}),
    };
    const units = { ...ofType, counted: { ...ofType.counted, ...chance } };
    return this.periodNs > 0 ? { ...units, value: { name: 'Time', unit: 'ns' } } : units;
  }

  /** The limits of the counted event type: the most events that are recorded. */
  get #limits(): readonly string[] {
    const { sampleType } = this;
    return sampleType === undefined
      ? []
      : this.#throttles.of(sampleType, (event) =>
          this.isCounted(event) ? (this.#events.get(event) ?? 0) : 0,
        );
  }

  #choices(): Choice[] {
    const { sampleType } = this;
    if (sampleType === undefined) return [];
    const choices: Choice[] = [
      {
        id: SAMPLE_TYPE_CHOICE,
        name: 'Sample type',
        hint: 'Which events of the recording are counted.',
        kind: 'one',
        options: this.#options(sampleType),
        chosen: sampleType.id,
      },
    ];
    choices.push(...this.#eventChoice());
    const states = [...this.#states].sort();
    if (this.state !== undefined && !this.#states.has(this.state)) states.push(this.state);
    if (states.length > 1)
      choices.push({
        id: 'state',
        name: 'Thread state',
        hint: 'Counts only samples of threads in this state.',
        kind: 'one',
        options: [
          { value: ALL, text: 'All' },
          ...states.map((state) => ({ value: state, text: describeState(state) })),
        ],
        chosen: this.state ?? ALL,
      });
    if (sampleType.classIs !== undefined)
      choices.push({
        id: 'classes',
        name: 'Classes',
        hint: `Shows the class that is ${sampleType.classIs} as a frame called by the method.`,
        kind: 'switch',
        chosen: this.withClasses,
      });
    choices.push(...this.#periodChoices());
    if (this.losses.truncatedStacks > 0)
      choices.push({
        id: 'cut',
        name: 'Group truncated stacks',
        hint: 'Stacks that the JVM truncated at its stack depth lack callers. They are grouped below a frame "(truncated)".',
        kind: 'switch',
        chosen: this.groupsTruncated,
      });
    return choices;
  }

  /** The choice of one of several event types: samples of Java and native methods, monitors and parking. */
  #eventChoice(): Choice[] {
    const chosen = this.#countedEvent;
    const present = this.#presentEvents();
    const events = chosen === undefined || present.includes(chosen) ? present : [...present, chosen];
    if (events.length < 2) return [];
    return [
      {
        id: 'events',
        name: 'Events',
        hint: 'Counts only events of this type.',
        kind: 'one',
        options: [
          { value: ALL, text: 'All' },
          ...events.map((event) => ({ value: event, text: describeEvent(event) })),
        ],
        chosen: chosen ?? ALL,
      },
    ];
  }

  /** The period of each event type that is counted; one for both if they have the same and none was chosen apart. */
  #periodChoices(): Choice[] {
    const { sampleType } = this;
    if (sampleType?.isPeriodic !== true) return [];
    const native = this.#eventAt(1);
    const hasNative = native !== undefined && this.#events.has(native) && this.isCounted(native);
    const isApart = this.#chosenNs[1] !== undefined || this.periodOf(0) !== this.periodOf(1);
    const isOnlyNative = hasNative && native === this.#countedEvent && isApart;
    const numbers = isOnlyNative ? ([1] as const) : hasNative && isApart ? ([0, 1] as const) : ([0] as const);
    return numbers.map((number) => ({
      ...PERIOD_CHOICES[number],
      kind: 'number',
      unit: 'ms',
      suggested: sampleType.id === 'wall' ? SUGGESTED_WALL_PERIOD_MS : SUGGESTED_PERIOD_MS,
      chosen: this.periodOf(number) > 0 ? this.periodOf(number) / 1e6 : undefined,
    }));
  }

  /** The known sample types come first. Labels that several event types have are followed by the event type. */
  #options(selected: SampleType): ChoiceOption[] {
    const types = [...new Set([...SAMPLE_TYPES, selected, ...this.#present])].filter(
      (type) => type === selected || this.#present.has(type),
    );
    return types.map(({ id, name, short, events }) => {
      const isUnique = types.every((other) => other.id === id || other.name !== name);
      const count = [...events.keys()].reduce((sum, event) => sum + (this.#events.get(event) ?? 0), 0);
      const texts = { text: isUnique ? name : `${name} (${id})`, ...(short === undefined ? {} : { short }) };
      return { value: id, ...texts, count };
    });
  }

  #notes(): string[] {
    const notes: string[] = [];
    const { sampleType } = this;
    if (sampleType !== undefined && !this.#present.has(sampleType))
      notes.push(`The recording has none of this sample type: ${sampleType.name}.`);
    const event = this.#countedEvent;
    if (event !== undefined && !this.#events.has(event))
      notes.push(`The recording has no events of this type: ${event}.`);
    if (sampleType?.hasLeafMethod === true)
      notes.push(
        'A traced call has the time of the traced calls in it, too: a total may contain the same time several times.',
      );
    const limits = this.#limits;
    if (limits.length > 0)
      notes.push(
        `At most so many events were recorded: ${limits.join(', ')}. Where there were more, those recorded are a sample: shares are estimates, and sums are too small.`,
      );
    notes.push(
      ...noteOf(
        [this.losses.biased, 'sample is', 'samples are'],
        'biased: the stack is that of the next safepoint, not that of the moment.',
      ),
    );
    if (this.hasWeights) {
      const when =
        this.periodNs > 0 ? 'one sampling period after the other from its start on' : 'at its start';
      notes.push(`Events stand for several samples: those of one event count ${when}.`);
    }
    notes.push(
      ...noteOf([this.repeatedTimes.withoutTime, 'sample'], 'of such events without a time: too many.'),
    );
    if (this.#chunks > 1) notes.push(`The recording consists of ${formatQuantity(this.#chunks, 'chunk')}.`);
    return notes;
  }
}

/** Whether samples of a type show what threads do all the time: not only when they wait or allocate. */
function isSampling({ id, isPeriodic }: SampleType): boolean {
  return isPeriodic || id === 'cpu-time';
}

/** `jdk.NativeMethodSample` -> `Native method sample`; letters of an abbreviation stay together. */
function describeEvent(event: string): string {
  const words = event.replace(/^.*\./, '').split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return capitalised(words.map((word) => (/^[A-Z]{2}/.test(word) ? word : word.toLowerCase())).join(' '));
}
