import { NONE } from '../../../profile/columns.ts';
import { type FieldPlan, FieldPlanner, FieldValues, Shape } from '../chunk/field-plan.ts';
import { type ContextType, contextType, notedType } from './noted-events.ts';
import { readMetadata, type RecordedType, type Types } from '../chunk/metadata.ts';
import {
  OtherSampleTypes,
  SAMPLE_FIELDS,
  SAMPLE_TYPES,
  sampleFields,
  type SampleType,
} from './sample-types.ts';
import type { Cursor } from '../chunk/cursor.ts';

export const METADATA = 0;
export const CONSTANT_POOLS = 1;

/** Ids below it have a table: JVMs have some hundred types, numbered from 0 on. */
const SMALL = 1 << 12;

/** The samples of a recording that are read. */
export interface SampleSelection {
  readonly withClasses: boolean;
  /** Undefined if no chunk so far has samples. */
  readonly sampleType: SampleType | undefined;
  /** Whether events of this name are counted, if they are of the sample type. */
  isCounted(event: string): boolean;
}

/** The way to note an event: by its fields, or as a context. */
type NotedPlan = (NonNullable<ReturnType<typeof notedType>> | ContextType) & {
  readonly plan: FieldPlan;
};

/** The reader of sample events of one type. */
export interface SampleEvent {
  readonly plan: FieldPlan;
  /** The values read last. Each event type has its own, so that fields that the type does not have stay 0. */
  readonly values: FieldValues;
  readonly hasState: boolean;
  readonly hasSamples: boolean;
  /** Bytes of the number of samples if it is a floating-point number, else 0. */
  readonly samplesBytes: number;
  readonly hasClass: boolean;
  readonly hasValue: boolean;
  /** Its place among the event types of a periodic sample type, which has at most two: each has its own period. */
  readonly number: 0 | 1;
}

/**
 * The types that a chunk describes, numbered, and the plans of those that are samples. Most types are not events, and
 * most event types are not samples.
 *
 *   row   id    name                  sample type   plan
 *   0     8     java.lang.Thread
 *   1     101   jdk.ExecutionSample   cpu           startTime, sampledThread, stackTrace, state
 *   2     77    jdk.CPULoad
 */
export class EventTypes {
  readonly planner: FieldPlanner;
  readonly names: string[] = [];
  readonly sampleTypes: (SampleType | undefined)[] = [];
  /** Row -> how its events are noted besides; undefined for most. */
  readonly noted: (readonly NotedPlan[] | undefined)[] = [];
  readonly #plans: (FieldPlan | undefined)[] = [];
  readonly #rows = new Map<number, number>();
  readonly #rowOfSmall = new Int32Array(SMALL).fill(NONE);
  /** The latest result of `samplesOf`. */
  #samples: SampleEvents | undefined;

  constructor(types: ReadonlyMap<number, RecordedType>, others: OtherSampleTypes) {
    this.planner = new FieldPlanner(types);
    for (const described of types.values()) {
      const { id, name } = described;
      const type = SAMPLE_TYPES.find(({ events }) => events.has(name)) ?? others.of(described, types);
      const plan =
        type === undefined ? undefined : this.planner.reading(id, sampleFields(type.events.get(name), type));
      const isSample = plan !== undefined && pooledType(plan, SAMPLE_FIELDS.stackTrace) !== NONE;
      const row = this.names.length;
      this.names.push(name);
      this.sampleTypes.push(isSample ? type : undefined);
      this.#plans.push(plan);
      this.#rows.set(id, row);
      if (id >= 0 && id < SMALL) this.#rowOfSmall[id] = row;
      this.noted.push(this.#notedPlans(described, types, isSample));
    }
  }

  #notedPlans(type: RecordedType, types: Types, isSample: boolean): readonly NotedPlan[] | undefined {
    const plans: NotedPlan[] = [];
    for (const how of [notedType(type, types, isSample), contextType(type, types)]) {
      if (how === undefined) continue;
      const plan = this.planner.reading(type.id, how.fields);
      if (plan !== undefined) plans.push({ ...how, plan });
    }
    return plans.length === 0 ? undefined : plans;
  }

  /** The row of an id, or NONE. Looked up for each event. */
  row(id: number): number {
    return id >= 0 && id < SMALL ? this.#rowOfSmall[id] : (this.#rows.get(id) ?? NONE);
  }

  /** The plan that reads an event of a row if it is a sample. */
  planOf(row: number): FieldPlan | undefined {
    return this.sampleTypes[row] === undefined ? undefined : this.#plans[row];
  }

  /** The readers of events of a sample type. */
  samplesOf(selection: SampleSelection): SampleEvents {
    const { sampleType: type, withClasses } = selection;
    if (this.#samples?.type === type && this.#samples?.withClasses === withClasses) return this.#samples;
    const samples = new SampleEvents(type, withClasses);
    for (const [row, plan] of this.#plans.entries()) {
      const isOfType = type !== undefined && this.sampleTypes[row] === type && plan !== undefined;
      const name = this.names[row];
      samples.events.push(isOfType && selection.isCounted(name) ? samples.add(plan, name) : undefined);
    }
    this.#samples = samples;
    return samples;
  }
}

/** The events of one sample type. */
export class SampleEvents {
  readonly type: SampleType | undefined;
  readonly withClasses: boolean;
  /** By row of the event types; undefined for events that are only counted. */
  readonly events: (SampleEvent | undefined)[] = [];
  /** Types of the constants that their fields refer to; NONE if no event has the field. */
  threadType = NONE;
  stackType = NONE;
  stateType = NONE;
  classType = NONE;

  constructor(type: SampleType | undefined, withClasses: boolean) {
    this.type = type;
    this.withClasses = withClasses;
  }

  add(plan: FieldPlan, name: string): SampleEvent {
    const threadType = pooledType(plan, SAMPLE_FIELDS.thread);
    const stateType = pooledType(plan, SAMPLE_FIELDS.state);
    const classType = pooledType(plan, SAMPLE_FIELDS.class);
    this.stackType = pooledType(plan, SAMPLE_FIELDS.stackTrace);
    if (threadType !== NONE) this.threadType = threadType;
    if (stateType !== NONE) this.stateType = stateType;
    if (classType !== NONE) this.classType = classType;
    const samples = plan.wanted[SAMPLE_FIELDS.samples];
    const isShown = this.withClasses || this.type?.hasLeafMethod === true;
    return {
      plan,
      values: new FieldValues(),
      hasState: stateType !== NONE,
      hasSamples: samples !== undefined,
      samplesBytes:
        samples?.shape === Shape.bytes ? plan.lengths[plan.slots.indexOf(SAMPLE_FIELDS.samples)] : 0,
      hasClass: isShown && classType !== NONE,
      hasValue: plan.wanted[SAMPLE_FIELDS.value] !== undefined,
      number: this.type?.isPeriodic === true && isSecond(this.type, name) ? 1 : 0,
    };
  }
}

function isSecond({ events }: SampleType, name: string): boolean {
  return [...events.keys()].indexOf(name) === 1;
}

/** Type of the constants that the field of a slot refers to; NONE if there is no such field. */
function pooledType(plan: FieldPlan, slot: number): number {
  const field = plan.wanted[slot];
  return field?.isPooled === true ? field.type : NONE;
}

/**
 * Caches the types of the previous chunk. Every chunk describes all types, 80 KB in JDK 17, nearly always with the same
 * bytes: comparing them takes a hundredth of the time of parsing them.
 */
export class KnownTypes {
  #bytes = new Uint8Array(0);
  #types: EventTypes | undefined;
  readonly #others = new OtherSampleTypes();

  /** Reads a metadata event like `readMetadata`. */
  read(cursor: Cursor): EventTypes | undefined {
    const first = cursor.at;
    // Start and duration differ in every chunk.
    cursor.skipIntegers(2);
    const described = cursor.bytes.subarray(cursor.at, cursor.end);
    if (this.#types !== undefined && areSame(this.#bytes, described)) return this.#types;
    cursor.moveTo(first, cursor.end);
    const types = readMetadata(cursor);
    if (types === undefined) return undefined;
    this.#bytes = described.slice();
    this.#types = new EventTypes(types, this.#others);
    return this.#types;
  }
}

function areSame(some: Uint8Array, others: Uint8Array): boolean {
  const { length } = some;
  if (others.length !== length) return false;
  const [words, otherWords] = [viewOf(some), viewOf(others)];
  let at = 0;
  for (; at + 4 <= length; at += 4) if (words.getInt32(at) !== otherWords.getInt32(at)) return false;
  for (; at < length; at++) if (some[at] !== others[at]) return false;
  return true;
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
