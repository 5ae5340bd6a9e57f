import {
  type MeasuredKind,
  type MeasuredSeries,
  MeasuredValues,
  thinned,
  USUAL_SERIES,
} from '../../../facts/measured-series.ts';
import type { ChunkHeader } from '../chunk/chunk-header.ts';
import type { WantedNames } from '../chunk/field-plan.ts';
import { annotationOf, type FieldType, type RecordedType, SPANS, type Types } from '../chunk/metadata.ts';

/** A series that an event has values of. */
export interface MeasuredField {
  readonly id: string;
  readonly kind: MeasuredKind;
  readonly name?: string;
  /** The value is the sum of the fields of these slots, times a factor; `ticks`: of the clock of the recording. */
  readonly slots: readonly number[];
  readonly factor?: number | 'ticks';
}

/** An event that measures something, and what its fields mean. */
interface MeasuredEvent {
  /** `startTime` first. */
  readonly fields: WantedNames;
  readonly series: readonly MeasuredField[];
}

/** Event -> how it is read. All are written rarely: once a second, or per garbage collection. */
const USUAL: ReadonlyMap<string, MeasuredEvent> = new Map<string, MeasuredEvent>([
  [
    'jdk.GCPhasePause',
    {
      fields: ['startTime', 'duration'],
      series: [{ id: 'gc-pause', kind: 'pauses', slots: [1], factor: 'ticks' }],
    },
  ],
  [
    'jdk.CPULoad',
    {
      fields: ['startTime', 'jvmUser', 'jvmSystem', 'machineTotal'],
      series: [
        { id: 'cpu-jvm', kind: 'share', slots: [1, 2] },
        { id: 'cpu-machine', kind: 'share', slots: [3] },
      ],
    },
  ],
  [
    'jdk.GCHeapSummary',
    { fields: ['startTime', 'heapUsed'], series: [{ id: 'heap-used', kind: 'bytes', slots: [1] }] },
  ],
]);

const NUMBERS: ReadonlySet<string> = new Set(['byte', 'short', 'int', 'long', 'float', 'double']);
/** Written once, or for each of many threads. */
const NOT_OVER_TIME = /^jdk\.(Active\w+|Initial\w+|\w+(Configuration|Information|Flag)|ThreadCPULoad)$/;
/** A number that names something. */
const IS_NAME = /Id$|^id$|ddress$/;
/** Said of every event, not of what is measured. */
const OF_EVENT: ReadonlySet<string> = new Set(['startTime', 'eventThread', 'stackTrace']);

/**
 * The reader of an event type without a stack trace whose fields are numbers; undefined for any other. An event about one
 * of several things, such as a thread, a class or a network interface, would have values of all of them in one series.
 */
export function measuredEvent(event: RecordedType, types: Types): MeasuredEvent | undefined {
  const { name, fields, superType, annotations } = event;
  const usual = USUAL.get(name);
  if (usual !== undefined) return usual;
  if (superType !== 'jdk.jfr.Event' || NOT_OVER_TIME.test(name)) return undefined;
  const own = fields.filter((field) => !OF_EVENT.has(field.name));
  const typeOf = (field: FieldType): string => types.get(field.type)?.name ?? '';
  if (own.some((field) => field.isPooled || field.isArray || typeOf(field) === 'java.lang.String'))
    return undefined;
  const numbers = own.filter(
    (field) =>
      NUMBERS.has(typeOf(field)) &&
      !IS_NAME.test(field.name) &&
      annotationOf(field.annotations, 'jdk.jfr.Timestamp', types) === undefined,
  );
  if (numbers.length === 0) return undefined;
  const label = annotationOf(annotations, 'jdk.jfr.Label', types) ?? name;
  const series = numbers.map((field, at): MeasuredField => ({
    id: `${name}.${field.name}`,
    name: `${label}: ${annotationOf(field.annotations, 'jdk.jfr.Label', types) ?? field.name}`,
    ...meaningOf(field, types),
    slots: [at + 1],
  }));
  return { fields: ['startTime', ...numbers.map((field) => field.name)], series };
}

function meaningOf(field: FieldType, types: Types): Pick<MeasuredField, 'kind' | 'factor'> {
  const valueOf = (annotation: string): string | undefined =>
    annotationOf(field.annotations, annotation, types);
  if (field.name === 'duration') return { kind: 'pauses', factor: 'ticks' };
  const amount = valueOf('jdk.jfr.DataAmount');
  if (amount !== undefined) return { kind: 'bytes', factor: amount === 'BITS' ? 1 / 8 : 1 };
  if (valueOf('jdk.jfr.Percentage') !== undefined) return { kind: 'share' };
  const span = valueOf('jdk.jfr.Timespan');
  if (span === undefined) return { kind: 'number' };
  return { kind: 'time', factor: span === 'TICKS' ? 'ticks' : (SPANS[span] ?? 1) };
}

/** Most series besides the usual ones, and most values of one and of all, because facts are sent to the window while it reads. */
const MOST_OTHERS = 80;
const MOST_OF_OTHER = 200;
const MOST_OF_OTHERS = 8_000;

/** The measured values of a recording, chunk by chunk: the usual series, then the others by name. */
export class RecordedMeasurements {
  readonly #values = new Map<string, { readonly of: MeasuredField; readonly values: MeasuredValues }>();

  add(of: MeasuredField, value: number, ticks: number, header: ChunkHeader): void {
    const { startNs, startTicks, ticksPerSecond } = header;
    const { id, kind, factor = 1 } = of;
    const nsPerTick = 1e9 / ticksPerSecond;
    let known = this.#values.get(id);
    if (known === undefined) {
      const isUsual = USUAL_SERIES.has(id);
      if (!isUsual && this.#values.size >= MOST_OTHERS) return;
      known = { of, values: new MeasuredValues(kind, isUsual ? undefined : MOST_OF_OTHER) };
      this.#values.set(id, known);
    }
    const at = Math.round((ticks - startTicks) * nsPerTick);
    const inUnit = factor === 'ticks' ? value * nsPerTick : value * factor;
    known.values.add(startNs, at, kind === 'pauses' ? inUnit / 1e6 : inUnit);
  }

  series(): readonly MeasuredSeries[] {
    const usual = [...USUAL_SERIES.keys()].flatMap((id) => this.#values.get(id)?.values.series(id) ?? []);
    const others = [...this.#values.values()].flatMap(({ of: { id, name }, values }): MeasuredSeries[] => {
      const series = USUAL_SERIES.has(id) ? undefined : values.series(id);
      return series === undefined ? [] : [{ ...series, name }];
    });
    const byName = others.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return [...usual, ...thinned(byName, MOST_OF_OTHERS)];
  }
}
