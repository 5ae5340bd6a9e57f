import { type FieldName, type Fields, fieldsOf } from '../../read/fields.ts';

/**
 * Type of an attribute, and how the binary form stores it (specs: tptp, sections 1 and 2):
 *
 *   id      8 bytes   of a thread, class, method or object
 *   time    8 bytes   a time or an interval in ticks; in XML decimal seconds
 *   long    8 bytes
 *   int     4 bytes
 *   byte    1 byte
 *   text    bytes up to a NUL
 *   texts   as many texts as the `int` before it says
 *   longs   as many longs as the last `int` before it says
 */
export type AttributeType = 'id' | 'time' | 'long' | 'int' | 'byte' | 'text' | 'texts' | 'longs';

/**
 * A type of message: a row of the table by which both forms are read and written. Its fields are the attributes in the
 * order of the binary form; their names are those of the XML attributes, if the XML form has them.
 */
export interface Message<Name extends string = string> extends Fields<Name, AttributeType> {
  readonly id: number;
  /** Name of the XML element. */
  readonly name: string;
}

function message<Layout extends string>(
  id: number,
  name: string,
  layout: Layout,
): Message<FieldName<Layout>> {
  return { id, name, ...fieldsOf<AttributeType, Layout>(layout) };
}

const STACK = 'depth:int stackMethods:texts stackLines:longs';
const END = 'collationValue:text traceIdRef:text';

export const NODE = message(1001, 'node', 'nodeId:text hostname:text ipaddress:text timezone:int time:time');
export const PROCESS_CREATE = message(
  1002,
  'processCreate',
  'processId:text name:text pid:int nodeIdRef:text time:time applicationExecutable:text',
);
export const AGENT_CREATE = message(
  1003,
  'agentCreate',
  'agentId:text processIdRef:text agentName:text agentType:text time:time agentParameters:text version:text',
);
const TRACE_START = message(1005, 'traceStart', 'traceId:text agentIdRef:text time:time collationValue:text');
export const TRACE_END = message(1006, 'traceEnd', 'traceIdRef:text time:time collationValue:text');
export const FILTER = message(
  1007,
  'filter',
  'traceIdRef:text pattern:text genericPattern:text mode:text methodPattern:text methodGenericPattern:text methodMode:text',
);
export const OPTION = message(1008, 'option', 'traceIdRef:text key:text value:text');
export const THREAD_START = message(
  1009,
  'threadStart',
  `transientThreadId:id threadId:id time:time groupName:text parentName:text transientObjIdRef:id objIdRef:id threadName:text ${END}`,
);
export const THREAD_END = message(
  1010,
  'threadEnd',
  `transientThreadIdRef:id threadIdRef:id time:time ${END}`,
);
export const CLASS_DEF = message(
  1011,
  'classDef',
  `transientThreadIdRef:id threadIdRef:id time:time numInterfaces:int interfaceNames:text transientClassId:id classId:id sourceName:text classLoader:text superclass:text transientObjIdRef:id objIdRef:id name:text access:text numStaticFields:int numMethods:int numInstanceFields:int ${END}`,
);
export const METHOD_DEF = message(
  1012,
  'methodDef',
  `name:text signature:text isNative:byte isAbstract:byte isStatic:byte isSynchronized:byte exceptions:text startLineNumber:long endLineNumber:long signatureNotation:text transientClassIdRef:id classIdRef:id methodId:id ${END}`,
);
export const OBJECT_ALLOCATION = message(
  1014,
  'objAlloc',
  `transientThreadIdRef:id threadIdRef:id time:time isArray:byte transientObjId:id objId:id size:long lineNumber:long methodIdRef:id transientClassIdRef:id classIdRef:id contextData:text ${END}`,
);
export const METHOD_ENTRY = message(
  1015,
  'methodEntry',
  `transientThreadIdRef:id threadIdRef:id time:time methodIdRef:id ticket:int transientObjIdRef:id classIdRef:id threadCpuTime:time sequenceCounter:long stackDepth:long ${END}`,
);
export const METHOD_EXIT = message(
  1016,
  'methodExit',
  `transientThreadIdRef:id threadIdRef:id time:time ticket:int threadCpuTime:time methodIdRef:id transientObjIdRef:id objIdRef:id transientClassIdRef:id classIdRef:id sequenceCounter:text ${END}`,
);
export const GC_START = message(1023, 'gcStart', `transientThreadIdRef:id threadIdRef:id time:time ${END}`);
export const OBJECT_FREE = message(
  1024,
  'objFree',
  `transientThreadIdRef:id threadIdRef:id time:time transientObjIdRef:id objIdRef:id objAge:long sequenceCounter:long stackDepth:long ${END}`,
);
export const GC_FINISH = message(
  1027,
  'gcFinish',
  `transientThreadIdRef:id threadIdRef:id time:time totalObjSpace:long usedObjSpace:long usedObjects:long ${END}`,
);
export const MONITOR_WAIT = message(
  1032,
  'monWait',
  `threadIdRef:id time:time objIdRef:id timeout:long ${STACK}`,
);
export const MONITOR_WAITED = message(
  1033,
  'monWaited',
  `threadIdRef:id time:time objIdRef:id timeout:long ${STACK}`,
);
export const CONTENDED_ENTER = message(
  1034,
  'monContendedEnter',
  `threadIdRef:id time:time objIdRef:id threadOwnerIdRef:id ${STACK}`,
);
export const CONTENDED_ENTERED = message(
  1035,
  'monContendedEntered',
  `threadIdRef:id time:time objIdRef:id ${STACK}`,
);
export const AGGREGATED_ENTRY = message(
  1036,
  'agMethodEntry',
  'threadIdRef:id methodIdRef:id baseTime:time minTime:time maxTime:time baseCPUTime:time numCalls:long',
);
export const AGGREGATED_EXIT = message(1037, 'agMethodExit', 'threadIdRef:id methodIdRef:id');
export const HEAP_DUMP = message(1038, 'heapDumpDef', 'heapDumpId:id time:time name:text basetime:long');
export const GC_ROOT = message(1039, 'gcRoot', 'classIdRef:id objIdRef:id type:text');
export const REFERENCE = message(1040, 'objReference', 'srcIdRef:id tgtIdRef:id heapDumpIdRef:id');
/** In XML, `body` is the text between the tags. */
export const CUSTOM = message(1041, 'custom', 'body:text');

/** All known messages in the order of their ids (specs: tptp, section 2). */
export const MESSAGES: readonly Message[] = [
  NODE,
  PROCESS_CREATE,
  AGENT_CREATE,
  message(1004, 'agentDestroy', 'agentIdRef:text time:time'),
  TRACE_START,
  TRACE_END,
  FILTER,
  OPTION,
  THREAD_START,
  THREAD_END,
  CLASS_DEF,
  METHOD_DEF,
  OBJECT_ALLOCATION,
  METHOD_ENTRY,
  METHOD_EXIT,
  GC_START,
  OBJECT_FREE,
  GC_FINISH,
  message(1030, 'runtimeInitDone', `transientThreadIdRef:id threadIdRef:id time:time ${END}`),
  message(1031, 'runtimeShutdown', `transientThreadIdRef:id threadIdRef:id time:time ${END}`),
  MONITOR_WAIT,
  MONITOR_WAITED,
  CONTENDED_ENTER,
  CONTENDED_ENTERED,
  AGGREGATED_ENTRY,
  AGGREGATED_EXIT,
  HEAP_DUMP,
  GC_ROOT,
  REFERENCE,
  CUSTOM,
];

/** System messages, which are no events and have no XML form: the encoding of texts, and the ticks per second. */
export const ENCODING = message(1, 'encoding', 'name:text');
export const FREQUENCY = message(2, 'frequency', 'frequency:long');
/** A larger id is damage. */
export const MAX_MESSAGE_ID = 32_767;

export const MAX_ATTRIBUTES = Math.max(...MESSAGES.map(({ fields }) => fields.length));

const byId = new Map([ENCODING, FREQUENCY, ...MESSAGES].map((each) => [each.id, each]));
const byName = new Map(MESSAGES.map((each) => [each.name, each]));

/** Includes system messages. */
export function messageOfId(id: number): Message | undefined {
  return byId.get(id);
}

export function messageOfName(name: string): Message | undefined {
  return byName.get(name);
}

/** Length of the header of the binary form (specs: tptp, section 1). */
export const HEADER_BYTES = 12;

const MAGIC = [0x30, 0x54, 0x42, 0x46];

export interface BinaryHeader {
  readonly major: number;
  readonly minor: number;
  /** The platform has 32 bits. */
  readonly is32Bit: boolean;
  readonly littleEndian: boolean;
  /** Offset of the messages according to the header. */
  readonly dataOffset: number;
}

/** Number of bytes at the start that match the magic number, whose first byte may also be NUL. */
export function magicLength(head: Uint8Array): number {
  let at = 0;
  while (at < MAGIC.length && (head[at] === MAGIC[at] || (at === 0 && head[at] === 0))) at++;
  return at;
}

/** Undefined without the magic number. Other values are not checked. */
export function readHeader(bytes: Uint8Array, view: DataView): BinaryHeader | undefined {
  if (magicLength(bytes) < MAGIC.length) return undefined;
  const littleEndian = bytes[7] !== 0;
  return {
    major: bytes[4],
    minor: bytes[5],
    is32Bit: bytes[6] === 0,
    littleEndian,
    dataOffset: view.getUint32(8, littleEndian),
  };
}
