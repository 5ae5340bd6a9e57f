import { nsOfTicks } from '../../../profile/sample-table.ts';
import type { ChunkConstants } from '../chunk/chunk-constants.ts';
import type { ChunkHeader } from '../chunk/chunk-header.ts';
import { Cursor } from '../chunk/cursor.ts';
import { type FieldPlan, FieldValues, Shape, SLOTS, type WantedNames } from '../chunk/field-plan.ts';
import { type MeasuredField, measuredEvent } from './measured-events.ts';
import { annotationOf, type RecordedType, type Types } from '../chunk/metadata.ts';

/** Takes what events say besides samples. */
export interface RecordingNotes {
  /** A setting of an event type: its sampling period, or how many are recorded at most. */
  noteSetting(event: string, name: string, value: string): void;
  /** The texts of the fields of an event about the JVM; empty where it has none. */
  noteJvm(event: string, texts: readonly string[]): void;
  /** Times are in ns; undefined if the clock of the JVM was too coarse for them. */
  noteTiming(method: string, invocations: number, times: readonly (number | undefined)[]): void;
  noteLost(event: string, amount: number): void;
  noteMeasured(of: MeasuredField, value: number, ticks: number, header: ChunkHeader): void;
}

/** An event of a chunk whose constants are known, by the slots of its plan. One object is filled again for each event. */
export class NotedEvent {
  readonly header: ChunkHeader;
  readonly constants: ChunkConstants;
  readonly values = new FieldValues();
  readonly #cursor: Cursor;
  readonly #view: DataView;
  #plan: FieldPlan | undefined;

  constructor(bytes: Uint8Array, header: ChunkHeader, constants: ChunkConstants) {
    this.header = header;
    this.constants = constants;
    this.#cursor = new Cursor(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** False if the fields do not match the metadata. */
  read(plan: FieldPlan, from: number, to: number): boolean {
    this.#plan = plan;
    this.values.clear();
    this.#cursor.moveTo(from, to);
    plan.read(this.#cursor, this.values);
    return !this.#cursor.hasFailed();
  }

  has(slot: number): boolean {
    return this.#plan?.wanted[slot] !== undefined;
  }

  /** The type of a constant; -1 without the field. */
  typeOf(slot: number): number {
    return this.#plan?.wanted[slot]?.type ?? -1;
  }

  number(slot: number): number {
    const at = this.values.at[slot];
    switch (this.#plan?.wanted[slot]?.typeName) {
      case 'float':
        return this.#view.getFloat32(at);
      case 'double':
        return this.#view.getFloat64(at);
      case 'byte':
        return this.#view.getInt8(at);
      default:
        return this.values.number(slot);
    }
  }

  /** The value of a field as text; undefined for null, and for what the event does not have. */
  text(slot: number): string | undefined {
    const field = this.#plan?.wanted[slot];
    if (field === undefined) return undefined;
    const { constants } = this;
    const [hi, lo] = [this.values.hi[slot], this.values.lo[slot]];
    const { type, typeName } = field;
    if (field.isPooled) {
      if ((hi | lo) === 0) return undefined;
      if (typeName === 'jdk.types.Method') return constants.methodText(type, hi, lo);
      if (typeName === 'java.lang.Thread') return constants.thread(type, hi, lo).name;
      if (typeName === 'java.lang.Class') return constants.className(type, hi, lo);
      return constants.text(type, hi, lo);
    }
    if (field.shape === Shape.text) return constants.textAt(type, this.values.at[slot]);
    if (field.shape === Shape.integer) return String((BigInt(hi) << 32n) | BigInt(lo >>> 0));
    if (typeName === 'boolean') return lo === 0 ? 'false' : 'true';
    return field.shape === Shape.bytes ? String(this.number(slot)) : undefined;
  }
}

/** The way to note events of one type. */
interface NotedType {
  readonly fields: WantedNames;
  note(event: NotedEvent, notes: RecordingNotes): void;
}

/** Events about the JVM and its machine, by their fields. */
const ABOUT_JVM = [
  ['jdk.JVMInformation', ['jvmName', 'jvmVersion', 'javaArguments', 'jvmArguments']],
  ['jdk.GCConfiguration', ['youngCollector', 'oldCollector']],
  ['jdk.CPUInformation', ['hwThreads']],
  ['jdk.ContainerConfiguration', ['effectiveCpuCount']],
] as const;
/** Events about what the recording lacks, and the field with its amount. */
const ABOUT_LOSSES = [
  ['jdk.CPUTimeSamplesLost', 'lostSamples'],
  ['jdk.DataLoss', 'amount'],
] as const;

const NOTED = new Map<string, NotedType>([
  [
    'jdk.ActiveSetting',
    {
      fields: ['id', 'name', 'value'],
      note: (event, notes) => {
        const type = event.constants.planner.types.get(event.number(0));
        const [name, value] = [event.text(1), event.text(2)];
        if (type !== undefined && name !== undefined && value !== undefined)
          notes.noteSetting(type.name, name, value);
      },
    },
  ],
  [
    'jdk.MethodTiming',
    {
      fields: ['method', 'invocations', 'minimum', 'average', 'maximum'],
      note: (event, notes) => {
        const nsPerTick = 1e9 / event.header.ticksPerSecond;
        // The JVM writes the least number where its clock was too coarse.
        const times = [2, 3, 4].map((slot) => {
          const ticks = event.number(slot);
          return ticks < 0 ? undefined : Math.round(ticks * nsPerTick);
        });
        notes.noteTiming(event.text(0) ?? '(unknown method)', event.number(1), times);
      },
    },
  ],
  ...ABOUT_JVM.map(([name, fields]): [string, NotedType] => [
    name,
    {
      fields,
      note: (event, notes) =>
        notes.noteJvm(
          name,
          fields.map((_, slot) => event.text(slot) ?? ''),
        ),
    },
  ]),
  ...ABOUT_LOSSES.map(([name, field]): [string, NotedType] => [
    name,
    {
      fields: [field],
      note: (event, notes) => {
        if (event.number(0) > 0) notes.noteLost(name, event.number(0));
      },
    },
  ]),
]);

/** The way to note events of a type; undefined for most. `isSample`: they are samples, which measure nothing else. */
export function notedType(type: RecordedType, types: Types, isSample: boolean): NotedType | undefined {
  const known = NOTED.get(type.name);
  const measured = known !== undefined || isSample ? undefined : measuredEvent(type, types);
  if (measured === undefined) return known;
  const { fields, series } = measured;
  return {
    fields,
    note: (event, notes) => {
      for (const of of series) {
        if (!of.slots.every((slot) => event.has(slot))) continue;
        const value = of.slots.reduce((sum, slot) => sum + event.number(slot), 0);
        notes.noteMeasured(of, value, event.number(0), event.header);
      }
    },
  };
}

/** An event that says what its thread was doing meanwhile: a request, a span, a call. */
export interface ContextType {
  /** `startTime`, `duration`, `eventThread`, then the name if it is a field, then the attributes. */
  readonly fields: WantedNames;
  /** Keys of the attributes. */
  readonly keys: readonly string[];
  /** The name of the contexts; undefined: it is a field. */
  readonly name: string | undefined;
}

const TIMES_AND_THREAD = ['startTime', 'duration', 'eventThread'] as const;
const THREAD_SLOT = 2;
const MOST_ATTRIBUTES = SLOTS - TIMES_AND_THREAD.length - 1;
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
const NAMED: ReadonlyMap<string, ContextType> = new Map([
  ['profiler.Span', { fields: [...TIMES_AND_THREAD, 'tag'], keys: [], name: undefined }],
  ['jdk.MethodTrace', { fields: [...TIMES_AND_THREAD, 'method'], keys: [], name: undefined }],
]);

/**
 * The reader of an event type whose events are contexts; undefined for any other. Since JDK 25, an event is one if some
 * of its fields are annotated as contextual: they are said of all that the thread does while the event lasts.
 */
export function contextType(
  { name, fields, annotations }: RecordedType,
  types: Types,
): ContextType | undefined {
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

/** A context as a sink takes it. Times are in ns since the start of the chunk; keys and values of attributes in turn. */
interface RecordedContext {
  readonly thread: ReturnType<ChunkConstants['thread']>;
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly attributes: readonly string[];
}

export function readContext(event: NotedEvent, { keys, name: fixed }: ContextType): RecordedContext {
  const { header, values, constants } = event;
  const clock = { start: header.startTicks, perSecond: header.ticksPerSecond };
  const begin = event.number(0);
  let slot: number = TIMES_AND_THREAD.length;
  const name = fixed ?? event.text(slot++) ?? '';
  const attributes: string[] = [];
  for (const key of keys) {
    const text = event.text(slot++);
    if (text !== undefined) attributes.push(key, text);
  }
  return {
    thread: constants.thread(event.typeOf(THREAD_SLOT), values.hi[THREAD_SLOT], values.lo[THREAD_SLOT]),
    from: nsOfTicks(begin, clock),
    to: nsOfTicks(begin + event.number(1), clock),
    name: name === '' ? '(no name)' : name,
    attributes,
  };
}
