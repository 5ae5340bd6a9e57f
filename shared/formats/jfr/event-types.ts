import { NONE } from '../../profile/columns.ts';
import {
  type FieldPlan,
  FieldPlanner,
  FieldValues,
  UNUSED_SLOT,
  Shape,
  type WantedNames,
} from './field-plan.ts';
import { type ContextEvent, contextEvent } from './context-events.ts';
import { measuredEvent, type MeasuredEvent } from './measured-events.ts';
import type { RecordedType } from './metadata.ts';
import type { OtherSampleTypes } from './other-sample-types.ts';
import { TIMING_FIELDS } from './method-timing.ts';
import { JVM_EVENTS } from './recorded-jvm.ts';
import { SAMPLE_FIELDS, SAMPLE_TYPES, sampleFields, type SampleType } from './sample-types.ts';

export const METADATA = 0;
export const CONSTANT_POOLS = 1;
/** Ids below it are looked up by index. */
const SMALL_IDS = 4096;
const EXECUTION_STEPS = [SAMPLE_FIELDS.thread, SAMPLE_FIELDS.stackTrace, SAMPLE_FIELDS.state];

const SETTING: WantedNames = ['id', 'name', 'value'];
/** Events about what the recording lacks -> the field with its amount. */
const LOST: ReadonlyMap<string, WantedNames> = new Map([
  ['jdk.CPUTimeSamplesLost', ['lostSamples']],
  ['jdk.DataLoss', ['amount']],
]);

/** Which samples of a recording are read. */
export interface SampleSelection {
  readonly withClasses: boolean;
  /** Undefined if no chunk so far has samples. */
  readonly sampleType: SampleType | undefined;
  /** Whether events of this name are counted, if they are of the sample type. */
  isCounted(event: string): boolean;
}

/** How sample events of one type are read. */
export interface SampleEvent {
  readonly plan: FieldPlan;
  /** The plan in numbers, if there are only integers and bytes; see `plainSteps` and `PlainEvents`. */
  readonly plainSteps: Int8Array | undefined;
  /** The values read last. Each event type has its own, so that fields that the type does not have stay 0. */
  readonly values: FieldValues;
  /** An event is one sample, and has no class and no value. */
  readonly onlyCounts: boolean;
  /** `onlyCounts`, and the fields are exactly those of an execution sample: start time, thread, stack and state. */
  readonly hasExecutionFields: boolean;
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
  /** Settings of the recording, such as the sampling period. */
  settings: { readonly row: number; readonly plan: FieldPlan } | undefined;
  /** Row of an event about the JVM that was recorded -> its name, and how it is read. */
  readonly jvm = new Map<number, { readonly name: string; readonly plan: FieldPlan }>();
  /** Methods that the JVM has timed. */
  timing: { readonly row: number; readonly plan: FieldPlan } | undefined;
  /** Row of an event about what was lost -> how it is read. */
  readonly lost = new Map<number, FieldPlan>();
  /** Row -> how an event that measures something is read. */
  readonly measured = new Map<number, { readonly event: MeasuredEvent; readonly plan: FieldPlan }>();
  /** Row -> how an event that says what its thread was doing is read. */
  readonly contexts = new Map<number, { readonly event: ContextEvent; readonly plan: FieldPlan }>();
  readonly #plans: (FieldPlan | undefined)[] = [];
  readonly #rows = new Map<number, number>();
  /** The latest result of `samplesOf`. */
  #samples: SampleEvents | undefined;
  /** Small id -> row, NONE if it is not described. */
  readonly rowOfSmall: Int32Array;

  constructor(types: ReadonlyMap<number, RecordedType>, others: OtherSampleTypes) {
    this.planner = new FieldPlanner(types);
    let small = CONSTANT_POOLS;
    for (const { id } of types.values()) if (id > small && id < SMALL_IDS) small = id;
    this.rowOfSmall = new Int32Array(small + 1).fill(NONE);
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
      const settings = name === 'jdk.ActiveSetting' ? this.planner.reading(id, SETTING) : undefined;
      const jvmFields = JVM_EVENTS.get(name);
      const jvm = jvmFields && this.planner.reading(id, jvmFields);
      const event = isSample ? undefined : measuredEvent(described, types);
      const measured = event && this.planner.reading(id, event.fields);
      const context = contextEvent(described, types);
      const contextPlan = context && this.planner.reading(id, context.fields);
      if (context !== undefined && contextPlan !== undefined)
        this.contexts.set(row, { event: context, plan: contextPlan });
      const timing = name === 'jdk.MethodTiming' ? this.planner.reading(id, TIMING_FIELDS) : undefined;
      const lostFields = LOST.get(name);
      const lost = lostFields && this.planner.reading(id, lostFields);
      if (settings !== undefined) this.settings = { row, plan: settings };
      // PlainEvents, which reads most events, leaves these to Chunk.
      else if (jvm !== undefined) this.jvm.set(row, { name, plan: jvm });
      else if (timing !== undefined) this.timing = { row, plan: timing };
      else if (lost !== undefined) this.lost.set(row, lost);
      else if (event !== undefined && measured !== undefined)
        this.measured.set(row, { event, plan: measured });
      else if (id >= 0 && id < SMALL_IDS && !this.contexts.has(row)) this.rowOfSmall[id] = row;
    }
    // Events with this id are always constant pools, even if the recording describes a type with it.
    this.rowOfSmall[CONSTANT_POOLS] = NONE;
  }

  /** The row of an id, or NONE. */
  row(id: number): number {
    return this.#rows.get(id) ?? NONE;
  }

  /** How an event of a row is read if it is a sample. */
  planOf(row: number): FieldPlan | undefined {
    return this.sampleTypes[row] === undefined ? undefined : this.#plans[row];
  }

  /** How events of a sample type are read. */
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
    const hasSamples = samples !== undefined;
    const isShown = this.withClasses || this.type?.hasLeafMethod === true;
    const hasClass = isShown && classType !== NONE;
    const hasValue = plan.wanted[SAMPLE_FIELDS.value] !== undefined;
    const onlyCounts = !hasSamples && !hasClass && !hasValue;
    const hasState = stateType !== NONE;
    const steps = plainSteps(plan);
    return {
      plan,
      plainSteps: steps,
      values: new FieldValues(),
      onlyCounts,
      hasExecutionFields: onlyCounts && hasState && steps !== undefined && areSame(steps, EXECUTION_STEPS),
      hasState,
      hasSamples,
      samplesBytes:
        samples?.shape === Shape.bytes ? plan.lengths[plan.slots.indexOf(SAMPLE_FIELDS.samples)] : 0,
      hasClass,
      hasValue,
      number: this.type?.isPeriodic === true && isSecond(this.type, name) ? 1 : 0,
    };
  }
}

/**
 * A number per field after the start time: the slot of an integer, or -n for n bytes to skip. Undefined if there are
 * other fields, or if the start time is not the first field.
 */
function plainSteps(plan: FieldPlan): Int8Array | undefined {
  if (plan.slots[0] !== SAMPLE_FIELDS.startTime || plan.shapes[0] !== Shape.integer) return undefined;
  const steps = new Int8Array(plan.shapes.length - 1);
  for (let step = 0; step < steps.length; step++) {
    const slot = plan.slots[step + 1];
    const shape = plan.shapes[step + 1];
    if (shape === Shape.integer) steps[step] = slot < 0 ? UNUSED_SLOT : slot;
    else if (shape === Shape.bytes && slot < 0) steps[step] = -plan.lengths[step + 1];
    else return undefined;
  }
  return steps;
}

function isSecond({ events }: SampleType, name: string): boolean {
  return [...events.keys()].indexOf(name) === 1;
}

function areSame(steps: Int8Array, others: readonly number[]): boolean {
  return steps.length === others.length && others.every((step, at) => steps[at] === step);
}

/** Type of the constants that the field of a slot refers to; NONE if there is no such field. */
function pooledType(plan: FieldPlan, slot: number): number {
  const field = plan.wanted[slot];
  return field?.isPooled === true ? field.type : NONE;
}
