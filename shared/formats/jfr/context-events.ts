import { UNUSED_SLOT, type WantedNames } from './field-plan.ts';
import { annotationOf, type RecordedType, type Types } from './metadata.ts';

/** An event that says what its thread was doing meanwhile: a request, a span, a call. */
export interface ContextEvent {
  /** `startTime`, `duration`, `eventThread`, then the name if it is a field, then the attributes. */
  readonly fields: WantedNames;
  /** Keys of the attributes. */
  readonly keys: readonly string[];
  /** The name of the contexts; undefined: it is a field. */
  readonly name: string | undefined;
}

/** The first slots of the plan of each. */
export const TIMES_AND_THREAD = ['startTime', 'duration', 'eventThread'] as const;
const MOST_ATTRIBUTES = UNUSED_SLOT - TIMES_AND_THREAD.length - 1;
/** A contextual field with one of these names says what the thread was doing. */
const NAMES: ReadonlySet<string> = new Set([
  'operation',
  'operationname',
  'spanname',
  'endpoint',
  'route',
  'name',
]);
/** Names of fields that say nothing without the name of their event. */
const VAGUE: ReadonlySet<string> = new Set(['id', 'name', 'type', 'value', 'key']);

/** Events of other makers with a name in one field, and no annotation. */
const NAMED: ReadonlyMap<string, ContextEvent> = new Map([
  ['profiler.Span', { fields: [...TIMES_AND_THREAD, 'tag'], keys: [], name: undefined }],
  ['jdk.MethodTrace', { fields: [...TIMES_AND_THREAD, 'method'], keys: [], name: undefined }],
]);

/**
 * How an event type is read whose events are contexts; undefined for any other. Since JDK 25, an event is one if some of its
 * fields are annotated as contextual: they are said of all that the thread does while the event lasts.
 */
export function contextEvent(
  { name, fields, annotations }: RecordedType,
  types: Types,
): ContextEvent | undefined {
  const known = NAMED.get(name);
  if (known !== undefined) return known;
  const contextual = fields.filter(
    (field) => annotationOf(field.annotations, 'jdk.jfr.Contextual', types) !== undefined,
  );
  if (contextual.length === 0) return undefined;
  const named = contextual.find((field) => NAMES.has(field.name.toLowerCase()));
  const others = contextual.filter((field) => field !== named).slice(0, MOST_ATTRIBUTES);
  const simple = name.slice(name.lastIndexOf('.') + 1);
  return {
    fields: [
      ...TIMES_AND_THREAD,
      ...(named === undefined ? [] : [named.name]),
      ...others.map((field) => field.name),
    ],
    keys: others.map((field) => (VAGUE.has(field.name) ? `${simple}.${field.name}` : field.name)),
    name: named === undefined ? (annotationOf(annotations, 'jdk.jfr.Label', types) ?? simple) : undefined,
  };
}
