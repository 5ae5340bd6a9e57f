import { CPU_TIME } from '../../../facts/sample-kind.ts';
import type { WantedNames } from '../chunk/field-plan.ts';
import { type ProfileUnits, SAMPLES, SAMPLES_ONLY } from '../../../profile/profile-units.ts';
import { annotationOf, type FieldType, type RecordedType, SPANS, type Types } from '../chunk/metadata.ts';

/** A group of event types that can be shown as a profile; all their events have a stack trace. */
export interface SampleType {
  /** Value of the choice. */
  readonly id: string;
  readonly name: string;
  /** Its name on a tab, where it is not `name`. */
  readonly short?: string;
  readonly units: ProfileUnits;
  /** Event type -> the field that is summed, undefined for none. */
  readonly events: ReadonlyMap<string, string | undefined>;
  /** The field that says how many samples an event stands for, besides `samples`. */
  readonly countField?: string | undefined;
  /** Unit of the summed field: ticks of the chunk's clock, or a multiple of the unit of the profile. */
  readonly valueIn: 'ticks' | number;
  /** Samples are taken at regular intervals: each stands for a time, if the period is known. */
  readonly isPeriodic: boolean;
  /** The meaning of the event's class; undefined if events have no class. */
  readonly classIs: 'allocated' | 'waited for' | 'thrown' | undefined;
  /** The stack trace begins with the caller of the method that the event is about, which is the leaf. */
  readonly hasLeafMethod?: boolean;
  /** Events say whether the JVM has failed to walk the stack, and whether the stack is that of a safepoint. */
  readonly isMarked?: boolean;
}

/**
 * Allocations of which some are recorded: so many a second, one every so many bytes, or the one that needed a new TLAB. Which
 * ones those are is subject to chance. They come in bursts, so that they are not independent.
 */
const bytesOf = (one: string, many: string, name: string): ProfileUnits => ({
  counted: { one, many, isSampled: true, isDependent: true },
  value: { name, unit: 'bytes' },
});
/**
 * Events that are all recorded if they last as long as the recording asks for, and are not throttled: `Throttles`. How
 * many are so long differs from run to run, and one of them may make others wait.
 */
const timeOf = (one: string, many: string, name: string): ProfileUnits => ({
  counted: { one, many, isDependent: true },
  value: { name, unit: 'ns' },
});
const NO_PERIOD = { isPeriodic: false } as const;

/**
 * In order of preference: a recording is opened with the first type that it has. Events that would count the same thing
 * twice are in different types: JDK 16 and later can write both ObjectAllocationSample and the older pair, JDK 25 both
 * ExecutionSample and CPUTimeSample, of which the latter is exact.
 */
export const SAMPLE_TYPES: readonly SampleType[] = [
  {
    id: 'cpu-time',
    name: 'CPU time samples',
    short: 'CPU time',
    units: { counted: SAMPLES, value: { name: CPU_TIME, unit: 'ns' } },
    events: new Map([['jdk.CPUTimeSample', 'samplingPeriod']]),
    valueIn: 'ticks',
    classIs: undefined,
    isMarked: true,
    ...NO_PERIOD,
  },
  {
    id: 'cpu',
    name: 'Execution samples',
    short: 'CPU',
    units: SAMPLES_ONLY,
    events: new Map([
      ['jdk.ExecutionSample', undefined],
      ['jdk.NativeMethodSample', undefined],
    ]),
    valueIn: 1,
    isPeriodic: true,
    classIs: undefined,
  },
  {
    id: 'wall',
    name: 'Wall-clock samples',
    short: 'Wall clock',
    units: SAMPLES_ONLY,
    events: new Map([['profiler.WallClockSample', undefined]]),
    valueIn: 1,
    isPeriodic: true,
    classIs: undefined,
  },
  {
    id: 'alloc',
    name: 'Allocation samples',
    short: 'Allocations',
    units: bytesOf('allocation sample', 'allocation samples', 'Allocated'),
    events: new Map([['jdk.ObjectAllocationSample', 'weight']]),
    valueIn: 1,
    classIs: 'allocated',
    ...NO_PERIOD,
  },
  {
    id: 'alloc-tlab',
    name: 'Allocations of and outside TLABs',
    short: 'Allocations (TLAB)',
    units: bytesOf('allocation', 'allocations', 'Allocated'),
    events: new Map([
      ['jdk.ObjectAllocationInNewTLAB', 'tlabSize'],
      ['jdk.ObjectAllocationOutsideTLAB', 'allocationSize'],
    ]),
    valueIn: 1,
    classIs: 'allocated',
    ...NO_PERIOD,
  },
  {
    id: 'live',
    name: 'Live objects',
    units: bytesOf('object', 'objects', 'Size'),
    events: new Map([['profiler.LiveObject', 'allocationSize']]),
    valueIn: 1,
    classIs: 'allocated',
    ...NO_PERIOD,
  },
  {
    id: 'native-alloc',
    name: 'Native allocations',
    units: bytesOf('allocation', 'allocations', 'Allocated'),
    events: new Map([['profiler.Malloc', 'size']]),
    valueIn: 1,
    classIs: undefined,
    ...NO_PERIOD,
  },
  {
    id: 'lock',
    name: 'Locks and parking',
    short: 'Locks',
    units: timeOf('wait', 'waits', 'Blocked'),
    events: new Map([
      ['jdk.JavaMonitorEnter', 'duration'],
      ['jdk.ThreadPark', 'duration'],
    ]),
    valueIn: 'ticks',
    classIs: 'waited for',
    ...NO_PERIOD,
  },
  {
    id: 'wait',
    name: 'Object.wait',
    units: timeOf('wait', 'waits', 'Waited'),
    events: new Map([['jdk.JavaMonitorWait', 'duration']]),
    valueIn: 'ticks',
    classIs: 'waited for',
    ...NO_PERIOD,
  },
  {
    id: 'sleep',
    name: 'Thread.sleep',
    units: timeOf('sleep', 'sleeps', 'Slept'),
    events: new Map([['jdk.ThreadSleep', 'duration']]),
    valueIn: 'ticks',
    classIs: undefined,
    ...NO_PERIOD,
  },
  {
    id: 'io',
    name: 'Files and sockets',
    units: timeOf('operation', 'operations', 'Duration'),
    events: new Map([
      ['jdk.FileRead', 'duration'],
      ['jdk.FileWrite', 'duration'],
      ['jdk.FileForce', 'duration'],
      ['jdk.SocketRead', 'duration'],
      ['jdk.SocketWrite', 'duration'],
    ]),
    valueIn: 'ticks',
    classIs: undefined,
    ...NO_PERIOD,
  },
  {
    id: 'exceptions',
    name: 'Exceptions',
    units: { counted: { one: 'exception', many: 'exceptions' }, value: undefined },
    events: new Map([
      ['jdk.JavaExceptionThrow', undefined],
      ['jdk.JavaErrorThrow', undefined],
    ]),
    valueIn: 1,
    classIs: 'thrown',
    ...NO_PERIOD,
  },
  {
    id: 'jdk.MethodTrace',
    name: 'Traced methods',
    units: {
      counted: { one: 'call', many: 'calls' },
      value: {
        name: 'Duration',
        unit: 'ns',
        meaning: 'the duration of traced calls, with the traced calls in them',
      },
    },
    events: new Map([['jdk.MethodTrace', 'duration']]),
    valueIn: 'ticks',
    classIs: undefined,
    hasLeafMethod: true,
    ...NO_PERIOD,
  },
];

/** Slots of a sample's fields in the plan of its event. `class`: of the class, or of the method that is the leaf. */
export const SAMPLE_FIELDS = {
  startTime: 0,
  thread: 1,
  stackTrace: 2,
  state: 3,
  samples: 4,
  class: 5,
  value: 6,
  failed: 7,
  biased: 8,
} as const;

/** Names of the fields of a sample, in the order of SAMPLE_FIELDS. Some differ between event types. */
export function sampleFields(
  valueField: string | undefined,
  {
    countField,
    isMarked = false,
    hasLeafMethod = false,
  }: Pick<SampleType, 'countField' | 'isMarked' | 'hasLeafMethod'>,
): WantedNames {
  return [
    'startTime',
    ['sampledThread', 'eventThread'],
    'stackTrace',
    'state',
    countField === undefined ? 'samples' : ['samples', countField],
    hasLeafMethod ? 'method' : ['objectClass', 'monitorClass', 'parkedClass', 'thrownClass'],
    valueField ?? [],
    ...(isMarked ? ['failed', 'biased'] : []),
  ];
}

/** Java's own events that have the field of a stack trace, and no stack trace in it. */
const WITHOUT_STACK = /^jdk\.(Active(Recording|Setting)|Container\w+|\w+Statistics|Initial\w+)$/;
/** Integers. */
const NUMBERS: ReadonlySet<string> = new Set(['long', 'int', 'short', 'char']);
/** The field that is summed, if an event has several with a unit. */
const PREFERRED = ['weight', 'allocationSize', 'size', 'duration'];
/** Whether all were recorded is not known. */
const EVENTS = { one: 'event', many: 'events', isDependent: true } as const;

/**
 * Sample types of events that `SAMPLE_TYPES` does not contain: every event type with a stack trace is one, named by its
 * label. Amounts of data and time spans are summed; a `weight` without a unit is how many samples an event stands for.
 */
export class OtherSampleTypes {
  /** Name of the event -> its type, the same for all chunks. */
  readonly #types = new Map<string, SampleType>();

  /** The sample type of an event type; undefined if it has no stack trace. */
  of(event: RecordedType, types: Types): SampleType | undefined {
    const { name, fields } = event;
    if (event.superType !== 'jdk.jfr.Event' || WITHOUT_STACK.test(name)) return undefined;
    if (!fields.some(({ name: each, isPooled }) => each === 'stackTrace' && isPooled)) return undefined;
    let type = this.#types.get(name);
    if (type === undefined) this.#types.set(name, (type = describe(event, types)));
    return type;
  }
}

function describe({ name, fields, annotations }: RecordedType, types: Types): SampleType {
  const label = annotationOf(annotations, 'jdk.jfr.Label', types);
  const summed = summedField(fields, types);
  const has = (...names: string[]): boolean => fields.some((field) => names.includes(field.name));
  const isPeriodic = summed === undefined && has('state') && has('sampledThread', 'eventThread');
  const counted = isPeriodic ? SAMPLES_ONLY.counted : EVENTS;
  return {
    id: name,
    name: label ?? name,
    units: { counted, value: summed?.value },
    events: new Map([[name, summed?.field.name]]),
    countField: fields.find((field) => field.name === 'weight' && field !== summed?.field)?.name,
    valueIn: summed?.unit ?? 1,
    isPeriodic,
    classIs: has('objectClass') ? 'allocated' : has('monitorClass', 'parkedClass') ? 'waited for' : undefined,
  };
}

interface SummedField {
  readonly field: FieldType;
  readonly value: ProfileUnits['value'];
  readonly unit: SampleType['valueIn'];
}

/** The field that is summed; undefined if no field is an amount of data or a time span. */
function summedField(fields: readonly FieldType[], types: Types): SummedField | undefined {
  const rank = ({ name }: FieldType): number => {
    const at = PREFERRED.indexOf(name);
    return at < 0 ? PREFERRED.length : at;
  };
  for (const field of [...fields].sort((a, b) => rank(a) - rank(b))) {
    if (field.isPooled || field.isArray || !NUMBERS.has(types.get(field.type)?.name ?? '')) continue;
    const name = annotationOf(field.annotations, 'jdk.jfr.Label', types) ?? field.name;
    const amount = annotationOf(field.annotations, 'jdk.jfr.DataAmount', types);
    if (amount !== undefined && amount !== 'BITS') return { field, value: { name, unit: 'bytes' }, unit: 1 };
    const span = annotationOf(field.annotations, 'jdk.jfr.Timespan', types);
    if (span === undefined) continue;
    const unit = span === 'TICKS' ? 'ticks' : (SPANS[span] ?? 1);
    return { field, value: { name, unit: 'ns' }, unit };
  }
  return undefined;
}
