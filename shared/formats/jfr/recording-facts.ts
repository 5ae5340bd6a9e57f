import { type Choice, type Chosen, chosenNumber, chosenSwitch } from '../../facts/choice.ts';
import { factTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { type ProfileUnits, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import type { Chunk, Wanted } from './chunk.ts';
import type { PartFacts } from './recording-part.ts';
import { SAMPLE_TYPES, type SampleType } from './sample-types.ts';
import { capitalised } from '../../text/capitalised.ts';
import { formatQuantity } from '../../text/format-value.ts';

const ALL_STATES = 'all';
/** The default sampling period of JDK Flight Recorder (default.jfc). */
const SUGGESTED_PERIOD_MS = 20;

/** What is known of a recording beside its samples, gathered chunk by chunk, and what was chosen of it. */
export class RecordingFacts implements Wanted {
  /** What is counted; undefined until a chunk has anything to count. */
  sampleType: SampleType | undefined;
  /** Samples in any other state are passed over; undefined takes all. */
  readonly state: string | undefined;
  readonly withClasses: boolean;
  readonly groupsTruncated: boolean;
  readonly #periodMs: number | undefined;
  readonly #asked: string | undefined;

  firstTime: bigint | undefined;
  lastTime: bigint | undefined;
  truncatedStacks = 0;
  /** Samples that could not be counted. */
  withoutStack = 0;
  withLostStack = 0;
  readonly #states = new Set<string>();
  /** Sample types that there are events of. */
  readonly #present = new Set<SampleType>();
  readonly #events = new Map<string, number>();
  #chunks = 0;
  #isUnfinished = false;
  #misfits = 0;

  constructor(chosen: Chosen) {
    this.#asked = chosen['sample-type'];
    // Anything else is no state that a recording could have.
    this.state = 'state' in chosen && chosen.state.startsWith('STATE_') ? chosen.state : undefined;
    this.withClasses = chosenSwitch(chosen, 'classes', false);
    this.groupsTruncated = chosenSwitch(chosen, 'cut', true);
    this.#periodMs = chosenNumber(chosen, 'period');
  }

  /** ns that a sample stands for; 0 when that is not known. */
  get periodNs(): number {
    return this.sampleType?.isPeriodic === true ? Math.round((this.#periodMs ?? 0) * 1e6) : 0;
  }

  /**
   * Settles what is counted at the first chunk that has anything: what was asked for if recordings have it at all, else
   * the first that this chunk has. Samples cannot be taken back, so what only later chunks have is too late.
   */
  chooseFrom(present: ReadonlySet<SampleType>): void {
    if (present.size > 0)
      this.sampleType ??=
        SAMPLE_TYPES.find(({ id }) => id === this.#asked) ?? SAMPLE_TYPES.find((type) => present.has(type));
  }

  addState(state: string): void {
    this.#states.add(state);
  }

  addChunk(chunk: Chunk, isWhole: boolean): void {
    this.#chunks++;
    this.#isUnfinished ||= !isWhole;
    this.#misfits += chunk.misfits;
    const { types, counts } = chunk;
    if (types === undefined) return;
    const { names, sampleTypes } = types;
    for (const [row, count] of counts.entries()) {
      if (count === 0) continue;
      this.#addEvents(names[row], count);
      const sampleType = sampleTypes[row];
      if (sampleType !== undefined) this.#present.add(sampleType);
    }
  }

  #addEvents(name: string, count: number): void {
    this.#events.set(name, (this.#events.get(name) ?? 0) + count);
  }

  part(): PartFacts {
    const { firstTime, lastTime, truncatedStacks, withoutStack, withLostStack } = this;
    return {
      ...{ firstTime, lastTime, truncatedStacks, withoutStack, withLostStack },
      sampleType: this.sampleType?.id,
      states: [...this.#states],
      present: Array.from(this.#present, ({ id }) => id),
      events: [...this.#events],
      chunks: this.#chunks,
      isUnfinished: this.#isUnfinished,
      misfits: this.#misfits,
    };
  }

  /** Whether a part counted what would have been counted here. */
  fits({ sampleType }: PartFacts): boolean {
    return sampleType === undefined || this.sampleType === undefined || this.sampleType.id === sampleType;
  }

  /** Goes on behind a part that fits. */
  appendRange(part: PartFacts): void {
    this.sampleType ??= SAMPLE_TYPES.find(({ id }) => id === part.sampleType);
    for (const state of part.states) this.#states.add(state);
    for (const type of SAMPLE_TYPES) if (part.present.includes(type.id)) this.#present.add(type);
    for (const [name, count] of part.events) this.#addEvents(name, count);
    this.truncatedStacks += part.truncatedStacks;
    this.withoutStack += part.withoutStack;
    this.withLostStack += part.withLostStack;
    this.#chunks += part.chunks;
    this.#isUnfinished ||= part.isUnfinished;
    this.#misfits += part.misfits;
    if (part.firstTime !== undefined) this.noteTime(part.firstTime);
    if (part.lastTime !== undefined) this.noteTime(part.lastTime);
  }

  /** A sample was taken then. */
  noteTime(time: bigint): void {
    if (this.firstTime === undefined || time < this.firstTime) this.firstTime = time;
    if (this.lastTime === undefined || time > this.lastTime) this.lastTime = time;
  }

  facts(): FormatFacts {
    const events = [...this.#events].sort(([, a], [, b]) => b - a);
    return {
      ...NO_FACTS,
      units: this.#units(),
      choices: this.#choices(),
      notes: this.#notes(),
      tables:
        events.length === 0
          ? []
          : [
              factTable(
                'Events',
                [
                  { name: 'Event', kind: 'text' },
                  { name: 'Count', kind: 'count' },
                ],
                events,
              ),
            ],
      firstTime: this.firstTime,
      lastTime: this.lastTime,
    };
  }

  #units(): ProfileUnits {
    const units = this.sampleType?.units ?? SAMPLES_ONLY;
    return this.periodNs > 0 ? { ...units, value: { name: 'Time', unit: 'ns' } } : units;
  }

  #choices(): Choice[] {
    const { sampleType } = this;
    if (sampleType === undefined) return [];
    const choices: Choice[] = [
      {
        id: 'sample-type',
        name: 'Sample type',
        hint: 'Which events of the recording are counted.',
        kind: 'one',
        options: SAMPLE_TYPES.filter((type) => type === sampleType || this.#present.has(type)).map(
          ({ id, name }) => ({ value: id, text: name }),
        ),
        chosen: sampleType.id,
      },
    ];
    const states = [...this.#states].sort();
    if (this.state !== undefined && !this.#states.has(this.state)) states.push(this.state);
    if (states.length > 1)
      choices.push({
        id: 'state',
        name: 'Thread state',
        hint: 'Counts only samples of threads in this state.',
        kind: 'one',
        options: [
          { value: ALL_STATES, text: 'All' },
          ...states.map((state) => ({ value: state, text: describeState(state) })),
        ],
        chosen: this.state ?? ALL_STATES,
      });
    if (sampleType.classIs !== undefined)
      choices.push({
        id: 'classes',
        name: 'Classes',
        hint: `Shows the class that is ${sampleType.classIs} as a frame called by the method.`,
        kind: 'switch',
        chosen: this.withClasses,
      });
    if (sampleType.isPeriodic)
      choices.push({
        id: 'period',
        name: 'Period',
        hint: 'Time between two samples of a thread: each sample then stands for it.',
        kind: 'number',
        unit: 'ms',
        suggested: SUGGESTED_PERIOD_MS,
        chosen: this.#periodMs,
      });
    if (this.truncatedStacks > 0)
      choices.push({
        id: 'cut',
        name: 'Group truncated stacks',
        hint: 'Stacks that the JVM truncated at its stack depth lack callers. They stand below a frame of their own, (truncated).',
        kind: 'switch',
        chosen: this.groupsTruncated,
      });
    return choices;
  }

  #notes(): string[] {
    const notes: string[] = [];
    const { sampleType } = this;
    if (sampleType !== undefined && !this.#present.has(sampleType))
      notes.push(`The recording has none of this sample type: ${sampleType.name}.`);
    if (this.#isUnfinished)
      notes.push('The recording was not finished: its last chunk is read as far as it goes.');
    note(
      notes,
      this.truncatedStacks,
      'stack was',
      'stacks were',
      'truncated at the stack depth of the recording.',
    );
    note(notes, this.withoutStack, 'sample has', 'samples have', 'no stack trace and are not counted.');
    note(
      notes,
      this.withLostStack,
      'sample refers',
      'samples refer',
      'to a stack trace that is not in the file and is not counted.',
    );
    note(notes, this.#misfits, 'event does', 'events do', 'not fit its description and was passed over.');
    if (this.#chunks > 1) notes.push(`The recording consists of ${formatQuantity(this.#chunks, 'chunk')}.`);
    return notes;
  }
}

function note(notes: string[], count: number, one: string, many: string, what: string): void {
  if (count > 0) notes.push(`${formatQuantity(count, one, many)} ${what}`);
}

/** `STATE_IN_OBJECT_WAIT` -> `In object wait`. */
function describeState(state: string): string {
  const words = state
    .replace(/^STATE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return capitalised(words);
}
