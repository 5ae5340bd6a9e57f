import { type ProfileUnits, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import { annotationOf, type FieldType, type RecordedType, SPANS, type Types } from './metadata.ts';
import type { SampleType } from './sample-types.ts';

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
