import { JfrBytes } from './jfr-bytes.ts';

/** `name: type`, `name: type #` for a key of a constant, `name: type []` for several. */
type Fields = readonly string[];

/**
 * Types and their fields as JDK 17 describes them, except fields that no reader uses. Ids are in this order, from 20.
 */
const TYPES: Readonly<Record<string, Fields>> = {
  boolean: [],
  int: [],
  long: [],
  'java.lang.String': [],
  float: [],
  'jdk.jfr.Label': ['value: java.lang.String'],
  'jdk.jfr.Timespan': ['value: java.lang.String'],
  'jdk.jfr.DataAmount': ['value: java.lang.String'],
  'java.lang.Thread': [
    'osName: java.lang.String',
    'osThreadId: long',
    'javaName: java.lang.String',
    'javaThreadId: long',
  ],
  'java.lang.Class': ['name: jdk.types.Symbol #'],
  'jdk.types.Symbol': ['string: java.lang.String'],
  'jdk.types.ThreadState': ['name: java.lang.String'],
  'jdk.types.FrameType': ['description: java.lang.String'],
  'jdk.types.Method': [
    'type: java.lang.Class #',
    'name: jdk.types.Symbol #',
    'descriptor: jdk.types.Symbol #',
  ],
  'jdk.types.StackFrame': [
    'method: jdk.types.Method #',
    'lineNumber: int',
    'bytecodeIndex: int',
    'type: jdk.types.FrameType #',
  ],
  'jdk.types.StackTrace': ['truncated: boolean', 'frames: jdk.types.StackFrame []'],
  'jdk.ExecutionSample': [
    'startTime: long',
    'sampledThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'state: jdk.types.ThreadState #',
  ],
  'jdk.NativeMethodSample': [
    'startTime: long',
    'sampledThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'state: jdk.types.ThreadState #',
  ],
  'profiler.WallClockSample': [
    'startTime: long',
    'sampledThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'state: jdk.types.ThreadState #',
    'samples: int',
  ],
  'jdk.ObjectAllocationSample': [
    'startTime: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'objectClass: java.lang.Class #',
    'weight: long',
  ],
  'jdk.JavaMonitorEnter': [
    'startTime: long',
    'duration: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'monitorClass: java.lang.Class #',
  ],
  'jdk.ActiveSetting': [
    'startTime: long',
    'id: long',
    'name: java.lang.String',
    'value: java.lang.String',
    'stackTrace: jdk.types.StackTrace #',
  ],
  'jdk.JVMInformation': [
    'startTime: long',
    'jvmName: java.lang.String',
    'jvmVersion: java.lang.String',
    'jvmArguments: java.lang.String',
    'javaArguments: java.lang.String',
    'pid: long',
  ],
  'datadog.MethodSample': [
    'startTime: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'state: jdk.types.ThreadState #',
    'weight: long',
  ],
  'datadog.ObjectSample': [
    'startTime: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'objectClass: java.lang.Class #',
    'size: long @DataAmount(BYTES)',
    'weight: float',
  ],
  'shop.Order': [
    'startTime: long',
    'duration: long @Timespan(TICKS)',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
  ],
  'jdk.MethodTrace': [
    'startTime: long',
    'duration: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'method: jdk.types.Method #',
  ],
  'jdk.MethodTiming': [
    'startTime: long',
    'method: jdk.types.Method #',
    'invocations: long',
    'minimum: long',
    'average: long',
    'maximum: long',
  ],
  'jdk.CPUTimeSamplesLost': ['startTime: long', 'lostSamples: int', 'eventThread: java.lang.Thread #'],
  'jdk.DataLoss': ['startTime: long', 'amount: long', 'total: long'],
  'jdk.ActiveRecording': ['startTime: long', 'id: long'],
  'jdk.ThreadAllocationStatistics': ['startTime: long', 'allocated: long'],
  'jdk.CPULoad': ['startTime: long', 'jvmUser: float', 'jvmSystem: float', 'machineTotal: float'],
  'jdk.GCPhasePause': ['startTime: long', 'duration: long', 'gcId: int', 'name: java.lang.String'],
  'jdk.GCHeapSummary': ['startTime: long', 'gcId: int', 'when: int', 'heapUsed: long'],
  'jdk.CPUTimeSample': [
    'startTime: long',
    'stackTrace: jdk.types.StackTrace #',
    'eventThread: java.lang.Thread #',
    'failed: boolean',
    'samplingPeriod: long',
    'biased: boolean',
  ],
  'jdk.ObjectAllocationInNewTLAB': [
    'startTime: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'objectClass: java.lang.Class #',
    'allocationSize: long',
    'tlabSize: long',
  ],
  'jdk.ObjectAllocationOutsideTLAB': [
    'startTime: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'objectClass: java.lang.Class #',
    'allocationSize: long',
  ],
  'profiler.LiveObject': [
    'startTime: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'objectClass: java.lang.Class #',
    'allocationSize: long',
    'allocationTime: long',
  ],
  'profiler.Malloc': [
    'startTime: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'address: long',
    'size: long',
  ],
  'jdk.JavaMonitorWait': [
    'startTime: long',
    'duration: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'monitorClass: java.lang.Class #',
    'timeout: long',
  ],
  'jdk.ThreadPark': [
    'startTime: long',
    'duration: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'parkedClass: java.lang.Class #',
  ],
  'jdk.ThreadSleep': [
    'startTime: long',
    'duration: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'time: long',
  ],
  ...Object.fromEntries(
    (['FileRead', 'FileWrite', 'SocketRead', 'SocketWrite'] as const).map((name) => [
      `jdk.${name}`,
      [
        'startTime: long',
        'duration: long',
        'eventThread: java.lang.Thread #',
        'stackTrace: jdk.types.StackTrace #',
        'bytes: long',
      ],
    ]),
  ),
  'jdk.FileForce': [
    'startTime: long',
    'duration: long',
    'eventThread: java.lang.Thread #',
    'stackTrace: jdk.types.StackTrace #',
    'metaData: boolean',
  ],
  ...Object.fromEntries(
    (['JavaExceptionThrow', 'JavaErrorThrow'] as const).map((name) => [
      `jdk.${name}`,
      [
        'startTime: long',
        'eventThread: java.lang.Thread #',
        'stackTrace: jdk.types.StackTrace #',
        'thrownClass: java.lang.Class #',
      ],
    ]),
  ),
  'shop.Queue': [
    'startTime: long',
    'eventThread: java.lang.Thread #',
    'queueId: int',
    'length: int',
    'held: long @DataAmount(BYTES)',
    'wait: long @Timespan(MILLISECONDS)',
    'load: float',
  ],
  'profiler.Span': [
    'startTime: long',
    'duration: long',
    'eventThread: java.lang.Thread #',
    'tag: java.lang.String',
  ],
  'shop.Shelf': ['startTime: long', 'shelf: java.lang.String', 'items: int'],
};
const FIRST_ID = 20;
/** Types marked 'simpleType', as the JDK's reader requires: a value of such a type is its only field. */
const SIMPLE: readonly string[] = ['jdk.types.Symbol', 'jdk.types.ThreadState', 'jdk.types.FrameType'];

export type TypeName =
  | 'java.lang.String'
  | 'java.lang.Thread'
  | 'java.lang.Class'
  | 'jdk.types.Symbol'
  | 'jdk.types.ThreadState'
  | 'jdk.types.FrameType'
  | 'jdk.types.Method'
  | 'jdk.types.StackTrace'
  | EventName;

export type EventName =
  | 'jdk.ExecutionSample'
  | 'jdk.NativeMethodSample'
  | 'jdk.CPUTimeSample'
  | 'profiler.WallClockSample'
  | 'jdk.ObjectAllocationSample'
  | 'jdk.JavaMonitorEnter'
  | 'jdk.ActiveSetting'
  | 'jdk.ActiveRecording'
  | 'jdk.MethodTrace'
  | 'jdk.MethodTiming'
  | 'jdk.CPUTimeSamplesLost'
  | 'jdk.DataLoss'
  | 'jdk.JVMInformation'
  | 'datadog.MethodSample'
  | 'datadog.ObjectSample'
  | 'shop.Order'
  | 'jdk.ThreadAllocationStatistics'
  | 'jdk.CPULoad'
  | 'jdk.GCPhasePause'
  | 'jdk.GCHeapSummary'
  | 'jdk.ObjectAllocationInNewTLAB'
  | 'jdk.ObjectAllocationOutsideTLAB'
  | 'profiler.LiveObject'
  | 'profiler.Malloc'
  | 'profiler.Span'
  | 'jdk.JavaMonitorWait'
  | 'jdk.ThreadPark'
  | 'jdk.ThreadSleep'
  | 'jdk.FileRead'
  | 'jdk.FileWrite'
  | 'jdk.FileForce'
  | 'jdk.SocketRead'
  | 'jdk.SocketWrite'
  | 'jdk.JavaExceptionThrow'
  | 'jdk.JavaErrorThrow'
  | 'shop.Queue'
  | 'shop.Shelf';

/** Labels of event types. The JDK's types have labels too, which no reader uses. */
const LABELS: Readonly<Record<string, string | undefined>> = {
  'datadog.MethodSample': 'Method Wall Profiling Sample',
  'datadog.ObjectSample': 'Allocation sample',
  'shop.Order': 'Order',
  'shop.Queue': 'Queue',
};

const names = Object.keys(TYPES);
const EVENTS = names.slice(names.indexOf('jdk.ExecutionSample'));

export function typeId(name: TypeName): number {
  return FIRST_ID + names.indexOf(name);
}

/** The fields of a metadata event that describes all types but events that a recording has no use for. */
export function metadataFields(events: readonly EventName[]): JfrBytes {
  const strings: string[] = [];
  const elements = new JfrBytes();
  const string = (text: string): void => {
    if (!strings.includes(text)) strings.push(text);
    elements.integer(strings.indexOf(text));
  };
  const element = (name: string, attributes: Readonly<Record<string, string>>, children: number): void => {
    string(name);
    elements.integer(Object.keys(attributes).length);
    for (const [key, value] of Object.entries(attributes)) {
      string(key);
      string(value);
    }
    elements.integer(children);
  };

  const described = names.filter(
    (name) => !EVENTS.includes(name) || (events as readonly string[]).includes(name),
  );
  element('root', {}, 2);
  element('metadata', {}, described.length);
  for (const name of described) {
    const isEvent = EVENTS.includes(name);
    const id = String(FIRST_ID + names.indexOf(name));
    const fields = TYPES[name];
    const more = isEvent
      ? { superType: 'jdk.jfr.Event' }
      : SIMPLE.includes(name)
        ? { simpleType: 'true' }
        : {};
    const label = LABELS[name];
    const annotation = (type: string, value: string): void =>
      element('annotation', { class: String(typeId(`jdk.jfr.${type}` as TypeName)), value }, 0);
    element('class', { id, name, ...more }, fields.length + (label === undefined ? 0 : 1));
    if (label !== undefined) annotation('Label', label);
    for (const field of fields) {
      const [, fieldName, type, mark, unit, value] =
        /^(\w+): (\S+)(?: ([#[\]]+))?(?: @(\w+)\((\w+)\))?$/.exec(field) ?? [];
      const attributes = { name: fieldName, class: String(FIRST_ID + names.indexOf(type)) };
      const refers = mark === '#' ? { constantPool: 'true' } : mark === '[]' ? { dimension: '1' } : {};
      const hasUnit = (unit as string | undefined) !== undefined;
      element('field', { ...attributes, ...refers }, hasUnit ? 1 : 0);
      if (hasUnit) annotation(unit, value);
    }
  }
  element('region', { locale: 'en_US' }, 0);

  const fields = new JfrBytes();
  for (const value of [1, 0, 1, strings.length]) fields.integer(value);
  for (const text of strings) fields.text(text);
  fields.append(elements.written);
  return fields;
}
